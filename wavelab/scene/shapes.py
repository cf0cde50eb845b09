"""Shapes a scene is made of: polygon, rectangle, ellipse.

A shape knows its outline as a counterclockwise ring of points and, for every segment of that ring,
the name of the edge it belongs to, so that walls can be chosen per edge whatever the element size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]

#: Degrees by which an arc between two vertices may turn.
MOST_TURN = 30.0
#: Of an ellipse, whatever the element size.
_MOST_SIDES = 4096
#: Pieces by which an ellipse is measured.
_FINE = 1 << 14


class Shape(Protocol):
    """What meshing needs to know of a shape."""

    def outline(self, element_size: float) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        """Ring of points (n, 2), counterclockwise, first not repeated, and n edge names.

        Segment i runs from point i to point i + 1.  Straight edges come as one segment each
        (the mesher splits them); curved ones in chords of about ``element_size``.
        """
        ...

    def arcs(self) -> dict[str, Ellipse]:
        """Edges that are not straight, and the ellipse that each is a part of."""
        ...

    def bounds(self) -> tuple[Point, Point]:
        """Lower left and upper right corner of the bounding box."""
        ...

    def edge_names(self) -> tuple[str, ...]:
        """Names of the edges, in order, each once."""
        ...


@dataclass(frozen=True)
class Polygon:
    """Edges between vertices; edge "i" runs from vertex i to vertex i + 1.

    With ``bulges``, one for each edge, edges are circular arcs: the tangent of a quarter of the
    angle that the arc turns through, 0 for a straight edge and 1 for half a circle; the arc lies
    to the right of the straight line from vertex to vertex if positive, which is outside where the
    vertices go counterclockwise.  (The number is that of DXF drawings.)
    """

    vertices: tuple[Point, ...]
    bulges: tuple[float, ...] = ()

    def outline(self, element_size: float) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        points, names = [], []
        for name, (start, end, bulge) in zip(self.edge_names(), self._edges(), strict=True):
            line = _arc_points(start, end, bulge, element_size) if bulge else np.array([start])
            points.append(line)
            names += [name] * len(line)
        ring = np.concatenate(points).astype(np.float64)
        x, y = ring.T
        if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0:
            # Turned round, the segment that starts at a point is the one that ended there.
            ring = ring[::-1]
            names = [*names[-2::-1], names[-1]]
        return ring, tuple(names)

    def arcs(self) -> dict[str, Ellipse]:
        found = {}
        for name, (start, end, bulge) in zip(self.edge_names(), self._edges(), strict=True):
            if bulge:
                center, radius = _circle(start, end, bulge)
                found[name] = Ellipse(center, (radius, radius))
        return found

    def bounds(self) -> tuple[Point, Point]:
        points = list(self.vertices)
        for start, end, bulge in self._edges() if self.bulges else ():
            (x, y), radius = _circle(start, end, bulge) if bulge else (start, 0.0)
            for extreme in ((x - radius, y), (x + radius, y), (x, y - radius), (x, y + radius)):
                if bulge and _on_arc(extreme, start, end, bulge):
                    points.append(extreme)
        xs, ys = zip(*points, strict=True)
        return (min(xs), min(ys)), (max(xs), max(ys))

    def edge_names(self) -> tuple[str, ...]:
        return tuple(str(i) for i in range(len(self.vertices)))

    def _edges(self) -> Iterator[tuple[Point, Point, float]]:
        bulges = self.bulges or (0.0,) * len(self.vertices)
        ends = (*self.vertices[1:], self.vertices[0])
        return zip(self.vertices, ends, bulges, strict=True)


@dataclass(frozen=True)
class Rectangle:
    """Axis-parallel rectangle with edges "bottom", "right", "top" and "left"."""

    lower: Point
    upper: Point

    def outline(self, element_size: float) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        (x0, y0), (x1, y1) = self.bounds()
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64), (
            self.edge_names()
        )

    def arcs(self) -> dict[str, Ellipse]:
        return {}

    def bounds(self) -> tuple[Point, Point]:
        (x0, y0), (x1, y1) = self.lower, self.upper
        return (min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))

    def edge_names(self) -> tuple[str, ...]:
        return ("bottom", "right", "top", "left")


@dataclass(frozen=True)
class Ellipse:
    """Ellipse with half axes ``radii``, turned counterclockwise by ``angle`` degrees.

    Its only edge is "rim".  The outline is an inscribed polygon, of which no side turns by more
    than ``MOST_TURN``.
    """

    center: Point
    radii: Point
    angle: float = 0.0

    def outline(self, element_size: float) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        a, b = self.radii
        parameter = _spread(a, b, element_size)
        n = len(parameter)
        turn = math.radians(self.angle)
        local = np.column_stack([a * np.cos(parameter), b * np.sin(parameter)])
        rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        return local @ rotation + np.array(self.center), ("rim",) * n

    def bounds(self) -> tuple[Point, Point]:
        a, b = self.radii
        turn = math.radians(self.angle)
        half_x = math.hypot(a * math.cos(turn), b * math.sin(turn))
        half_y = math.hypot(a * math.sin(turn), b * math.cos(turn))
        x, y = self.center
        return (x - half_x, y - half_y), (x + half_x, y + half_y)

    def arcs(self) -> dict[str, Ellipse]:
        return {"rim": self}

    def edge_names(self) -> tuple[str, ...]:
        return ("rim",)


def _circle(start: Point, end: Point, bulge: float) -> tuple[Point, float]:
    """Centre and radius of an arc."""
    (x0, y0), (x1, y1) = start, end
    # From the middle of the chord to the centre, in parts of the chord, to the left.
    left = (1 - bulge**2) / (4 * bulge)
    center = ((x0 + x1) / 2 - left * (y1 - y0), (y0 + y1) / 2 + left * (x1 - x0))
    return center, math.dist(start, end) * (1 + bulge**2) / (4 * abs(bulge))


def _on_arc(point: Point, start: Point, end: Point, bulge: float) -> bool:
    """Whether a point of the circle is on the side of the chord where the arc is."""
    (x0, y0), (x1, y1), (x, y) = start, end, point
    left = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
    return left * bulge < 0


def _arc_points(start: Point, end: Point, bulge: float, element_size: float) -> NDArray[np.float64]:
    """Points of an arc, the last left out: sides no longer than ``element_size``, and none turning
    by more than ``MOST_TURN``."""
    center, radius = _circle(start, end, bulge)
    turn = 4 * math.atan(bulge)
    size = max(element_size, 2 * math.pi * radius / _MOST_SIDES)
    n = math.ceil(max(abs(turn) * radius / size, abs(turn) / math.radians(MOST_TURN)) - 1e-9)
    first = math.atan2(start[1] - center[1], start[0] - center[0])
    angles = first + turn * np.arange(n) / n
    points = np.array(center) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points[0] = start
    return points


def _spread(a: float, b: float, element_size: float) -> NDArray[np.float64]:
    """Parameters of the vertices of the polygon in an ellipse: as few as keep its sides shorter
    than ``element_size`` and than the ellipse is wide there, and turn by no more than
    ``MOST_TURN``."""
    fine = np.linspace(0, 2 * np.pi, _FINE + 1)
    middle = (fine[1:] + fine[:-1]) / 2
    speed = np.hypot(a * np.sin(middle), b * np.cos(middle))
    size = max(element_size, speed.mean() * 2 * np.pi / _MOST_SIDES)
    # Across the longer axis, with the radius of curvature at its ends.
    half_width = a * np.abs(np.cos(middle)) if a < b else b * np.abs(np.sin(middle))
    width = 2 * half_width + min(a, b) ** 2 / max(a, b)
    turn = a * b / speed**2
    density = np.maximum.reduce([speed / size, speed / width, turn / math.radians(MOST_TURN)])
    count = np.concatenate([[0], np.cumsum(density)]) * (2 * np.pi / _FINE)
    n = math.ceil(count[-1] - 1e-9)
    return np.interp(count[-1] * np.arange(n) / n, count, fine)


#: The ``shape`` written in a scene file.
SHAPES: dict[str, type] = {"polygon": Polygon, "rectangle": Rectangle, "ellipse": Ellipse}
