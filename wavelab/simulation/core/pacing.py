"""How many steps to take at once, and when.

A batch is short enough that frames and commands are served between two screen refreshes, and long
enough that what is done once a batch costs nothing.
"""

from __future__ import annotations

import math
from collections import deque

#: Wall time a batch should take if it is alone.
BATCH_SECONDS = 0.012
#: Wall time between two frames: what is wished, and what must be kept where that is possible.
_WISHED_SECONDS, _LONGEST_SECONDS = 1 / 60, 1 / 20
#: Part of what is done between batches (frames, records) that a batch takes at least, so that a
#: dear frame does not bring the wave to a halt.
_LEAST_SHARE = 0.5
#: Part of the error that is made up for at a time, when batches are too long and too short.  Only
#: the former is seen, as a stutter.
_GAIN_LONG, _GAIN_SHORT = 0.5, 0.25
#: A batch that is longer or shorter than it should be by more than these factors counts as these.
_MOST_LONG, _MOST_SHORT = 16.0, 3.0
_MOST_STEPS = 100_000


class BatchController:
    """Chooses the number of steps so that a batch takes about ``target`` seconds, or less where
    what is done beside it would else slow the frames down.

    An integral controller of the logarithm of the number of steps: it needs no model of what a
    batch costs, so that a latency of each batch does not mislead it, and as a fraction of the
    error is made up for at a time, one mistimed batch neither stalls the picture nor sets off an
    oscillation.  It starts with one step and doubles until a batch is about half as long as
    it should be.
    """

    def __init__(self, target: float = BATCH_SECONDS) -> None:
        self._target = target
        self._wished = 1.0  # steps, as a fraction, or it would not get from one to two of them
        self._beside = 0.0
        self._starting = True

    @property
    def steps(self) -> int:
        return round(self._wished)

    def measured(self, steps: int, seconds: float) -> None:
        """``steps`` steps took ``seconds`` of wall time."""
        if steps <= 0:
            return
        # Fewer steps than wished were due: the rest is taken to cost as much.
        expected = max(seconds, 1e-9) * max(1.0, self.steps / steps)
        ratio = self.room / expected
        self._starting = self._starting and ratio > 2
        if self._starting:
            factor = 2.0
        elif ratio < 1:
            factor = max(ratio, 1 / _MOST_LONG) ** _GAIN_LONG
        else:
            factor = min(ratio, _MOST_SHORT) ** _GAIN_SHORT
        self._wished = min(max(1.0, self._wished * factor), _MOST_STEPS)

    def spent_beside(self, seconds: float) -> None:
        """A frame and what else lay between two batches took ``seconds`` of wall time."""
        self._beside = _smoothed(self._beside, seconds)

    @property
    def room(self) -> float:
        """Wall time for the next batch."""
        beside = self._beside
        least = min(_LEAST_SHARE * beside, max(_LONGEST_SECONDS - beside, 0.0))
        return min(self._target, max(_WISHED_SECONDS - beside, least, 0.1 * self._target))


def _smoothed(before: float, now: float) -> float:
    return before + (_GAIN_LONG if now > before else _GAIN_SHORT) * (now - before)


class Pace:
    """Ties simulated time to wall time.

    A device too slow for the speed asked for falls behind; it is not made up for later by a
    sprint.
    """

    #: Wall time the run may lag behind before the lag is forgiven.
    PATIENCE = 0.1

    def __init__(self) -> None:
        self._speed: float | None = None
        self._anchor: tuple[float, float] | None = None

    @property
    def speed(self) -> float | None:
        return self._speed

    def set_speed(self, speed: float | None) -> None:
        self._speed = speed
        self._anchor = None

    def restart(self) -> None:
        """Forget the past: after a pause, a reset or a new problem."""
        self._anchor = None

    def due_steps(self, time: float, dt: float, now: float) -> int | None:
        """Steps that are due at wall time ``now``; None means as many as one likes."""
        if self._speed is None:
            return None
        if self._anchor is None:
            self._anchor = (now, time)
        lag = self._lag(time, now)
        if lag > self._speed * self.PATIENCE + dt:
            # Lagging by the patience still, so that a device that is too slow takes full batches.
            self._anchor = (now - self.PATIENCE, time)
            lag = self._speed * self.PATIENCE
        return math.floor(lag / dt + 1e-9)

    def wait_seconds(self, time: float, dt: float, now: float) -> float:
        """Wall time until the next step is due, 0 if it is."""
        if self._speed is None or self._anchor is None:
            return 0.0
        return max(0.0, (dt - self._lag(time, now)) / self._speed)

    def _lag(self, time: float, now: float) -> float:
        assert self._anchor is not None
        assert self._speed is not None
        return self._anchor[1] + self._speed * (now - self._anchor[0]) - time


class StepMeter:
    """Steps per second of wall time over the last second."""

    WINDOW = 1.0

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()
        self._total = 0

    def add(self, steps: int, now: float) -> None:
        self._total += steps
        self._marks.append((now, self._total))
        while len(self._marks) > 2 and now - self._marks[0][0] > self.WINDOW:
            self._marks.popleft()

    def clear(self) -> None:
        self._marks.clear()

    @property
    def rate(self) -> float:
        if len(self._marks) < 2:
            return 0.0
        (start, first), (end, last) = self._marks[0], self._marks[-1]
        return (last - first) / (end - start) if end > start else 0.0
