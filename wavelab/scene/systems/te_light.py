"""Light whose magnetic field stands on the plane: transverse electric (TE).

With p = Hz and v = (Ey, -Ex), mu multiplies the rate of p and epsilon that of v, and a conductor,
along which E is 0, sends Hz back as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about, of_field
from wavelab.scene.model.medium import MEDIUM_RULES, Axes, Number, Rule
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.scene import Wall
from wavelab.scene.model.shapes import Point
from wavelab.scene.systems.formulas import negative, of_medium
from wavelab.scene.systems.light import speed_of_light
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
class MaterialTE:
    """Relative permittivity and permeability, and conductivity (1 / time).

    The ``poles`` of a dispersive medium add to the permittivity what depends on frequency.  In
    place of the number ``epsilon`` a crystal has ``epsilon_axes``, the two principal values of a
    symmetric tensor; the first is along the direction ``epsilon_angle``, in degrees
    counterclockwise from x.
    """

    epsilon: Number = field(
        default=1.0,
        metadata=of_medium(
            "Relative permittivity, which with mu = 1 is the square of the refractive index"
        ),
    )
    mu: Number = field(default=1.0, metadata=of_medium("Relative permeability"))
    sigma: Number = field(
        default=0.0,
        metadata=of_medium("Conductivity, in 1 / time; the wave becomes heat there"),
    )
    poles: tuple[Pole, ...] = field(
        default=(),
        metadata=about(
            "Makes epsilon depend on the frequency: Drude for metals and plasmas, Lorentz for a "
            "resonance, Debye for dipoles that turn"
        ),
    )
    epsilon_axes: Point | None = field(
        default=None,
        metadata=about(
            "Two permittivities in place of epsilon: along the first axis of a crystal and "
            "across it"
        ),
    )
    epsilon_angle: float = field(
        default=0.0,
        metadata=about("Direction of the first axis of epsilon, degrees counterclockwise from x"),
    )

    rules: ClassVar[Mapping[str, Rule]] = {
        name: MEDIUM_RULES[name] for name in ("epsilon", "mu", "sigma")
    }
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "mu", "mu": "epsilon", "magnetic_sigma": "sigma",
    }  # fmt: skip
    tensor: ClassVar[str] = "epsilon"

    def coefficient(self, name: str) -> Number:
        found = {"epsilon": self.mu, "mu": self.epsilon, "sigma": 0.0, "magnetic_sigma": self.sigma}
        return found[name]

    @classmethod
    def of_index(cls, index: float) -> MaterialTE:
        return cls(epsilon=index**2)

    @classmethod
    def of_coefficients(cls, epsilon: Number, mu: Number, sigma: Number) -> MaterialTE:
        return cls(epsilon=mu, mu=epsilon)

    @property
    def scalar_poles(self) -> tuple[Pole, ...]:
        return ()

    @property
    def vector_poles(self) -> tuple[Pole, ...]:
        return self.poles

    @property
    def axes(self) -> Axes | None:
        return None if self.epsilon_axes is None else Axes(self.epsilon_axes, self.epsilon_angle)


@dataclass(frozen=True)
class FieldsTE:
    """Formulas for the three fields."""

    hz: Formula | None = field(default=None, metadata=of_field("Magnetic field Hz"))
    ex: Formula | None = field(default=None, metadata=of_field("Electric field Ex"))
    ey: Formula | None = field(default=None, metadata=of_field("Electric field Ey"))

    @property
    def ez(self) -> Formula | None:
        return self.hz

    @property
    def hx(self) -> Formula | None:
        return negative(self.ex)

    @property
    def hy(self) -> Formula | None:
        return negative(self.ey)


@dataclass(frozen=True)
class ConductorTE(Wall):
    """Perfect: the tangential E is 0."""

    label = "conductor"
    effect = "E along it is 0: Hz comes back as it is"
    noun = "a conductor"
    pen = Conductor.pen
    returned = 1.0
    sides = "magnetic"


@dataclass(frozen=True)
class MagneticWallTE(Wall):
    """Hz = 0."""

    label = "magnetic wall"
    effect = "Hz is 0: waves come back with the other sign"
    noun = "a magnetic wall"
    pen = MagneticWall.pen
    returned = -1.0
    sides = "conductor"


@dataclass(frozen=True)
class ImpedanceWallTE(ImpedanceWall):
    """The tangential E is the surface ``impedance``, relative to vacuum, times Hz."""

    effect = "E along it is the surface impedance times Hz"
    pen = Pen(dashes=ImpedanceWall.pen.dashes)

    def reflection(self, impedance: Array) -> Array:
        # The solver's impedance is that of p over v, and so one over that of E over H.
        return (1 - self.impedance * impedance) / (1 + self.impedance * impedance)


LIGHT_TE = System(
    key="te",
    label="Light, TE",
    meaning="Magnetic field across the plane, electric field in it: gratings, Brewster's angle",
    scalar=ShownField("hz", "Hz", "Magnetic field Hz", "ez"),
    x=ShownField("ex", "Ex", "Electric field Ex", "hx", -1.0),
    y=ShownField("ey", "Ey", "Electric field Ey", "hy", -1.0),
    size=ShownField("e", "|E|", "Electric field |E|", "h"),
    medium=MaterialTE,
    fields=FieldsTE,
    walls={
        "conductor": ConductorTE,
        "magnetic": MagneticWallTE,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "impedance": ImpedanceWallTE,
        "periodic": PeriodicWall,
    },
    unnamed=ConductorTE,
    feeds=False,
    speed=speed_of_light,
)
