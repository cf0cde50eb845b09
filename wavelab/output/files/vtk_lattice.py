"""The nodes of VTK's Lagrange triangles: where they are, and in which order."""

from __future__ import annotations

from functools import cache

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.reference_element import reference_element


def lattice(order: int) -> Indices:
    """(N_p, 3) barycentric coordinates of the nodes, in parts of 1 / order.

    They are equally spaced and come in shells from the outside inwards.  Of each shell first the
    three corners, then what lies between them from corner 0 to 1, from 1 to 2 and from 2 to 0; the
    shell within is that of a triangle of order N - 3.
    """
    rows: list[tuple[int, int, int]] = []
    for depth in range(order // 3 + 1):
        side = order - 3 * depth
        if side == 0:
            rows.append((depth, depth, depth))
            break
        shell = np.array([(side, 0, 0), (0, side, 0), (0, 0, side)])
        for start, end in ((0, 1), (1, 2), (2, 0)):
            steps = np.arange(1, side)[:, None]
            between = ((side - steps) * shell[start] + steps * shell[end]) // side
            shell = np.vstack([shell, between]) if side > 1 else shell
        rows += map(tuple, (shell + depth).tolist())
    return np.array(rows, np.int64)


@cache
def to_lattice(order: int) -> Array:
    """(N_p, N_p) from values at the nodes of the reference element to those at VTK's: the same
    polynomial."""
    barycentric = lattice(order) / order
    r, s = 2 * barycentric[:, 1] - 1, 2 * barycentric[:, 2] - 1
    matrix = reference_element(order).to_points(r, s)
    matrix.setflags(write=False)
    return matrix
