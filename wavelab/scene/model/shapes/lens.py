"""A lens of two circular faces, ground for a focal length."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Self

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import SMALLEST_BULGE, Arc, Point
from wavelab.scene.model.shapes.made import Made, Side, joined, told

#: Steps to the curvature of a thick lens; each gains a digit or more.
_STEPS = 60


@dataclass(frozen=True)
class Lens(Made):
    """A lens of equal faces, of the ``aperture`` from rim to rim.

    Light along its axis that passes near the middle meets ``focal_length`` behind it; one that is
    negative makes a hollow lens, which spreads light.  The faces are ground for glass of the
    refractive ``index`` (that of the lens over that of what is around it): the shape knows no
    medium.  ``thickness`` is the least: at the rim of a lens that collects light, in the middle of
    one that spreads it.  Edges: "front", "back", and "rim" above and below.
    """

    focal_length: float = field(
        metadata=about("From the middle to the focus; negative: a hollow lens, which spreads light")
    )
    aperture: float = field(metadata=about("From rim to rim"))
    index: float = field(
        default=1.5,
        metadata=about("Refractive index of the glass that it is ground for, over that around it"),
    )
    thickness: float = field(
        default=0.05, metadata=about("The least: at the rim, or in the middle of a hollow lens")
    )

    def curvature(self) -> float:
        """1 / radius of its faces, negative where they are hollow.

        By the lensmaker's equation of a thick lens of middle thickness d:
        1 / f = (n - 1) (2 c - (n - 1) d c^2 / n).
        """
        n, c = self.index, 0.0
        thin = 2 * self.focal_length * (n - 1)
        if thin == 0:
            return 0.0  # refused, but drawn
        for _ in range(_STEPS):
            d = self.thickness + 2 * max(self._sag(c), 0.0)
            c = 1 / thin + (n - 1) * d * c * c / (2 * n)
            # No circle reaches farther than its radius: such a lens is refused, but drawn.
            c = math.copysign(min(abs(c), 2 / self.aperture), c)
        return c

    def _sag(self, c: float) -> float:
        """Depth of a face from rim to middle."""
        half = self.aperture / 2
        return c * half * half / (1 + math.sqrt(max(0.0, 1 - (c * half) ** 2)))

    def _chains(self) -> tuple[tuple[Side, ...], ...]:
        c, y = self.curvature(), self.aperture / 2
        sag = self._sag(c)
        x = self.thickness / 2 + max(-sag, 0.0)
        # The middle of each face is sag away from its rim.
        bends: list[Arc | None] = [None, None, None, None]
        if abs(2 * sag / self.aperture) >= SMALLEST_BULGE:
            reach = x + sag - 1 / c
            radius = abs(1 / c)
            bends[1] = Arc((reach, 0.0), (radius, radius))
            bends[3] = Arc((-reach, 0.0), (radius, radius))
        return (
            joined(
                ("rim", (-x, -y)),
                ("back", (x, -y)),
                ("rim", (x, y)),
                ("front", (-x, y)),
                arcs=bends,
            ),
        )

    def _grips(self) -> tuple[Point, ...]:
        return ((self.focal_length, 0.0), (0.0, self.aperture / 2))

    def _grip_meanings(self) -> tuple[str, ...]:
        return (
            "Drag the focus to change the focal length; on the other side the lens is hollow",
            "Drag to change the aperture",
        )

    def _gripped(self, number: int, to: Point) -> tuple[Self, str]:
        if number == 0:
            focal = told(to[0]) or math.copysign(1e-3 * self.aperture, self.focal_length)
            return replace(self, focal_length=focal), f"focal length {focal:.3g}"
        aperture = told(2 * abs(to[1])) or told(1e-3 * self.aperture)
        return replace(self, aperture=aperture), f"aperture {aperture:.3g}"

    def _turner(self) -> Point:
        return 0.0, -0.7 * self.aperture

    def _check(self, item: ItemPath, what: str) -> None:
        self._check_lengths(item, what, "aperture", "thickness")
        require(
            self.index > 0 and self.index != 1,
            (*item, "index"),
            f"{what} is ground for the refractive index {self.index:g}",
            "It must be greater than 0 and not 1, where nothing is refracted; glass has 1.5.",
        )
        require(
            self.focal_length != 0,
            (*item, "focal_length"),
            f"the focal length of {what} is 0",
            "Give the distance from the lens to its focus, negative for a hollow lens.",
        )
        half = self.aperture / 2
        require(
            abs(self.curvature()) * half < 0.98,
            (*item, "aperture"),
            f"{what} is {self.aperture:g} wide: no faces of that width have the focal length "
            f"{self.focal_length:g} with the index {self.index:g}",
            "Make the aperture smaller, or the focal length or the index greater.",
        )
