"""Sees what goes wrong in the window's process: warnings, tracebacks, gaps of the event loop."""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import IO

from wavelab.app.base.qt import Qt, QtCore, QTimer

#: Seconds between two turns of the event loop that are counted, the longest of which is a finding.
GAPS = (0.128, 2.0, 8.0)
#: Seconds after which the process is ended as hanging, with the stacks of all threads.
HANGING = 300.0
_TICK = 0.02


class Watch:
    """From ``install`` to ``remove``.

    Parameters
    ----------
    found : called with each finding: its kind and its text, of any length.
    crashes : gets the stacks of all threads when the process dies of a signal, or hangs.

    Attributes
    ----------
    gaps : seconds -> how many were longer.
    longest : the longest gaps so far: seconds, seconds of them in which the machine let this
        thread wait for a processor, seconds of them in which it had one, and what was done.
    """

    def __init__(
        self, found: Callable[[str, str], None], doing: Callable[[], str], crashes: IO[str]
    ) -> None:
        self._found, self._doing, self._crashes = found, doing, crashes
        self.gaps = dict.fromkeys(GAPS, 0)
        self.longest: list[tuple[float, float, float, str]] = []
        self._timer = QTimer(timerType=Qt.PreciseTimer, interval=round(1000 * _TICK))
        self._timer.timeout.connect(self._tick)
        self._handler = _Handler(found)
        self._main = threading.get_ident()
        self._last = self._armed = time.monotonic()
        self._used = (0.0, 0.0)
        self._stack = ""
        self._over = threading.Event()
        self._looker = threading.Thread(target=self._look, name="watch", daemon=True)

    def listen(self) -> None:
        """To Qt, from now on: others put themselves in its place when they are loaded."""
        QtCore.qInstallMessageHandler(self._qt)

    def install(self) -> None:
        faulthandler.enable(self._crashes)
        faulthandler.register(signal.SIGUSR1, self._crashes)  # for who wonders what it is at
        logging.getLogger().addHandler(self._handler)
        self.listen()
        sys.excepthook = self._raised
        sys.unraisablehook = lambda it: self._raised(it.exc_type, it.exc_value, it.exc_traceback)
        threading.excepthook = lambda it: self._raised(it.exc_type, it.exc_value, it.exc_traceback)
        warnings.simplefilter("default")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.showwarning = self._warned
        self.go_on()  # what is counted begins with the event loop
        self._timer.start()
        self._looker.start()

    def remove(self) -> None:
        self._timer.stop()
        self._over.set()
        self._looker.join()
        faulthandler.cancel_dump_traceback_later()
        logging.getLogger().removeHandler(self._handler)
        QtCore.qInstallMessageHandler(None)

    def go_on(self) -> None:
        """What took long until now was not the window's doing."""
        self._last, self._used = time.monotonic(), _used()

    def _tick(self) -> None:
        now, used = time.monotonic(), _used()
        gap = now - self._last - _TICK
        if gap > GAPS[0]:
            self._gap(gap, used[0] - self._used[0], used[1] - self._used[1])
        self._last, self._used = now, used
        if now - self._armed > 1.0:
            self._armed = now
            faulthandler.dump_traceback_later(HANGING, exit=True, file=self._crashes)

    def _gap(self, gap: float, ran: float, waited: float) -> None:
        for limit in GAPS:
            self.gaps[limit] += gap > limit
        self.longest = sorted([*self.longest, (gap, waited, ran, self._doing())], reverse=True)[:20]
        if gap - waited > GAPS[1]:
            text = f"{gap:.1f} s, {waited:.1f} of them without a processor, {ran:.1f} with one"
            self._found("gap", f"{text}\n{self._stack}")

    def _look(self) -> None:
        """What the window's thread is at when nothing was heard of it for long."""
        seen, parent = 0.0, os.getppid()
        while not self._over.wait(0.1):
            if os.getppid() != parent:
                os._exit(1)  # whoever was to get the report is gone
            if time.monotonic() - self._last > 1.0 and seen != self._last:
                seen = self._last
                # The frame in no name: it would keep the event that it handles, and PyQt would
                # take the next event at the same address for that one.
                stack = traceback.format_stack(sys._current_frames().get(self._main))
                self._stack = "".join(stack[-12:])

    def _qt(self, kind: QtCore.QtMsgType, context: object, text: str | None) -> None:
        if kind not in (QtCore.QtDebugMsg, QtCore.QtInfoMsg):
            stack = "".join(traceback.format_stack(sys._getframe(1))[-8:])
            self._found("Qt warning", f"{text}\n{stack}")

    def _raised(self, kind: object, error: BaseException, trace: object) -> None:
        self._found("traceback", "".join(traceback.format_exception(error)))

    def _warned(self, message: object, category: type, name: str, line: int, *_: object) -> None:
        stack = "".join(traceback.format_stack()[-8:-1])
        self._found("warning", f"{category.__name__}: {message} ({name}:{line})\n{stack}")


class _Handler(logging.Handler):
    """What is logged: a defect that the user was told of, or a library that complains."""

    def __init__(self, found: Callable[[str, str], None]) -> None:
        super().__init__(logging.WARNING)
        # Its own warnings are told to the user in another way, too.
        self.addFilter(lambda r: r.levelno >= logging.ERROR or not r.name.startswith("wavelab"))
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        kind = "traceback" if record.levelno >= logging.ERROR else "warning"
        self._found(kind, logging.Formatter().format(record))


def _used() -> tuple[float, float]:
    """Seconds for which this thread has had a processor, and has waited for one."""
    try:
        ran, waited, _ = Path("/proc/thread-self/schedstat").read_text().split()
    except OSError:
        return time.thread_time(), 0.0
    return 1e-9 * int(ran), 1e-9 * int(waited)
