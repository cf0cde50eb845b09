"""Largest stable step of a Runge-Kutta scheme for a given spectrum."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Complex
from wavelab.numerics.time.runge_kutta import LowStorageScheme

#: Amplification that still counts as stable: rounding in the Ritz values of a conservative
#: operator puts them this far into the right half plane.
_TOLERANCE = 1e-6


def largest_stable_step(eigenvalues: Complex, scheme: LowStorageScheme) -> float:
    """Largest dt so that |P(lambda dt)| <= 1 for all eigenvalues and every smaller dt.

    The eigenvalues must not have positive real parts beyond rounding; those are taken as 0.

    Raises
    ------
    ValueError : no eigenvalue, or one that is not finite.
    """
    # Of a real operator they come in pairs, with the same amplification.
    upper = eigenvalues[~(eigenvalues.imag < 0)]
    spectrum = np.minimum(upper.real, 0) + 1j * upper.imag
    radius = float(np.abs(spectrum).max(initial=0.0))
    if not np.isfinite(radius) or radius == 0:
        raise ValueError("the spectrum is empty, zero or not finite")
    # The schemes' stability regions end before this in every direction.
    steps = np.linspace(0, 2 * scheme.n_stages, 120 * scheme.n_stages + 1)[1:] / radius
    growth = np.abs(scheme.amplification(spectrum[:, None] * steps)).max(axis=0)
    unstable = np.flatnonzero(growth > 1 + _TOLERANCE)
    low, high = steps[unstable[0] - 1] if unstable[0] else 0.0, steps[unstable[0]]
    for _ in range(30):
        middle = (low + high) / 2
        stable = np.abs(scheme.amplification(spectrum * middle)).max() <= 1 + _TOLERANCE
        low, high = (middle, high) if stable else (low, middle)
    return float(low)
