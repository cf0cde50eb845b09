"""Where the items of a scene are, and how each is moved, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.monitors import FluxMonitor, LineMonitor, Monitor
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Probe, Source
from wavelab.scene.model.shapes import Point, shifted_point

#: What has a name, and of which a scene can have many.
PlacedItem = Hole | MaterialRegion | Source | Probe | Monitor | TextLabel

#: A variable, alone or in what :func:`_displaced` makes of it.
_NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?"


def points(item: PlacedItem) -> tuple[Point, ...]:
    """Points whose bounding box is that of the item; none if it has no place of its own."""
    match item:
        case Probe() | TextLabel():
            return (item.position,)
        case LineMonitor() | FluxMonitor():
            return item.vertices
        case Source():
            return item.points()
    shape = getattr(item, "shape", None)
    return () if shape is None else tuple(shape.bounds())


def box(items: Iterable[PlacedItem]) -> tuple[Point, Point] | None:
    """Lower left and upper right corner round all of them; None if none has a place."""
    found = [point for item in items for point in points(item)]
    if not found:
        return None
    xs, ys = zip(*found, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def displaced(item: Any, by: Point) -> Any:
    """The same item elsewhere; one without a place of its own as it is.

    The formulas of a medium go along with its region.  The focus of an array stays, and what a
    label points to.
    """
    match item:
        case Probe() | TextLabel():
            return replace(item, position=shifted_point(item.position, by))
        case LineMonitor() | FluxMonitor():
            return replace(item, vertices=tuple(shifted_point(v, by) for v in item.vertices))
        case MaterialRegion(shape=shape) if shape is not None:
            return replace(item, shape=shape.shifted(by), material=_medium(item.material, by))
        case Source():
            place = item.anchor()
            return item if place is None else item.moved(shifted_point(place, by))
    shape = getattr(item, "shape", None)
    return item if shape is None else replace(item, shape=shape.shifted(by))


def _medium(material: Material, by: Point) -> Material:
    def along(value: float | Formula) -> float | Formula:
        if not isinstance(value, Formula):
            return value
        text = value.text
        for name, distance in zip(("x", "y"), by, strict=True):
            if distance and value.uses(name):
                text = _displaced(text, name, distance)
        return Formula.parse(text, value.variables)

    return replace(
        material,
        epsilon=along(material.epsilon),
        mu=along(material.mu),
        sigma=along(material.sigma),
    )


def _displaced(text: str, name: str, by: float) -> str:
    """A formula with "(x - 0.3)" in place of x; what was displaced before is not nested."""
    known = re.compile(rf"(\b[A-Za-z]\w*\s*)?\({name} ([+-]) ({_NUMBER})\)|\b{name}\b")

    def put(match: re.Match) -> str:
        word = match[1] or ""
        before = float(match[2] + match[3]) if match[2] else 0.0
        offset = float(f"{before - by:.12g}")
        if offset:
            return f"{word}({name} {'-' if offset < 0 else '+'} {abs(offset)!r})"
        # The parentheses of a call belong to it.
        return f"{word}({name})" if word else name

    return known.sub(put, text)
