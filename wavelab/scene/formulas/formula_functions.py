"""The functions a formula may call, and the evaluator of its checked tree."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

import numpy as np
from pymbolic import primitives as p

from wavelab.arrays import Array
from wavelab.errors import FormulaError
from wavelab.scene.formulas.bessel import besselj

#: name -> (number of arguments, NumPy implementation).
FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sin": (1, np.sin),
    "cos": (1, np.cos),
    "tan": (1, np.tan),
    "asin": (1, np.arcsin),
    "acos": (1, np.arccos),
    "atan": (1, np.arctan),
    "atan2": (2, np.arctan2),
    "sinh": (1, np.sinh),
    "cosh": (1, np.cosh),
    "tanh": (1, np.tanh),
    "exp": (1, np.exp),
    "log": (1, np.log),
    "sqrt": (1, np.sqrt),
    "abs": (1, np.abs),
    "min": (2, np.minimum),
    "max": (2, np.maximum),
    "sign": (1, np.sign),
    "floor": (1, np.floor),
    "heaviside": (1, lambda x: np.heaviside(x, 1.0)),  # 1 at 0
    "besselj": (2, lambda order, x: besselj(int(order), x)),
}
CONSTANTS = {"pi": math.pi, "e": math.e}
COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def refused(text: str, problem: str, remedy: str = "") -> FormulaError:
    """The error about a formula, quoting it, shortened if it is long."""
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return FormulaError(f'in the formula "{shown}": {problem}', remedy=remedy)


def told(names: Iterable[str], parameters: Mapping[str, float]) -> str:
    """ " with d = 0.4 and n = 2"; nothing without names."""
    each = [f"{name} = {float(parameters[name]):g}" for name in names]
    return f" with {' and '.join(each)}" if each else ""


def value(node: Any, arrays: dict[str, Array]) -> Any:
    """Value of a checked tree; the shape is that of the variables it uses."""
    match node:
        case float():
            return np.float64(node)  # 1/0 is inf and not an exception
        case p.Variable(name):
            return arrays[name]
        case p.Sum(children):
            return reduce(operator.add, (value(child, arrays) for child in children))
        case p.Product(children):
            return reduce(operator.mul, (value(child, arrays) for child in children))
        case p.Quotient(numerator, denominator):
            return value(numerator, arrays) / value(denominator, arrays)
        case p.Power(base, exponent):
            return value(base, arrays) ** value(exponent, arrays)
        case p.Call(p.Variable(name), parameters):
            return FUNCTIONS[name][1](*(value(child, arrays) for child in parameters))
        case p.If(condition, then, else_):
            return np.where(truth(condition, arrays), value(then, arrays), value(else_, arrays))
    raise AssertionError(f"unchecked node {type(node).__name__}")


def truth(node: Any, arrays: dict[str, Array]) -> Any:
    """Whether a condition of a checked tree holds; the shape is that of the variables it uses."""
    match node:
        case p.Comparison(left, sign, right):
            return COMPARISONS[sign](value(left, arrays), value(right, arrays))
        case p.LogicalAnd(children) | p.LogicalOr(children):
            combine = np.logical_and if isinstance(node, p.LogicalAnd) else np.logical_or
            return reduce(combine, (truth(child, arrays) for child in children))
    raise AssertionError(f"unchecked node {type(node).__name__}")


def is_constant(node: Any) -> bool:
    """Whether a checked tree uses no variable.  Conditionals count as not constant."""
    if isinstance(node, p.Variable | p.If):
        return False
    return all(map(is_constant, children_of(node)))


def uses_variable(node: Any, name: str) -> bool:
    """Whether a variable stands anywhere in a checked tree."""
    if isinstance(node, p.Variable):
        return bool(node.name == name)
    return any(uses_variable(child, name) for child in children_of(node))


def children_of(node: Any) -> tuple[Any, ...]:
    """Of a number or a variable none; the name of a function is not one."""
    match node:
        case (
            p.Sum(children) | p.Product(children) | p.Call(_, children)
            | p.LogicalAnd(children) | p.LogicalOr(children)
        ):  # fmt: skip
            return tuple(children)
        case p.Quotient(a, b) | p.Power(a, b) | p.Comparison(a, _, b):
            return a, b
        case p.If(condition, then, else_):
            return condition, then, else_
    return ()
