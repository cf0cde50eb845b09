"""Formulas of ways: straight ones, and others moved elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pymbolic import primitives as p

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.formulas.formula_functions import uses_variable
from wavelab.scene.model.shapes import Point

#: What :func:`displaced` makes of a formula that is no straight line.
_DISPLACED = re.compile(r"\((?P<inner>.*)\) (?P<sign>[+-]) (?P<by>\d[^()*/ ]*)")


def straight_way(start: Point, speed: Point, since: float) -> tuple[Formula, Formula]:
    """x and y of a point that is at ``start`` at the time ``since``."""
    x, y = (_line(a, v, since) for a, v in zip(start, speed, strict=True))
    return x, y


def _line(a: float, v: float, since: float) -> Formula:
    a, v, since = (float(f"{value:.4g}") for value in (a, v, since))
    text = f"{a:g}"
    if v:
        time = f"(t - {since:g})" if since else "t"
        text += f" {'-' if v < 0 else '+'} {abs(v):g}*{time}"
    return Formula.parse(text, ("t",))


def displaced(formula: Formula, by: float) -> Formula:
    """The formula with a number added, which later ones are added to."""
    inner, nothing = formula.text, 1e-9 * abs(by)
    if (found := _DISPLACED.fullmatch(inner)) is not None:
        try:
            replace(formula, text=found["inner"])
            by += float(found["sign"] + found["by"])
            inner = found["inner"]
        except (FormulaError, ValueError):
            pass  # the parentheses do not belong together
    text = inner
    if abs(by) > nothing:
        text = f"({inner}) {'-' if by < 0 else '+'} {abs(by):.4g}"
    return replace(formula, text=text)


def is_linear(node: Any) -> bool:
    """Whether a checked tree is a number, or one times t plus another, as it is written."""
    match node:
        case float() | p.Variable():
            return True
        case p.Sum(children):
            return all(map(is_linear, children))
        case p.Product(children):
            of_time = [child for child in children if uses_variable(child, "t")]
            return all(map(is_linear, children)) and len(of_time) <= 1
        case p.Quotient(above, below):
            return is_linear(above) and is_linear(below) and not uses_variable(below, "t")
    return False
