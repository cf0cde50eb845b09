"""A shape of straight edges and arcs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import (
    LARGEST_BULGE,
    SMALLEST_BULGE,
    Arc,
    Point,
    arc_points,
    circle_of,
    on_arc,
)
from wavelab.scene.model.shapes.shape import MOST_TURN, Shape, shifted_point


@dataclass(frozen=True)
class Polygon(Shape):
    """Edges between vertices; edge "i" runs from vertex i to vertex i + 1.

    With ``bulges``, one for each edge, edges are circular arcs
    (:mod:`wavelab.scene.model.shapes.arcs`), outside of the straight line if positive where the
    vertices go counterclockwise.
    """

    vertices: tuple[Point, ...]
    bulges: tuple[float, ...] = ()

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[Array, tuple[str, ...]]:
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

    def arcs(self) -> dict[str, Arc]:
        found = {}
        for name, (start, end, bulge) in zip(self.edge_names(), self._edges(), strict=True):
            if bulge:
                center, radius = circle_of(start, end, bulge)
                found[name] = Arc(center, (radius, radius))
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

    def shifted(self, by: Point) -> Polygon:
        return replace(self, vertices=tuple(shifted_point(v, by) for v in self.vertices))

    def corners(self) -> tuple[Point, ...]:
        return self.vertices

    def with_corner(self, number: int, to: Point) -> tuple[Polygon, str]:
        points = list(self.vertices)
        points[number] = to
        return replace(self, vertices=tuple(points)), f"{to[0]:.4g}, {to[1]:.4g}"

    def _check(self, item: ItemPath, what: str) -> None:
        distinct = len(set(self.vertices))
        require(
            not self.bulges or len(self.bulges) == len(self.vertices),
            (*item, "bulges"),
            f"{what} has {len(self.bulges)} bulges and {len(self.vertices)} vertices",
            "Give one bulge for each edge, 0 for a straight one.",
        )
        for i, bulge in enumerate(self.bulges):
            require(
                bulge == 0 or SMALLEST_BULGE <= abs(bulge) <= LARGEST_BULGE,
                (*item, "bulges", i),
                f"bulge {i} of {what} is {bulge:g}",
                "It is the tangent of a quarter of the arc's angle: 0 for a straight edge, "
                f"otherwise {SMALLEST_BULGE:g} to {LARGEST_BULGE:g} or the negative of that.",
            )
            require(
                bulge == 0 or self.vertices[i] != self.vertices[i + 1 - len(self.vertices)],
                (*item, "bulges", i),
                f"edge {i} of {what} is an arc that ends where it begins",
                "Make a full circle an ellipse, or of two arcs.",
            )
        require(
            distinct >= (2 if any(self.bulges) else 3),
            (*item, "vertices"),
            f"{what} has {distinct} different {'vertex' if distinct == 1 else 'vertices'}",
            "A polygon needs at least 3 different vertices, or 2 with a bulge at an edge.",
        )
