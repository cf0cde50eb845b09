"""Circles of Python objects are looked for in the thread of the window, and in no other.

Python looks for them in whatever thread happens to make the next object.  If it finds a widget
there, Qt takes it apart in that thread while the window's own draws, and the program crashes then
or later.

Python goes by how many objects were made, and knows nothing of arrays: a run that has gone lies in
circles, with its mesh and its past, and would stay for minutes where little happens.
"""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable
from typing import Any

from wavelab.app.base.qt import QObject, QTimer
from wavelab.heap import give_back

PERIOD_MS = 200
#: Seconds until what was replaced has been let go by all who still showed it.
GONE_SECONDS = 2.0


class GarbageTimer(QObject):
    """Looks for garbage in the thread that made it, from then on until it is closed.

    Attributes
    ----------
    large : returns what takes much memory now, None for nothing; when that is another than it was,
        all is looked through soon.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.large: Callable[[], Any] = lambda: None
        self._clock = clock
        self._known: weakref.ref | None = None
        self._due: float | None = None
        self._before = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(PERIOD_MS)

    def look(self) -> None:
        """Look through the oldest generation of objects whose turn it is, as Python would; after
        the oldest of all the system gets back what has become free."""
        if self._replaced():  # while a hand drags something, again and again
            self._due = self._clock() + GONE_SECONDS
        if self._due is not None and self._clock() >= self._due:
            self._due = None
            self._look_through(2)
            return
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                self._look_through(generation)
                return

    def close(self) -> None:
        """Leave it to Python again, if it was before, once all is gone that Qt has a part in."""
        self._timer.stop()
        self.large = lambda: None
        if self._before:
            gc.collect()
            gc.enable()

    def _look_through(self, generation: int) -> None:
        gc.collect(generation)
        if generation == 2:
            give_back()

    def _replaced(self) -> bool:
        """Whether something large was there at the last look that is not what is there now."""
        now, known = self.large(), self._known
        if known is not None and known() is now is not None:
            return False
        self._known = None if now is None else weakref.ref(now)
        return known is not None
