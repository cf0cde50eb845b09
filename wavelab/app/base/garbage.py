"""Circles of Python objects are looked for in the thread of the window, and in no other.

Python looks for them in whatever thread happens to make the next object.  If it finds a widget
there, Qt takes it apart in that thread while the window's own draws, and the program crashes then
or later.
"""

from __future__ import annotations

import gc

from wavelab.app.base.qt import QObject, QTimer
from wavelab.heap import give_back

PERIOD_MS = 200


class GarbageTimer(QObject):
    """Looks for garbage in the thread that made it, from then on until it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self._before = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(PERIOD_MS)

    def look(self) -> None:
        """Look through the oldest generation of objects whose turn it is, as Python would; after
        the oldest of all the system gets back what has become free."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                if generation == 2:
                    give_back()
                return

    def close(self) -> None:
        """Leave it to Python again, if it was before, once all is gone that Qt has a part in."""
        self._timer.stop()
        if self._before:
            gc.collect()
            gc.enable()
