"""Gaussian bumps on the nodes: what a ping adds and where a point source acts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization

#: exp(-r^2 / 2) falls below 1e-7, less than single precision resolves, at this many radii.
REACH = 5.7


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
    return gaussian_along(discretization, center, center, radius, amplitude)


def gaussian_along(
    discretization: Discretization,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    amplitude: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The same with d the distance from the line between two points."""
    dx = discretization.x - start[0]
    dy = discretization.y - start[1]
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    if (length := along_x**2 + along_y**2) > 0:
        part = np.clip((dx * along_x + dy * along_y) / length, 0.0, 1.0)
        dx, dy = dx - part * along_x, dy - part * along_y
    squared = ((dx * dx + dy * dy) / radius**2).ravel()
    nodes = np.flatnonzero(squared < REACH**2)
    return nodes, amplitude * np.exp(-squared[nodes] / 2)
