"""Gaussians on the mesh: what a ping adds and where a point source acts.

Where the nodes are dense enough they are sampled, which is exact to many digits.  A narrower one
would be missed by the nodes or counted many times; it is projected in place of that, so that it
acts on all waves as strongly as it should whatever the mesh
(:mod:`wavelab.numerics.fields.point_loads`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.point_loads import projected_points

#: exp(-r^2 / 2) falls below 1e-7, less than single precision resolves, at this many radii.
REACH = 5.7
#: Radius in parts of the distance of nodes from which on sampling them is right within 1 % (root
#: mean square over places, orders 2 to 6; 4 % at most).  What is projected is right but rougher, so
#: its shortest waves are damped more.
LEAST_RADIUS = 0.6
#: Points of the quadrature from the line as far as the Gaussian reaches, at least, and in the
#: distance of two nodes.
_FEWEST, _BETWEEN_NODES = 12, 8


def gaussian(
    discretization: Discretization, center: tuple[float, float], radius: float, amplitude: float
) -> tuple[Indices, Array]:
    """amplitude exp(-d^2 / (2 radius^2)) at the nodes, d being the distance from the centre.

    Returns
    -------
    nodes : (n,) flat node indices k * nodes_per_element + n; empty when none is within 5.7 radii of
        the centre and that is outside.
    values : (n,).
    """
    return gaussian_along(discretization, center, center, radius, amplitude)


def gaussian_along(
    discretization: Discretization,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    amplitude: float,
) -> tuple[Indices, Array]:
    """The same with d the distance from the line between two points."""
    d = discretization
    dx, dy = d.x - start[0], d.y - start[1]
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    if (length := along_x**2 + along_y**2) > 0:
        part = np.clip((dx * along_x + dy * along_y) / length, 0.0, 1.0)
        dx, dy = dx - part * along_x, dy - part * along_y
    squared = (dx * dx + dy * dy) / radius**2
    edges = d.mesh.longest_edges
    near = np.sqrt(squared.min(axis=1)) * radius < REACH * radius + edges
    coarse = near & _too_coarse(edges / d.order, radius)
    # Element by element: small ones beside a large one are sampled, however small they are.
    nodes = np.flatnonzero(((squared < REACH**2) & ~coarse[:, None]).ravel())
    values = amplitude * np.exp(-squared.ravel()[nodes] / 2)
    if coarse.any():
        points, weights = _quadrature(
            np.array(start), np.array(end), radius, float(edges[coarse].min()) / d.order
        )
        elements, projected = projected_points(d, points, amplitude * weights)
        elements, projected = elements[coarse[elements]], projected[coarse[elements]]
        inside = elements[:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
        nodes = np.concatenate([nodes, inside.ravel()])
        values = np.concatenate([values, projected.ravel()])
    return nodes, values


def is_narrow(d: Discretization, radius: float, elements: NDArray[np.generic]) -> bool:
    """Whether the nodes of some elements are too far apart to sample a bump."""
    return bool(_too_coarse(d.mesh.longest_edges[elements] / d.order, radius).any())


def _too_coarse(distance: Array, radius: float) -> Mask:
    return radius < LEAST_RADIUS * distance


def _quadrature(start: Array, end: Array, radius: float, distance: float) -> tuple[Array, Array]:
    """Points (n, 2) and weights (n,) for integrals of the bump times what is smooth in pieces.

    Evenly spread points are best for a function that vanishes with all its derivatives at both
    ends, and treat the kinks of the polynomials between elements alike.

    Parameters
    ----------
    distance : of the nodes; the points lie closer.  A bump too narrow to be sampled takes some
        hundred points, and along a line as many more as it is longer than it is wide.
    """
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length if length else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    reach = REACH * radius
    n = max(_FEWEST, math.ceil(reach / distance * _BETWEEN_NODES))
    away = (np.arange(n) + 0.5) * (reach / n)
    m = math.ceil(length / distance * _BETWEEN_NODES)
    between = (np.arange(m) + 0.5) * (length / max(m, 1))
    bump = np.exp(-(away**2) / (2 * radius**2)) * (reach / n)
    on_line = np.concatenate([-away[::-1], between, length + away])
    of_line = np.concatenate([bump[::-1], np.full(m, length / max(m, 1)), bump])
    sideways = np.concatenate([-away[::-1], away])
    points = start + on_line[:, None, None] * along + sideways[:, None] * across
    weights = np.outer(of_line, np.concatenate([bump[::-1], bump]))
    return points.reshape(-1, 2), weights.ravel()
