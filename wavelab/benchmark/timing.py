"""Wall-clock time of steps, as the user gets it.

The fastest of several batches counts, here as in the limits of the device: other programs and
interrupts only ever add time, so that is what repeats best.
"""

from __future__ import annotations

import math
import time
from typing import Protocol

#: Batches of steps, and the seconds that each takes at least.
BATCHES = 8
_SECONDS = 0.1


class Advances(Protocol):
    """A stepper, as far as its speed is concerned."""

    def advance(self, n_steps: int) -> object: ...

    def synchronize(self) -> None: ...


def timed(stepper: Advances, n_steps: int) -> float:
    """Seconds that ``n_steps`` steps take until the device is done."""
    stepper.synchronize()
    start = time.perf_counter()
    stepper.advance(n_steps)
    stepper.synchronize()
    return time.perf_counter() - start


def step_seconds(stepper: Advances) -> float:
    """Seconds per step, after batches that do not count."""
    timed(stepper, 1)
    count = 1
    while (seconds := timed(stepper, count)) < _SECONDS:
        count = max(2 * count, min(16 * count, math.ceil(1.2 * count * _SECONDS / seconds)))
    return min(timed(stepper, count) for _ in range(BATCHES)) / count
