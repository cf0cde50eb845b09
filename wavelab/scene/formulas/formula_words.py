"""The words of a formula, looked at one by one before anything is made of them: known names, finite
numbers, bounded length and nesting."""

from __future__ import annotations

import difflib
import math
import re
from functools import lru_cache
from typing import NamedTuple

from wavelab.scene.formulas.formula_functions import CONSTANTS, FUNCTIONS, refused

MAX_LENGTH = 2000
MAX_WORDS = 1000
#: Open parentheses plus pending operators; pymbolic's parser takes about three frames for each.
MAX_NESTING = 80

#: Words that are no names.
KEYWORDS = ("if", "else", "and", "or")
_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z]\w*)"
    r"|(?P<sign>\*\*|<=|>=|[-+*/^(),<>]))",
    re.ASCII,
)
_REMEDIES = {
    "=": "Compare with <, <=, > or >=.",
    "!": "Compare with <, <=, > or >=.",
    "_": "Names begin with a letter.",
    "%": "Use x - n*floor(x/n) for a remainder.",
}


class Word(NamedTuple):
    kind: str  # number, name, keyword or sign
    text: str
    column: int


def words_of(text: str) -> list[Word]:
    """Those of a text, with their columns.

    Raises
    ------
    FormulaError : one of them belongs to no formula, or there are too many.
    """
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
        words.append(Word("keyword" if word in KEYWORDS else kind, word, column))
    if len(words) > MAX_WORDS:
        raise refused(text, f"it has {len(words)} words and signs; at most {MAX_WORDS} are allowed")
    return words


@lru_cache(maxsize=1024)
def names_in(text: str) -> tuple[str, ...]:
    """What a text that was parsed names: variables, parameters, constants and functions."""
    return tuple(dict.fromkeys(word.text for word in words_of(text) if word.kind == "name"))


def check_names(text: str, words: list[Word], quantities: tuple[str, ...]) -> None:
    """Check what is named.

    Raises
    ------
    FormulaError : a name is neither a function that is called nor one of the quantities.
    """
    quantities = (*quantities, *CONSTANTS)
    for word, following in zip(words, [*words[1:], Word("", "", 0)], strict=True):
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


def check_nesting(text: str, words: list[Word]) -> None:
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
