"""Which moments of a run are kept where there is no room for all of them."""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, Protocol, TypeVar

import numpy as np

from wavelab.arrays import Array

#: Moments at most: more would make no way shorter that is worth it, and each is looked at when
#: there is one too many.
MOST = 1000


class Timed(Protocol):
    """What is kept."""

    @property
    def step(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...


M = TypeVar("M", bound=Timed)


def usual_gaps(distances: Array, span: float) -> Array:
    """How far apart moments are to lie so many steps from now, but for a common factor.

    One half of them lies evenly over the whole past, the other evenly on a logarithmic scale around
    now: their densities 1 / span and 1 / (log(1 + span) (1 + distance)) are added up.
    """
    span = max(span, 1.0)
    return 1 / (1 / (np.log1p(span) * (1 + distances)) + 1 / span)


class Ring(Generic[M]):
    """Moments in order, of different steps; the first one stays, so that all after it can be
    reached.

    Parameters
    ----------
    budget : bytes that all of them may take.

    Attributes
    ----------
    moments : in order.
    n_bytes : that they take.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.moments: list[M] = []
        self.n_bytes = 0

    def put(self, moment: M, now: int) -> None:
        """Keep one more, unless there is one of that step, and as many of the others as fit.

        Parameters
        ----------
        now : the step around which they lie closest.
        """
        place = self._after(moment.step)
        if place and self.moments[place - 1].step == moment.step:
            return
        self.moments.insert(place, moment)
        self.n_bytes += moment.n_bytes
        self.fit(now)

    def fit(self, now: int) -> None:
        """Drop what there is no room for."""
        while self.n_bytes > self.budget or len(self.moments) > MOST:
            self._drop(self._dispensable(now))

    def before(self, step: int) -> M | None:
        """The last one at or before a step."""
        place = self._after(step)
        return self.moments[place - 1] if place else None

    def forget_after(self, step: int) -> None:
        """Those of later steps are of no use any more."""
        for _ in range(len(self.moments) - self._after(step)):
            self._drop(-1)

    def clear(self) -> None:
        """Forget all."""
        self.moments, self.n_bytes = [], 0

    def _after(self, step: int) -> int:
        return bisect_right(self.moments, step, key=lambda moment: moment.step)

    def _dispensable(self, now: int) -> int:
        """The one whose place is missed least: where the gap that it leaves is smallest, beside
        what is usual there.  The last of two; and the only one, if it does not fit."""
        if len(self.moments) < 3:
            return -1
        steps = np.array([moment.step for moment in self.moments], np.float64)
        gaps = steps[2:] - steps[:-2]
        usual = usual_gaps(np.abs(steps[1:-1] - now), steps[-1] - steps[0])
        return 1 + int(np.argmin(gaps / usual))

    def _drop(self, place: int) -> None:
        self.n_bytes -= self.moments.pop(place).n_bytes
