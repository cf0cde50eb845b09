"""When a formula takes another branch: where it may jump, or have a kink, in time.

Between two such moments a formula is as smooth as the functions that it calls.  The moments are
found by bisection on the formula as it is evaluated, so that there is no doubt on which side a time
lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_branches import (
    all_terms,
    branch,
    deciding,
    linear,
    only_bends,
    paces,
)
from wavelab.scene.formulas.formula_functions import uses_variable, value

#: Moments that follow from a linear term are looked at on both sides, this part of the distance of
#: other looks away: what is shorter than twice that is not seen.
_BESIDE = 1e-8
#: What bisection leaves between both sides, in parts of the same distance, or of the time.
_LEFT, _ROUNDING = 1e-12, 4e-16
#: Moments of one term, and looks, in one search.
_MOST_KNOWN, _MOST_LOOKS = 1 << 16, 1 << 16
#: Looks that close in on an extremum: they leave 1e-6 of the distance of others.
_CLOSING = 32


@dataclass(frozen=True)
class Break:
    """A time that belongs to one piece of a formula, and one just after it that belongs to the
    next."""

    before: float
    after: float


@dataclass(frozen=True, eq=False)
class Switches:
    """What decides on the branches of a formula.

    Attributes
    ----------
    alone : the nodes of the tree that depend on t and on nothing else.
    elsewhere : those that depend on t and on the place.
    """

    alone: tuple[Any, ...]
    elsewhere: tuple[Any, ...]

    @cached_property
    def _terms(self) -> list[tuple[Any, bool]]:
        """Those that decide by where they pass 0, and whether at every whole number too."""
        every = dict.fromkeys(term for node in self.alone for term in all_terms(node))
        return [(term, at_all) for term, at_all in every if uses_variable(term, "t")]

    @cached_property
    def _lines(self) -> list[tuple[float, float, bool]]:
        """Slope and offset of the linear ones."""
        return [
            (*line, every)
            for term, every in self._terms
            if (line := linear(term)) is not None and line[0] != 0
        ]

    @cached_property
    def _searched(self) -> list[Any]:
        """The others."""
        return [term for term, _ in self._terms if linear(term) is None]

    @cached_property
    def _quickest(self) -> float:
        """How many looks in a unit of time the functions need in which something linear stands."""
        return max((pace for node in self.alone for pace in paces(node)), default=0.0)

    def state(self, nodes: tuple[Any, ...], **values: Array) -> Array:
        """(n_nodes, ...) whole numbers that change where another branch is taken."""
        with np.errstate(all="ignore"):
            states = [np.nan_to_num(branch(node, values)) for node in nodes]
        shape = np.broadcast_shapes(*(array.shape for array in values.values()))
        return np.array([np.broadcast_to(state, shape) for state in states])

    def all_breaks(self, spacing: float, origin: float = 0.0) -> list[Break] | None:
        """Those of all times, where linear conditions alone decide; else None: they may go on."""
        if self._searched or any(every for _, _, every in self._lines):
            return None
        known = [origin - offset / slope for slope, offset, _ in self._lines]
        if not known:
            return []
        return self.breaks(min(known) - spacing, max(known) + spacing, spacing, origin)

    def breaks(self, start: float, end: float, spacing: float, origin: float = 0.0) -> list[Break]:
        """Those after ``start``, up to ``end``, of formula(t - origin), in order.

        Parameters
        ----------
        spacing : most time between two looks, there are more where a function repeats itself
            faster, and where a term that decides is largest or smallest.  Of a linear condition
            nothing is missed; of others a branch that is taken twice between two looks may be.
        """
        if not self.alone:
            return []
        times = [np.array([start, end])]
        for slope, offset, every in self._lines:
            at = _known(slope, offset, every, start - origin, end - origin) + origin
            beside = _BESIDE * spacing + 4 * np.spacing(np.abs(at))
            times += [at - beside, at + beside]
        if self._searched:
            looks = np.ceil((end - start) * max(1 / spacing, self._quickest))
            looked = np.linspace(start, end, int(min(looks, _MOST_LOOKS)) + 1)
            extrema = [_extrema(term, looked - origin) for term in self._searched]
            times += [looked, *(found + origin for found in extrema)]
        moments = np.unique(np.clip(np.concatenate(times), start, end))

        def state(t: Array) -> Array:
            return self.state(self.alone, t=t - origin)

        found = _between(state, moments[:-1], moments[1:], _LEFT * spacing)
        return merged(found, _BESIDE * spacing)


@lru_cache(maxsize=256)
def switches_of(formula: Formula) -> Switches:
    """What decides on the branches that a formula takes as t goes on."""
    nodes = [node for node in deciding(formula.expression) if uses_variable(node, "t")]
    others = [name for name in formula.variables if name != "t"]
    there = [any(uses_variable(node, name) for name in others) for node in nodes]
    return Switches(
        tuple(node for node, depends in zip(nodes, there, strict=True) if not depends),
        tuple(
            node
            for node, depends in zip(nodes, there, strict=True)
            if depends and not only_bends(node)
        ),
    )


def _known(slope: float, offset: float, every: bool, start: float, end: float) -> Array:
    """Times at which a line passes 0, or whole numbers, from ``start`` to ``end``."""
    if not every:
        at = np.array([-offset / slope])
        return at[(at >= start) & (at <= end)]
    first, last = sorted((slope * start + offset, slope * end + offset))
    count = min(np.floor(last) - np.ceil(first) + 1, _MOST_KNOWN)
    numbers = np.ceil(first) + np.arange(max(0, int(count)))
    return np.sort((numbers - offset) / slope)


def _extrema(term: Any, times: Array) -> Array:
    """Times at which a term is largest or smallest between the looks beside."""

    def at(t: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.nan_to_num(np.broadcast_to(value(term, {"t": t}), t.shape))

    falls = np.diff(at(times)) < 0
    turns = np.flatnonzero(falls[1:] != falls[:-1])
    sign = np.where(falls[turns], 1.0, -1.0)
    low, high = times[turns], times[turns + 2]
    for _ in range(_CLOSING):
        part = 0.382 * (high - low)
        lower = sign * at(low + part) < sign * at(high - part)
        low, high = np.where(lower, low, low + part), np.where(lower, high - part, high)
    return (low + high) / 2


def _between(
    state: Callable[[Array], Array], starts: Array, ends: Array, left: float
) -> Iterator[Break]:
    """All that bisection finds between each of ``starts`` (n,) and its end, of all at once: of
    changes that are taken back in between it sees none."""
    first, last = state(starts), state(ends)
    while (changed := (first != last).any(axis=0)).any():
        starts, ends, first, last = (a[..., changed] for a in (starts, ends, first, last))
        low, high = starts, ends
        least = np.maximum(left, _ROUNDING * np.maximum(np.abs(starts), np.abs(ends)))
        while (wide := high - low > least).any():
            middle = low + (high - low) / 2
            same = (state(middle) == first).all(axis=0)
            low, high = np.where(wide & same, middle, low), np.where(wide & ~same, middle, high)
        yield from map(Break, low.tolist(), high.tolist())
        starts, first = high, state(high)


def merged(breaks: Iterable[Break], distance: float) -> list[Break]:
    """In order; those closer together than that as one, as a sign has one on both sides of its
    0."""
    found: list[Break] = []
    for here in sorted(breaks, key=lambda found: found.after):
        if found and here.before - found[-1].after <= distance:
            found[-1] = Break(min(found[-1].before, here.before), here.after)
        else:
            found.append(here)
    return found
