"""Sound in fluids: pressure p and velocity v,

1 / (density speed^2) dp/dt = -div v - damping / (density speed^2) p,   density dv/dt = -grad p.
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
from wavelab.scene.walls import (
    AbsorbingWall,
    Conductor,
    ImpedanceWall,
    MagneticWall,
    OpenWall,
    PeriodicWall,
)

#: Speed of sound in air of 20 degrees, in metres per second.
AIR = 343.0


@dataclass(frozen=True)
class Fluid(Plain):
    """Density and speed of sound, relative to some fluid, and damping (1 / time).

    A plane wave decays as exp(-damping t / 2).
    """

    density: Number = field(
        default=1.0, metadata=of_medium("Density, relative to that of the first fluid")
    )
    speed: Number = field(
        default=1.0,
        metadata=of_medium(
            "Speed of sound; the unit of time is that in which sound of speed 1 goes one unit of "
            "length"
        ),
    )
    damping: Number = field(
        default=0.0,
        metadata=of_medium("How fast the pressure falls, in 1 / time; the sound becomes heat"),
    )

    rules: ClassVar[Mapping[str, Rule]] = {
        "density": POSSIBLE, "speed": POSSIBLE, "damping": LOSSY,
    }  # fmt: skip
    unmatched: ClassVar[Mapping[str, str]] = {"sigma": "damping / (8 pi f)"}
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "1 / (density speed^2)",
        "mu": "density",
        "sigma": "damping / (density speed^2)",
    }

    def coefficient(self, name: str) -> Number:
        softness = (self.density, -1), (self.speed, -2)
        match name:
            case "epsilon":
                return product(*softness)
            case "mu":
                return self.density
            case "magnetic_sigma":
                return 0.0
        return product((self.damping, 1), *softness) if self.damping else 0.0

    @classmethod
    def of_index(cls, index: float) -> Fluid:
        return cls(speed=1 / index)

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Fluid:
        return cls(mu, product((epsilon, -0.5), (mu, -0.5)), damping_of(sigma, epsilon))


@dataclass(frozen=True)
class SoundFields:
    """Formulas for the three fields."""

    pressure: Formula | None = field(default=None, metadata=of_field("Pressure p"))
    vx: Formula | None = field(default=None, metadata=of_field("Velocity vx"))
    vy: Formula | None = field(default=None, metadata=of_field("Velocity vy"))

    @property
    def ez(self) -> Formula | None:
        return self.pressure

    @property
    def hx(self) -> Formula | None:
        return self.vy

    @property
    def hy(self) -> Formula | None:
        return negative(self.vx)


@dataclass(frozen=True)
class RigidWall(Wall):
    """The normal velocity is 0."""

    label = "rigid"
    effect = "Nothing moves through it: pressure comes back as it is"
    noun = "rigid"
    pen = Conductor.pen
    returned = 1.0
    sides = "magnetic"
    plural = "rigid walls"


@dataclass(frozen=True)
class SoftWall(Wall):
    """p = 0, as at the open surface of water and nearly at the end of a pipe."""

    label = "soft"
    effect = "p is 0, as at the surface of the sea: pressure comes back with the other sign"
    noun = "soft"
    pen = MagneticWall.pen
    returned = -1.0
    sides = "conductor"
    plural = "soft walls"


@dataclass(frozen=True)
class AcousticImpedance(ImpedanceWall):
    """p is the ``impedance`` of the surface times the velocity into it."""

    impedance: float = field(
        metadata={
            "meaning": "Pressure over the velocity into the wall; that of a fluid is its density "
            "times its speed",
            "zero": True,
            "remedy": "Give pressure over velocity at the wall, for example impedance = 2.",
        }
    )

    effect = "p is the impedance of the surface times the velocity into it"


def _in_air(metres: float) -> float:
    # With a name: a problem goes to other processes, with the system of its monitors.
    return AIR


SOUND = System(
    key="sound",
    label="Sound",
    meaning="Pressure and velocity in air or water: rooms, pipes, sonar, loudspeakers",
    scalar=ShownField("pressure", "p", "Pressure p", "ez"),
    x=ShownField("vx", "vx", "Velocity vx", "hy", -1.0),
    y=ShownField("vy", "vy", "Velocity vy", "hx"),
    size=ShownField("velocity", "|v|", "Velocity |v|", "h"),
    medium=Fluid,
    fields=SoundFields,
    walls={
        "rigid": RigidWall,
        "soft": SoftWall,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "impedance": AcousticImpedance,
        "periodic": PeriodicWall,
    },
    unnamed=RigidWall,
    levels=True,
    speed=_in_air,
    own_speed=True,
)
