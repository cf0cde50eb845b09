"""Order of the elements in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 16


def hilbert_index(points: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Position of each point along a Hilbert curve through their bounding square.

    Parameters
    ----------
    points : (n, 2).

    Returns
    -------
    (n,) position on the curve of 2^16 by 2^16 cells (Hilbert 1891).
    """
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max()) or 1.0
    cells = (1 << _BITS) - 1
    x, y = np.ascontiguousarray(((points - low) / extent * cells).astype(np.int32).T)
    index = np.zeros(len(points), dtype=np.uint64)
    for level in range(_BITS - 1, -1, -1):
        side = 1 << level
        in_x, in_y = (x & side) > 0, (y & side) > 0
        quadrant = (3 * in_x) ^ in_y
        index += np.uint64(side) * np.uint64(side) * quadrant.astype(np.uint64)
        # Rotate the quadrant so that the curve inside it has the standard orientation.
        mirror = ~in_y & in_x
        x, y = np.where(mirror, cells - x, x), np.where(mirror, cells - y, y)
        x, y = np.where(~in_y, y, x), np.where(~in_y, x, y)
    return index


def hilbert_order(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Permutation that sorts points along a Hilbert curve, so that neighbours stay in cache."""
    return np.argsort(hilbert_index(points), kind="stable")
