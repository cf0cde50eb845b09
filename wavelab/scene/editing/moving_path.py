"""The way of a moving source: where it begins, and how it is moved and turned by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pymbolic import primitives as p

from wavelab.errors import FormulaError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.shapes import Point
from wavelab.scene.model.sources import MovingSource
from wavelab.scene.model.waveforms import first_felt

#: What :func:`shifted` makes of a formula that is no straight line.
_SHIFTED = re.compile(r"\((?P<inner>.*)\) (?P<sign>[+-]) (?P<by>\d[^()*/ ]*)")


def begin(source: MovingSource) -> float:
    """When it is first heard; never before time 0."""
    return max(first_felt(source.waveform), 0.0)


def position(source: MovingSource, t: float) -> Point | None:
    """Where it is; None where a formula has no value."""
    try:
        return float(source.x.evaluate(t=t)), float(source.y.evaluate(t=t))
    except FormulaError:
        return None


def velocity(source: MovingSource) -> Point | None:
    """How fast it goes, and where; None if it does not go straight on."""
    if not (_is_linear(source.x.expression) and _is_linear(source.y.expression)):
        return None
    try:
        return float(source.x.rate("t", t=0.0)), float(source.y.rate("t", t=0.0))
    except FormulaError:
        return None


def straight_way(start: Point, speed: Point, since: float) -> tuple[Formula, Formula]:
    """x and y of a point that is at ``start`` at the time ``since``."""
    x, y = (_line(a, v, since) for a, v in zip(start, speed, strict=True))
    return x, y


def begun_at(source: MovingSource, start: Point) -> MovingSource:
    """The same way, from another place on."""
    since = begin(source)
    speed, here = velocity(source), position(source, since)
    if here is None:
        return source
    if speed is not None:
        x, y = straight_way(start, speed, since)
    else:
        x, y = (
            _shifted(f, to - now)
            for f, to, now in zip((source.x, source.y), start, here, strict=True)
        )
    return replace(source, x=x, y=y)


def sent(source: MovingSource, speed: Point) -> MovingSource:
    """From the same place, straight on with another velocity."""
    since = begin(source)
    start = position(source, since)
    if start is None:
        return source
    x, y = straight_way(start, speed, since)
    return replace(source, x=x, y=y)


def _line(a: float, v: float, since: float) -> Formula:
    a, v, since = (float(f"{value:.4g}") for value in (a, v, since))
    text = f"{a:g}"
    if v:
        time = f"(t - {since:g})" if since else "t"
        text += f" {'-' if v < 0 else '+'} {abs(v):g}*{time}"
    return Formula.parse(text, ("t",))


def _shifted(formula: Formula, by: float) -> Formula:
    """The formula with a number added, which later ones are added to."""
    inner, nothing = formula.text, 1e-9 * abs(by)
    if (found := _SHIFTED.fullmatch(inner)) is not None:
        try:
            Formula.parse(found["inner"], ("t",))
            by += float(found["sign"] + found["by"])
            inner = found["inner"]
        except (FormulaError, ValueError):
            pass  # the parentheses do not belong together
    text = inner
    if abs(by) > nothing:
        text = f"({inner}) {'-' if by < 0 else '+'} {abs(by):.4g}"
    return Formula.parse(text, ("t",))


def _is_linear(node: Any) -> bool:
    """Whether a checked tree is a number, or one times t plus another, as it is written."""
    match node:
        case float() | p.Variable():
            return True
        case p.Sum(children):
            return all(map(_is_linear, children))
        case p.Product(children):
            return all(map(_is_linear, children)) and sum(map(_has_time, children)) <= 1
        case p.Quotient(numerator, denominator):
            return _is_linear(numerator) and _is_linear(denominator) and not _has_time(denominator)
    return False


def _has_time(node: Any) -> bool:
    match node:
        case p.Variable():
            return True
        case p.Sum(children) | p.Product(children):
            return any(map(_has_time, children))
        case p.Quotient(numerator, denominator):
            return _has_time(numerator) or _has_time(denominator)
    return not isinstance(node, float)
