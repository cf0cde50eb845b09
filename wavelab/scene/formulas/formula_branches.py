"""Which parts of a formula decide on its branches, and where each does.

Conditions, ``sign``, ``heaviside``, ``floor`` and the cut of ``atan2``; ``tan`` and quotients,
which come back from the other side of infinity; and what only has kinks there: ``abs``, ``min``,
``max``, and ``asin`` and ``acos`` of a ``sin`` or ``cos``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pymbolic import primitives as p

from wavelab.arrays import Array
from wavelab.scene.formulas.formula_functions import children_of, truth, uses_variable, value

#: Looks while what stands in a function goes on by 1: by which a period has enough of them.
_LOOKS = {"sin": 4 / np.pi, "cos": 4 / np.pi, "tan": 8 / np.pi, "floor": 4.0}


def deciding(node: Any) -> Iterator[Any]:
    """Nodes of the tree that decide; a term that is there twice, once."""
    match node:
        case p.If(condition, then, else_):
            yield condition
            yield from deciding(then)
            yield from deciding(else_)
            return
        case p.Call() | p.Quotient() | p.Power() if any(terms(node)):
            yield node
    for child in children_of(node):
        yield from deciding(child)


def only_bends(node: Any) -> bool:
    """Whether the formula does not jump there, or not to something finite."""
    match node:
        case p.Call(p.Variable("abs" | "min" | "max" | "asin" | "acos"), _):
            return True
        case p.Quotient() | p.Power():
            return True
    return False


def branch(node: Any, arrays: dict[str, Array]) -> Any:
    """Numbers that change where a deciding node takes another branch."""
    match node:
        case p.Call(p.Variable("sign" | "heaviside" | "floor"), _):
            return value(node, arrays)
        case p.Call(p.Variable("atan2"), (y, x)):
            return np.logical_and(value(x, arrays) < 0, value(y, arrays) < 0)
        case p.Call(p.Variable("tan"), _):
            return value(node, arrays) < 0
        case p.Call() | p.Quotient() | p.Power():
            ((term, every),) = terms(node)
            found = value(term, arrays)
            return np.floor(found) if every else found < 0
    return truth(node, arrays)


def terms(node: Any) -> Iterator[tuple[Any, bool]]:
    """Terms that decide where they pass 0, and whether they do at every whole number too."""
    match node:
        case p.Call(p.Variable("sign" | "heaviside" | "abs"), (u,)):
            yield u, False
        case p.Call(p.Variable("floor"), (u,)):
            yield u, True
        case p.Call(p.Variable("tan"), (u,)):
            yield _times(2 / np.pi, u), True  # where it is 0 too
        case p.Call(
            p.Variable("asin" | "acos"), (p.Call(p.Variable("sin" | "cos" as inner), (u,)),)
        ):
            yield _sum(_times(1 / np.pi, u), 0.5 if inner == "sin" else 0.0), True
        case p.Call(p.Variable("atan2"), (y, x)):
            yield y, False
            yield x, False
        case p.Comparison(a, _, b) | p.Call(p.Variable("min" | "max"), (a, b)):
            yield _sum(a, _times(-1.0, b)), False
        case p.LogicalAnd(children) | p.LogicalOr(children):
            for child in children:
                yield from terms(child)
        case p.Quotient(_, below) if uses_variable(below, "t"):
            yield below, False
        case p.Power(below, float(exponent)) if exponent < 0 and uses_variable(below, "t"):
            yield below, False


def _sum(*nodes: Any) -> Any:
    return p.Sum(nodes)


def _times(factor: float, node: Any) -> Any:
    return p.Product((factor, node))


def all_terms(node: Any) -> Iterator[tuple[Any, bool]]:
    """Those of a node and of all that stands in it: where one of these takes another branch, the
    node may do so for a moment."""
    if not isinstance(node, p.LogicalAnd | p.LogicalOr):
        yield from terms(node)
    for child in children_of(node):
        yield from all_terms(child)


def paces(node: Any) -> Iterator[float]:
    """How many looks in a unit of time each function wants in which something linear stands."""
    match node:
        case p.Call(p.Variable(name), (u,)) if name in _LOOKS and (found := linear(u)) is not None:
            yield abs(found[0]) * _LOOKS[name]
    for child in children_of(node):
        yield from paces(child)


def linear(node: Any) -> tuple[float, float] | None:
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
            lines = [linear(child) for child in children]
            known = [line for line in lines if line is not None]
            if len(known) == len(lines):
                return sum(a for a, _ in known), sum(b for _, b in known)
        case p.Product(children):
            total: tuple[float, float] | None = (0.0, 1.0)
            for child in children:
                line = linear(child)
                if total is None or line is None or (total[0] and line[0]):
                    return None
                total = total[0] * line[1] + total[1] * line[0], total[1] * line[1]
            return total
        case p.Quotient(numerator, denominator):
            above, below = linear(numerator), linear(denominator)
            if above is not None and below is not None and not below[0] and below[1]:
                return above[0] / below[1], above[1] / below[1]
    return None
