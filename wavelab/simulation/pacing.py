"""How many steps to take at once, and when.

A batch is short enough that frames and commands are served between two screen refreshes, and long
enough that what is done once a batch costs nothing.
"""

from __future__ import annotations

import math
from collections import deque

#: Wall time a batch should take.
BATCH_SECONDS = 0.012
_MOST_STEPS = 100_000


class BatchController:
    """Chooses the number of steps so that a batch takes about ``target`` seconds.

    The cost of a step is smoothed, and a batch is at most twice as long as the one before: one
    mistimed batch neither stalls the picture nor sets off an oscillation.
    """

    def __init__(self, target: float = BATCH_SECONDS) -> None:
        self._target = target
        self._cost: float | None = None
        self._steps = 1

    @property
    def steps(self) -> int:
        return self._steps

    def measured(self, steps: int, seconds: float) -> None:
        """``steps`` steps took ``seconds`` of wall time."""
        if steps <= 0:
            return
        cost = max(seconds, 1e-9) / steps
        self._cost = cost if self._cost is None else self._cost + 0.25 * (cost - self._cost)
        wished = self._target / self._cost
        self._steps = max(1, min(round(wished), 2 * self._steps, _MOST_STEPS))


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
