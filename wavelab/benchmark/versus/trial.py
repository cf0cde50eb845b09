"""One run of one method, and the limits that keep a search for the cheapest within minutes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.benchmark.timing import Timed, timed
from wavelab.opencl.device.limits import Limits
from wavelab.physics.operator.fields import Fields

#: Beyond this, arrays on the host grow uncomfortable.
MAX_UNKNOWNS = 200_000_000
#: Steps from which the length of a run is predicted.
_FIRST_STEPS = 4
#: Shorter runs are repeated, and the fastest counts.
_SHORT_SECONDS = 0.5
_REPEATS = 3


@dataclass(frozen=True)
class Trial:
    """What a run cost and how wrong it was.

    Attributes
    ----------
    resolution : 1 / size of a cell or an element, relative to the side of the room.
    order : of the elements; None for finite differences.
    cells : elements, or cells of the grid.
    unknowns : numbers that are stepped.
    error : energy norm of the error of all fields over that of the exact ones.
    seconds : wall-clock time from queuing the first step until the last is done; setting up is not
        counted.
    flops_per_step, bytes_per_step : unavoidable work.
    """

    resolution: float
    order: int | None
    cells: int
    unknowns: int
    steps: int
    error: float
    seconds: float
    flops_per_step: float
    bytes_per_step: float

    def limit_share(self, limits: Limits) -> float:
        """Time that the unavoidable work needs at the limits of the device over that it took."""
        shortest = max(
            self.bytes_per_step / (1e9 * limits.copy_gbytes_per_s),
            self.flops_per_step / (1e9 * limits.fma_gflops),
        )
        return shortest * self.steps / self.seconds


@dataclass(frozen=True)
class NotRun:
    """A run that was not made, and why: too large, or it would have taken too long."""

    reason: str


def run_within(
    stepper: Timed, initial: Fields, n_steps: int, unknowns: int, longest: float
) -> float | NotRun:
    """Seconds of a whole run from the ``initial`` fields on.

    Not made if the first few steps show that it would take longer than ``longest`` seconds.
    """
    timed(stepper, 1)
    few = min(_FIRST_STEPS, n_steps)
    predicted = min(timed(stepper, few) for _ in range(_REPEATS)) / few * n_steps
    if predicted > longest:
        return NotRun(f"would take {predicted:.3g} s with {unknowns:,} unknowns")
    seconds: list[float] = []
    while not seconds or (seconds[0] < _SHORT_SECONDS and len(seconds) < _REPEATS):
        stepper.set_fields(initial)
        seconds.append(timed(stepper, n_steps))
    return min(seconds)


def energy_norm(*parts: Array | float) -> float:
    """Square root of the sum of all squares."""
    return math.sqrt(sum(float(np.sum(np.square(part))) for part in parts))
