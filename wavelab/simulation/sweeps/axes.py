"""What a sweep goes over: a name of the scene, and its values one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from wavelab.errors import WavelabError

#: Runs of one sweep.
MOST_RUNS = 100_000
_HOW = "Write NAME=START:END:COUNT, such as d=0.1:1:30, or NAME=A,B,C."

#: The values of all axes for one run, as they are typed.
Point = tuple[str, ...]


@dataclass(frozen=True)
class Axis:
    """A name as for ``--set``, and what it is set to, as texts."""

    name: str
    values: tuple[str, ...]


def axis(text: str) -> Axis:
    """The axis that "d=0.1:1:30" or "d=0.1,0.2,0.5" says.

    Raises
    ------
    WavelabError : it says none.
    """
    name, equals, values = (part.strip() for part in text.partition("="))
    if not (name and equals and values):
        raise WavelabError(f"{text!r} says not what to go over", remedy=_HOW)
    if ":" in values:
        return Axis(name, _spaced(values, text))
    found = tuple(value.strip() for value in values.split(","))
    if not all(found):
        raise WavelabError(f"a value is missing in {text!r}", remedy=_HOW)
    return Axis(name, tuple(dict.fromkeys(found)))


def _spaced(values: str, text: str) -> tuple[str, ...]:
    """Evenly from the first to the last, both included."""
    try:
        start, end, count = values.split(":")
        low, high, n = float(start), float(end), int(count)
    except ValueError:
        raise WavelabError(f"{text!r} is no range", remedy=_HOW) from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise WavelabError(f"{text!r} has an end that is not finite", remedy=_HOW)
    if n < 1 or (n == 1 and low != high):
        raise WavelabError(
            f"{text!r} has {n} value{'s' if n != 1 else ''}",
            remedy="A range has both of its ends: COUNT is 2 or more.",
        )
    if n > MOST_RUNS:
        raise WavelabError(f"{text!r} has more than {MOST_RUNS:,} values", remedy=_HOW)
    # Without the digits of rounding, which nobody would type.
    return tuple(dict.fromkeys(f"{value:.12g}" for value in np.linspace(low, high, n)))


def points(axes: Sequence[Axis]) -> list[Point]:
    """All combinations, the last axis fastest.

    Raises
    ------
    WavelabError : an axis comes twice, or there are too many.
    """
    names = [each.name for each in axes]
    for name in names:
        if names.count(name) > 1:
            raise WavelabError(
                f"{name} is gone over twice", remedy="Give all its values in one --over."
            )
    count = math.prod(len(each.values) for each in axes)
    if count > MOST_RUNS:
        raise WavelabError(
            f"that makes {count:,} runs",
            remedy=f"A sweep has {MOST_RUNS:,} at most: take fewer values.",
        )
    return list(product(*(each.values for each in axes)))


def number(text: str) -> float | None:
    """The number that a value is, if it is one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def key(point: Sequence[str]) -> tuple[float | str, ...]:
    """The same for points that are the same, "0.5" and "0.50"."""
    found = ((text, number(text)) for text in point)
    return tuple(text if value is None else value for text, value in found)
