"""Zener bodies: solids that lose most at one frequency.

A modulus is M (1 - b / (1 + i w T)) for fields that go with exp(i w t): M at once, and M (1 - b)
slowly.  Its loss Im M / Re M is largest at w T = sqrt(1 - b) = s, where the modulus is
M s (2 s + i (1 - s^2)) / (1 + s^2) and the loss (1 - s^2) / (2 s).  (Carcione, *Wave fields in real
media*, 2014, 2.4.)
"""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array


def factor(s: float) -> complex:
    """Of the modulus, at the frequency of most loss."""
    return s * complex(2 * s, 1 - s * s) / (1 + s * s)


def of_loss(loss: float) -> float:
    """s = sqrt(1 - b) for the largest loss 1 / Q."""
    return math.sqrt(1 + loss * loss) - loss


def of_compression(bulk: float, shear: float, s_shear: float, loss: float) -> float | None:
    """s of compression in the plane for the loss 1 / Q of P waves, whose modulus is the sum of both
    ``bulk`` and ``shear``; None where shear alone loses more."""
    of_shear = shear * factor(s_shear)
    # Im z - loss Re z = rest for z = factor(s), times 1 + s^2.
    rest = (of_shear.real * loss - of_shear.imag) / bulk
    roots = np.roots([1, 2 * loss + rest, -1, rest])
    fitting = [float(r.real) for r in roots if abs(r.imag) < 1e-9 and 0 < r.real <= 1 + 1e-9]
    return min(max(fitting), 1.0) if fitting else None


def loss_of_shear(bulk: float, shear: float, s_shear: float) -> float:
    """1 / Q of P waves where compression loses nothing."""
    of_shear = shear * factor(s_shear)
    return of_shear.imag / (bulk + of_shear.real)


def of_losses(losses: Array) -> Array:
    """:func:`of_loss` of many."""
    return np.sqrt(1 + losses * losses) - losses


def of_compressions(bulk: Array, shear: Array, s_shear: Array, losses: Array) -> Array:
    """:func:`of_compression` of many, of one shape; NaN where that finds nothing."""
    modulus = shear * s_shear / (1 + s_shear**2)
    rest = modulus * (2 * s_shear * losses - (1 - s_shear**2)) / bulk
    # Its cubic, by the eigenvalues of the companion matrix.
    companion = np.zeros((*rest.shape, 3, 3))
    companion[..., 1, 0] = companion[..., 2, 1] = 1.0
    companion[..., 0, 0], companion[..., 0, 1] = -(2 * losses + rest), 1.0
    companion[..., 0, 2] = -rest
    roots = np.linalg.eigvals(companion)
    fitting = (np.abs(roots.imag) < 1e-9) & (roots.real > 0) & (roots.real <= 1 + 1e-9)
    largest = np.where(fitting, roots.real, -np.inf).max(axis=-1)
    return np.where(np.isfinite(largest), np.minimum(largest, 1.0), np.nan)
