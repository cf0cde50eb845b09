"""Gaussian bumps on the nodes: what a ping adds and where a point source acts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization

#: exp(-r^2 / 2) falls below 1e-7, less than single precision resolves, at this many radii.
_REACH = 5.7


def gaussian(
    discretization: Discretization,
    center: tuple[float, float],
    radius: float,
    amplitude: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """amplitude exp(-d^2 / (2 radius^2)) at the nodes within 5.7 radii of the centre.

    Returns
    -------
    nodes : (n,) flat node indices k * nodes_per_element + n; empty when no node is near.
    values : (n,).
    """
    dx = discretization.x - center[0]
    dy = discretization.y - center[1]
    squared = ((dx * dx + dy * dy) / radius**2).ravel()
    nodes = np.flatnonzero(squared < _REACH**2)
    return nodes, amplitude * np.exp(-squared[nodes] / 2)
