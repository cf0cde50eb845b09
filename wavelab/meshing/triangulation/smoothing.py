"""Move free vertices so that the smallest elements grow.

The time step is proportional to the smallest inradius, so that is what counts here, not angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask


@dataclass(frozen=True)
class _Stars:
    """For each vertex the triangles around it, as one flat list."""

    corners: Indices
    starts: Indices

    @classmethod
    def of(cls, triangles: NDArray) -> _Stars:
        """Of a (k, 3) triangulation that uses every vertex."""
        flat = triangles.ravel()
        corners = np.argsort(flat, kind="stable")
        return cls(corners, np.searchsorted(flat[corners], np.arange(flat.max() + 1)))

    def reduce(self, operation: np.ufunc, per_corner: NDArray) -> NDArray:
        """Combine the values at the (3 k, ...) triangle corners that meet in each vertex."""
        return operation.reduceat(per_corner[self.corners], self.starts, axis=0)


#: How often each vertex gets a chance, about; and where the result is to be there soon.
SWEEPS, FEW_SWEEPS = 6, 2


def smooth(
    points: Array,
    triangles: NDArray[np.int32],
    fixed: Mask,
    good: float,
    sweeps: int = SWEEPS,
) -> Array:
    """Points moved so that the smallest inradius around each of them is larger than before.

    Each free vertex is offered the area-weighted mean of the circumcentres around it, which for
    fixed connectivity minimises the interpolation error of |x|^2 (Chen & Xu 2004, "Optimal
    Delaunay triangulations"), and half of that step.  It moves if the smallest element around it
    grows; vertices that move at once share no element, so no element can shrink below the
    smallest one before, and none can turn over.

    Parameters
    ----------
    points : (n, 2); triangles : (k, 3), counterclockwise, using every point.
    fixed : (n,) vertices that must stay.
    good : an inradius that needs no improvement: a vertex stays where all around it have that.
    sweeps : how often each vertex gets a chance, about.
    """
    free = np.zeros(len(points), dtype=bool)
    free[triangles[signed_inradii(points[triangles]) < good]] = True
    free &= ~fixed
    if not free.any():
        return points
    # The rest of the mesh is in no triangle with a free vertex: leave it out of the arithmetic.
    used, local = np.unique(triangles[free[triangles].any(axis=1)], return_inverse=True)
    points = points.copy()
    points[used] = _relax(points[used], local.reshape(-1, 3), ~free[used], sweeps)
    return points


def _relax(points: NDArray, triangles: NDArray, fixed: NDArray, sweeps: int) -> NDArray:
    stars = _Stars.of(triangles)
    random = np.random.default_rng(0)
    size = signed_inradii(points[triangles])
    for _ in range(_TURNS * sweeps):
        chosen = _independent(triangles, stars, fixed, random)
        target = _balance(points, triangles, stars)
        for fraction in (1.0, 0.5):
            offered = np.where(chosen[:, None], points + fraction * (target - points), points)
            touched = np.flatnonzero(chosen[triangles].any(axis=1))
            new = size.copy()
            new[touched] = signed_inradii(offered[triangles[touched]])
            before = stars.reduce(np.minimum, np.repeat(size, 3))
            after = stars.reduce(np.minimum, np.repeat(new, 3))
            better = chosen & (after > before)
            points[better] = offered[better]
            chosen &= ~better
            moved = touched[better[triangles[touched]].any(axis=1)]
            size[moved] = signed_inradii(points[triangles[moved]])
    return points


#: An independent set holds about one vertex in seven.
_TURNS = 7


def signed_inradii(corners: Array) -> Array:
    """(k,) inradius of triangles (k, 3, 2), negative for clockwise ones."""
    ab, bc, ca = (corners[:, (i + 1) % 3] - corners[:, i] for i in range(3))
    doubled = ab[:, 0] * bc[:, 1] - ab[:, 1] * bc[:, 0]
    perimeter = sum(np.hypot(side[:, 0], side[:, 1]) for side in (ab, bc, ca))
    return doubled / perimeter


def _independent(
    triangles: NDArray, stars: _Stars, fixed: NDArray, random: np.random.Generator
) -> Mask:
    """A random set of free vertices, no two of them in one triangle (Luby 1986)."""
    rank = np.where(fixed, -1.0, random.random(len(fixed)))
    highest = stars.reduce(np.maximum, np.repeat(rank[triangles].max(axis=1), 3))
    return (rank == highest) & ~fixed


def _balance(points: NDArray, triangles: NDArray, stars: _Stars) -> Array:
    """(n, 2) area-weighted mean of the circumcentres around each vertex."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    ab, ac = b - a, c - a
    doubled = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    ab2, ac2 = (ab**2).sum(axis=1), (ac**2).sum(axis=1)
    # Twice area times the circumcentre relative to a, so that nothing is divided by an area.
    weighted = 0.5 * np.column_stack(
        [ac[:, 1] * ab2 - ab[:, 1] * ac2, ab[:, 0] * ac2 - ac[:, 0] * ab2]
    )
    weighted += doubled[:, None] * a
    total = stars.reduce(np.add, np.repeat(doubled, 3))
    return stars.reduce(np.add, np.repeat(weighted, 3, axis=0)) / total[:, None]
