"""What has no place where it is: in an obstacle, or outside of the domain.

Files may have what an edit may not bring about: a line source that pokes out is none the less
computed, where it is inside.  So edits are judged by what they make worse, and one that repairs
half of it is no mistake.  Meshing and discretizing have the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import shapely

from wavelab.arrays import Array
from wavelab.errors import FormulaError, SceneError
from wavelab.scene.editing.item_places import ITEM_KINDS, points
from wavelab.scene.model.measuring.requests import Where
from wavelab.scene.model.scene import Probe, Scene, Source
from wavelab.scene.model.shapes import Point, Shape, area_of
from wavelab.scene.monitors import Monitor

_NEEDY = tuple(name for name, kind in ITEM_KINDS.items() if kind.needs_place)
#: How many of the items that are in the way are named.
_NAMED = 3


class MisplacedError(SceneError):
    """Something cannot be there.  ``spot`` is where the trouble is, None if it is all of it."""

    def __init__(
        self, message: str, *, where: str = "", remedy: str = "", spot: Point | None = None
    ) -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.spot = spot


@dataclass(frozen=True)
class Trouble:
    """Of an item: ``text`` such as "lie in an obstacle"; ``spot`` None if it is all of it, and
    ``partial`` if the rest of it is none the less of use."""

    text: str
    spot: Point | None = None
    partial: bool = False


def troubles(scene: Scene, item: Source | Probe | Monitor) -> tuple[Trouble, ...]:
    """Why an item cannot be where it is, as far as can be told without a mesh."""
    if scene.outline is None:
        return ()
    match item:
        case Probe():
            return tuple(_of_points(scene, points(item)))
        case Source() if spots := item.spots():
            return _of_source(scene, item, spots)
        case Monitor():
            return _of_monitor(scene, item.where)
    return _of_area(scene, getattr(item, "shape", None))


def _of_area(scene: Scene, shape: Shape | None) -> tuple[Trouble, ...]:
    """It may reach out of the domain."""
    if shape is None:
        return ()
    assert scene.outline is not None
    area = area_of(shape)
    if not area_of(scene.outline).intersects(area):
        return (Trouble(_OUTSIDE),)
    return () if _free(scene, area).intersection(area).area > 0 else (Trouble(_BURIED),)


def label(kind: str, item: Any) -> str:
    """What the window calls an item of a kind."""
    noun = ITEM_KINDS[kind].noun
    return str(item.name) if item.name.startswith(noun) else f"{noun} {item.name}"


def check_places(before: Scene, after: Scene) -> None:
    """An edit takes no item to where it has no place, and no item's place away.

    Raises
    ------
    MisplacedError : names what cannot be there, or what would be lost.
    """
    moved, lost = [], []
    same_domain = (before.outline, before.holes) == (after.outline, after.holes)
    for kind in _NEEDY:
        for old, new in _pairs(getattr(before, kind), getattr(after, kind)):
            if same_domain and old == new:
                continue
            now = troubles(after, new)
            if not now:
                continue
            known = () if old is None else troubles(before, old)
            fresh = [trouble for trouble in now if trouble not in known]
            if old is None or _place(old) != _place(new):
                moved += [(label(kind, new), trouble) for trouble in fresh]
            else:
                whole = [trouble for trouble in fresh if not trouble.partial]
                lost += [(label(kind, new), trouble) for trouble in whole[:1]]
    if moved:
        name, trouble = moved[0]
        remedy = f"Choose a place {'beside it' if trouble.text == _BURIED else 'inside'}."
        raise MisplacedError(f"{name} would {trouble.text}", remedy=remedy, spot=trouble.spot)
    if lost:
        names = [name for name, _ in lost[:_NAMED]]
        names += [f"{len(lost) - _NAMED} more"] if len(lost) > _NAMED else []
        raise MisplacedError(
            f"{_culprit(before, after, lost[0][1])} {', '.join(names)}",
            remedy="Move or remove first what is in the way.",
            spot=lost[0][1].spot,
        )


def without_lost(before: Scene, after: Scene) -> Scene:
    """``after`` without what loses its place by its domain or its obstacles."""

    def stays(item: Source | Probe | Monitor) -> bool:
        lost = {trouble for trouble in troubles(after, item) if not trouble.partial}
        return not lost or lost <= set(troubles(before, item))

    left: dict[str, Any] = {kind: tuple(filter(stays, getattr(after, kind))) for kind in _NEEDY}
    return replace(after, **left)


_OUTSIDE, _BURIED = "lie outside the domain", "lie in an obstacle"


def _of_points(scene: Scene, places: Iterable[Point]) -> Iterator[Trouble]:
    assert scene.outline is not None
    domain = area_of(scene.outline)
    for place in places:
        point = shapely.Point(place)
        if not domain.covers(point):
            yield Trouble(_OUTSIDE, place)
        elif any(hole.contains(point) for hole in _holes_near(scene, point)):
            yield Trouble(_BURIED, place)


def _of_source(scene: Scene, source: Source, spots: tuple[Point, ...]) -> tuple[Trouble, ...]:
    try:
        way = source.way(scene.solver.until)
    except FormulaError:
        return ()
    if way is not None:
        return _of_way(scene, way, spots[0])
    found = tuple(_of_points(scene, spots))
    if not found or not source.partial:
        return found
    line = shapely.LineString(spots)
    of_use = line.intersection(_free(scene, line)).length > 0
    return tuple(replace(trouble, partial=of_use) for trouble in found)


def _of_way(scene: Scene, way: Array, start: Point) -> tuple[Trouble, ...]:
    """It may come in from outside, and leave."""
    assert scene.outline is not None
    way = way[shapely.contains_xy(area_of(scene.outline), way)]
    if len(way) == 0:
        return (Trouble(_OUTSIDE, start),)
    for hole in _holes_near(scene, shapely.MultiPoint(way)):
        way = way[~shapely.contains_xy(hole, way)]
        if len(way) == 0:
            return (Trouble(_BURIED, start),)
    return ()


def _of_monitor(scene: Scene, where: Where) -> tuple[Trouble, ...]:
    place = where.place
    if isinstance(place, tuple):
        return _of_line(scene, shapely.LineString(place), where.wholly_inside)
    if place is None or not where.wholly_inside:
        return _of_area(scene, place)
    ring = area_of(place).boundary
    fits = ring.difference(_free(scene, ring)).length <= 1e-9 * ring.length
    return () if fits else (Trouble("have a contour that leaves the domain"),)


def _of_line(scene: Scene, line: shapely.LineString, wholly: bool) -> tuple[Trouble, ...]:
    outside = line.difference(_free(scene, line).buffer(1e-9 * line.length)).length
    if wholly:
        return (Trouble("leave the domain"),) if outside > 0 else ()
    if outside < (1 - 1e-9) * line.length:
        return ()
    assert scene.outline is not None
    return (Trouble(_BURIED if area_of(scene.outline).intersects(line) else _OUTSIDE),)


def _free(scene: Scene, thing: shapely.Geometry) -> shapely.Geometry:
    """The domain less the obstacles near something: there may be hundreds of others."""
    assert scene.outline is not None
    domain = area_of(scene.outline)
    near = list(_holes_near(scene, thing))
    return domain.difference(shapely.union_all(near)) if near else domain


def _holes_near(scene: Scene, thing: shapely.Geometry) -> Iterator[shapely.Geometry]:
    left, low, right, high = thing.bounds
    for part in (part for hole in scene.holes for part in hole.shape.parts()):
        (x0, y0), (x1, y1) = part.bounds()
        if x0 <= right and left <= x1 and y0 <= high and low <= y1:
            yield area_of(part)


def _pairs(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Each item with what it was: that of its name, or of its number where only names changed."""
    known = {item.name: item for item in before}
    for i, item in enumerate(after):
        renamed = before[i] if len(before) == len(after) else None
        yield known.get(item.name, renamed), item


def _place(item: Any) -> tuple[Any, ...]:
    """Equal for items that are at the same place."""
    if isinstance(item, Source):
        return item.whereabouts()
    return (*points(item), getattr(item, "shape", None), getattr(item, "count", None))


def _culprit(before: Scene, after: Scene, trouble: Trouble) -> str:
    """What takes places away, with its verb."""
    new = [hole.name for hole in after.holes if hole not in before.holes]
    if not new or trouble.text == _OUTSIDE:
        return "the domain would leave out"
    if len(new) > 1:
        return "the obstacles would cover"
    return f"{new[0] if new[0].startswith('obstacle') else f'obstacle {new[0]}'} would cover"
