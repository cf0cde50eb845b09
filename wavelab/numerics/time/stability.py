"""Largest stable step of a Runge-Kutta scheme for a given spectrum."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Complex, Mask
from wavelab.numerics.time.runge_kutta import LowStorageScheme

#: Amplification that still counts as stable: rounding in the Ritz values of a conservative
#: operator puts them this far into the right half plane.
_TOLERANCE = 1e-6
#: Of the interval in which the step is, and how many of them look at the spectrum together.
_BISECTIONS, _AT_ONCE = 30, 5
#: Steps that are tried at once on the way to that interval.
_SCANNED = 120


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
    steps = np.linspace(0, 2 * scheme.n_stages, 120 * scheme.n_stages + 1) / radius
    for start in range(1, len(steps), _SCANNED):
        stable = _stable(scheme, spectrum, steps[start : start + _SCANNED])
        if not stable.all():
            break
    low, high = steps[start + int(stable.argmin()) + np.array([-1, 0])]
    for _ in range(_BISECTIONS // _AT_ONCE):
        # All middles that some bisections may come to, of which each takes one.
        ends = np.array([low, high])
        for _ in range(_AT_ONCE):
            ends = np.insert(ends, range(1, len(ends)), (ends[:-1] + ends[1:]) / 2)
        stable = _stable(scheme, spectrum, ends[1:-1])
        first, last = 0, len(ends) - 1
        while last - first > 1:
            middle = (first + last) // 2
            first, last = (middle, last) if stable[middle - 1] else (first, middle)
        low, high = ends[first], ends[last]
    return float(low)


def _stable(scheme: LowStorageScheme, spectrum: Complex, steps: Array) -> Mask:
    """(n,) whether nothing grows at steps."""
    growth = np.abs(scheme.amplification(spectrum[:, None] * steps)).max(axis=0)
    stable: Mask = growth <= 1 + _TOLERANCE
    return stable
