"""What a hand draws in one stroke, as corners and arcs, as pure functions.

A hand shakes, overshoots and stops short: small loops are dropped, ends that overlap or nearly meet
are brought together.  Lengths in here are logical pixels until the very end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.ops import substring

from wavelab.app.tools.drawing.arc_fitting import TOLERANCE, outlined, placed
from wavelab.app.tools.tool import Point
from wavelab.arrays import Array
from wavelab.meshing.graph.polygons import OutlineProblem
from wavelab.scene.model.shapes import Polygon

#: So much of the way is noise of the pointer.
_NOISE = 0.5
#: A loop no longer than this, in logical pixels, is a hand that hesitated.
_LOOP = 24.0
#: Parts of a line, both ends together, that may be cut off to make it close.
_ENDS = 0.25
#: Ends that pass each other within so many logical pixels, or parts of the line, were to meet.
_MEET_PIXELS, _MEET = 12.0, 0.05
#: Twice the area over the rim of what is only a line, in logical pixels.
_THIN = 3.0
#: What helps a line that cannot be closed.
TAKE_BACK = "Backspace takes a corner back."


@dataclass(frozen=True)
class FreeOutline:
    """A stroke, closed.

    Attributes
    ----------
    shape : what it is; None if it is no outline.
    corners : of the stroke, not closed, so that it can be corrected.  Two where it is straight.
    problem : why it is no outline.
    lasting : whether it is none however it goes on.
    """

    shape: Polygon | None
    corners: tuple[Point, ...]
    problem: OutlineProblem | None = None
    lasting: bool = False


def free_outline(stroke: Sequence[Point], pixel: float, element_size: float) -> FreeOutline:
    """The outline that a stroke is meant as, from its end straight back to its start.

    Parameters
    ----------
    pixel : length of a logical pixel.
    element_size : edges are about half as long at least, unless the drawing is smaller than that.
    """
    origin = stroke[0]
    local = _local(stroke, pixel)
    corners = _corners(local, origin, pixel)
    line, crossed = _without_loops(local)
    if len(corners) < 3:
        return FreeOutline(None, corners)
    if crossed is not None:
        return FreeOutline(None, corners, crosses(placed(crossed, origin, pixel)), lasting=True)
    ring = _closed(line)
    polygon = shapely.Polygon(ring) if len(ring) > 2 else shapely.Polygon()
    if polygon.is_valid and 2 * polygon.area <= _THIN * polygon.length:
        where = placed(ring[len(ring) // 2], origin, pixel)
        thin = OutlineProblem("encloses hardly anything", where, "Draw round an area.")
        return FreeOutline(None, corners, thin)
    return _outlined(corners, outlined(polygon, origin, pixel, element_size))


def free_wall(
    stroke: Sequence[Point], pixel: float, element_size: float, thickness: float
) -> FreeOutline:
    """A wall of this thickness along a stroke, half of it on either side."""
    origin, local = stroke[0], _local(stroke, pixel)
    corners = _corners(local, origin, pixel)
    # One that is straight but for the hand is straight.
    line = LineString(local if len(corners) > 2 else local[[0, -1]])
    wall = line.buffer(thickness / pixel / 2, cap_style="flat", join_style="round")
    if not isinstance(wall, shapely.Polygon) or wall.is_empty or wall.interiors:
        where = None
        if isinstance(wall, shapely.Polygon) and wall.interiors:
            where = placed(wall.interiors[0].coords[0], origin, pixel)
        closed = OutlineProblem("closes round an area", where, "Leave a gap in it: Esc, and anew.")
        return FreeOutline(None, corners, closed, lasting=True)
    return _outlined(corners, outlined(wall, origin, pixel, element_size))


def _outlined(corners: tuple[Point, ...], found: Polygon | OutlineProblem) -> FreeOutline:
    if isinstance(found, Polygon):
        return FreeOutline(found, corners)
    return FreeOutline(None, corners, replace(found, remedy=TAKE_BACK))


def free_corners(stroke: Sequence[Point], pixel: float) -> tuple[Point, ...]:
    """The corners of a stroke that stays open, its first and last point among them."""
    return _corners(_local(stroke, pixel), stroke[0], pixel)


def crossing(points: Sequence[Point]) -> Point | None:
    """Where an open line meets itself for the first time, None if it does not.

    A last point on the first one closes the line, which is no crossing.
    """
    if len(points) < 3 or LineString(points).is_simple:
        return None
    for i in range(1, len(points) - 1):
        segment = LineString(points[i : i + 2])
        meeting = segment.intersection(LineString(points[: i + 1]))
        for part in getattr(meeting, "geoms", [meeting]):
            if part.is_empty:
                continue
            for where in (part.coords[0], part.coords[-1]):
                closes = i == len(points) - 2 and where == points[0] == points[-1]
                if where != points[i] and not closes:
                    return where
    return None


def crosses(where: Point) -> OutlineProblem:
    """What is said of that."""
    return OutlineProblem(f"crosses itself at ({where[0]:.4g}, {where[1]:.4g})", where, TAKE_BACK)


def _local(stroke: Sequence[Point], pixel: float) -> Array:
    """(n, 2) points from the first on, in logical pixels; two at least."""
    points = (np.array([*stroke, stroke[-1]], dtype=np.float64) - stroke[0]) / pixel
    kept = shapely.simplify(LineString(points), _NOISE, preserve_topology=False)
    return shapely.get_coordinates(kept)


def _corners(points: NDArray, origin: Point, pixel: float) -> tuple[Point, ...]:
    line = shapely.simplify(LineString(points), TOLERANCE, preserve_topology=False)
    return tuple(placed(point, origin, pixel) for point in line.coords)


def _without_loops(points: NDArray) -> tuple[NDArray, NDArray | None]:
    """The line without small loops and overlapping ends, and where it still crosses itself."""
    whole = LineString(points)
    most_cut = _ENDS * whole.length
    while True:
        first, last, where = crossings(points)
        length = LineString(points).length
        loops, ends = last - first, first + length - last
        # Ends that meet already are what was wished for.
        open_ = ends > 1e-9 * length
        first, last, where, loops, ends = (x[open_] for x in (first, last, where, loops, ends))
        if len(loops) == 0:
            return points, None
        # Of what can be cut the most: that may take the others along.
        cut = np.where(ends <= most_cut, ends, np.where(loops <= _LOOP, loops, -1.0))
        best = int(np.argmax(cut))
        if cut[best] < 0:
            return points, where[int(np.argmin(last))]
        if ends[best] <= most_cut:
            most_cut -= ends[best]
            points = _piece(points, first[best], last[best])
            points[0] = points[-1] = where[best]
        else:
            before = _piece(points, 0.0, first[best])
            after = _piece(points, last[best], length)
            points = np.concatenate([before[:-1], [where[best]], after[1:]])
        if len(points) < 3:
            return points, None


def _piece(points: NDArray, start: float, end: float) -> NDArray:
    """Of a line, between two lengths along it."""
    return shapely.get_coordinates(substring(LineString(points), start, end))


def crossings(points: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Where a line meets itself: (n,) lengths along it at which it is there first and last, and
    (n, 2) the points."""
    segments = shapely.linestrings(np.stack([points[:-1], points[1:]], axis=1))
    i, j = shapely.STRtree(segments).query(segments, "intersects")
    i, j = i[j > i + 1], j[j > i + 1]
    shared = shapely.intersection(*segments[[i, j]])
    # Where the line rests it has a segment without length, which meets others in nothing.
    there = ~shapely.is_empty(shared)
    i, j = i[there], j[there]
    met = shapely.get_coordinates(shapely.point_on_surface(shared[there]))
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    first = lengths[i] + np.linalg.norm(met - points[i], axis=1)
    last = lengths[j] + np.linalg.norm(met - points[j], axis=1)
    return first, last, met


def _closed(points: NDArray) -> NDArray:
    """The line as a ring, the first point not repeated: an end that ran past the other is cut
    where it was nearest."""
    for _ in range(2):
        line, start = LineString(points), shapely.Point(points[0])
        reach = max(_MEET_PIXELS, _MEET * line.length)
        tail = LineString(_piece(points, (1 - _ENDS / 2) * line.length, line.length))
        away, gap = tail.distance(start), math.dist(points[0], points[-1])
        if away <= reach and away < gap / 2:
            points = _piece(points, 0.0, (1 - _ENDS / 2) * line.length + tail.project(start))
        points = points[::-1]  # and the other end
    return points[:-1] if math.dist(points[0], points[-1]) < _NOISE else points
