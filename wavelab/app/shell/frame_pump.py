"""Takes frames from the solver at display rate.

The window asks, rather than the solver calling: a Qt signal per frame from another thread can fill
the event queue faster than OpenGL draws.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from wavelab.app.base.qt import QObject, Qt, QTimer
from wavelab.app.shell.between_steps import BetweenSteps
from wavelab.simulation.messages.frames import Frame, Mailbox

#: Seconds over which frames per second are counted.
RATE_WINDOW = 1.0


class RateMeter:
    """Events per second over the last second."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def count(self, now: float) -> None:
        self._times.append(now)

    def rate(self, now: float) -> float:
        while self._times and self._times[0] <= now - RATE_WINDOW:
            self._times.popleft()
        return len(self._times) / RATE_WINDOW


class FramePump(QObject):
    """Calls ``show(frame)`` for every new frame, and for those between steps that are far apart.

    Parameters
    ----------
    mailbox : where the solver leaves frames.
    show : called with each frame, in order.
    visible : while it returns False no frames are asked for, so a hidden window costs nothing.
    speed : simulated time per second that is asked for; None is as fast as possible.
    rate : turns per second, the display's rate.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        *,
        show: Callable[[Frame], None],
        visible: Callable[[], bool],
        speed: Callable[[], float | None] = lambda: None,
        rate: float = 60.0,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._mailbox = mailbox
        self._show = show
        self._visible = visible
        self._meter = RateMeter()
        self._between = BetweenSteps(speed)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.setInterval(max(4, round(1000 / rate)))
        self._timer.timeout.connect(self.turn)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    @property
    def frames_per_second(self) -> float:
        return self._meter.rate(time.monotonic())

    def turn(self) -> None:
        """One look at the mailbox."""
        frame = self._mailbox.take()
        # Before anything is drawn: the solver makes the next frame meanwhile, which would else miss
        # the next turn.
        if self._visible():
            self._mailbox.request()
        elif frame is None:
            return
        now = time.monotonic()
        shown = self._between.shown(frame, now)
        if shown is not None:
            self._meter.count(now)
            self._show(shown)
