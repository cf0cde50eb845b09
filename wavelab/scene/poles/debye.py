"""Dipoles that turn: water, and other polar liquids."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.scene.model.about import about
from wavelab.scene.model.pole import Pole, PoleEquations


@dataclass(frozen=True)
class Debye(Pole):
    """Dipoles that turn: strength / (1 + i w ``relaxation``).

    ``strength`` is what it adds to the permittivity at rest; ``relaxation`` the time it takes.
    """

    strength: float
    relaxation: float = field(metadata=about("Time the dipoles take to turn"))

    def susceptibility(self, w: Array) -> Complex:
        return np.asarray(self.strength / (1 + 1j * w * self.relaxation), np.complex128)

    def equations(self, number: str, field: str) -> PoleEquations:
        """dP/dt = (s Ez - P) / tau = J, which stores P^2 / (2 s) and loses tau J^2 / s."""
        p = f"p{number}"
        current = f"({self.strength!r}*{field} - {p})/{self.relaxation!r}"
        return PoleEquations(current, {p: current}, {p: 1 / self.strength})
