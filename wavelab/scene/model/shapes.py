"""Shapes a scene is made of: polygon, rectangle, ellipse.

A shape knows its outline as a counterclockwise ring of points and, for every segment of that ring,
the name of the edge it belongs to, so that walls can be chosen per edge whatever the element size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.scene.model.arcs import MOST_SIDES, Point, arc_points, circle_of, on_arc

#: Degrees by which an arc between two vertices of a mesh may turn.
MOST_TURN = 30.0
#: Degrees by which a line of a drawing may turn at a vertex of an arc: it looks smooth.
SMOOTH_TURN = 1.0
#: Length over width of an ellipse of a scene.  Its polygon has about three times as many sides as
#: that, and elements must be as small as it is wide.
LARGEST_ELONGATION = 1000.0
#: Pieces by which an ellipse is measured.
_FINE = 1 << 14


class Shape(Protocol):
    """What meshing needs to know of a shape; shapes are frozen dataclasses."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __hash__(self) -> int: ...

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        """Ring of points (n, 2), counterclockwise, first not repeated, and n edge names.

        Segment i runs from point i to point i + 1.  Straight edges come as one segment each
        (the mesher splits them); curved ones in chords of about ``element_size``, none of which
        turns by more than ``most_turn`` degrees.
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

    With ``bulges``, one for each edge, edges are circular arcs (:mod:`wavelab.scene.model.arcs`),
    outside of the straight line if positive where the vertices go counterclockwise.
    """

    vertices: tuple[Point, ...]
    bulges: tuple[float, ...] = ()

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        points, names = [], []
        for name, (start, end, bulge) in zip(self.edge_names(), self._edges(), strict=True):
            line = np.array([start])
            if bulge:
                line = arc_points(start, end, bulge, element_size, most_turn)
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
                center, radius = circle_of(start, end, bulge)
                found[name] = Ellipse(center, (radius, radius))
        return found

    def bounds(self) -> tuple[Point, Point]:
        points = list(self.vertices)
        for start, end, bulge in self._edges() if self.bulges else ():
            (x, y), radius = circle_of(start, end, bulge) if bulge else (start, 0.0)
            for extreme in ((x - radius, y), (x + radius, y), (x, y - radius), (x, y + radius)):
                if bulge and on_arc(extreme, start, end, bulge):
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

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[NDArray[np.float64], tuple[str, ...]]:
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

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        a, b = self.radii
        parameter = _spread(a, b, element_size, most_turn)
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


# Photonic crystals have many of one size, and a window asks at every move of the mouse.
@lru_cache(maxsize=256)
def _spread(a: float, b: float, element_size: float, most_turn: float) -> NDArray[np.float64]:
    """Parameters of the vertices of the polygon in an ellipse: as few as keep its sides shorter
    than ``element_size`` and than the ellipse is wide there, and turn by no more than
    ``most_turn`` degrees.

    A longer ellipse than a scene can have, as a hand passes through it that drags a radius, gets
    the sides of the longest one: sides as short as it is wide would be without number.
    """
    largest = max(a, b)
    a, b, element_size = a / largest, b / largest, element_size / largest
    a, b = max(a, 1 / LARGEST_ELONGATION), max(b, 1 / LARGEST_ELONGATION)
    fine = np.linspace(0, 2 * np.pi, _FINE + 1)
    middle = (fine[1:] + fine[:-1]) / 2
    speed = np.hypot(a * np.sin(middle), b * np.cos(middle))
    size = max(element_size, speed.mean() * 2 * np.pi / MOST_SIDES)
    # Across the longer axis, with the radius of curvature at its ends.
    half_width = a * np.abs(np.cos(middle)) if a < b else b * np.abs(np.sin(middle))
    width = 2 * half_width + min(a, b) ** 2 / max(a, b)
    turn = a * b / speed**2
    density = np.maximum.reduce([speed / size, speed / width, turn / math.radians(most_turn)])
    count = np.concatenate([[0], np.cumsum(density)]) * (2 * np.pi / _FINE)
    n = math.ceil(count[-1] - 1e-9)
    parameters = np.interp(count[-1] * np.arange(n) / n, count, fine)
    parameters.flags.writeable = False
    return parameters


def smooth_outline(shape: Shape) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """The outline as it is drawn, whatever the elements are: arcs look round on any screen."""
    return shape.outline(math.inf, SMOOTH_TURN)


@lru_cache(maxsize=1024)
def area_of(shape: Shape) -> shapely.Geometry:
    """What :func:`smooth_outline` encloses, valid even where that crosses itself."""
    return shapely.make_valid(shapely.Polygon(smooth_outline(shape)[0]))


def shifted(shape: Shape, by: Point) -> Shape:
    """The same shape elsewhere."""
    match shape:
        case Polygon():
            return replace(shape, vertices=tuple(shifted_point(v, by) for v in shape.vertices))
        case Rectangle():
            return Rectangle(shifted_point(shape.lower, by), shifted_point(shape.upper, by))
        case Ellipse():
            return replace(shape, center=shifted_point(shape.center, by))
    return shape


def shifted_point(point: Point, by: Point) -> Point:
    """Without the rounding noise of the sum, which would be written into the scene file."""
    return float(f"{point[0] + by[0]:.12g}"), float(f"{point[1] + by[1]:.12g}")


#: The ``shape`` written in a scene file.
SHAPES: dict[str, type] = {"polygon": Polygon, "rectangle": Rectangle, "ellipse": Ellipse}
