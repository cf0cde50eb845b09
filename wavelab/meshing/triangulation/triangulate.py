"""Triangle (Shewchuk 1996), by way of meshpy, on a checked graph.

Triangle ends the process, crashes or never returns on input it dislikes, so this is only called
from the child process in :mod:`wavelab.meshing.worker`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from meshpy import triangle
from numpy.typing import NDArray

from wavelab.arrays import Array

#: Degrees.  Not 30: a point put into the middle of an equilateral triangle makes angles of just 30,
#: rounding decides which of them fail, and the refinement eats its way through the lattice.  (And
#: beyond 34 Triangle often inserts points for ever.)
MIN_ANGLE = 28.0

#: Largest area in terms of the equilateral triangle's.
MAX_AREA = 1.6

#: Markers 0 and 1 mean "unmarked" and "on the hull" to Triangle.
_FIRST_MARKER = 2


@dataclass(frozen=True)
class Triangulation:
    """Points (n, 2), triangles (k, 3), region (k,), segments (m, 2) and their labels (m,)."""

    points: Array
    triangles: NDArray[np.int32]
    regions: NDArray[np.int32]
    segments: NDArray[np.int32]
    labels: NDArray[np.int32]

    def doubled_areas(self, points: Array) -> Array:
        """(k,) twice the area of each triangle between ``points``, negative for clockwise ones."""
        a, b, c = (points[self.triangles[:, i]] for i in range(3))
        ab, ac = b - a, c - a
        return np.asarray(ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0])


def triangulate(
    points: Array,
    segments: NDArray[np.int32],
    labels: NDArray[np.int32],
    seeds: Array,
    seed_regions: NDArray[np.int32],
    voids: Array,
    *,
    edge: float | None = None,
    split_boundary: bool = True,
) -> Triangulation:
    """Triangles that fill the domain and respect every segment.

    Parameters
    ----------
    points : (n, 2) in the unit frame; segments : (m, 2); labels : (m,) non-negative, handed on to
        the pieces of each segment.
    seeds, seed_regions : a point in each face, and its region; voids : a point in each hole.
    edge : length of the edges wanted; None adds no points at all.
    split_boundary : whether Triangle may put points on the domain's boundary.
    """
    info = triangle.MeshInfo()
    info.set_points(points.tolist())
    info.set_facets(segments.tolist(), (labels + _FIRST_MARKER).tolist())
    if len(voids):
        info.set_holes(voids.tolist())
    info.regions.resize(len(seeds))
    for i, ((x, y), region) in enumerate(zip(seeds.tolist(), seed_regions.tolist(), strict=True)):
        info.regions[i] = (x, y, float(region), -1.0)
    if edge is None:
        built = triangle.build(info, quality_meshing=False, attributes=True)
    else:
        built = triangle.build(
            info,
            attributes=True,
            min_angle=MIN_ANGLE,
            max_volume=MAX_AREA * math.sqrt(3) / 4 * edge**2,
            allow_boundary_steiner=split_boundary,
        )
    return Triangulation(
        np.array(built.points, dtype=np.float64).reshape(-1, 2),
        np.array(built.elements, dtype=np.int32).reshape(-1, 3),
        np.rint(np.array(built.element_attributes, dtype=np.float64).reshape(-1)).astype(np.int32),
        np.array(built.facets, dtype=np.int32).reshape(-1, 2),
        np.array(built.facet_markers, dtype=np.int32).reshape(-1) - _FIRST_MARKER,
    )
