"""What tests with a window may leave to those that come after them: nothing.

A widget that lives on slows every later change of the style sheet, a timer calls into what is gone,
a thread or a child works on for nobody.  What is left is told with where it was begun.
"""

from __future__ import annotations

import gc
import subprocess
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PyQt5 import sip
from PyQt5.QtCore import QTimer
from PyQt5.QtWidgets import QApplication, QMenu, QWidget

from tests.app.lent_meshers import LENT
from wavelab.app.base.qt import QEvent

#: Seconds in which what is waited for has to come or to end, however busy the machine is.
PATIENCE = 120.0
_FRAMES = 6


class Leftovers:
    """Since it was made.  ``patch`` undoes, after the test, that beginnings are written down."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._widgets = {sip.unwrapinstance(widget) for widget in _top_levels()}
        self._threads = set(threading.enumerate())
        self._children = children()
        self._begun: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._spawned: dict[int, str] = {}
        for kind in (QTimer, threading.Thread):
            patch.setattr(kind, "start", self._noting(kind.start))
        spawn = subprocess.Popen.__init__

        def noting(process: Any, *words: Any, **keywords: Any) -> None:
            spawn(process, *words, **keywords)
            self._spawned[process.pid] = f"{process.args}\n{_stack()}"

        patch.setattr(subprocess.Popen, "__init__", noting)

    def _noting(self, start: Callable[..., None]) -> Callable[..., None]:
        def noting(begun: Any, *words: Any) -> None:
            self._begun[begun] = _stack()
            start(begun, *words)

        return noting

    def found(self) -> list[str]:
        """Each thing that is left, in words; what ends by itself is waited for."""
        end = time.monotonic() + PATIENCE
        while (self._threads_left() or children() - self._children) and time.monotonic() < end:
            time.sleep(0.01)
        if QApplication.instance() is not None:
            # What is held by circles goes when they are found, which takes long; what those held by
            # circles of its own goes the next time.
            for collect in (lambda: None, gc.collect, gc.collect, gc.collect):
                collect()
                QApplication.sendPostedEvents(None, QEvent.DeferredDelete)
                QApplication.processEvents()
                if not (self._widgets_left() or self._timers_left()):
                    break
        return [
            *(f"widget {_described(widget)}" for widget in self._widgets_left()),
            *(f"timer {_described(t)}, begun at\n{self._begun[t]}" for t in self._timers_left()),
            *(f"thread {t.name}, begun at\n{self._begun.get(t, '')}" for t in self._threads_left()),
            *(f"child {pid} {self._spawned.get(pid, '')}" for pid in children() - self._children),
        ]

    def _widgets_left(self) -> list[QWidget]:
        return [w for w in _top_levels() if sip.unwrapinstance(w) not in self._widgets]

    def _timers_left(self) -> list[QTimer]:
        timers = [it for it in self._begun if isinstance(it, QTimer)]
        return [timer for timer in timers if not sip.isdeleted(timer) and timer.isActive()]

    def _threads_left(self) -> set[threading.Thread]:
        return set(threading.enumerate()) - self._threads


@contextmanager
def nothing_left(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails with all that was begun in the block and is still there after it."""
    left = Leftovers(patch)
    yield
    found = left.found()
    assert not found, "left over:\n" + "\n".join(found)


def children() -> set[int]:
    """Process numbers of the children of this process, but for those that wait to be lent."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            found |= {int(pid) for pid in (task / "children").read_text().split()}
        except FileNotFoundError:  # the thread ended meanwhile
            continue
    return found - LENT.waiting()


def _top_levels() -> list[QWidget]:
    """Menus go with what was logged of an exception, which pytest keeps until the test is told."""
    if QApplication.instance() is None:
        return []
    return [w for w in QApplication.topLevelWidgets() if not isinstance(w, QMenu)]


def _described(it: Any) -> str:
    told = [type(it).__module__, type(it).__qualname__, it.objectName()]
    told += [it.windowTitle()] if isinstance(it, QWidget) else [f"every {it.interval()} ms"]
    parent = it.parent()
    told += [f"of {type(parent).__qualname__}"] if parent is not None else []
    return " ".join(filter(None, told))


def _stack() -> str:
    return "".join(traceback.format_stack(limit=_FRAMES)[:-2])
