"""When a formula takes another branch: where it may jump, or have a kink, in time.

Between two such moments a formula is as smooth as the functions that it calls.  What decides is
found in the checked tree: conditions, ``sign``, ``heaviside``, ``floor`` and the cut of ``atan2``;
of ``abs``, ``min`` and ``max``, which only have kinks, those of something linear in t.  The
moments themselves are found by bisection on the formula as it is evaluated, so that there is no
doubt on which side a time lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from pymbolic import primitives as p

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import children_of, truth, uses_variable, value

#: Moments that follow from a linear term are looked at on both sides, this part of the distance of
#: other looks away: what is shorter than twice that is not seen.
_BESIDE = 1e-8
#: What bisection leaves between both sides, in parts of the same distance, or of the time.
_LEFT, _ROUNDING = 1e-12, 4e-16
#: Moments of one term, and looks, in one search.
_MOST_KNOWN, _MOST_LOOKS = 1 << 16, 1 << 16
#: Looks while what stands in a function goes on by 1: by which a period has enough of them.
_TURNS = {"sin": 4 / np.pi, "cos": 4 / np.pi, "tan": 8 / np.pi, "floor": 4.0}


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
    def _lines(self) -> list[tuple[float, float, bool]]:
        """Slope and offset of linear terms that decide, and whether at every whole number or at 0
        alone."""
        return [
            (*line, every)
            for node in self.alone
            for term, every in _terms(node)
            if (line := _line(term)) is not None and line[0] != 0
        ]

    @cached_property
    def _searched(self) -> bool:
        """Whether there is more to it than linear terms."""
        return any(_line(term) is None for node in self.alone for term, _ in _terms(node))

    @cached_property
    def _quickest(self) -> float:
        """How many looks in a unit of time the functions need in which something linear stands."""
        return max((pace for node in self.alone for pace in _paces(node)), default=0.0)

    def state(self, nodes: tuple[Any, ...], **values: Array) -> Array:
        """(n_nodes, ...) whole numbers that change where another branch is taken."""
        with np.errstate(all="ignore"):
            states = [np.nan_to_num(_state(node, values)) for node in nodes]
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
            faster.  Of a linear condition nothing is missed; of others a branch that is taken for
            less time may be.
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
            times.append(np.linspace(start, end, int(min(looks, _MOST_LOOKS)) + 1))
        moments = np.unique(np.clip(np.concatenate(times), start, end))

        def state(t: Array) -> Array:
            return self.state(self.alone, t=t - origin)

        states = state(moments)
        found = []
        for i in np.flatnonzero((states[:, 1:] != states[:, :-1]).any(axis=0)):
            found += list(_between(state, moments[i : i + 2], _LEFT * spacing))
        return merged(found, _BESIDE * spacing)


@lru_cache(maxsize=256)
def switches_of(formula: Formula) -> Switches:
    """What decides on the branches that a formula takes as t goes on."""
    nodes = [node for node in _deciding(formula.expression) if uses_variable(node, "t")]
    others = [name for name in formula.variables if name != "t"]
    there = [any(uses_variable(node, name) for name in others) for node in nodes]
    return Switches(
        tuple(node for node, depends in zip(nodes, there, strict=True) if not depends),
        tuple(
            node
            for node, depends in zip(nodes, there, strict=True)
            if depends and not _only_bends(node)
        ),
    )


def _deciding(node: Any) -> Iterator[Any]:
    """Conditions and calls of functions with several pieces; a term that is there twice, once."""
    match node:
        case p.If(condition, then, else_):
            yield condition
            yield from _deciding(then)
            yield from _deciding(else_)
            return
        case p.Call(p.Variable("sign" | "heaviside" | "floor" | "atan2"), _):
            yield node
        case p.Call(p.Variable("abs" | "min" | "max"), _):
            if any(_line(term) is not None for term, _ in _terms(node)):
                yield node
    for child in children_of(node):
        yield from _deciding(child)


def _only_bends(node: Any) -> bool:
    match node:
        case p.Call(p.Variable("abs" | "min" | "max"), _):
            return True
    return False


def _state(node: Any, arrays: dict[str, Array]) -> Any:
    match node:
        case p.Call(p.Variable("sign" | "heaviside" | "floor"), _):
            return value(node, arrays)
        case p.Call(p.Variable("atan2"), (y, x)):
            return np.logical_and(value(x, arrays) < 0, value(y, arrays) < 0)
        case p.Call(p.Variable("abs"), (u,)):
            return value(u, arrays) < 0
        case p.Call(p.Variable("min" | "max"), (a, b)):
            return value(a, arrays) < value(b, arrays)
    return truth(node, arrays)


def _terms(node: Any) -> Iterator[tuple[Any, bool]]:
    """Terms that decide where they pass 0, and whether they do at every whole number too."""
    match node:
        case p.Call(p.Variable("sign" | "heaviside" | "abs"), (u,)):
            yield u, False
        case p.Call(p.Variable("floor"), (u,)):
            yield u, True
        case p.Call(p.Variable("atan2"), (y, x)):
            yield y, False
            yield x, False
        case p.Comparison(a, _, b) | p.Call(p.Variable("min" | "max"), (a, b)):
            yield _difference(a, b), False
        case p.LogicalAnd(children) | p.LogicalOr(children):
            for child in children:
                yield from _terms(child)


def _paces(node: Any) -> Iterator[float]:
    match node:
        case p.Call(p.Variable(name), (u,)) if name in _TURNS and (line := _line(u)) is not None:
            yield abs(line[0]) * _TURNS[name]
    for child in children_of(node):
        yield from _paces(child)


def _difference(a: Any, b: Any) -> Any:
    return p.Sum((a, p.Product((-1.0, b))))


def _line(node: Any) -> tuple[float, float] | None:
    """Slope and offset of a term that is linear in t; None of others."""
    if not uses_variable(node, "t"):
        try:
            with np.errstate(all="ignore"):
                constant = float(value(node, {}))
        except KeyError:  # it depends on the place
            return None
        return (0.0, constant) if np.isfinite(constant) else None
    match node:
        case p.Variable(_):
            return 1.0, 0.0
        case p.Sum(children):
            lines = [_line(child) for child in children]
            known = [line for line in lines if line is not None]
            if len(known) == len(lines):
                return sum(a for a, _ in known), sum(b for _, b in known)
        case p.Product(children):
            total: tuple[float, float] | None = (0.0, 1.0)
            for child in children:
                line = _line(child)
                if total is None or line is None or (total[0] and line[0]):
                    return None
                total = total[0] * line[1] + total[1] * line[0], total[1] * line[1]
            return total
        case p.Quotient(numerator, denominator):
            above, below = _line(numerator), _line(denominator)
            if above is not None and below is not None and not below[0] and below[1]:
                return above[0] / below[1], above[1] / below[1]
    return None


def _known(slope: float, offset: float, every: bool, start: float, end: float) -> Array:
    """Times at which a line passes 0, or whole numbers, from ``start`` to ``end``."""
    if not every:
        at = np.array([-offset / slope])
        return at[(at >= start) & (at <= end)]
    first, last = sorted((slope * start + offset, slope * end + offset))
    count = min(np.floor(last) - np.ceil(first) + 1, _MOST_KNOWN)
    numbers = np.ceil(first) + np.arange(max(0, int(count)))
    return np.sort((numbers - offset) / slope)


def _between(state: Callable[[Array], Array], ends: Array, left: float) -> Iterator[Break]:
    """All that bisection finds: of changes that are taken back in between it sees none."""
    start, end = ends.tolist()
    last = state(np.array([end]))
    while not (np.array_equal(first := state(np.array([start])), last)):
        low, high = start, end
        least = max(left, _ROUNDING * max(abs(start), abs(end)))
        while high - low > least:
            middle = low + (high - low) / 2
            same = np.array_equal(state(np.array([middle])), first)
            low, high = (middle, high) if same else (low, middle)
        yield Break(low, high)
        start = high


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
