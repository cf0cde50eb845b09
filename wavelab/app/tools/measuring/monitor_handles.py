"""Handles by which a monitor is changed with the pointer, as pure functions.

Those of a shape are the shape's own; a line has one at each corner, one in the middle of each piece
from which a new corner is drawn, and one for all of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wavelab.app.tools import handles as of_shapes
from wavelab.app.tools.handles import CROWDED_PIXELS, EDITS, SHORT_PIXELS, Handle
from wavelab.app.tools.tool import Point, PointerEvent
from wavelab.scene.model.monitors import FluxMonitor, LineMonitor, Monitor
from wavelab.scene.model.shapes import Polygon, smooth_outline

#: What a drag can do, by kind of handle: the name of the edit.
LABELS = EDITS | {"insert": "Add corner"}


@dataclass(frozen=True)
class Changed:
    """What a drag makes of a monitor, in words beside the pointer, and why it may not be."""

    monitor: Monitor
    label: str
    refusal: str = ""


def outline_of(monitor: Monitor) -> tuple[Point, ...]:
    """The points of its line or rim; none if it is everywhere."""
    if isinstance(monitor, LineMonitor | FluxMonitor):
        return monitor.vertices
    if monitor.shape is None:
        return ()
    return tuple((float(x), float(y)) for x, y in smooth_outline(monitor.shape)[0])


def is_closed(monitor: Monitor) -> bool:
    """Whether its outline goes back to where it begins."""
    return not isinstance(monitor, LineMonitor | FluxMonitor) or (
        isinstance(monitor, FluxMonitor) and monitor.closed
    )


def drawn_line(monitor: Monitor) -> tuple[Point, ...]:
    """Its outline, back to where it begins if it is closed."""
    ring = outline_of(monitor)
    return (*ring, ring[0]) if ring and is_closed(monitor) else ring


def handles(monitor: Monitor, pixel: float) -> list[Handle]:
    """Those that there is room for where a logical pixel is so long."""
    if not isinstance(monitor, LineMonitor | FluxMonitor):
        return of_shapes.handles(monitor.shape, pixel) if monitor.shape is not None else []
    found = []
    vertices = monitor.vertices
    last: Point | None = None
    for i, vertex in enumerate(vertices):
        if last is None or math.dist(vertex, last) >= CROWDED_PIXELS * pixel:
            found.append(Handle("corner", i, vertex))
            last = vertex
    pieces = _pieces(monitor)
    for i, (a, b) in enumerate(pieces):
        # The middle of a line of one piece is where all of it is taken, so that the new corner is
        # drawn from a third of it.
        part = 1 / 3 if len(pieces) == 1 else 1 / 2
        if math.dist(a, b) >= 2 * SHORT_PIXELS * pixel:
            at = (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]))
            found.append(Handle("insert", i, at))
    found.append(Handle("move", 0, _middle(monitor)))
    return found


def dragged(
    monitor: Monitor, handle: Handle, event: PointerEvent, vertices: Sequence[Point] = ()
) -> Changed:
    """The monitor with a handle dragged to the pointer.

    Parameters
    ----------
    vertices : those of the scene, which attract corners.
    """
    if not isinstance(monitor, LineMonitor | FluxMonitor):
        assert monitor.shape is not None
        found = of_shapes.dragged(monitor.shape, handle, event, vertices)
        return Changed(replace(monitor, shape=found.shape), found.label, found.refusal)
    corners = list(monitor.vertices)
    if handle.kind == "insert":
        corners.insert(handle.number + 1, handle.at)
        handle = Handle("corner", handle.number + 1, handle.at)
    found = of_shapes.dragged(Polygon(tuple(corners)), handle, event, vertices)
    assert isinstance(found.shape, Polygon)
    return Changed(replace(monitor, vertices=found.shape.vertices), found.label, found.refusal)


def without_corner(monitor: Monitor, handle: Handle) -> Monitor | None:
    """The monitor without one of its corners; None if it needs them all."""
    if handle.kind != "corner":
        return None
    if isinstance(monitor, LineMonitor | FluxMonitor):
        if len(monitor.vertices) <= (3 if is_closed(monitor) else 2):
            return None
        i = handle.number
        return replace(monitor, vertices=monitor.vertices[:i] + monitor.vertices[i + 1 :])
    if not isinstance(monitor.shape, Polygon) or len(monitor.shape.vertices) <= 3:
        return None
    i, shape = handle.number, monitor.shape
    vertices, bulges = shape.vertices, shape.bulges
    # The edge that now goes past the corner is straight.
    before = (i - 1) % len(vertices)
    kept = tuple(0.0 if j == before else b for j, b in enumerate(bulges) if j != i)
    left = Polygon(vertices[:i] + vertices[i + 1 :], kept if any(kept) else ())
    return replace(monitor, shape=left)


def _pieces(monitor: LineMonitor | FluxMonitor) -> list[tuple[Point, Point]]:
    vertices = monitor.vertices
    ends = (*vertices[1:], vertices[0]) if is_closed(monitor) else vertices[1:]
    return list(zip(vertices, ends, strict=False))


def _middle(monitor: LineMonitor | FluxMonitor) -> Point:
    """Of the line's length, so that it lies on it; of the corners if it is closed."""
    if is_closed(monitor):
        xs, ys = zip(*monitor.vertices, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    pieces = _pieces(monitor)
    left = sum(math.dist(a, b) for a, b in pieces) / 2
    for a, b in pieces:
        length = math.dist(a, b)
        if left <= length and length > 0:
            part = left / length
            return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
        left -= length
    return monitor.vertices[-1]
