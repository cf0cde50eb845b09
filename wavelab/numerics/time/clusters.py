"""Clusters of elements that take steps of their own: powers of two of the shortest.

Level l steps by dt_0 2^l, and a macro step is one step of the highest level.  The order in which
the clusters predict and correct is that of Breuer, Heinecke & Bader, *Petascale local time stepping
for the ADER-DG finite element method* (2016), in which neighbours differ by at most one level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask

Levels = NDArray[np.int32]
#: Something that a cluster does in a macro step, see :meth:`Clusters.schedule`.
Act = tuple[str, int, int]

#: A level more is worth while if it saves this part of the element updates.
_WORTH = 0.02
#: Parts of the longest possible shortest step that are tried.
_SHORTENED = tuple(1 - 0.05 * i for i in range(10))
MOST_LEVELS = 16


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which level each element has.

    Attributes
    ----------
    levels : (n_elements,) 0 for the fastest; neighbours differ by at most one.
    of : clusters of the whole mesh, where this is a part of it; and own : (n_elements,) which
        elements are computed there.  None where this is all.
    """

    levels: Levels
    name: str = "local"
    of: int | None = None
    own: Mask | None = None

    @cached_property
    def n_levels(self) -> int:
        """How many clusters there are in the mesh; a part of it need not have some of each."""
        return int(self.levels.max()) + 1 if self.of is None else self.of

    @cached_property
    def computed(self) -> Levels:
        """(n_elements,) as ``levels``, but -1 where others compute."""
        if self.own is None:
            return self.levels
        return np.where(self.own, self.levels, -1).astype(np.int32)

    def members(self, level: int) -> Indices:
        """(n,) the elements of a level that are computed."""
        return np.flatnonzero(self.computed == level)

    @property
    def ticks(self) -> int:
        """Steps of the fastest cluster in a macro step."""
        return 1 << (self.n_levels - 1)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Elements of each level."""
        return tuple(len(self.members(level)) for level in range(self.n_levels))

    @property
    def updates(self) -> int:
        """Element updates in a macro step; global steps as short as the shortest would take
        ``ticks`` times the number of elements."""
        return sum(count * (self.ticks >> level) for level, count in enumerate(self.counts))

    @property
    def gain(self) -> float:
        """How many times fewer element updates these are."""
        return sum(self.counts) * self.ticks / self.updates

    def sorting(self, first_curved: int) -> Indices:
        """The permutation that brings the elements of each cluster together, so that kernels run
        over them alone; the curved ones, from number ``first_curved`` on, stay the last."""
        straight, bent = self.levels[:first_curved], self.levels[first_curved:]
        order = (np.argsort(levels, kind="stable") for levels in (straight, bent))
        return np.concatenate([next(order), first_curved + next(order)])

    def permuted(self, permutation: NDArray[np.integer]) -> Clusters:
        """The same with the elements in another order."""
        return Clusters(self.levels[permutation])

    def part(self, elements: Indices, own: Mask) -> Clusters:
        """Those of some elements of the mesh, of which the own ones are computed."""
        return Clusters(self.levels[elements], of=self.n_levels, own=own)

    def schedule(self, together: int = 0) -> Iterator[Act]:
        """What to do in a macro step, in order: ("predict" or "correct", level, number of the
        level's step in the macro step).

        Parameters
        ----------
        together : so many of the fastest levels, not all, are not listed one by one: for them
            stands ("together", this, number of their common step), see :meth:`within`.
        """
        return _acts(self.ticks, range(together, self.n_levels), together)

    def within(self, together: int) -> Iterator[Act]:
        """What the fastest levels do in one of their common steps, as :meth:`schedule` lists it.

        Predictions of one moment do not depend on each other, nor do corrections; so all of it may
        be done after the predictions of the slower levels and before their corrections.
        """
        return _acts(1 << together, range(together))


def _acts(ticks: int, levels: range, together: int = 0) -> Iterator[Act]:
    for tick in range(ticks):
        for level in levels:
            if tick % (1 << level) == 0:
                yield "predict", level, tick >> level
        if together and tick % (1 << together) == 0:
            yield "together", together, tick >> together
        for level in levels:
            if (tick + 1) % (1 << level) == 0:
                yield "correct", level, tick >> level


def cluster(rates: Array, neighbors: NDArray[np.int32]) -> tuple[Clusters, float]:
    """The clusters with which a mesh takes the fewest element updates, and their macro step.

    The shortest step need not be as long as it could be: a little shorter, powers of two of it may
    fit the other elements better.

    Parameters
    ----------
    rates : (n_elements,) > 0: an element alone would be stable with steps up to 1 / rate.
    neighbors : (n_elements, 3) element numbers; an element is its own neighbour at a wall.
    """
    best: tuple[float, Levels, float] | None = None
    for shortened in _SHORTENED:
        shortest = shortened / float(rates.max())
        levels = _levels(rates * shortest, neighbors)
        work = float((0.5**levels).sum()) / shortest
        if best is None or work < best[0]:
            best = work, levels, shortest
    assert best is not None
    clusters = Clusters(best[1])
    return clusters, best[2] * clusters.ticks


def _levels(parts: Array, neighbors: NDArray[np.int32]) -> Levels:
    """(n_elements,) levels, lowered where a neighbour is two or more levels faster, and capped
    where more of them would save next to nothing: macro steps are no longer than they need be.

    Parameters
    ----------
    parts : (n_elements,) of the step that each element could take, what the shortest step is.
    """
    levels = np.floor(np.log2(1 / parts) + 1e-9).astype(np.int32)
    levels = np.clip(levels, 0, MOST_LEVELS - 1)
    while True:
        lowered = np.minimum(levels, levels[neighbors].min(axis=1) + 1)
        if np.array_equal(lowered, levels):
            break
        levels = lowered
    top = int(levels.max())
    while top > 0 and _work(levels, top) > (1 - _WORTH) * _work(levels, top - 1):
        top -= 1
    return np.minimum(levels, top).astype(np.int32)


def _work(levels: Levels, top: int) -> float:
    """Updates per step of level 0 if no level is higher than ``top``."""
    return float((0.5 ** np.minimum(levels, top)).sum())
