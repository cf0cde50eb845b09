"""Circles and ellipses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.shapes.arcs import MOST_SIDES, Arc, Point
from wavelab.scene.model.shapes.shape import MOST_TURN, Shape, shifted_point

#: Length over width of an ellipse of a scene.  Its polygon has about three times as many sides as
#: that, and elements must be as small as it is wide.
LARGEST_ELONGATION = 1000.0
#: Pieces by which an ellipse is measured.
_FINE = 1 << 14


@dataclass(frozen=True)
class Ellipse(Shape):
    """Ellipse with half axes ``radii``, turned counterclockwise by ``angle`` degrees.

    Its only edge is "rim".  The outline is an inscribed polygon, of which no side turns by more
    than ``MOST_TURN``.
    """

    center: Point
    radii: Point
    angle: float = 0.0

    def outline(
        self, element_size: float, most_turn: float = MOST_TURN
    ) -> tuple[Array, tuple[str, ...]]:
        parameters = _spread(*self.radii, element_size, most_turn)
        return self.at(parameters), ("rim",) * len(parameters)

    def at(self, parameters: Array) -> Array:
        """(n, 2) points of the rim, each where its parameter (n,) is the angle on a circle that the
        half axes stretch."""
        a, b = self.radii
        turn = math.radians(self.angle)
        local = np.column_stack([a * np.cos(parameters), b * np.sin(parameters)])
        rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        return local @ rotation + np.array(self.center)

    @property
    def sharpest(self) -> float:
        """Smallest radius of curvature of the rim."""
        a, b = max(self.radii), min(self.radii)
        return b * b / a

    def bounds(self) -> tuple[Point, Point]:
        a, b = self.radii
        turn = math.radians(self.angle)
        half_x = math.hypot(a * math.cos(turn), b * math.sin(turn))
        half_y = math.hypot(a * math.sin(turn), b * math.cos(turn))
        x, y = self.center
        return (x - half_x, y - half_y), (x + half_x, y + half_y)

    def arcs(self) -> dict[str, Arc]:
        return {"rim": Arc(self.center, self.radii, self.angle)}

    def edge_names(self) -> tuple[str, ...]:
        return ("rim",)

    def shifted(self, by: Point) -> Ellipse:
        return replace(self, center=shifted_point(self.center, by))

    def knobs(self) -> tuple[Point, ...]:
        x, y = self.center
        ends = []
        for number in range(4):
            (cos, sin), radius = self._axis(number), self.radii[number % 2]
            ends.append((x + radius * cos, y + radius * sin))
        return tuple(ends)

    def with_knob(self, number: int, to: Point, even: bool) -> tuple[Ellipse, str]:
        cos, sin = self._axis(number)
        radius = abs((to[0] - self.center[0]) * cos + (to[1] - self.center[1]) * sin)
        a, b = self.radii
        radii = (radius, b) if number % 2 == 0 else (a, radius)
        radii = (radius, radius) if even else radii
        return replace(self, radii=radii), f"radii {radii[0]:.3g}, {radii[1]:.3g}"

    def middle(self) -> Point:
        return self.center

    def _axis(self, number: int) -> Point:
        """Unit vector along a half axis, counterclockwise from the first."""
        turn = math.radians(self.angle + 90 * number)
        return math.cos(turn), math.sin(turn)

    def _check(self, item: ItemPath, what: str) -> None:
        require(
            min(self.radii) > 0,
            (*item, "radii"),
            f"{what} has the radii {self.radii[0]:g} and {self.radii[1]:g}",
            "Both must be greater than 0.",
        )
        for radius in self.radii:
            check_length(radius, (*item, "radii"), f"a radius of {what}")
        ratio = max(self.radii) / min(self.radii)
        require(
            ratio <= LARGEST_ELONGATION,
            (*item, "radii"),
            f"{what} has the radii {self.radii[0]:g} and {self.radii[1]:g}: a needle, "
            f"{ratio:.4g} times as long as wide",
            f"One radius can be {LARGEST_ELONGATION:g} times the other at most; widen it, or leave "
            "it out.",
        )


# Photonic crystals have many of one size, and a window asks at every move of the mouse.
@lru_cache(maxsize=256)
def _spread(a: float, b: float, element_size: float, most_turn: float) -> Array:
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
