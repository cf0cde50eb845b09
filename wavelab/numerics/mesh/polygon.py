"""Polygons: their area, points in them, and what is left of one where others cut it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavelab.arrays import Array, Mask
from wavelab.numerics.mesh.geometry import cross


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


def clipped(ring: Array, a: Array, b: Array) -> Array:
    """The part of a ring on the left of the line from a to b (Sutherland & Hodgman 1974)."""
    if len(ring) == 0:
        return ring
    following = np.roll(ring, -1, axis=0)

    def left(p: Array) -> Array:
        return (b[0] - a[0]) * (p[:, 1] - a[1]) - (b[1] - a[1]) * (p[:, 0] - a[0])

    here, there = left(ring), left(following)
    crosses = (here >= 0) != (there >= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = here / (here - there)
        crossing = ring + part[:, None] * (following - ring)
    pairs = np.stack([ring, crossing], axis=1)
    return pairs[np.stack([here >= 0, crosses], axis=1)]


def without(ring: Array, convex: Array) -> Iterator[Array]:
    """The parts of a ring outside of a convex one, counterclockwise."""
    for a, b in zip(convex, np.roll(convex, -1, axis=0), strict=True):
        yield clipped(ring, b, a)
        ring = clipped(ring, a, b)


def is_convex(ring: Array) -> bool:
    """Whether a counterclockwise ring turns left at every corner."""
    along = np.roll(ring, -1, axis=0) - ring
    turns = cross(along, np.roll(along, -1, axis=0))
    return bool((turns >= -1e-12 * (along**2).max()).all())
