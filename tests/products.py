"""What tests take of products of their parameters.

Compiling kernels takes most of the time of many tests, so that `make test` takes rows of a product
that have each pair of what matters among them, and `make hunt`, with ``EVERY=all``, all of it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any, TypeVar

Case = TypeVar("Case")

#: Whether all of everything is asked for.
ALL = os.environ.get("EVERY") == "all"


def only_in_hunt(*cases: Case) -> list[Case]:
    """Cases that are tried where all of everything is asked for, and else left out."""
    return list(cases) if ALL else []


def each_value(*choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Rows of a product that have each value among them; all rows where these are asked for."""
    if ALL:
        return list(itertools.product(*choices))
    return [tuple(c[i % len(c)] for c in choices) for i in range(max(map(len, choices)))]


def each_pair(*choices: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Rows of a product that have each two values of different choices together in one of them, few
    of them; all rows where these are asked for."""
    rows = list(itertools.product(*(range(len(c)) for c in choices)))
    chosen, left = [], set().union(*map(_pairs, rows))
    while left:
        chosen.append(most := max(rows, key=lambda row: len(_pairs(row) & left)))
        left -= _pairs(most)
    return [
        tuple(c[i] for c, i in zip(choices, row, strict=True))
        for row in (rows if ALL else sorted(chosen))
    ]


def _pairs(row: tuple[int, ...]) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return set(itertools.combinations(enumerate(row), 2))
