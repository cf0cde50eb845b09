"""What a hand draws in one stroke, as corners and arcs, as pure functions.

A hand shakes, overshoots and stops short: small loops are dropped, ends that overlap or nearly meet
are brought together.  What is left is followed by as few arcs and straight edges as a person would
not tell from it, and that elements would not have to be much smaller for.  Lengths in here are
logical pixels until the very end.
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

from wavelab.app.tools.tool import Point
from wavelab.meshing.polygons import OutlineProblem, outline_problem
from wavelab.scene.arcs import bulge_through
from wavelab.scene.shapes import MOST_TURN, Polygon, smooth_outline

#: A line strays from the hand by no more than this, in logical pixels: nobody draws finer.
TOLERANCE = 2.0
#: So much of the way is noise of the pointer.
_NOISE = 0.5
#: A loop no longer than this, in logical pixels, is a hand that hesitated.
_LOOP = 24.0
#: Parts of a line, both ends together, that may be cut off to make it close.
_ENDS = 0.25
#: Ends that pass each other within so many logical pixels, or parts of the line, were to meet.
_MEET_PIXELS, _MEET = 12.0, 0.05
#: Nobody bends a line more often than that, in logical pixels, on purpose; and the part of its rim
#: that an edge may be long for the sake of large elements.
_SHORTEST, _FINEST = 5 * TOLERANCE, 1 / 24
#: Twice the area over the rim of what is only a line, in logical pixels.
_THIN = 3.0
_REMEDY = "Backspace takes a corner back."
#: An edge that bows by less than this is straight, in logical pixels, and a long one that bows by a
#: part of its length within the tolerance; none turns by more degrees.
_FLAT, _FLAT_PART, _MOST_BOW = 1.0, 0.01, 120.0


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
        return FreeOutline(None, corners, crosses(_placed(crossed, origin, pixel)), lasting=True)
    ring = _closed(line)
    polygon = shapely.Polygon(ring) if len(ring) > 2 else shapely.Polygon()
    straight = shapely.simplify(polygon, TOLERANCE) if polygon.is_valid else polygon
    if straight.is_valid and 2 * straight.area <= _THIN * straight.length:
        where = _placed(ring[len(ring) // 2], origin, pixel)
        thin = OutlineProblem("encloses hardly anything", where, "Draw round an area.")
        return FreeOutline(None, corners, thin)
    shape = _fitted(ring, element_size / pixel, origin, pixel) if polygon.is_valid else None
    if shape is not None and _problem(shape, element_size) is None:
        return FreeOutline(shape, corners)
    # What is finer than that, as a person would click it.
    plain = Polygon(tuple(_placed(p, origin, pixel) for p in straight.exterior.coords[:-1]))
    if (problem := outline_problem(plain.vertices)) is None:
        return FreeOutline(plain, corners)
    return FreeOutline(None, corners, replace(problem, remedy=_REMEDY))


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
    return OutlineProblem(
        f"crosses itself at ({where[0]:.4g}, {where[1]:.4g})",
        where,
        _REMEDY,
    )


def _local(stroke: Sequence[Point], pixel: float) -> NDArray[np.float64]:
    """(n, 2) points from the first on, in logical pixels; two at least."""
    points = (np.array([*stroke, stroke[-1]], dtype=np.float64) - stroke[0]) / pixel
    kept = shapely.simplify(LineString(points), _NOISE, preserve_topology=False)
    return shapely.get_coordinates(kept)


def _corners(points: NDArray, origin: Point, pixel: float) -> tuple[Point, ...]:
    line = shapely.simplify(LineString(points), TOLERANCE, preserve_topology=False)
    return tuple(_placed(point, origin, pixel) for point in line.coords)


def _placed(point: Sequence[float] | NDArray, origin: Point, pixel: float) -> Point:
    """Back in the scene, with no more digits than a tenth of a pixel tells apart."""
    digits = max(0, math.ceil(-math.log10(0.1 * pixel)))
    x, y = (round(float(o + pixel * p), digits) for o, p in zip(origin, point, strict=True))
    return x, y


def _without_loops(points: NDArray) -> tuple[NDArray, NDArray | None]:
    """The line without small loops and overlapping ends, and where it still crosses itself."""
    whole = LineString(points)
    most_cut = _ENDS * whole.length
    while True:
        first, last, where = _crossings(points)
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


def _crossings(points: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Where a line meets itself: (n,) lengths along it at which it is there first and last, and
    (n, 2) the points."""
    segments = shapely.linestrings(np.stack([points[:-1], points[1:]], axis=1))
    i, j = shapely.STRtree(segments).query(segments, "intersects")
    i, j = i[j > i + 1], j[j > i + 1]
    met = shapely.get_coordinates(shapely.point_on_surface(shapely.intersection(*segments[[i, j]])))
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


def _fitted(ring: NDArray, element: float, origin: Point, pixel: float) -> Polygon | None:
    """Arcs along a ring."""
    rim = shapely.LinearRing(ring).length
    shortest = max(_SHORTEST, min(element / 2, _FINEST * rim))
    chords = max(TOLERANCE, shortest / 4)
    simple = np.array(shapely.simplify(shapely.Polygon(ring), chords).exterior.coords)[:-1]
    at = np.argmin(np.linalg.norm(ring[None] - simple[:, None], axis=2), axis=1)
    kept = _merged(ring, sorted(set(at.tolist())), shortest, chords)
    if len(kept) < 3:
        return None
    vertices = tuple(_placed(ring[i], origin, pixel) for i in kept)
    bulges = [
        _bulge(_between(ring, i, j), shortest)
        for i, j in zip(kept, [*kept[1:], kept[0]], strict=True)
    ]
    return Polygon(vertices, tuple(bulges) if any(bulges) else ())


def _merged(ring: NDArray, kept: list[int], shortest: float, chords: float) -> list[int]:
    """Without the corners that stand out least, while edges are too short."""
    while len(kept) > 3:
        points = ring[kept]
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
        base = after - before
        length = np.maximum(np.linalg.norm(base, axis=1), 1e-9)
        (bx, by), (px, py) = base.T, (points - before).T
        height = np.abs(bx * py - by * px) / length
        edge = np.minimum(
            np.linalg.norm(points - before, axis=1), np.linalg.norm(after - points, axis=1)
        )
        spare = (height <= chords / 2) | ((edge < shortest) & (height <= chords))
        if not spare.any():
            break
        kept.pop(int(np.argmin(np.where(spare, height, np.inf))))
    return kept


def _between(ring: NDArray, start: int, end: int) -> NDArray:
    """The points of a ring from one to another."""
    if end > start:
        return ring[start : end + 1]
    return np.concatenate([ring[start:], ring[: end + 1]])


def _bulge(part: NDArray, shortest: float) -> float:
    """Of the arc that has the area beside its chord that the line has."""
    (x0, y0), (x1, y1) = part[0], part[-1]
    chord = math.dist(part[0], part[-1])
    if chord < TOLERANCE:
        return 0.0
    x, y = (part - part[0]).T
    right = float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    # To the right of the chord the area is positive; that of a flat arc is 2/3 of chord x height.
    height = 1.5 * right / chord
    if abs(height) < max(_FLAT, min(TOLERANCE, _FLAT_PART * chord)):
        return 0.0
    bow = height / chord
    middle = ((x0 + x1) / 2 + bow * (y1 - y0), (y0 + y1) / 2 - bow * (x1 - x0))
    bulge = bulge_through((x0, y0), (x1, y1), middle)
    # Elements follow an arc by chords that turn by so much: none shall be too short for them.
    pieces = max(1, math.floor(2 * chord / shortest))
    most = math.tan(math.radians(min(pieces * MOST_TURN, _MOST_BOW)) / 4)
    bulge = max(-most, min(bulge, most))
    return round(float(bulge), 3)


def _problem(shape: Polygon, element_size: float) -> OutlineProblem | None:
    """What keeps a shape with arcs from being meshed."""
    rings = [smooth_outline(shape)[0]]
    if element_size > 0:
        rings.append(shape.outline(element_size)[0])
    return next((p for ring in rings if (p := outline_problem(ring)) is not None), None)
