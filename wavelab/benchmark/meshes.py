"""A mesh of any size in no time: unstructured to a kernel, and every element different."""

from __future__ import annotations

import math

import numpy as np

from wavelab.numerics.mesh.mesh import Mesh

#: Of the lattice's spacing; the worst angle stays above 20 degrees.
_JITTER = 0.15
#: How many times smaller the smallest elements are made, and the part of all, about, that are
#: nearly as small.
_SMALLER, _SMALL_PART = 20.0, 0.01


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


def with_small_elements(mesh: Mesh) -> Mesh:
    """The same with triangles that hold ever smaller ones, turned over each time."""
    n_rings = round(math.log(_SMALLER) / math.log(4.5))
    size = _SMALLER ** (-1 / n_rings)
    count = max(1, round(_SMALL_PART * mesh.n_elements / 7))
    chosen = np.linspace(0, mesh.n_elements - 1, count + 2).astype(int)[1:-1]
    vertices, triangles = [mesh.vertices], [np.delete(mesh.triangles, chosen, axis=0)]
    outer = mesh.triangles[chosen].T
    places = mesh.vertices[mesh.triangles[chosen]]
    middle = places.mean(axis=1, keepdims=True)
    first = mesh.n_vertices
    for _ in range(n_rings):
        places = middle - size * (places - middle)
        inner = first + 3 * np.arange(count) + np.arange(3)[:, None]
        (a, b, c), (d, e, f) = outer, inner
        ring = [(a, b, f), (b, c, d), (c, a, e), (a, f, e), (b, d, f), (c, e, d)]
        triangles += [np.column_stack(t) for t in ring]
        vertices.append(places.reshape(-1, 2))
        outer, first = inner, first + 3 * count
    triangles.append(outer.T)
    return Mesh.plain(np.concatenate(vertices), np.concatenate(triangles)).checked()
