"""What fills a region where the waves are light, TM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.about import FORMULA, about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.medium import (
    KERR,
    MEDIUM_RULES,
    POSSIBLE,
    Axes,
    Instead,
    Number,
    Rule,
    given,
)
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.shapes import Point

#: What formulas of media and currents may use.
SPACE_AND_TIME = ("x", "y", "t")


#: Of the field of a medium of light that stands for its epsilon.
INDEX = about(
    f"Refractive index, in place of epsilon: {FORMULA}. Its square is epsilon times mu; 1.5 is "
    "glass",
    variables=SPACE_AND_TIME,
)


@dataclass(frozen=True)
class Material:
    """Relative permittivity and permeability, and conductivities (1 / time).

    Each is a number, or a formula of x, y and t: a graded medium, or one that changes in time.
    The ``poles`` of a dispersive medium add to the permittivity what depends on frequency, and
    ``magnetic_poles`` to the permeability.  ``magnetic_sigma`` is to H what ``sigma`` is to Ez.

    In place of the number ``mu`` a crystal has ``mu_axes``, the two principal values of a
    symmetric tensor; the first is along the direction ``mu_angle``, in degrees counterclockwise
    from x.  In place of ``epsilon`` there may be the refractive ``index``, sqrt(epsilon mu).

    A Kerr medium has ``chi``, the third order of D = epsilon E + chi E^3.
    """

    epsilon: float | Formula = field(
        default=1.0,
        metadata=about(
            f"Relative permittivity: {FORMULA}. The refractive index is the root of epsilon times "
            "mu; 2.25 is glass",
            variables=SPACE_AND_TIME,
        ),
    )
    mu: float | Formula = field(
        default=1.0,
        metadata=about(f"Relative permeability: {FORMULA}", variables=SPACE_AND_TIME),
    )
    sigma: float | Formula = field(
        default=0.0,
        metadata=about(
            f"Conductivity, in 1 / time: {FORMULA}; the wave becomes heat there",
            variables=SPACE_AND_TIME,
        ),
    )
    poles: tuple[Pole, ...] = field(
        default=(),
        metadata=about(
            "Makes epsilon depend on the frequency: Drude for metals and plasmas, Lorentz for a "
            "resonance, Debye for dipoles that turn"
        ),
    )
    mu_axes: Point | None = field(
        default=None,
        metadata=about(
            "Two permeabilities in place of mu: along the first axis of a crystal and across it"
        ),
    )
    mu_angle: float = field(
        default=0.0,
        metadata=about("Direction of the first axis of mu, degrees counterclockwise from x"),
    )
    magnetic_sigma: float | Formula = field(
        default=0.0,
        metadata=about(
            f"Magnetic conductivity, in 1 / time: {FORMULA}; it damps H as sigma does Ez",
            variables=SPACE_AND_TIME,
        ),
    )
    magnetic_poles: tuple[Pole, ...] = field(
        default=(), metadata=about("Makes mu depend on the frequency, as poles do epsilon")
    )

    chi: float = field(
        default=0.0,
        metadata=about(
            "Kerr coefficient: D is epsilon E + chi E^3, so that strong light is slower, bends "
            "itself together and gets harmonics"
        ),
    )
    index: float | Formula | None = field(default=None, metadata=INDEX)

    rules: ClassVar[Mapping[str, Rule]] = {**MEDIUM_RULES, "chi": KERR, "index": POSSIBLE}
    called: ClassVar[Mapping[str, str]] = {}
    unmatched: ClassVar[Mapping[str, str]] = {}
    instead: ClassVar[Mapping[str, Instead]] = {"index": Instead("epsilon", "mu", -1)}
    tensor: ClassVar[str] = "mu"

    def coefficient(self, name: str) -> Number:
        return given(self, name)

    @classmethod
    def of_index(cls, index: float) -> Material:
        return cls(epsilon=index**2)

    def check(self, item: ItemPath, what: str) -> None:
        pass

    @classmethod
    def of_coefficients(
        cls, epsilon: Number, mu: Number, sigma: Number, magnetic_sigma: Number = 0.0
    ) -> Material:
        return cls(epsilon, mu, sigma, magnetic_sigma=magnetic_sigma)

    @property
    def scalar_poles(self) -> tuple[Pole, ...]:
        return self.poles

    @property
    def vector_poles(self) -> tuple[Pole, ...]:
        return self.magnetic_poles

    @property
    def axes(self) -> Axes | None:
        return None if self.mu_axes is None else Axes(self.mu_axes, self.mu_angle)
