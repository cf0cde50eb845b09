"""Values that run to and fro by themselves."""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.app.base.qt import QObject, QTimer, Signal
from wavelab.app.panels.fields.value_slider import Notches

#: Milliseconds from one value to the next.
INTERVAL = 33
#: Seconds from one end to the other that are offered, and those at first.
OFFERED, USUAL = (2.0, 4.0, 8.0, 15.0, 30.0), 4.0


class Sweeping(QObject):
    """Runs through the values of one slider.

    Parameters
    ----------
    clock : tells the time, in seconds.

    Attributes
    ----------
    name : whose values; "" while nothing runs.
    seconds : from one end to the other.

    Emits ``moved(value)``.
    """

    moved = Signal(float)

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.name = ""
        self.seconds = USUAL
        self._clock = clock
        self._notches = Notches(0.0, 1.0)
        self._way = 0.0  #: how far it has come: 1 at the other end, 2 back again
        self._at = 0.0
        self._timer = QTimer(self, interval=INTERVAL, timeout=self._tick)

    def start(self, name: str, notches: Notches, value: float) -> None:
        """From a value on, upwards first."""
        self.name, self._notches = name, notches
        part = (value - notches.low) / (notches.high - notches.low)
        self._way, self._at = min(max(part, 0.0), 1.0), self._clock()
        self._timer.start()

    def stop(self) -> None:
        self.name = ""
        self._timer.stop()

    def follow(self, notches: Notches) -> None:
        """Its ends may be others from now on."""
        self._notches = notches

    def _tick(self) -> None:
        now = self._clock()
        self._way = (self._way + (now - self._at) / self.seconds) % 2.0
        self._at = now
        part = min(self._way, 2.0 - self._way)
        notches = self._notches
        value = notches.low + part * (notches.high - notches.low)
        self.moved.emit(notches.value(notches.nearest(value)))
