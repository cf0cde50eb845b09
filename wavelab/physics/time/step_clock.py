"""Simulated time by the number of steps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import WavelabError

#: Part of a step that no step is cut for.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class StepClock:
    """Shows ``time`` after ``steps`` steps, and others of ``dt`` before and after.

    Times are multiplied and not accumulated: a million additions of dt would drift, and rounding
    would depend on how steps are batched.

    Raises
    ------
    WavelabError : the time step is no positive number.
    """

    dt: float
    time: float = field(default=0.0, kw_only=True)
    steps: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.dt) and self.dt > 0):
            raise WavelabError(
                f"the time step is {self.dt}", remedy="It must be a positive number."
            )

    def set_to(self, time: float, steps: int) -> StepClock:
        """The clock that shows ``time`` after ``steps`` steps."""
        return replace(self, time=time, steps=steps)

    def after(self, steps: int, part: float = 0.0) -> float:
        """Simulated time after so many steps, and a part of the next one."""
        return self.time + (steps - self.steps + part) * self.dt

    def times(self, first: int, count: int) -> Array:
        """(count,) simulated times after ``first`` steps, after one more, and so on."""
        since = np.arange(first - self.steps, first - self.steps + count, dtype=np.float64)
        return self.time + since * self.dt

    def cut(self, time: float) -> tuple[int, float]:
        """How many whole steps are done at a time, and the part of the next one; a part that is
        only rounding is none."""
        position = (time - self.time) / self.dt
        rounding = max(_ROUNDING, 4 * float(np.spacing(abs(position))))
        whole = int(np.floor(position + rounding))
        part = position - whole
        return self.steps + whole, part if part > rounding else 0.0
