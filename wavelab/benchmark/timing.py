"""Wall-clock time of steps, as the user gets it.

The fastest of several batches counts, here as in the limits of the device: other programs and
interrupts only ever add time, so that is what repeats best.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, Protocol

from wavelab.physics.operator.fields import Fields


class Timed(Protocol):
    """What takes steps."""

    def set_fields(self, fields: Fields) -> None: ...

    def advance(self, n_steps: int) -> Any: ...

    def synchronize(self) -> None: ...


#: Batches of steps, and the seconds that each takes at least.
BATCHES = 8
_SECONDS = 0.1


def timed(stepper: Timed, n_steps: int) -> float:
    """Seconds that ``n_steps`` steps take until the device is done."""
    stepper.synchronize()
    start = time.perf_counter()
    stepper.advance(n_steps)
    stepper.synchronize()
    return time.perf_counter() - start


def side_by_side(steppers: Sequence[Timed]) -> list[float]:
    """Seconds per step of each, in turns, so that whatever slows the machine slows them alike."""
    counts = [steps_per_batch(stepper) for stepper in steppers]
    best = [math.inf] * len(steppers)
    for _ in range(BATCHES):
        for i, (stepper, count) in enumerate(zip(steppers, counts, strict=True)):
            best[i] = min(best[i], timed(stepper, count) / count)
    return best


def steps_per_batch(stepper: Timed) -> int:
    """As many as take the seconds of a batch."""
    timed(stepper, 1)
    count = 1
    while (seconds := timed(stepper, count)) < _SECONDS:
        count = max(2 * count, min(16 * count, math.ceil(1.2 * count * _SECONDS / seconds)))
    return count
