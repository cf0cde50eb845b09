"""A parabolic mirror."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Self

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import Arc, Point
from wavelab.scene.model.shapes.made import Made, Side, joined, told

#: A parabola is an ellipse whose other focus is infinitely far; in focal lengths, half of the way
#: there.  At a rim as high as the focus is far from the vertex the two differ by 1e-8 of that.
_FAR = 1e6
#: A deeper mirror closes round its focus; aperture over focal length.
MOST_OPEN = 12.0


@dataclass(frozen=True)
class Mirror(Made):
    """A parabolic mirror with its vertex at ``center``, open to the right if it is not turned.

    What comes in along its axis meets in the focus, ``focal_length`` in front of the vertex.
    ``aperture`` is from rim to rim, ``thickness`` along the axis.  Edges: "front", "back", and
    "rim" above and below.
    """

    focal_length: float = field(metadata=about("From the vertex to the focus"))
    aperture: float = field(metadata=about("From rim to rim"))
    thickness: float = field(default=0.05, metadata=about("From front to back, along the axis"))

    def _chains(self) -> tuple[tuple[Side, ...], ...]:
        f = self.focal_length
        a = _FAR * f
        b = math.sqrt(2 * a * f - f * f)
        y = self.aperture / 2
        part = (y / b) ** 2
        x = a * part / (1 + math.sqrt(1 - part))
        back = -self.thickness
        front, behind = Arc((a, 0.0), (a, b)), Arc((a + back, 0.0), (a, b))
        return (
            joined(
                ("back", (back + x, y)),
                ("rim", (back + x, -y)),
                ("front", (x, -y)),
                ("rim", (x, y)),
                arcs=[behind, None, front, None],
            ),
        )

    def _grips(self) -> tuple[Point, ...]:
        y = self.aperture / 2
        return ((self.focal_length, 0.0), (y * y / (4 * self.focal_length), y))

    def _grip_meanings(self) -> tuple[str, ...]:
        return ("Drag the focus to change the focal length", "Drag to change the aperture")

    def _gripped(self, number: int, to: Point) -> tuple[Self, str]:
        least = 1e-3 * self.aperture
        if number == 0:
            focal = told(max(to[0], least))
            return replace(self, focal_length=focal), f"focal length {focal:.3g}"
        aperture = told(max(2 * abs(to[1]), least))
        return replace(self, aperture=aperture), f"aperture {aperture:.3g}"

    def _turner(self) -> Point:
        return -self.aperture / 4 - self.thickness, 0.0

    def _check(self, item: ItemPath, what: str) -> None:
        self._check_lengths(item, what, "focal_length", "aperture", "thickness")
        require(
            self.aperture <= MOST_OPEN * self.focal_length,
            (*item, "aperture"),
            f"the aperture of {what} is {self.aperture:g} at a focal length of "
            f"{self.focal_length:g}",
            f"It can be {MOST_OPEN:g} focal lengths at most.",
        )
