"""Band structures by expansion in plane waves, to compare those of elements with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.scene.formulas.bessel import besselj

Array = NDArray[np.float64]


def plane_wave_bands(
    vectors: Array, k: Array, radius: float, inside: float, outside: float, reach: int, count: int
) -> Array:
    """(count,) lowest frequencies of Ez in a lattice of round rods or holes.

    With Ez = sum c_G exp(i (k + G).x) the equation laplace Ez + w^2 epsilon Ez = 0 becomes
    |k + G|^2 c_G = w^2 sum_G' epsilon(G - G') c_G', where Ez and its slope are continuous, so that
    products are right as they stand (Laurent's rule).  By Rayleigh's principle the frequencies are
    too high, and fall with every more wave.

    Parameters
    ----------
    vectors : (2, 2) of the lattice.
    radius, inside, outside : of the rods, and epsilon in and between them.
    reach : waves with |G| up to so many times the first reciprocal vector.
    """
    reciprocal = 2 * np.pi * np.linalg.inv(vectors).T
    steps = np.arange(-2 * reach, 2 * reach + 1)
    waves = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) @ reciprocal
    waves = waves[np.hypot(*waves.T) <= reach * np.hypot(*reciprocal[0]) * (1 + 1e-9)]
    x = radius * np.linalg.norm(waves[:, None] - waves, axis=2)
    x[x == 0] = 1e-9  # 2 J1(x) / x is 1 there
    filled = np.pi * radius**2 / abs(np.linalg.det(vectors))
    epsilon = (inside - outside) * filled * 2 * besselj(1, x) / x + outside * np.eye(len(waves))
    half = np.linalg.solve(np.linalg.cholesky(epsilon), np.diag(np.hypot(*(k + waves).T)))
    return np.sqrt(np.abs(np.linalg.eigvalsh(half @ half.T)[:count])) / (2 * np.pi)
