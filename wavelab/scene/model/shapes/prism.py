"""A prism with two equal sides."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Self

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import Point
from wavelab.scene.model.shapes.made import Made, Side, joined, told

#: Of the angle at the apex, in degrees: neither a needle nor a plate.
SHARPEST, BLUNTEST = 5.0, 170.0


@dataclass(frozen=True)
class Prism(Made):
    """Two sides of the length ``side`` that meet at the apex under the angle ``apex`` in degrees.

    ``center`` is the middle of its height; the apex points up if it is not turned.  Edges: "base",
    "right" and "left".
    """

    side: float = field(metadata=about("Length of the two equal sides"))
    apex: float = field(default=60.0, metadata=about("Angle between them, in degrees"))

    def _corner(self) -> Point:
        """The right end of the base, from the apex: how far right, and how far down."""
        half = math.radians(self.apex) / 2
        return self.side * math.sin(half), self.side * math.cos(half)

    def _chains(self) -> tuple[tuple[Side, ...], ...]:
        x, height = self._corner()
        y = height / 2
        return (joined(("base", (-x, -y)), ("right", (x, -y)), ("left", (0.0, y))),)

    def _grips(self) -> tuple[Point, ...]:
        x, height = self._corner()
        return ((0.0, height / 2), (x, -height / 2))

    def _grip_meanings(self) -> tuple[str, ...]:
        return ("Drag to change the length of the sides", "Drag to change the angle of the apex")

    def _gripped(self, number: int, to: Point) -> tuple[Self, str]:
        _, height = self._corner()
        if number == 0:
            side = told(2 * abs(to[1]) * self.side / height)
            return replace(self, side=side), f"sides {side:.3g}"
        apex = 2 * math.degrees(math.atan2(abs(to[0]), height))
        apex = float(f"{min(max(apex, SHARPEST), BLUNTEST):.3g}")
        # The apex and the height stay where they are.
        side = told(height / math.cos(math.radians(apex) / 2))
        return replace(self, apex=apex, side=side), f"apex {apex:.3g}\u00b0"

    def _turner(self) -> Point:
        return 0.0, 0.8 * self._corner()[1]

    def _check(self, item: ItemPath, what: str) -> None:
        self._check_lengths(item, what, "side")
        require(
            SHARPEST <= self.apex <= BLUNTEST,
            (*item, "apex"),
            f"the apex of {what} has an angle of {self.apex:g} degrees",
            f"It can be from {SHARPEST:g} to {BLUNTEST:g}.",
        )
