"""The Poynting vector S = E x H: which way energy flows, and how much."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array


def power_flow(hx: ArrayLike, hy: ArrayLike, ez: ArrayLike) -> Array:
    """(..., 2) S = (-Ez Hy, Ez Hx) of (...) fields: power through a unit of length across."""
    hx, hy, ez = np.asarray(hx), np.asarray(hy), np.asarray(ez)
    return np.stack([-ez * hy, ez * hx], axis=-1)


def mean_power_flow(hx: ArrayLike, hy: ArrayLike, ez: ArrayLike) -> Array:
    """(..., 2) mean of S over a period, Re[E x H*] / 2, of (...) complex amplitudes."""
    return power_flow(np.conj(hx), np.conj(hy), np.asarray(ez)).real / 2
