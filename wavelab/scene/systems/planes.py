"""Two conducting planes close to each other, the power and the ground plane of a circuit board, or
a transmission line of two dimensions: voltage V between them and sheet current J in the upper one,

    capacitance dV/dt = -div J - conductance V,     inductance dJ/dt = -grad V - resistance J.

J flows back in the lower plane.  Currents are per length of a line that they cross, capacitance and
conductance per area; inductance and resistance are those of a square, both planes together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import of_field
from wavelab.scene.model.medium import LOSSY, POSSIBLE, Number, Plain, Rule
from wavelab.scene.model.scene import Wall
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
class PlanePair(Plain):
    """Capacitance and inductance, relative to those of planes with air between them, and losses.

    Half as far apart, planes have twice the capacitance and half the inductance.  A resonance
    decays as exp(-(conductance / capacitance + resistance / inductance) t / 2).
    """

    capacitance: Number = field(
        default=1.0,
        metadata=of_medium("Capacitance per area; with air between the planes 1, with a dielectric "
                           "its permittivity"),
    )  # fmt: skip
    inductance: Number = field(
        default=1.0,
        metadata=of_medium("Inductance of a square; waves go at 1 / sqrt(inductance capacitance)"),
    )
    conductance: Number = field(
        default=0.0,
        metadata=of_medium(
            "Conductance per area between the planes: at a frequency f 2 pi f times capacitance "
            "times loss tangent"
        ),
    )
    resistance: Number = field(
        default=0.0, metadata=of_medium("Resistance of a square, of both planes together")
    )

    rules: ClassVar[Mapping[str, Rule]] = {
        "capacitance": POSSIBLE, "inductance": POSSIBLE, "conductance": LOSSY, "resistance": LOSSY,
    }  # fmt: skip
    called: ClassVar[Mapping[str, str]] = {
        "epsilon": "capacitance",
        "mu": "inductance",
        "sigma": "conductance",
        "magnetic_sigma": "resistance",
    }

    def coefficient(self, name: str) -> Number:
        value: Number = getattr(self, self.called[name])
        return value

    @classmethod
    def of_index(cls, index: float) -> PlanePair:
        return cls(capacitance=index**2)

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> PlanePair:
        return cls(epsilon, mu, sigma, magnetic_sigma)


@dataclass(frozen=True)
class PlaneFields:
    """Formulas for the three fields."""

    voltage: Formula | None = field(default=None, metadata=of_field("Voltage V"))
    jx: Formula | None = field(default=None, metadata=of_field("Sheet current Jx"))
    jy: Formula | None = field(default=None, metadata=of_field("Sheet current Jy"))

    @property
    def ez(self) -> Formula | None:
        return self.voltage

    @property
    def hx(self) -> Formula | None:
        return self.jy

    @property
    def hy(self) -> Formula | None:
        return negative(self.jx)


@dataclass(frozen=True)
class OpenCircuit(Wall):
    """The planes end: no current leaves."""

    label = "open circuit"
    effect = "The planes end, and no current leaves: voltage comes back as it is"
    noun = "an open circuit"
    pen = Conductor.pen
    returned = 1.0
    sides = "magnetic"
    plural = "open circuits"


@dataclass(frozen=True)
class ShortCircuit(Wall):
    """V = 0: a row of vias or a plate connects the planes."""

    label = "short circuit"
    effect = "V is 0, as at a row of vias: voltage comes back with the other sign"
    noun = "a short circuit"
    pen = MagneticWall.pen
    returned = -1.0
    sides = "conductor"
    plural = "short circuits"


@dataclass(frozen=True)
class EdgeImpedance(ImpedanceWall):
    """Resistors side by side along the edge: V is the ``impedance`` times the current into them."""

    impedance: float = field(
        metadata={
            "meaning": "Voltage over the current per length into resistors along the edge; that "
            "of planes is sqrt(inductance / capacitance)",
            "zero": True,
            "remedy": "Give voltage over the current per length at the edge, for example "
            "impedance = 2.",
        }
    )

    effect = "Resistors along the edge: V is the impedance times the current into them"


PLANES = System(
    key="planes",
    label="Pair of planes",
    meaning="Voltage and current of two conducting planes: power planes of circuit boards",
    scalar=ShownField("voltage", "V", "Voltage V", "ez"),
    x=ShownField("jx", "Jx", "Sheet current Jx", "hy", -1.0),
    y=ShownField("jy", "Jy", "Sheet current Jy", "hx"),
    size=ShownField("current", "|J|", "Sheet current |J|", "h"),
    medium=PlanePair,
    fields=PlaneFields,
    walls={
        "open_circuit": OpenCircuit,
        "short_circuit": ShortCircuit,
        "absorbing": AbsorbingWall,
        "open": OpenWall,
        "impedance": EdgeImpedance,
        "periodic": PeriodicWall,
    },
    unnamed=OpenCircuit,
    speed=speed_of_light,
    own_speed=True,
)
