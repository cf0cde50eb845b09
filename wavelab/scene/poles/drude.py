"""Free charges: metals and plasmas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.scene.model.pole import Pole, PoleEquations


@dataclass(frozen=True)
class Drude(Pole):
    """Free charges: -wp^2 / (w^2 - i damping w), wp = 2 pi ``frequency``.

    ``frequency`` is the plasma frequency of the charges in vacuum, in cycles per time; ``damping``
    the rate of their collisions, 1 / time.
    """

    frequency: float
    damping: float = 0.0

    def susceptibility(self, w: Array) -> Complex:
        square = (2 * math.pi * self.frequency) ** 2
        return np.asarray(-square / (w * w - 1j * self.damping * w), np.complex128)

    def equations(self, number: str, field: str) -> PoleEquations:
        """dJ/dt = wp^2 Ez - g J, which stores J^2 / (2 wp^2) and loses g J^2 / wp^2."""
        square, j = (2 * math.pi * self.frequency) ** 2, f"j{number}"
        rate = f"{square!r}*{field} - {self.damping!r}*{j}"
        return PoleEquations(j, {j: rate}, {j: 1 / square})
