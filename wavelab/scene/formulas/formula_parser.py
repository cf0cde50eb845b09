"""From the text of a formula to its checked tree.

Three steps: the words are looked at one by one (known names, finite numbers, bounded length and
nesting), pymbolic parses, and the tree is copied node by node, which lets only those through that
``wavelab.scene.formulas.formula`` lists.
"""

from __future__ import annotations

import difflib
import math
import re
from typing import Any, NamedTuple

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
    value,
)

MAX_LENGTH = 2000
MAX_WORDS = 1000
#: Open parentheses plus pending operators; pymbolic's parser takes about three frames for each.
MAX_NESTING = 80
MAX_BESSEL_ORDER = 20

_KEYWORDS = ("if", "else", "and", "or")
_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*)"
    r"|(?P<sign>\*\*|<=|>=|[-+*/^(),<>]))",
    re.ASCII,
)
_REMEDIES = {
    "=": "Compare with <, <=, > or >=.",
    "!": "Compare with <, <=, > or >=.",
    "_": "Names have letters and digits only.",
    "%": "Use x - n*floor(x/n) for a remainder.",
}


class _Word(NamedTuple):
    kind: str  # number, name, keyword or sign
    text: str
    column: int


def checked_tree(text: str, variables: tuple[str, ...]) -> Any:
    """The tree of a formula, made of the nodes listed in ``wavelab.scene.formulas.formula`` only.

    Raises
    ------
    FormulaError : the text is not in the language; the message names the column.
    """
    words = _words(text)
    _check_names(text, words, variables)
    _check_nesting(text, words)
    try:
        tree = parse(text.replace("^", "**"))
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
    return _Checker(text, variables).number(tree)


def _words(text: str) -> list[_Word]:
    if not text.strip():
        raise refused(text, "it is empty", "Write 0 for no field.")
    if len(text) > MAX_LENGTH:
        raise refused(text, f"it has {len(text)} characters; at most {MAX_LENGTH} are allowed")
    words = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _WORD.match(text, position)
        if match is None:
            rest = text[position:].lstrip()
            column = len(text) - len(rest) + 1
            raise refused(
                text,
                f"{rest[0]!r} at column {column} is not part of a formula",
                _REMEDIES.get(rest[0], ""),
            )
        kind = match.lastgroup or ""
        word, column = match[kind], match.start(kind) + 1
        position = match.end()
        if kind == "number":
            if re.match(r"[A-Za-z_.]", text[position : position + 1]):
                raise refused(
                    text,
                    f"{text[column - 1 : position + 1]!r} at column {column} is not a number",
                    "Write a product with its sign: 2*x.",
                )
            if not math.isfinite(float(word)):
                raise refused(text, f"the number at column {column} is too large")
        words.append(_Word("keyword" if word in _KEYWORDS else kind, word, column))
    if len(words) > MAX_WORDS:
        raise refused(text, f"it has {len(words)} words and signs; at most {MAX_WORDS} are allowed")
    return words


def _check_names(text: str, words: list[_Word], variables: tuple[str, ...]) -> None:
    quantities = (*variables, *CONSTANTS)
    for word, following in zip(words, [*words[1:], _Word("", "", 0)], strict=True):
        name, column = word.text, word.column
        called = following.text == "("
        if word.kind != "name" or name in (FUNCTIONS if called else quantities):
            continue
        if called and name in quantities:
            raise refused(
                text,
                f"{name} at column {column} is not a function",
                f"Write a product with its sign: {name}*(...).",
            )
        if name in FUNCTIONS:
            raise refused(
                text, f"{name} at column {column} needs an argument", f"Write {name}(...)."
            )
        kind, known = ("function", tuple(FUNCTIONS)) if called else ("name", quantities)
        close = difflib.get_close_matches(name, known, n=1)
        guess = f"Did you mean {close[0]}? " if close else ""
        raise refused(
            text,
            f"unknown {kind} {name} at column {column}",
            f"{guess}Allowed here: {', '.join(known)}.",
        )


def _check_nesting(text: str, words: list[_Word]) -> None:
    """Bound the depth of pymbolic's parser, which recurses for each open parenthesis, and inside
    one for each else-branch and each sign, factor and power of the term it is in."""
    branches, pending = [0], [0]  # per open parenthesis
    operand_before = False
    for word in words:
        if word.text == "(":
            branches.append(0)
            pending.append(0)
        elif word.text == ")":
            if len(pending) > 1:
                branches.pop()
                pending.pop()
        elif word.text == "else":
            branches[-1] += 1
            pending[-1] = 0
        elif word.text == "if" and not operand_before:
            raise refused(
                text,
                f"nothing stands before if at column {word.column}",
                "Write 1 if x < 2 else 0.",
            )
        elif word.text in ("*", "**", "^") or (word.text in ("+", "-") and not operand_before):
            pending[-1] += 1
        elif word.kind in ("sign", "keyword"):
            pending[-1] = 0
        operand_before = word.kind in ("number", "name") or word.text == ")"
        if len(pending) + sum(branches) + sum(pending) > MAX_NESTING:
            raise refused(
                text,
                f"it is nested too deeply at column {word.column}",
                f"At most {MAX_NESTING} open parentheses, signs and factors are allowed.",
            )


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

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self.text = text
        self.variables = variables

    def number(self, node: Any) -> Any:
        match node:
            case int() | float() if not isinstance(node, bool):
                return float(node)
            case p.Variable(name) if name in self.variables:
                return node
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
                raise refused(
                    self.text, f"{what} in it is {constant:g}", "Every number must be finite."
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
