"""Light whose magnetic field stands on the plane: transverse electric (TE).

With p = Hz and v = (Ey, -Ex), mu multiplies the rate of p and epsilon that of v, and a conductor,
along which E is 0, sends Hz back as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.arrays import Array
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import about, of_field
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.material import INDEX
from wavelab.scene.model.medium import MEDIUM_RULES, POSSIBLE, Axes, Instead, Number, Rule, given
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
    counterclockwise from x.  In place of ``epsilon`` there may be the refractive ``index``,
    sqrt(epsilon mu).
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

    index: Number | None = field(default=None, metadata=INDEX)

    rules: ClassVar[Mapping[str, Rule]] = {
        **{name: MEDIUM_RULES[name] for name in ("epsilon", "mu", "sigma")},
        "index": POSSIBLE,
    }
    instead: ClassVar[Mapping[str, Instead]] = {"index": Instead("epsilon", "mu", -1)}
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "mu", "mu": "epsilon", "magnetic_sigma": "sigma",
    }  # fmt: skip
    unmatched: ClassVar[Mapping[str, str]] = {}
    tensor: ClassVar[str] = "epsilon"

    def coefficient(self, name: str) -> Number:
        match name:
            case "epsilon":
                return self.mu
            case "mu":
                return given(self, "epsilon")
            case "sigma":
                return 0.0
        return self.sigma

    @classmethod
    def of_index(cls, index: float) -> MaterialTE:
        return cls(epsilon=index**2)

    def check(self, item: ItemPath, what: str) -> None:
        pass

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> MaterialTE:
        return cls(epsilon=mu, mu=epsilon, sigma=magnetic_sigma)

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
    plural = "conductors"


@dataclass(frozen=True)
class MagneticWallTE(Wall):
    """Hz = 0."""

    label = "magnetic wall"
    effect = "Hz is 0: waves come back with the other sign"
    noun = "a magnetic wall"
    pen = MagneticWall.pen
    returned = -1.0
    sides = "conductor"
    plural = "magnetic walls"


@dataclass(frozen=True)
class ImpedanceWallTE(ImpedanceWall):
    """The tangential E is the surface ``impedance``, relative to vacuum, times Hz."""

    effect = "E along it is the surface impedance times Hz"
    pen = Pen(dashes=ImpedanceWall.pen.dashes)

    # The solver's impedance is that of p over v, and so one over that of E over H.
    @property
    def surface(self) -> float:
        return 1 / self.impedance if self.impedance else math.inf

    @classmethod
    def of_surface(cls, edges: tuple[str, ...], surface: float) -> ImpedanceWallTE | None:
        return cls(edges, 1 / surface) if surface else None

    def reflection(self, impedance: Array) -> Array:
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
