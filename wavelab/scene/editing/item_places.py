"""The items of which a scene can have many: what one is called, where it is and how it is moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.medium import Medium
from wavelab.scene.model.scene import Hole, MaterialRegion, Probe, Source, Wall
from wavelab.scene.model.shapes import Point, shifted_point
from wavelab.scene.monitors import Monitor

#: What has a name, and of which a scene can have many.
PlacedItem = Hole | MaterialRegion | Source | Probe | Monitor | TextLabel

#: A variable, alone or in what :func:`_displaced` makes of it.
_NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?"


@dataclass(frozen=True)
class ItemKind:
    """Attributes
    ----------
    noun : what one is called.
    type : of its items.
    points : of an item: points whose bounding box is its own; none if it has no place.
    displaced : an item elsewhere; one without a place as it is.
    copied : whether it has a name and can be copied, in the order in which such are pasted:
        obstacles take away what they swallow.
    needs_place : whether it must be in the domain (:mod:`wavelab.scene.editing.misplaced`).
    passive : whether the wave is the same without it.
    """

    noun: str
    type: Any
    points: Callable[[Any], tuple[Point, ...]]
    displaced: Callable[[Any, Point], Any]
    copied: bool = True
    needs_place: bool = False
    passive: bool = False


def points(item: PlacedItem) -> tuple[Point, ...]:
    """Points whose bounding box is that of the item; none if it has no place of its own."""
    return _kind(item).points(item)


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
    label points to.  Formulas of parameters become numbers, unless it stays where it is.
    """
    return item if by == (0.0, 0.0) else _kind(item).displaced(item, by)


def _kind(item: Any) -> ItemKind:
    return next(kind for kind in ITEM_KINDS.values() if isinstance(item, kind.type))


def _of_position(item: Probe | TextLabel) -> tuple[Point, ...]:
    return (item.position,)


def _position_moved(item: Any, by: Point) -> Any:
    return replace(item, position=shifted_point(item.position, by))


def _of_shape(item: Any) -> tuple[Point, ...]:
    return () if item.shape is None else tuple(item.shape.bounds())


def _shape_moved(item: Any, by: Point) -> Any:
    return item if item.shape is None else replace(item, shape=item.shape.shifted(by))


def _region_moved(region: MaterialRegion, by: Point) -> MaterialRegion:
    if region.shape is None:
        return region
    return replace(_shape_moved(region, by), material=_medium(region.material, by))


def _source_moved(source: Source, by: Point) -> Source:
    place = source.anchor()
    return source if place is None else source.moved(shifted_point(place, by))


def _of_monitor(monitor: Monitor) -> tuple[Point, ...]:
    place = monitor.where.place
    if place is None or isinstance(place, tuple):
        return place or ()
    return tuple(place.bounds())


def _monitor_moved(monitor: Monitor, by: Point) -> Monitor:
    place = monitor.where.place
    if place is None:
        return monitor
    if isinstance(place, tuple):
        return monitor.at(tuple(shifted_point(vertex, by) for vertex in place))
    return monitor.at(place.shifted(by))


def _medium(material: Medium, by: Point) -> Medium:
    def along(value: Formula) -> Formula:
        text = value.text
        for name, distance in zip(("x", "y"), by, strict=True):
            if distance and value.uses(name):
                text = _displaced(text, name, distance)
        return replace(value, text=text)

    found = {name: getattr(material, name) for name in material.rules}
    moved = {name: along(value) for name, value in found.items() if isinstance(value, Formula)}
    return replace(material, **moved)  # type: ignore[type-var]


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


#: By the name of their tables in a scene file.
ITEM_KINDS: dict[str, ItemKind] = {
    "holes": ItemKind("obstacle", Hole, _of_shape, _shape_moved),
    "materials": ItemKind("material", MaterialRegion, _of_shape, _region_moved),
    "walls": ItemKind("wall", Wall, lambda _: (), lambda wall, _: wall, copied=False),
    "sources": ItemKind(
        "source", Source, lambda source: source.points(), _source_moved, needs_place=True
    ),
    "probes": ItemKind(
        "probe", Probe, _of_position, _position_moved, needs_place=True, passive=True
    ),
    "monitors": ItemKind(
        "monitor", Monitor, _of_monitor, _monitor_moved, needs_place=True, passive=True
    ),
    "labels": ItemKind("label", TextLabel, _of_position, _position_moved, passive=True),
}
#: Those that can be copied.
COPIED = tuple(name for name, kind in ITEM_KINDS.items() if kind.copied)
