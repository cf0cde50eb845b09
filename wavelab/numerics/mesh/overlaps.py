"""Where the triangles of two meshes overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.arrays import Array, Indices
from wavelab.numerics.mesh.geometry import cross

#: Pieces smaller than this part of the triangle that they are of are rounding.
_NOTHING = 1e-14


@dataclass(frozen=True, eq=False)
class Overlaps:
    """What pairs of triangles have in common, cut into triangles.

    Attributes
    ----------
    one, other : (n,) numbers of the triangles, ascending in ``one``.
    pair : (p,) which of these each piece is of, ascending.
    pieces : (p, 3, 2) corners, counterclockwise.
    """

    one: Indices
    other: Indices
    pair: Indices
    pieces: Array


def touching_boxes(one: Array, other: Array) -> tuple[Indices, Indices]:
    """Pairs of triangles, (n, 3, 2) and (m, 3, 2), whose boxes touch, ascending in the first."""
    boxes, others = (shapely.box(*t.min(axis=1).T, *t.max(axis=1).T) for t in (one, other))
    first, second = shapely.STRtree(others).query(boxes)
    order = np.lexsort((second, first))
    return first[order], second[order]


def overlaps(one: Array, other: Array) -> Overlaps:
    """What counterclockwise triangles (n, 3, 2) and (m, 3, 2) have in common."""
    first, second = touching_boxes(one, other)
    # Seen from a corner, so that nothing is lost to a large distance from the origin.
    origin = one[first, :1]
    polygons, cutters = one[first] - origin, other[second] - origin
    for i in range(3):
        polygons = _clipped(polygons, cutters[:, i], cutters[:, (i + 1) % 3])
    fan = np.stack(
        [
            np.broadcast_to(polygons[:, :1], polygons[:, 2:].shape),
            polygons[:, 1:-1],
            polygons[:, 2:],
        ],
        axis=2,
    )
    areas = cross(fan[:, :, 1] - fan[:, :, 0], fan[:, :, 2] - fan[:, :, 0])
    whole = cross(one[first, 1] - one[first, 0], one[first, 2] - one[first, 0])
    row, number = np.nonzero(areas > _NOTHING * whole[:, None])
    met, pair = np.unique(row, return_inverse=True)
    pieces = fan[row, number] + origin[row]
    return Overlaps(first[met], second[met], pair.reshape(-1), pieces)


def _clipped(polygons: Array, a: Array, b: Array) -> Array:
    """The part of convex polygons on the left of a line each (Sutherland & Hodgman 1974).

    Parameters
    ----------
    polygons : (n, m, 2); corners may be repeated.
    a, b : (n, 2) points of the lines.

    Returns
    -------
    (n, m + 1, 2); a polygon of which nothing is left has no area.
    """
    n, m = polygons.shape[:2]
    following = np.roll(polygons, -1, axis=1)
    along = (b - a)[:, None]
    here, there = cross(along, polygons - a[:, None]), cross(along, following - a[:, None])
    crosses = (here >= 0) != (there >= 0)
    part = here / np.where(crosses, here - there, 1.0)
    crossing = polygons + part[:, :, None] * (following - polygons)
    corners = np.stack([polygons, crossing], axis=2).reshape(n, 2 * m, 2)
    kept = np.stack([here >= 0, crosses], axis=2).reshape(n, 2 * m)
    # Those that are kept come first, in their order, and the first of them fills what is left.
    order = np.argsort(~kept, axis=1, kind="stable")[:, : m + 1]
    surplus = np.arange(m + 1) >= kept.sum(axis=1)[:, None]
    order = np.where(surplus, order[:, :1], order)
    return np.take_along_axis(corners, order[:, :, None], axis=1)
