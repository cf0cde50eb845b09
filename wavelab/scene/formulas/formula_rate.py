"""Derivatives of formulas, exact but for rounding: value and rate of change side by side.

Forward differentiation: every node of the checked tree gives its value and its derivative with
respect to one variable, by the rules of calculus.  ``None`` stands for a derivative that is 0
because the node does not depend on the variable, so that 0 times infinity never comes up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from pymbolic import primitives as p

from wavelab.arrays import Array
from wavelab.scene.formulas.bessel import besselj
from wavelab.scene.formulas.formula_functions import FUNCTIONS, truth

#: f'(u) of the functions of one argument that are smooth almost everywhere; others jump and have
#: the derivative 0 between their jumps.
_SLOPES: dict[str, Callable[[Any], Any]] = {
    "sin": np.cos,
    "cos": lambda u: -np.sin(u),
    "tan": lambda u: 1 / np.cos(u) ** 2,
    "asin": lambda u: 1 / np.sqrt(1 - u**2),
    "acos": lambda u: -1 / np.sqrt(1 - u**2),
    "atan": lambda u: 1 / (1 + u**2),
    "sinh": np.cosh,
    "cosh": np.sinh,
    "tanh": lambda u: 1 - np.tanh(u) ** 2,
    "exp": np.exp,
    "log": lambda u: 1 / u,
    "sqrt": lambda u: 0.5 / np.sqrt(u),
    "abs": np.sign,
}


def value_and_rate(node: Any, arrays: dict[str, Array], name: str) -> tuple[Any, Any]:
    """Value of a checked tree and its derivative with respect to the variable ``name``."""

    def both(child: Any) -> tuple[Any, Any]:
        return value_and_rate(child, arrays, name)

    match node:
        case float():
            return np.float64(node), None
        case p.Variable(found):
            return arrays[found], np.float64(1.0) if found == name else None
        case p.Sum(children):
            total, rate = both(children[0])
            for child in children[1:]:
                term, slope = both(child)
                total, rate = total + term, _sum(rate, slope)
            return total, rate
        case p.Product(children):
            product, rate = both(children[0])
            for child in children[1:]:
                factor, slope = both(child)
                rate = _sum(_times(rate, factor), _times(slope, product))
                product = product * factor
            return product, rate
        case p.Quotient(numerator, denominator):
            (a, da), (b, db) = both(numerator), both(denominator)
            return a / b, _sum(_times(da, 1 / b), _times(db, -a / (b * b)))
        case p.Power(base, exponent):
            return _power(*both(base), *both(exponent))
        case p.Call(p.Variable(function), parameters):
            return _call(function, [both(child) for child in parameters])
        case p.If(condition, then, else_):
            chosen = truth(condition, arrays)
            (a, da), (b, db) = both(then), both(else_)
            rate = None if da is None and db is None else np.where(chosen, _zero(da), _zero(db))
            return np.where(chosen, a, b), rate
    raise AssertionError(f"unchecked node {type(node).__name__}")


def _power(base: Any, d_base: Any, exponent: Any, d_exponent: Any) -> tuple[Any, Any]:
    result = base**exponent
    rate = _times(d_base, exponent * base ** (exponent - 1))
    return result, _sum(rate, None if d_exponent is None else d_exponent * result * np.log(base))


def _call(function: str, parameters: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    values = [value for value, _ in parameters]
    result = FUNCTIONS[function][1](*values)
    rates = [rate for _, rate in parameters]
    if all(rate is None for rate in rates):
        return result, None
    if function in _SLOPES:
        return result, _times(rates[0], _SLOPES[function](values[0]))
    match function:
        case "atan2":
            y, x = values
            square = x**2 + y**2
            return result, _sum(_times(rates[0], x / square), _times(rates[1], -y / square))
        case "min" | "max":
            first = values[0] <= values[1] if function == "min" else values[0] >= values[1]
            return result, np.where(first, _zero(rates[0]), _zero(rates[1]))
        case "besselj":
            order, x = int(values[0]), values[1]
            lower = -besselj(1, x) if order == 0 else besselj(order - 1, x)
            return result, _times(rates[1], (lower - besselj(order + 1, x)) / 2)
    return result, None  # sign, floor, heaviside


def _sum(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return a if b is None else b
    return a + b


def _times(rate: Any, factor: Any) -> Any:
    return None if rate is None else rate * factor


def _zero(rate: Any) -> Any:
    return 0.0 if rate is None else rate
