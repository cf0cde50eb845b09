"""A screen with slits: a single one, two, or a grating."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import Point
from wavelab.scene.model.shapes.made import Made, Side, joined, told
from wavelab.scene.model.shapes.shape import MOST_TURN, Ring

#: More than one sees on any canvas.
MOST_SLITS = 200


@dataclass(frozen=True)
class Screen(Made):
    """A straight screen of a ``length`` and a ``thickness`` with ``slits`` openings of a ``width``.

    Their middles are the ``separation`` apart, and lie evenly about the centre.  Unturned, the
    screen stands upright: its edges are "front" on the left, "back" on the right, "slits" inside
    the openings and "ends" at both ends.
    """

    solid: ClassVar[bool] = False

    length: float = field(metadata=about("From end to end of the screen"))
    width: float = field(metadata=about("Of each slit"))
    slits: int = field(
        default=1, metadata=about("How many: 1 single slit, 2 double slit, more: a grating")
    )
    separation: float = field(
        default=0.0,
        metadata=about(
            "From the middle of a slit to that of the next; of a single slit without meaning"
        ),
    )
    thickness: float = field(default=0.05, metadata=about("Of the screen, from front to back"))

    def _middles(self) -> list[float]:
        """Where the slits are along the screen."""
        return [self.separation * (i - (self.slits - 1) / 2) for i in range(self.slits)]

    def _chains(self) -> tuple[tuple[Side, ...], ...]:
        half = self.thickness / 2
        edges = [m + side * self.width / 2 for m in self._middles() for side in (-1, 1)]
        stops = [-self.length / 2, *edges, self.length / 2]
        last = len(stops) // 2 - 1
        parts = []
        for i, (low, high) in enumerate(zip(stops[::2], stops[1::2], strict=True)):
            parts.append(
                joined(
                    ("ends" if i == 0 else "slits", (-half, low)),
                    ("back", (half, low)),
                    ("ends" if i == last else "slits", (half, high)),
                    ("front", (-half, high)),
                )
            )
        return tuple(parts)

    def outline(self, element_size: float, most_turn: float = MOST_TURN) -> Ring:
        x, y = self.thickness / 2, self.length / 2
        corners = [self._placed(p) for p in ((-x, -y), (x, -y), (x, y), (-x, y))]
        return np.array(corners), ("ends", "back", "ends", "front")

    def _grips(self) -> tuple[Point, ...]:
        top = self._middles()[-1]
        moved = ((0.0, top),) if self.slits > 1 else ()
        return ((0.0, top + self.width / 2), (0.0, self.length / 2), *moved)

    def _grip_meanings(self) -> tuple[str, ...]:
        moved = ("Drag to change how far the slits are apart",) if self.slits > 1 else ()
        return ("Drag to change the width of the slits", "Drag to change the length", *moved)

    def _gripped(self, number: int, to: Point) -> tuple[Self, str]:
        if number == 0:
            width = told(2 * abs(to[1] - self._middles()[-1]))
            return replace(self, width=width), f"slit width {width:.3g}"
        if number == 1:
            length = told(2 * abs(to[1]))
            return replace(self, length=length), f"length {length:.3g}"
        separation = told(2 * abs(to[1]) / (self.slits - 1))
        return replace(self, separation=separation), f"separation {separation:.3g}"

    def _turner(self) -> Point:
        return -self.length / 8 - self.thickness, 0.0

    def _check(self, item: ItemPath, what: str) -> None:
        self._check_lengths(item, what, "length", "width", "thickness")
        require(
            1 <= self.slits <= MOST_SLITS,
            (*item, "slits"),
            f"the number of slits of {what} is {self.slits}",
            f"It can be from 1 to {MOST_SLITS}.",
        )
        require(
            self.slits == 1 or self.separation > self.width,
            (*item, "separation"),
            f"the slits of {what} are {self.width:g} wide and only {self.separation:g} apart",
            "The separation goes from middle to middle: it must be greater than the width.",
        )
        taken = self.width + (self.slits - 1) * (self.separation if self.slits > 1 else 0.0)
        require(
            taken < self.length,
            (*item, "length"),
            f"the slits of {what} take {taken:g} of a screen that is {self.length:g} long",
            "Make the screen longer, or the slits fewer, narrower or closer.",
        )
