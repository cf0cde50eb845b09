"""Handles by which a monitor is changed with the pointer, as pure functions.

Those of a shape are the shape's own; a line has one at each corner, one in the middle of each piece
from which a new corner is drawn, and one for all of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wavelab.app.tools import handles as of_shapes
from wavelab.app.tools.handles import CROWDED_PIXELS, EDITS, SHORT_PIXELS, Handle
from wavelab.app.tools.tool import Point, PointerEvent
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.model.shapes import Polygon
from wavelab.scene.monitors import Monitor

#: What a drag can do, by kind of handle: the name of the edit.
LABELS = EDITS | {"insert": "Add corner"}


@dataclass(frozen=True)
class Changed:
    """What a drag makes of a monitor, in words beside the pointer, and why it may not be."""

    monitor: Monitor
    label: str
    refusal: str = ""


def drawn_line(monitor: Monitor) -> tuple[Point, ...]:
    """Its outline, back to where it begins if it is closed; none if it is everywhere."""
    ring = outline_of(monitor.where.place)
    return (*ring, ring[0]) if ring and monitor.where.closed else ring


def handles(monitor: Monitor, pixel: float) -> list[Handle]:
    """Those that there is room for where a logical pixel is so long."""
    vertices = monitor.where.place
    if vertices is None:
        return []
    if not isinstance(vertices, tuple):
        return of_shapes.handles(vertices, pixel)
    found = []
    last: Point | None = None
    for i, vertex in enumerate(vertices):
        if last is None or math.dist(vertex, last) >= CROWDED_PIXELS * pixel:
            found.append(Handle("corner", i, vertex))
            last = vertex
    pieces = _pieces(vertices, monitor.where.closed)
    for i, (a, b) in enumerate(pieces):
        # The middle of a line of one piece is where all of it is taken, so that the new corner is
        # drawn from a third of it.
        part = 1 / 3 if len(pieces) == 1 else 1 / 2
        if not monitor.where.straight and math.dist(a, b) >= 2 * SHORT_PIXELS * pixel:
            at = (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]))
            found.append(Handle("insert", i, at))
    found.append(Handle("move", 0, _middle(vertices, monitor.where.closed)))
    return found


def dragged(
    monitor: Monitor, handle: Handle, event: PointerEvent, vertices: Sequence[Point] = ()
) -> Changed:
    """The monitor with a handle dragged to the pointer.

    Parameters
    ----------
    vertices : those of the scene, which attract corners.
    """
    place = monitor.where.place
    assert place is not None
    if not isinstance(place, tuple):
        found = of_shapes.dragged(place, handle, event, vertices)
        return Changed(monitor.at(found.shape), found.label, found.refusal)
    corners = list(place)
    if handle.kind == "insert":
        corners.insert(handle.number + 1, handle.at)
        handle = Handle("corner", handle.number + 1, handle.at)
    found = of_shapes.dragged(Polygon(tuple(corners)), handle, event, vertices)
    assert isinstance(found.shape, Polygon)
    return Changed(monitor.at(found.shape.vertices), found.label, found.refusal)


def without_corner(monitor: Monitor, handle: Handle) -> Monitor | None:
    """The monitor without one of its corners; None if it needs them all."""
    place, i = monitor.where.place, handle.number
    if handle.kind != "corner":
        return None
    if isinstance(place, tuple):
        needed = 3 if monitor.where.closed else 2
        return monitor.at(place[:i] + place[i + 1 :]) if len(place) > needed else None
    if not isinstance(place, Polygon) or len(place.vertices) <= 3:
        return None
    vertices, bulges = place.vertices, place.bulges
    # The edge that now goes past the corner is straight.
    before = (i - 1) % len(vertices)
    kept = tuple(0.0 if j == before else b for j, b in enumerate(bulges) if j != i)
    return monitor.at(Polygon(vertices[:i] + vertices[i + 1 :], kept if any(kept) else ()))


def _pieces(vertices: tuple[Point, ...], closed: bool) -> list[tuple[Point, Point]]:
    ends = (*vertices[1:], vertices[0]) if closed else vertices[1:]
    return list(zip(vertices, ends, strict=False))


def _middle(vertices: tuple[Point, ...], closed: bool) -> Point:
    """Of the line's length, so that it lies on it; of the corners if it is closed."""
    if closed:
        xs, ys = zip(*vertices, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    pieces = _pieces(vertices, closed)
    left = sum(math.dist(a, b) for a, b in pieces) / 2
    for a, b in pieces:
        length = math.dist(a, b)
        if left <= length and length > 0:
            part = left / length
            return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
        left -= length
    return vertices[-1]
