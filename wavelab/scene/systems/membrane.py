"""Membranes under tension, and shear waves with motion across the plane (SH): displacement w,
its velocity v = dw/dt and the stress s = tension grad w,

    density dv/dt = div s - damping density v,     ds/dt = tension grad v.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import of_field
from wavelab.scene.model.medium import LOSSY, POSSIBLE, Number, Plain, Rule, product
from wavelab.scene.model.scene import Wall
from wavelab.scene.systems.formulas import damping_of, negative, of_medium
from wavelab.scene.systems.system import ShownField, System
from wavelab.scene.walls import AbsorbingWall, Conductor, MagneticWall, OpenWall, PeriodicWall


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

    rules: ClassVar[Mapping[str, Rule]] = {
        "density": POSSIBLE, "tension": POSSIBLE, "damping": LOSSY,
    }  # fmt: skip
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "density", "mu": "1 / tension", "sigma": "damping density",
    }  # fmt: skip

    def coefficient(self, name: str) -> Number:
        match name:
            case "epsilon":
                return self.density
            case "mu":
                return product((self.tension, -1))
            case "magnetic_sigma":
                return 0.0
        return product((self.damping, 1), (self.density, 1)) if self.damping else 0.0

    @classmethod
    def of_index(cls, index: float) -> Skin:
        return cls(density=index**2)

    @classmethod
    def of_coefficients(cls, epsilon: Number, mu: Number, sigma: Number) -> Skin:
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


@dataclass(frozen=True)
class FreeRim(Wall):
    """Nothing pulls at it."""

    label = "free"
    effect = "Nothing pulls at it: waves come back as they are"
    noun = "free"
    pen = MagneticWall.pen
    returned = 1.0
    sides = "magnetic"


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
        "periodic": PeriodicWall,
    },
    unnamed=ClampedRim,
    own_speed=True,
    integral=ShownField("displacement", "w", "Displacement w", "ez"),
)
