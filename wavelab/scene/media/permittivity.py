"""The permittivity of a medium with poles, frequency by frequency."""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.scene.model.pole import Pole


def permittivity(epsilon: float, poles: tuple[Pole, ...], frequency: Array) -> Complex:
    """(n,) of fields that go as exp(i w t): losses make the imaginary part negative.

    Parameters
    ----------
    epsilon : at the highest frequencies.
    frequency : (n,) cycles per unit of time, > 0.
    """
    w = 2 * math.pi * np.asarray(frequency, np.float64)
    found = np.full(w.shape, epsilon, np.complex128)
    for pole in poles:
        found += pole.susceptibility(w)
    return found
