"""Typed formulas as OpenCL C.

Walks the checked tree of a :class:`~wavelab.scene.formulas.formula.Formula`, node kind by node
kind; what is not listed here cannot get into a kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pymbolic import primitives as p

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula

#: C names of the functions of :data:`wavelab.scene.formulas.formula_functions.FUNCTIONS`.
_SAME_IN_C = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log",
    "sqrt", "sign", "floor",
)  # fmt: skip
_FUNCTIONS = {name: name for name in _SAME_IN_C} | {"abs": "fabs", "min": "fmin", "max": "fmax"}
_COMPARISONS = ("<", "<=", ">", ">=")
#: Whole powers up to this are passed to ``pown``, exact for negative bases.
_LARGEST_POWN = 2**24
#: Up to this they are multiplied out: measured on PoCL, ``pown(x, 2)`` takes 140 ns.
_LARGEST_PRODUCT = 8


def opencl_source(
    formula: Formula, precision: str, *, vector: bool = False, numbers: list[float] | None = None
) -> str:
    """The formula as an expression of variables with the formula's names.

    Parameters
    ----------
    vector : the variables are ``real_v`` of a kernel where elements lie side by side, not ``real``.
    numbers : gets the numbers of the formula, which the expression then takes from an array ``c``:
        formulas that differ in those have the same expression, and are compiled once.  Whole powers
        stay in it.

    Raises
    ------
    FormulaError : a number does not fit into single precision.
    """
    real = "real_v" if vector else "real"
    return _Printer(formula, precision, real, numbers).number(formula.expression)


def suits_vectors(formula: Formula) -> bool:
    """Whether the expression of :func:`opencl_source` also means the right thing with vectors for
    some of its variables: conditions do not, nor functions of several arguments."""
    return _suits_vectors(formula.expression)


def _suits_vectors(node: Any) -> bool:
    match node:
        case float() | p.Variable():
            return True
        case p.Sum(children) | p.Product(children):
            return all(map(_suits_vectors, children))
        case p.Quotient(a, b):
            return _suits_vectors(a) and _suits_vectors(b)
        case p.Power(base, float(exponent)):
            return (
                _is_whole(exponent) and abs(exponent) <= _LARGEST_PRODUCT and _suits_vectors(base)
            )
        case p.Call(p.Variable(name), (argument,)):
            return name != "heaviside" and _suits_vectors(argument)
    return False


@dataclass(frozen=True)
class _Printer:
    """Prints the nodes of a checked tree; ``real`` is the type of its variables."""

    formula: Formula
    precision: str
    real: str
    numbers: list[float] | None

    def number(self, node: Any) -> str:
        number = self.number
        match node:
            case float():
                return self.literal(node)
            case p.Variable(name) if name in self.formula.variables:
                return name
            case p.Sum(children):
                return f"({' + '.join(map(number, children))})"
            case p.Product(children):
                return f"({' * '.join(map(number, children))})"
            case p.Quotient(numerator, denominator):
                return f"({number(numerator)} / {number(denominator)})"
            case p.Power(base, float(exponent)) if _is_whole(exponent):
                whole = str(int(exponent))
                if abs(exponent) <= _LARGEST_PRODUCT:
                    return f"small_power({number(base)}, {whole})"
                return f"pown({number(base)}, {self.integer(whole)})"
            case p.Power(base, exponent):
                return f"pow({number(base)}, {number(exponent)})"
            case p.Call(p.Variable("besselj"), (float(order), argument)):
                return f"bessel_j({int(order)}, {number(argument)})"
            case p.Call(p.Variable("heaviside"), (argument,)):
                return f"({number(argument)} >= 0 ? {self.literal(1.0)} : {self.literal(0.0)})"
            case p.Call(p.Variable(name), parameters) if name in _FUNCTIONS:
                return f"({_FUNCTIONS[name]}({', '.join(map(number, parameters))}))"
            case p.If(condition, then, else_):
                return f"({self.condition(condition)} ? {number(then)} : {number(else_)})"
        raise AssertionError(f"unchecked node {type(node).__name__}")

    def condition(self, node: Any) -> str:
        match node:
            case p.Comparison(left, operator, right) if operator in _COMPARISONS:
                return f"({self.number(left)} {operator} {self.number(right)})"
            case p.LogicalAnd(children):
                return f"({' && '.join(map(self.condition, children))})"
            case p.LogicalOr(children):
                return f"({' || '.join(map(self.condition, children))})"
        raise AssertionError(f"unchecked node {type(node).__name__}")

    def literal(self, value: float) -> str:
        text = f"({value!r})"
        if self.precision != "double":
            with np.errstate(over="ignore"):
                rounded = float(np.float32(value))
            if not np.isfinite(rounded):
                raise FormulaError(
                    f'in the formula "{self.formula.text}": {value:g} does not fit into single '
                    "precision",
                    remedy="Use double precision, or smaller numbers.",
                )
            text = f"({rounded!r}f)"
        if self.numbers is not None:
            self.numbers.append(value)
            text = f"c[{len(self.numbers) - 1}]"
        # Functions of two numbers want both as vectors.
        return text if self.real == "real" else f"(({self.real}){text})"

    def integer(self, text: str) -> str:
        return text if self.real == "real" else f"(int_v)({text})"


def _is_whole(value: float) -> bool:
    return value.is_integer() and abs(value) <= _LARGEST_POWN
