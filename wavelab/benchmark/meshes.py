"""A mesh of any size in no time: unstructured to a kernel, and every element different."""

from __future__ import annotations

import math

import numpy as np

from wavelab.numerics.mesh import Mesh

#: Of the lattice's spacing; the worst angle stays above 20 degrees.
_JITTER = 0.15


def square_mesh(n_elements: int, seed: int = 0) -> Mesh:
    """About ``n_elements`` triangles on the unit square, in random order.

    A square lattice with shaken inner vertices, each cell cut along a random diagonal.  Neither
    the order nor the shapes let a kernel get away with less memory traffic or arithmetic than on a
    mesh that was drawn: ``discretize`` has to find an order of its own.

    Returns
    -------
    The mesh of 2 n^2 elements that is nearest in size, n >= 1.
    """
    n = max(1, round(math.sqrt(n_elements / 2)))
    rng = np.random.default_rng(seed)
    column, row = (a.ravel() for a in np.indices((n + 1, n + 1)))
    inner = (column > 0) & (column < n) & (row > 0) & (row < n)
    shake = rng.uniform(-_JITTER, _JITTER, (len(column), 2)) * inner[:, None]
    vertices = (np.column_stack([column, row]) + shake) / n

    i, j = (a.ravel() for a in np.indices((n, n)))
    low_left = i * (n + 1) + j
    low_right, up_left = low_left + n + 1, low_left + 1
    up_right = low_right + 1
    rising = rng.random(n * n)[:, None] < 0.5
    below = np.column_stack([low_left, low_right, np.where(rising[:, 0], up_right, up_left)])
    above = np.column_stack([up_right, up_left, np.where(rising[:, 0], low_left, low_right)])
    triangles = np.concatenate([below, above])
    return Mesh.plain(vertices, triangles[rng.permutation(len(triangles))])
