"""A shape along the axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import Point
from wavelab.scene.model.shapes.shape import MOST_TURN, Shape, shifted_point


@dataclass(frozen=True)
class Rectangle(Shape):
    """Axis-parallel rectangle with edges "bottom", "right", "top" and "left"."""

    lower: Point
    upper: Point

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[Array, tuple[str, ...]]:
        return np.array(self.corners(), dtype=np.float64), self.edge_names()

    def bounds(self) -> tuple[Point, Point]:
        (x0, y0), (x1, y1) = self.lower, self.upper
        return (min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))

    def edge_names(self) -> tuple[str, ...]:
        return ("bottom", "right", "top", "left")

    def shifted(self, by: Point) -> Rectangle:
        return Rectangle(shifted_point(self.lower, by), shifted_point(self.upper, by))

    def corners(self) -> tuple[Point, ...]:
        (x0, y0), (x1, y1) = self.bounds()
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

    def with_corner(self, number: int, to: Point) -> tuple[Rectangle, str]:
        (x0, y0), (x, y) = self.corners()[number - 2], to
        box = Rectangle((min(x, x0), min(y, y0)), (max(x, x0), max(y, y0)))
        return box, f"{abs(x - x0):.3g} \u00d7 {abs(y - y0):.3g}"

    def _check(self, item: ItemPath, what: str) -> None:
        (x0, y0), (x1, y1) = self.lower, self.upper
        require(
            x0 < x1 and y0 < y1,
            (*item, "upper"),
            f"{what} has its upper corner at ({x1:g}, {y1:g}) and its lower corner at ({x0:g}, "
            f"{y0:g})",
            "The upper corner must lie to the right of and above the lower one.",
        )
