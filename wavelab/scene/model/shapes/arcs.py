"""Circular arcs between two points, as a number: the bulge.

It is the tangent of a quarter of the angle that the arc turns through: 0 for a straight line, 1 for
half a circle, positive if the arc lies to the right of the line from start to end.  (DXF drawings
have it too.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array

Point = tuple[float, float]

#: Of an arc that is a part of a circle, or of a whole ellipse, whatever the element size.
MOST_SIDES = 4096
#: Arcs between nearly straight ones and nearly full circles.
SMALLEST_BULGE, LARGEST_BULGE = 1e-3, 10.0


@dataclass(frozen=True)
class Arc:
    """The ellipse that an edge is a part of: half axes ``radii``, turned counterclockwise by
    ``angle`` degrees."""

    center: Point
    radii: Point
    angle: float = 0.0


def bulge_through(start: Point, end: Point, point: Point) -> float:
    """Bulge of the arc from ``start`` to ``end`` that goes through a third point.

    By the angle at which the chord is seen from there, which is pi less half the turn.  Infinite
    where no arc does: on the line through both, but not between them.  0 if two points are one.
    """
    ax, ay = start[0] - point[0], start[1] - point[1]
    bx, by = end[0] - point[0], end[1] - point[1]
    lengths = math.hypot(ax, ay) * math.hypot(bx, by)
    if lengths == 0 or start == end:
        return 0.0
    across = ay * bx - by * ax
    # The tangent of half the angle has two forms; in each, one side of 90 degrees loses digits.
    along = ax * bx + ay * by
    if along <= 0:
        return across / (lengths - along)
    return (lengths + along) / across if across else math.inf


def middle_of(start: Point, end: Point, bulge: float) -> Point:
    """The point of an arc half way from one end to the other."""
    (x0, y0), (x1, y1) = start, end
    return (x0 + x1 + bulge * (y1 - y0)) / 2, (y0 + y1 - bulge * (x1 - x0)) / 2


def circle_of(start: Point, end: Point, bulge: float) -> tuple[Point, float]:
    """Centre and radius of an arc, the same to the last digit from either end: two shapes may have
    it in common."""
    if end < start:
        start, end, bulge = end, start, -bulge
    (x0, y0), (x1, y1) = start, end
    # From the middle of the chord to the centre, in parts of the chord, to the left.
    left = (1 - bulge**2) / (4 * bulge)
    center = ((x0 + x1) / 2 - left * (y1 - y0), (y0 + y1) / 2 + left * (x1 - x0))
    return center, math.dist(start, end) * (1 + bulge**2) / (4 * abs(bulge))


def on_arc(point: Point, start: Point, end: Point, bulge: float) -> bool:
    """Whether a point of the circle is on the side of the chord where the arc is."""
    (x0, y0), (x1, y1), (x, y) = start, end, point
    left = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
    return left * bulge < 0


def arc_points(start: Point, end: Point, bulge: float, longest: float, most_turn: float) -> Array:
    """Points (n, 2) of an arc, the last left out: no side is longer than ``longest``, and none
    turns by more than ``most_turn`` degrees.  From either end they are the same."""
    if end < start:
        backward = arc_points(end, start, -bulge, longest, most_turn)
        return np.concatenate([[start], backward[:0:-1]])
    center, radius = circle_of(start, end, bulge)
    turn = 4 * math.atan(bulge)
    size = max(longest, 2 * math.pi * radius / MOST_SIDES)
    n = math.ceil(max(abs(turn) * radius / size, abs(turn) / math.radians(most_turn)) - 1e-9)
    first = math.atan2(start[1] - center[1], start[0] - center[0])
    angles = first + turn * np.arange(max(n, 1)) / max(n, 1)
    points = np.array(center) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points[0] = start
    return points
