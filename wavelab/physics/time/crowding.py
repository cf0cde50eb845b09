"""Where on a mesh without bad elements the fastest modes are: they spread out over the places where
many elements are a little small."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array

#: A few steps of the power method show where.
POWER_STEPS = 8


def crowding(rates: Array, neighbors: NDArray[np.integer]) -> Array:
    """(n_elements,) what the power method would leave if each element were a number that grows
    by its own rate and spreads to its neighbours.

    Parameters
    ----------
    rates : (n_elements,) of which negative ones count as 0.
    neighbors : (n_elements, 3) behind each face.
    """
    growth = growth_of(rates, float(rates.max()))
    amount = np.ones(len(rates))
    for _ in range(POWER_STEPS):
        amount = spread_once(amount, growth, neighbors)
        amount /= amount.max()
    return amount


def growth_of(rates: Array, fastest: float) -> Array:
    """(n_elements,) by how much the number of each element grows: those of the fastest by 1."""
    return np.asarray((np.maximum(rates, 0) / fastest) ** 2)


def spread_once(amount: Array, growth: Array, neighbors: NDArray[np.integer]) -> Array:
    """(n_elements,) what one step makes of these numbers."""
    return np.asarray(growth * (amount + amount[neighbors].sum(axis=1)))
