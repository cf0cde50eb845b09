"""Handles by which a shape is changed with the pointer, as pure functions.

Corners and radii are squares, the middle of an edge is round: dragged, it bows the edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import shapely

from wavelab.app.tools.snapping import snap
from wavelab.app.tools.tool import Point, PointerEvent
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, Shape, smooth_outline
from wavelab.scene.model.shapes.arcs import (
    LARGEST_BULGE,
    SMALLEST_BULGE,
    bulge_through,
    circle_of,
    middle_of,
)

#: An arc snaps back to its chord, and to half a circle, within so many logical pixels.
SNAP_PIXELS = 6.0
#: An edge shorter than this on the screen has no middle handle, and a corner as near as
#: ``CROWDED_PIXELS`` to the one before no handle of its own: zoom in for them.
SHORT_PIXELS, CROWDED_PIXELS = 28.0, 11.0
#: What a drag can do, by kind of handle: the name of the edit.
EDITS = {"corner": "Move corner", "bow": "Bow edge", "radius": "Resize", "move": "Move"}


@dataclass(frozen=True)
class Handle:
    """``kind`` is "corner", "bow", "radius" or "move"; ``number`` that of the vertex, edge or half
    axis."""

    kind: str
    number: int
    at: Point


@dataclass(frozen=True)
class Dragged:
    """What a drag makes of a shape, in words beside the pointer, and why it may not be."""

    shape: Shape
    label: str
    refusal: str = ""


def corners(shape: Shape) -> tuple[Point, ...]:
    """Vertices of polygons and rectangles, in the order of their edges."""
    if isinstance(shape, Polygon):
        return shape.vertices
    if isinstance(shape, Rectangle):
        ring, _ = shape.outline(math.inf)
        return tuple((float(x), float(y)) for x, y in ring)
    return ()


def handles(shape: Shape, pixel: float, *, movable: bool = True) -> list[Handle]:
    """Those that there is room for where a logical pixel is so long."""
    found = []
    vertices = corners(shape)
    last: Point | None = None
    for i, vertex in enumerate(vertices):
        if last is None or math.dist(vertex, last) >= CROWDED_PIXELS * pixel:
            found.append(Handle("corner", i, vertex))
            last = vertex
    bulges = getattr(shape, "bulges", ()) or (0.0,) * len(vertices)
    for i, bulge in enumerate(bulges):
        start, end = _ends(vertices, i)
        if math.dist(start, end) >= SHORT_PIXELS * pixel:
            found.append(Handle("bow", i, middle_of(start, end, bulge)))
    if isinstance(shape, Ellipse):
        x, y = shape.center
        for i in range(4):
            cos, sin = _axis(shape, i)
            radius = shape.radii[i % 2]
            found.append(Handle("radius", i, (x + radius * cos, y + radius * sin)))
    if movable:
        found.append(Handle("move", 0, _middle(shape)))
    return found


def nearest(found: Iterable[Handle], event: PointerEvent, reach: float) -> Handle | None:
    """The handle within ``reach`` logical pixels of the pointer."""
    near = [(math.dist(handle.at, event.point), i, handle) for i, handle in enumerate(found)]
    near = [entry for entry in near if entry[0] <= reach * event.pixel]
    return min(near)[2] if near else None


def dragged(
    shape: Shape, handle: Handle, event: PointerEvent, vertices: Sequence[Point] = ()
) -> Dragged:
    """The shape with a handle dragged to the pointer.

    Parameters
    ----------
    vertices : those of the scene, which attract corners.
    """
    if handle.kind == "bow":
        return _bowed(shape, handle.number, event)
    others = [vertex for vertex in vertices if vertex != handle.at]
    x, y = snap(event, others, handle.at if handle.kind == "corner" else None).point
    if handle.kind == "move":
        moved = shape.shifted((x - handle.at[0], y - handle.at[1]))
        return Dragged(moved, f"{x:.4g}, {y:.4g}")
    if isinstance(shape, Ellipse):
        cos, sin = _axis(shape, handle.number)
        radius = abs((x - shape.center[0]) * cos + (y - shape.center[1]) * sin)
        a, b = shape.radii
        radii = (radius, b) if handle.number % 2 == 0 else (a, radius)
        radii = (radius, radius) if event.shift else radii
        return Dragged(replace(shape, radii=radii), f"radii {radii[0]:.3g}, {radii[1]:.3g}")
    if isinstance(shape, Rectangle):
        x0, y0 = corners(shape)[handle.number - 2]
        box = Rectangle((min(x, x0), min(y, y0)), (max(x, x0), max(y, y0)))
        return Dragged(box, f"{abs(x - x0):.3g} \u00d7 {abs(y - y0):.3g}")
    assert isinstance(shape, Polygon)
    points = list(shape.vertices)
    points[handle.number] = (x, y)
    return Dragged(replace(shape, vertices=tuple(points)), f"{x:.4g}, {y:.4g}")


def straightened(shape: Shape, edge: int) -> Shape:
    """The shape with an edge that is its chord."""
    return _with_bulge(shape, edge, 0.0) if getattr(shape, "bulges", ()) else shape


def _bowed(shape: Shape, edge: int, event: PointerEvent) -> Dragged:
    """The edge as the arc through the pointer."""
    start, end = _ends(corners(shape), edge)
    half = math.dist(start, end) / 2
    bulge = bulge_through(start, end, event.point)
    if not event.ctrl:
        # Beside an end of the edge the arc through the pointer is anything.
        at_end = min(math.dist(start, event.point), math.dist(end, event.point))
        if min(abs(bulge) * half, at_end) < SNAP_PIXELS * event.pixel:
            bulge = 0.0
        elif abs(abs(bulge) - 1) * half < SNAP_PIXELS * event.pixel:
            bulge = math.copysign(1.0, bulge)
    if abs(bulge) < SMALLEST_BULGE:
        return Dragged(straightened(shape, edge), "straight")
    if abs(bulge) < 1 and half > 0:
        bulge = _told(bulge, 0.1 * event.pixel / half)
    refusal = "more than half a circle: bring it nearer to the edge" if abs(bulge) > 1 else ""
    bulge = max(-LARGEST_BULGE, min(bulge, LARGEST_BULGE))
    radius = circle_of(start, end, bulge)[1]
    turn = math.degrees(4 * math.atan(abs(bulge)))
    label = "half a circle" if abs(bulge) == 1 else f"{turn:.3g}\u00b0"
    return Dragged(_with_bulge(shape, edge, bulge), f"radius {radius:.3g}, {label}", refusal)


def _told(value: float, step: float) -> float:
    """With no more digits than steps of this length tell apart."""
    return round(value, max(3, math.ceil(-math.log10(step)))) if step > 0 else value


def _with_bulge(shape: Shape, edge: int, bulge: float) -> Polygon:
    vertices = corners(shape)
    bulges = list(getattr(shape, "bulges", ()) or (0.0,) * len(vertices))
    bulges[edge] = bulge
    return Polygon(vertices, tuple(bulges) if any(bulges) else ())


def _ends(vertices: Sequence[Point], edge: int) -> tuple[Point, Point]:
    return vertices[edge], vertices[(edge + 1) % len(vertices)]


def _axis(shape: Ellipse, number: int) -> Point:
    """Unit vector along a half axis, counterclockwise from the first."""
    turn = math.radians(shape.angle + 90 * number)
    return math.cos(turn), math.sin(turn)


def _middle(shape: Shape) -> Point:
    if isinstance(shape, Ellipse):
        return shape.center
    center = shapely.Polygon(smooth_outline(shape)[0]).centroid
    return float(center.x), float(center.y)
