"""Metadata and formulas that the media of several systems share."""

from __future__ import annotations

from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import FORMULA, about
from wavelab.scene.model.medium import Number, product
from wavelab.scene.model.scene import SPACE_AND_TIME


def of_medium(meaning: str) -> dict[str, Any]:
    """Metadata of a field of a medium."""
    return about(f"{meaning}: {FORMULA}", variables=SPACE_AND_TIME)


def of_steady_medium(meaning: str) -> dict[str, Any]:
    """The same of one that cannot change in time."""
    return about(f"{meaning}: a number, or a formula of x and y", variables=SPACE_AND_TIME)


def negative(formula: Formula | None) -> Formula | None:
    """Minus a formula."""
    return None if formula is None else formula.negative()


def damping_of(sigma: Number, epsilon: Number) -> Number:
    """sigma / epsilon, the rate at which the scalar falls."""
    return product((sigma, 1), (epsilon, -1)) if sigma else 0.0
