"""Order of the elements in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices

_BITS = 16


def hilbert_index(points: Array, bounds: tuple[Array, Array] | None = None) -> NDArray[np.uint32]:
    """Position of each point along a Hilbert curve through their bounding square.

    Parameters
    ----------
    points : (n, 2).
    bounds : lower left and upper right corner, (2,) each, of more points than these; None for the
        box around them.

    Returns
    -------
    (n,) uint32 position on the curve of 2^16 by 2^16 cells (Hilbert 1891).
    """
    low, high = bounds or (points.min(axis=0), points.max(axis=0))
    extent = float((high - low).max()) or 1.0
    cells = (1 << _BITS) - 1
    x, y = np.ascontiguousarray(((points - low) / extent * cells).astype(np.int32).T)
    x, y = x.view(np.uint32), y.view(np.uint32)
    index = np.zeros(len(points), dtype=np.uint32)
    for level in range(_BITS - 1, -1, -1):
        # 1 or 0, and all bits or none of these: nothing branches, and no number is wider than 32.
        in_x, in_y = (x >> level) & 1, (y >> level) & 1
        index = (index << 2) | ((3 * in_x) ^ in_y)
        # Rotate the quadrant so that the curve inside it has the standard orientation.
        mirror = (in_x & ~in_y) * np.uint32(cells)
        x ^= mirror
        y ^= mirror
        swap = (x ^ y) & (in_y - np.uint32(1))
        x ^= swap
        y ^= swap
    return index


def hilbert_order(points: Array) -> Indices:
    """Permutation that sorts points along a Hilbert curve, so that neighbours stay in cache."""
    if len(points) >= 2**32:
        return np.argsort(hilbert_index(points), kind="stable")
    # The same, but several times as fast: sorted with their numbers behind their places.
    index = hilbert_index(points).astype(np.uint64) << np.uint64(32)
    index |= np.arange(len(points), dtype=np.uint64)
    return (np.sort(index) & np.uint64(2**32 - 1)).astype(np.int64)
