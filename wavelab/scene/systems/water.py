"""Long waves on shallow water: elevation and flow q = depth times velocity,

    d(elevation)/dt = -div q,     dq/dt = -g depth grad(elevation) - friction q,

linear, for waves much longer than the water is deep.  g is 1: the unit of time is
sqrt(unit of length / g), 0.32 s for metres on earth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import of_field
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.medium import LOSSY, POSSIBLE, Instead, Number, Plain, Rule, given, product
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.systems.formulas import damping_of, negative, of_medium
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import AbsorbingWall, Conductor, ImpedanceWall, OpenWall, PeriodicWall

#: g on earth, in metres per second squared.
GRAVITY = 9.81


@dataclass(frozen=True)
class Water(Plain):
    """How deep it is, and the friction of its bottom (1 / time).

    The flow of long waves falls as exp(-friction t), of short ones as exp(-friction t / 2): these
    have half their energy in the elevation, which nothing rubs at.
    """

    depth: Number = field(
        default=1.0,
        metadata=of_medium("Depth; waves go at its square root, and slow down where it is shallow"),
    )

    friction: Number = field(
        default=0.0,
        metadata=of_medium("How fast the bottom slows down the flow, in 1 / time; linear"),
    )

    speed: Number | None = field(
        default=None, metadata=of_medium("Speed of waves in place of the depth, of which it is the "
                                         "root")
    )  # fmt: skip

    rules: ClassVar[Mapping[str, Rule]] = {
        "depth": POSSIBLE, "friction": LOSSY, "speed": POSSIBLE,
    }  # fmt: skip
    unmatched: ClassVar[Mapping[str, str]] = {"magnetic_sigma": "friction / (8 pi f)"}
    instead: ClassVar[Mapping[str, Instead]] = {"speed": Instead("depth")}
    called: ClassVar[Mapping[str, str]] = {
        "mu": "1 / depth", "magnetic_sigma": "friction / depth",
    }  # fmt: skip

    def coefficient(self, name: str) -> Number:
        match name:
            case "mu":
                return product((given(self, "depth"), -1))
            case "magnetic_sigma" if self.friction:
                return product((self.friction, 1), (given(self, "depth"), -1))
        return 1.0 if name == "epsilon" else 0.0

    @classmethod
    def of_index(cls, index: float) -> Water:
        return cls(depth=1 / index**2)

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Water:
        return cls(product((epsilon, -1), (mu, -1)), damping_of(magnetic_sigma, mu))


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
    plural = "shores"


@dataclass(frozen=True)
class PorousWall(Wall):
    """A breakwater of stones or piles: a given part of the elevation comes back.

    Behind it nothing is computed; what it does not return is lost in it, or goes through.
    """

    reflected: float = field(
        metadata={
            "meaning": "Part of the elevation that comes back of a wave straight at it: 1 of a "
            "shore, 0 of an absorbing wall",
            "start": 0.5,
            "zero": True,
            "remedy": "Give the part of the elevation that comes back, for example "
            "reflected = 0.4.",
        }
    )

    label = "porous"
    effect = "A breakwater that lets water through: a given part of a wave comes back"
    noun = "a porous wall"
    pen = ImpedanceWall.pen
    relative = True

    def reflection(self, impedance: Array) -> Array:
        return np.full_like(impedance, self.reflected)

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        require(
            0 <= self.reflected <= 1,
            (*item, "reflected"),
            f"reflected of {what} is {self.reflected:g}",
            "It is a part, from 0 to 1.",
        )


def _of_depth(metres: float) -> float:
    """Of water as deep as a unit of length."""
    return math.sqrt(GRAVITY * metres)


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
        "porous": PorousWall,
        "periodic": PeriodicWall,
    },
    unnamed=Shore,
    speed=_of_depth,
)
