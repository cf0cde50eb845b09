"""From the text of a formula to its checked tree.

Three steps: the words are looked at one by one (known names, finite numbers, bounded length and
nesting), pymbolic parses, and the tree is copied node by node, which lets only those through that
``wavelab.scene.formulas.formula`` lists.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from pymbolic import parse
from pymbolic import primitives as p
from pytools.lex import InvalidTokenError, ParseError

from wavelab.scene.formulas.formula_functions import (
    COMPARISONS,
    CONSTANTS,
    FUNCTIONS,
    is_constant,
    refused,
    told,
    value,
)
from wavelab.scene.formulas.formula_words import check_names, check_nesting, names_in, words_of

MAX_BESSEL_ORDER = 20


def checked_tree(text: str, variables: tuple[str, ...], parameters: Mapping[str, float]) -> Any:
    """The tree of a formula, made of the nodes listed in ``wavelab.scene.formulas.formula`` only.

    Parameters
    ----------
    parameters : names that stand for numbers; these are in the tree in their place.

    Raises
    ------
    FormulaError : the text is not in the language; the message names the column.
    """
    tree = _parsed(text, (*variables, *parameters))
    return _Checker(text, variables, parameters).number(tree)


@lru_cache(maxsize=1024)  # a parameter that is turned only changes numbers
def _parsed(text: str, quantities: tuple[str, ...]) -> Any:
    """The tree as pymbolic makes it, of bounded size and depth, and of known names."""
    words = words_of(text)
    check_names(text, words, quantities)
    check_nesting(text, words)
    try:
        return parse(text.replace("^", "**"))
    except ParseError as error:
        if error.Token is None:
            problem = "the formula ends too early"
        else:
            column = _column(text, error.Token[2])
            problem = f"unexpected {text[column - 1 :][:12]!r} at column {column}"
        raise refused(text, problem) from None
    except (InvalidTokenError, AssertionError, IndexError, TypeError, ValueError):
        # What pymbolic does with tuples in odd places and other words that make no sentence.
        raise refused(text, "this is not a formula") from None


def _column(text: str, index: int) -> int:
    """Column in the text of a position in its spelling for pymbolic, where ``^`` takes two."""
    position = 0
    for column, character in enumerate(text, 1):
        position += 2 if character == "^" else 1
        if position > index:
            return column
    return len(text)


class _Checker:
    """Copies a pymbolic tree, letting only the documented nodes through.

    The depth of the copy is bounded: chains of sums, products, "and" and "or" become one flat
    node each, and all other nesting was bounded before parsing.
    """

    def __init__(
        self, text: str, variables: tuple[str, ...], parameters: Mapping[str, float]
    ) -> None:
        self.text = text
        self.variables = variables
        self.parameters = parameters

    def number(self, node: Any) -> Any:
        match node:
            case int() | float() if not isinstance(node, bool):
                return float(node)
            case p.Variable(name) if name in self.variables:
                return node
            case p.Variable(name) if name in self.parameters:
                return float(self.parameters[name])
            case p.Variable(name) if name in CONSTANTS:
                return CONSTANTS[name]
            case p.Sum() | p.Product():
                kind = type(node)
                what = "a sum" if kind is p.Sum else "a product"
                return self._finite(kind(tuple(map(self.number, _flat(node, kind)))), what)
            case p.Quotient(a, b):
                return self._finite(p.Quotient(self.number(a), self.number(b)), "a quotient")
            case p.Power(a, b):
                return self._finite(p.Power(self.number(a), self.number(b)), "a power")
            case p.Call(p.Variable(name), parameters) if name in FUNCTIONS:
                return self._call(node, name, parameters)
            case p.If(condition, then, else_):
                return p.If(self.condition(condition), self.number(then), self.number(else_))
            case p.Comparison() | p.LogicalAnd() | p.LogicalOr():
                raise refused(
                    self.text,
                    "a condition stands where a number is needed",
                    "Write 1 if x < 2 else 0, and 0 < x and x < 2 for 0 < x < 2.",
                )
            case tuple() if node:
                raise refused(
                    self.text,
                    "a comma stands outside the arguments of a function",
                    "Put a conditional argument in parentheses.",
                )
        raise refused(self.text, "this is not a formula")

    def condition(self, node: Any) -> Any:
        match node:
            case p.Comparison(left, operator, right) if operator in COMPARISONS:
                return p.Comparison(self.number(left), operator, self.number(right))
            case p.LogicalAnd() | p.LogicalOr():
                kind = type(node)
                return kind(tuple(map(self.condition, _flat(node, kind))))
        raise refused(
            self.text, "a number stands where a condition is needed", "Compare it: x < 2."
        )

    def _call(self, node: Any, name: str, parameters: tuple) -> Any:
        count = FUNCTIONS[name][0]
        if len(parameters) != count:
            raise refused(
                self.text,
                f"{name} takes {count} argument{'s' if count > 1 else ''}, not {len(parameters)}",
            )
        checked = tuple(map(self.number, parameters))
        if name == "besselj" and checked[0] not in map(float, range(MAX_BESSEL_ORDER + 1)):
            raise refused(
                self.text,
                f"the order of besselj must be a whole number from 0 to {MAX_BESSEL_ORDER}",
                "Write besselj(0, x).",
            )
        return self._finite(p.Call(node.function, checked), name)

    def _finite(self, node: Any, what: str) -> Any:
        """The node, unless it is a constant that is not finite, such as 1/0 or 9**9**9."""
        if is_constant(node):
            with np.errstate(all="ignore"):
                constant = float(value(node, {}))
            if not math.isfinite(constant):
                uses = [name for name in names_in(self.text) if name in self.parameters]
                raise refused(
                    self.text,
                    f"{what} in it is {constant:g}{told(uses, self.parameters)}",
                    "Every number must be finite.",
                )
        return node


def _flat(node: Any, kind: Any) -> list:
    """Children of nested nodes of one kind, in order: a + (b + c) and (a + b) + c alike."""
    children: list[Any] = []
    stack: list[Any] = [node]
    while stack:
        top = stack.pop()
        if type(top) is kind:
            stack.extend(reversed(top.children))
        else:
            children.append(top)
    return children
