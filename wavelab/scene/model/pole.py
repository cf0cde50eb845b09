"""Poles of a dispersive medium: how its permittivity depends on frequency.

With exp(i w t) and w = 2 pi times a frequency,

    epsilon(w) = epsilon + sum of the poles,

where ``epsilon`` of the material is what is left at the highest frequencies.  In time each pole is
a current J that follows the field,

    epsilon dEz/dt = curl - J,

with variables of its own (Taflove & Hagness, *Computational Electrodynamics*, 2005, chapter 9).
The kinds are in :mod:`wavelab.scene.poles`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields

from wavelab.arrays import Array, Complex
from wavelab.scene.model.item_error import POSITIVE, ItemPath, require


@dataclass(frozen=True)
class PoleEquations:
    """Linear equations in a field and the variables of a pole, as texts of formulas.

    Attributes
    ----------
    current : J.
    rates : by name of a variable, its rate of change.
    energy : by name of a variable m, the weight w of the energy density w m^2 / 2 that it stores.
    """

    current: str
    rates: dict[str, str]
    energy: dict[str, float]


@dataclass(frozen=True)
class Pole(ABC):
    """One kind: its numbers, all of them positive but for the damping, and its equations."""

    @abstractmethod
    def equations(self, number: str, field: str) -> PoleEquations:
        """Those of a pole that acts on ``field``: "ez", or as a pole of mu "hx" or "hy"; the names
        of its variables end in ``number``."""

    @abstractmethod
    def susceptibility(self, w: Array) -> Complex:
        """What it adds to epsilon at angular frequencies (n,), of fields that go as exp(i w t)."""

    def check(self, item: ItemPath, what: str) -> None:
        """Check the numbers of the pole that is called ``what``.

        Raises
        ------
        ItemError : names the pole and what would be right.
        """
        for f in fields(self):
            value, may_be_zero = getattr(self, f.name), f.name == "damping"
            require(
                value > 0 or (may_be_zero and value == 0),
                (*item, f.name),
                f"{f.name} of {what} is {value:g}",
                "It must not be negative; 0 is without losses." if may_be_zero else POSITIVE,
            )
