"""Bound charges, which resonate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.scene.model.pole import Pole, PoleEquations


@dataclass(frozen=True)
class Lorentz(Pole):
    """Bound charges: strength w0^2 / (w0^2 - w^2 + i damping w), w0 = 2 pi ``frequency``.

    ``frequency`` is that of the resonance, in cycles per time; ``strength`` what it adds to the
    permittivity at rest; ``damping`` a rate, 1 / time.
    """

    frequency: float
    strength: float
    damping: float = 0.0

    def susceptibility(self, w: Array) -> Complex:
        square = (2 * math.pi * self.frequency) ** 2
        found = self.strength * square / (square - w * w + 1j * self.damping * w)
        return np.asarray(found, np.complex128)

    def equations(self, number: str, field: str) -> PoleEquations:
        """dP/dt = J and dJ/dt = w0^2 (s Ez - P) - g J, which store (P^2 + J^2 / w0^2) / (2 s) and
        lose g J^2 / (s w0^2)."""
        square, p, j = (2 * math.pi * self.frequency) ** 2, f"p{number}", f"j{number}"
        pull = f"{square!r}*({self.strength!r}*{field} - {p})"
        return PoleEquations(
            j,
            {p: j, j: f"{pull} - {self.damping!r}*{j}"},
            {p: 1 / self.strength, j: 1 / (self.strength * square)},
        )
