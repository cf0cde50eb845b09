"""Formulas that are a product of what depends on one variable and what does not.

A source that is a fixed profile times a function of time needs no formula at every node, and what
it puts in can be accounted for at every step.  Only what the tree shows is taken apart: products,
quotients, cases whose condition belongs to one side, and sums of terms with the same factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pymbolic import primitives as p

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import uses_variable

_ONE = "1"


@lru_cache(maxsize=256)  # sources keep theirs while other numbers are turned
def separated(formula: Formula, name: str) -> tuple[Formula, Formula] | None:
    """Two formulas whose product it is: one of all other variables, one of this one alone.

    None where it is not seen to be such a product.
    """
    others = tuple(variable for variable in formula.variables if variable != name)
    parts = _parts(formula.expression, name, others)
    if parts is None:
        return None
    try:
        return Formula.parse(parts[0], others), Formula.parse(parts[1], (name,))
    except FormulaError:  # longer, or deeper, than a typed one may be
        return None


#: The texts of both factors.
_Factors = tuple[str, str]


def _parts(node: Any, name: str, others: tuple[str, ...]) -> _Factors | None:
    """The texts of both factors, as far as they are seen."""
    if not uses_variable(node, name):
        return _text(node), _ONE
    if _free_of(node, others):
        return _ONE, _text(node)
    match node:
        case p.Product(children) if (found := _all_parts(children, name, others)) is not None:
            return _product([a for a, _ in found]), _product([b for _, b in found])
        case p.Sum(children) if (found := _all_parts(children, name, others)) is not None:
            if len({b for _, b in found}) == 1:
                return f"({' + '.join(a for a, _ in found)})", found[0][1]
        case p.Quotient(a, b) if (found := _all_parts((a, b), name, others)) is not None:
            above, below = found
            return f"({above[0]} / {below[0]})", f"({above[1]} / {below[1]})"
        case p.If(condition, then, 0.0) if (inner := _parts(then, name, others)) is not None:
            here, now = inner
            if not uses_variable(condition, name):
                return f"({here} if {_text(condition)} else 0)", now
            if _free_of(condition, others):
                return here, f"({now} if {_text(condition)} else 0)"
    return None


def _all_parts(nodes: Sequence[Any], name: str, others: tuple[str, ...]) -> list[_Factors] | None:
    """Those of several nodes; None unless all have some."""
    found = [_parts(node, name, others) for node in nodes]
    known = [parts for parts in found if parts is not None]
    return known if len(known) == len(found) else None


def _free_of(node: Any, variables: tuple[str, ...]) -> bool:
    return not any(uses_variable(node, variable) for variable in variables)


def _product(factors: list[str]) -> str:
    factors = [factor for factor in factors if factor != _ONE]
    return f"({' * '.join(factors)})" if factors else _ONE


def _text(node: Any) -> str:
    """A checked tree as somebody could type it, in parentheses wherever that may matter."""
    match node:
        case float():
            return f"({node!r})" if node < 0 else repr(node)
        case p.Variable(name):
            return name
        case p.Sum(children):
            return f"({' + '.join(map(_text, children))})"
        case p.Product(children):
            return f"({' * '.join(map(_text, children))})"
        case p.Quotient(numerator, denominator):
            return f"({_text(numerator)} / {_text(denominator)})"
        case p.Power(base, exponent):
            return f"({_text(base)} ** {_text(exponent)})"
        case p.Call(p.Variable(function), parameters):
            return f"{function}({', '.join(map(_text, parameters))})"
        case p.If(condition, then, else_):
            return f"({_text(then)} if {_text(condition)} else {_text(else_)})"
        case p.Comparison(left, operator, right):
            return f"({_text(left)} {operator} {_text(right)})"
        case p.LogicalAnd(children):
            return f"({' and '.join(map(_text, children))})"
        case p.LogicalOr(children):
            return f"({' or '.join(map(_text, children))})"
    raise AssertionError(f"unchecked node {type(node).__name__}")
