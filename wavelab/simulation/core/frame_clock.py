"""Picture times of a movie in simulated time."""

from __future__ import annotations

import math

#: A half, and a little for rounding.
HALF = 0.5 * (1 + 1e-9)
#: More steps than any batch takes: where nothing is due.
NO_LIMIT = 2**31


class FrameClock:
    """Picture number k is due at ``start + k * interval``, at the step nearest to that time.

    Parameters
    ----------
    start : simulated time of the first picture.
    interval : simulated time between two pictures.

    Attributes
    ----------
    taken : how many pictures were.
    """

    def __init__(self, start: float, interval: float) -> None:
        self._start = start
        self._interval = interval
        self.taken = 0

    def due(self, time: float, dt: float) -> int:
        """Pictures to take now, at a step boundary: usually 0 or 1, more if steps are long."""
        count = 0
        while self.time_of(count) <= time + HALF * dt:
            count += 1
        return count

    def take(self, count: int = 1) -> None:
        """Count pictures as taken."""
        self.taken += count

    def steps_until(self, time: float, dt: float) -> int:
        """Steps from ``time`` to the step nearest the next picture, at least 1; of two steps that
        are as near the first, as for :meth:`due`."""
        return max(1, math.ceil((self.time_of(0) - time) / dt - HALF))

    def rewind(self, time: float) -> None:
        """The clock jumped (a reset): the next picture is due one interval after ``time``."""
        self._start = time + self._interval - self.taken * self._interval

    def time_of(self, ahead: int) -> float:
        """Simulated time of the picture that comes after so many that are still to be taken."""
        return self._start + (self.taken + ahead) * self._interval
