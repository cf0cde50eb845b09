"""Handles by which a shape is changed with the pointer, as pure functions.

Corners and radii are squares, the middle of an edge is round: dragged, it bows the edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wavelab.app.base import measures
from wavelab.app.tools.snapping import snap
from wavelab.app.tools.tool import Point, PointerEvent
from wavelab.scene.model.shapes import Polygon, Shape
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


def handles(shape: Shape, pixel: float, *, movable: bool = True) -> list[Handle]:
    """Those that there is room for where a logical pixel is so long."""
    found = []
    vertices = shape.corners()
    last: Point | None = None
    for i, vertex in enumerate(vertices):
        if last is None or math.dist(vertex, last) >= CROWDED_PIXELS * pixel:
            found.append(Handle("corner", i, vertex))
            last = vertex
    bulges = getattr(shape.first(), "bulges", ()) or (0.0,) * len(vertices)
    for i, bulge in enumerate(bulges):
        start, end = _ends(vertices, i)
        if math.dist(start, end) >= SHORT_PIXELS * pixel:
            found.append(Handle("bow", i, middle_of(start, end, bulge)))
    found += [Handle("radius", i, at) for i, at in enumerate(shape.knobs())]
    if movable:
        found.append(Handle("move", 0, shape.middle()))
    return found


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
        return Dragged(moved, measures.place(x, y, "{:.4g}".format))
    if handle.kind == "radius":
        return Dragged(*shape.with_knob(handle.number, (x, y), event.shift))
    return Dragged(*shape.with_corner(handle.number, (x, y)))


def straightened(shape: Shape, edge: int) -> Shape:
    """The shape with an edge that is its chord."""
    return _with_bulge(shape, edge, 0.0) if getattr(shape.first(), "bulges", ()) else shape


def _bowed(shape: Shape, edge: int, event: PointerEvent) -> Dragged:
    """The edge as the arc through the pointer."""
    start, end = _ends(shape.corners(), edge)
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
    radius = measures.length(circle_of(start, end, bulge)[1], "{:.3g}".format)
    turn = math.degrees(4 * math.atan(abs(bulge)))
    label = "half a circle" if abs(bulge) == 1 else f"{turn:.3g}\u00b0"
    return Dragged(_with_bulge(shape, edge, bulge), f"radius {radius}, {label}", refusal)


def _told(value: float, step: float) -> float:
    """With no more digits than steps of this length tell apart."""
    return round(value, max(3, math.ceil(-math.log10(step)))) if step > 0 else value


def _with_bulge(shape: Shape, edge: int, bulge: float) -> Shape:
    vertices = shape.corners()
    bulges = list(getattr(shape.first(), "bulges", ()) or (0.0,) * len(vertices))
    bulges[edge] = bulge
    return shape.with_first(Polygon(vertices, tuple(bulges) if any(bulges) else ()))


def _ends(vertices: Sequence[Point], edge: int) -> tuple[Point, Point]:
    return vertices[edge], vertices[(edge + 1) % len(vertices)]
