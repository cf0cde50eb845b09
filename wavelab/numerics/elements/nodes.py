"""Interpolation nodes on the reference triangle {r, s >= -1, r + s <= 0}."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import gauss_lobatto_points

#: Blending parameter that minimises the Lebesgue constant, by order (Warburton 2006, table 1).
_OPTIMAL_ALPHA = (
    0.0, 0.0, 0.0, 1.4152, 0.1001, 0.2751, 0.9800, 1.0999, 1.2832, 1.3648, 1.4773
)  # fmt: skip


def nodes_per_triangle(order: int) -> int:
    """N_p = (N + 1)(N + 2) / 2."""
    return (order + 1) * (order + 2) // 2


def _warp(order: int, along: Array) -> Array:
    """Edge warp w(t): displacement of equispaced to Lobatto points, over 1 - t^2 (HW 6.1).

    ``along`` is in [-1, 1].  The division makes the warp blend to zero at the other edges;
    at t = +-1 the displacement itself vanishes and 0 is returned.
    """
    equispaced = np.linspace(-1, 1, order + 1)
    shift = gauss_lobatto_points(order) - equispaced
    # Lagrange interpolation of the shift through the equispaced points.
    displacement = np.zeros_like(along)
    for i, node in enumerate(equispaced):
        others = np.delete(equispaced, i)
        basis = np.prod((along[:, None] - others) / (node - others), axis=1)
        displacement += shift[i] * basis
    inside = np.abs(along) < 1 - 1e-10
    scale = np.where(inside, 1 - along**2, 1.0)
    return np.where(inside, displacement / scale, 0.0)


def warp_and_blend(order: int) -> tuple[Array, Array]:
    """Warp & blend nodes of Warburton, *An explicit construction of interpolation nodes on the
    simplex*, J. Eng. Math. 56 (2006).

    Parameters
    ----------
    order : polynomial order N, >= 1.

    Returns
    -------
    r, s : (N_p,) node coordinates, s ascending in rows and r ascending within each row.
    """
    alpha = _OPTIMAL_ALPHA[order] if order < len(_OPTIMAL_ALPHA) else 5 / 3
    l1, l3 = np.array(
        [(i / order, j / order) for i in range(order + 1) for j in range(order + 1 - i)]
    ).T
    l2 = 1 - l1 - l3
    # Equilateral triangle; L1 = 1 at the top vertex, L2 and L3 at the lower left and right.
    x, y = l3 - l2, (2 * l1 - l2 - l3) / np.sqrt(3)
    for blend_a, blend_b, opposite, direction in (
        (l2, l3, l1, 0.0),
        (l3, l1, l2, 2 * np.pi / 3),
        (l1, l2, l3, 4 * np.pi / 3),
    ):
        shift = 4 * blend_a * blend_b * _warp(order, blend_b - blend_a)
        shift = shift * (1 + (alpha * opposite) ** 2)
        x = x + shift * np.cos(direction)
        y = y + shift * np.sin(direction)
    return _equilateral_to_reference(x, y)


def _equilateral_to_reference(x: Array, y: Array) -> tuple[Array, Array]:
    l1 = (np.sqrt(3) * y + 1) / 3
    l2 = (-3 * x - np.sqrt(3) * y + 2) / 6
    l3 = (3 * x - np.sqrt(3) * y + 2) / 6
    return -l2 + l3 - l1, -l2 - l3 + l1
