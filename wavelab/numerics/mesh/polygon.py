"""Area of polygons, and points in them."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Mask


def signed_area(ring: Array) -> float:
    """Area in a ring (m, 2) of vertices, the first not repeated; negative where it is clockwise."""
    x, y = ring.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def inside_polygon(ring: Array, points: Array) -> Mask:
    """Whether points (n, 2) lie inside a ring (m, 2) of vertices, the first not repeated.

    A ray to the right crosses the outline an odd number of times.
    """
    x, y = points[:, 0], points[:, 1]
    inside = np.zeros(len(points), dtype=bool)
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        spans = (y0 <= y) != (y1 <= y)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = x0 + (y - y0) * (x1 - x0) / (y1 - y0)
        inside ^= spans & (x < crossing)
    return inside
