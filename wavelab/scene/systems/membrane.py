"""Membranes under tension, and shear waves with motion across the plane (SH): displacement w,
its velocity v = dw/dt and the stress s = tension grad w,

    density dv/dt = div s - damping density v,     ds/dt = tension grad v.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import of_field
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.medium import LOSSY, POSSIBLE, Instead, Number, Plain, Rule, given, product
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.systems.formulas import damping_of, negative, of_medium
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import (
    AbsorbingWall,
    Conductor,
    ImpedanceWall,
    MagneticWall,
    OpenWall,
    PeriodicWall,
)


@dataclass(frozen=True)
class Skin(Plain):
    """Density and tension, or of a solid density and shear modulus, and damping (1 / time).

    A free vibration decays as exp(-damping t / 2).
    """

    density: Number = field(default=1.0, metadata=of_medium("Mass per area"))
    tension: Number = field(
        default=1.0,
        metadata=of_medium("Tension, or the shear modulus of a solid; waves go at the root of "
                           "tension over density"),
    )  # fmt: skip
    damping: Number = field(
        default=0.0, metadata=of_medium("How fast the velocity falls, in 1 / time")
    )

    speed: Number | None = field(
        default=None, metadata=of_medium("Speed of waves in place of the tension, which is its "
                                         "square times the density")
    )  # fmt: skip

    rules: ClassVar[Mapping[str, Rule]] = {
        "density": POSSIBLE, "tension": POSSIBLE, "damping": LOSSY, "speed": POSSIBLE,
    }  # fmt: skip
    unmatched: ClassVar[Mapping[str, str]] = {"sigma": "damping / (8 pi f)"}
    instead: ClassVar[Mapping[str, Instead]] = {"speed": Instead("tension", "density", 1)}
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "density", "mu": "1 / tension", "sigma": "damping density",
    }  # fmt: skip

    def coefficient(self, name: str) -> Number:
        match name:
            case "epsilon":
                return self.density
            case "mu":
                return product((given(self, "tension"), -1))
            case "magnetic_sigma":
                return 0.0
        return product((self.damping, 1), (self.density, 1)) if self.damping else 0.0

    @classmethod
    def of_index(cls, index: float) -> Skin:
        return cls(density=index**2)

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Skin:
        return cls(epsilon, product((mu, -1)), damping_of(sigma, epsilon))


@dataclass(frozen=True)
class MembraneFields:
    """Formulas for the fields; the stress of a displacement is added to that which is given."""

    displacement: Formula | None = field(default=None, metadata=of_field("Displacement w"))
    velocity: Formula | None = field(default=None, metadata=of_field("Velocity v"))
    sx: Formula | None = field(default=None, metadata=of_field("Stress sx, tension times slope"))
    sy: Formula | None = field(default=None, metadata=of_field("Stress sy, tension times slope"))

    @property
    def ez(self) -> Formula | None:
        return self.velocity

    @property
    def hx(self) -> Formula | None:
        return negative(self.sy)

    @property
    def hy(self) -> Formula | None:
        return self.sx


@dataclass(frozen=True)
class ClampedRim(Wall):
    """It does not move."""

    label = "clamped"
    effect = "It does not move: waves come back with the other sign"
    noun = "clamped"
    pen = Conductor.pen
    returned = -1.0
    sides = "conductor"
    plural = "clamped rims"


@dataclass(frozen=True)
class FreeRim(Wall):
    """Nothing pulls at it."""

    label = "free"
    effect = "Nothing pulls at it: waves come back as they are"
    noun = "free"
    pen = MagneticWall.pen
    returned = 1.0
    sides = "magnetic"
    plural = "free rims"


@dataclass(frozen=True)
class DampedRim(Wall):
    """It slides with friction: the skin pulls at it with the ``resistance`` times its velocity."""

    resistance: float = field(
        metadata={
            "meaning": "Stress over the velocity of the rim: 0 of a free one; the root of density "
            "times tension takes all of a wave straight at it",
            "zero": True,
            "remedy": "Give stress over velocity at the rim, for example resistance = 0.5.",
        }
    )

    label = "damped"
    effect = "It slides with friction: the stress at it is the resistance times its velocity"
    noun = "damped"
    pen = ImpedanceWall.pen

    @property
    def surface(self) -> float:
        return 1 / self.resistance if self.resistance else math.inf

    @classmethod
    def of_surface(cls, edges: tuple[str, ...], surface: float) -> DampedRim | None:
        return cls(edges, 1 / surface) if surface else None

    def reflection(self, impedance: Array) -> Array:
        return (1 - self.resistance * impedance) / (1 + self.resistance * impedance)

    def check(self, scene: Scene, item: ItemPath, what: str) -> None:
        require(
            self.resistance >= 0,
            (*item, "resistance"),
            f"resistance of {what} is {self.resistance:g}",
            "It must not be negative; a free rim has 0.",
        )


MEMBRANE = System(
    key="membrane",
    label="Membrane",
    meaning="A skin under tension, or shear waves across the plane: drums, seismic SH waves",
    scalar=ShownField("velocity", "v", "Velocity v", "ez"),
    x=ShownField("sx", "sx", "Stress sx", "hy"),
    y=ShownField("sy", "sy", "Stress sy", "hx", -1.0),
    size=ShownField("stress", "|s|", "Stress |s|", "h"),
    medium=Skin,
    fields=MembraneFields,
    walls={
        "clamped": ClampedRim,
        "free": FreeRim,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "damped": DampedRim,
        "periodic": PeriodicWall,
    },
    unnamed=ClampedRim,
    own_speed=True,
    integral=ShownField("displacement", "w", "Displacement w", "ez"),
)
