"""Long waves on shallow water: elevation and flow q = depth times velocity,

    d(elevation)/dt = -div q,     dq/dt = -g depth grad(elevation),

linear, for waves much longer than the water is deep.  g is 1: the unit of time is
sqrt(unit of length / g), 0.32 s for metres on earth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import of_field
from wavelab.scene.model.medium import POSSIBLE, Number, Plain, Rule, product
from wavelab.scene.model.scene import Wall
from wavelab.scene.systems.formulas import negative, of_medium
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import AbsorbingWall, Conductor, OpenWall, PeriodicWall

#: g on earth, in metres per second squared.
GRAVITY = 9.81


@dataclass(frozen=True)
class Water(Plain):
    """How deep it is."""

    depth: Number = field(
        default=1.0,
        metadata=of_medium("Depth; waves go at its square root, and slow down where it is shallow"),
    )

    rules: ClassVar[Mapping[str, Rule]] = {"depth": POSSIBLE}
    called: ClassVar[Mapping[str, str]] = {"mu": "1 / depth"}

    def coefficient(self, name: str) -> Number:
        if name == "mu":
            return product((self.depth, -1))
        return {"epsilon": 1.0, "sigma": 0.0, "magnetic_sigma": 0.0}[name]

    @classmethod
    def of_index(cls, index: float) -> Water:
        return cls(depth=1 / index**2)

    @classmethod
    def of_coefficients(cls, epsilon: Number, mu: Number, sigma: Number) -> Water:
        return cls(product((epsilon, -1), (mu, -1)))


@dataclass(frozen=True)
class WaterFields:
    """Formulas for the three fields."""

    elevation: Formula | None = field(default=None, metadata=of_field("Elevation of the surface"))
    qx: Formula | None = field(default=None, metadata=of_field("Flow qx"))
    qy: Formula | None = field(default=None, metadata=of_field("Flow qy"))

    @property
    def ez(self) -> Formula | None:
        return self.elevation

    @property
    def hx(self) -> Formula | None:
        return self.qy

    @property
    def hy(self) -> Formula | None:
        return negative(self.qx)


@dataclass(frozen=True)
class Shore(Wall):
    """A steep one: nothing flows through it."""

    label = "shore"
    effect = "A steep shore, or a wall: waves come back as they are"
    noun = "a shore"
    pen = Conductor.pen
    returned = 1.0
    sides = "magnetic"


WATER = System(
    key="water",
    label="Shallow water",
    meaning="Elevation and flow of long waves: harbours, tides, tsunamis, refraction by depth",
    scalar=ShownField("elevation", "elevation", "Elevation", "ez"),
    x=ShownField("qx", "qx", "Flow qx", "hy", -1.0),
    y=ShownField("qy", "qy", "Flow qy", "hx"),
    size=ShownField("flow", "|q|", "Flow |q|", "h"),
    medium=Water,
    fields=WaterFields,
    walls={
        "shore": Shore,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "periodic": PeriodicWall,
    },
    unnamed=Shore,
    speed=lambda metres: math.sqrt(GRAVITY * metres),  # of water as deep as that
)
