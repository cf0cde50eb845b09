"""What the pieces of an arrangement have from the segments they were cut from: a name, a curve, and
digits."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.meshing.graph.polygons import TOLERANCE

#: No edge name: a border between two materials.
BORDER = -1

#: Points closer than this are one.  The unit frame spans [-1, 1], so lengths in it count twice.
SNAP = 2 * TOLERANCE


def names_of(pieces: Array, sources: Array, names: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each (m, 2, 2) piece of the boundary the name of the source segment it lies on; -1 if
    it lies on none that has one.

    Of sources that coincide the first one counts: outlines come before holes.
    """
    named = names != BORDER
    lines, names = shapely.linestrings(sources[named]), names[named]
    middles = pieces.mean(axis=1)
    # Snapping may have moved a piece by the tolerance in each of a few rounds.
    piece, source = shapely.STRtree(lines).query(
        shapely.points(middles), predicate="dwithin", distance=8 * SNAP
    )
    distance = np.max(
        [
            shapely.distance(lines[source], shapely.points(place[piece]))
            for place in (pieces[:, 0], pieces[:, 1], middles)
        ],
        axis=0,
    )
    nearest = np.full(len(pieces), np.inf)
    np.minimum.at(nearest, piece, distance)
    alike = distance <= nearest[piece] + SNAP / 2
    best = np.full(len(pieces), len(lines))
    np.minimum.at(best, piece[alike], source[alike])
    return np.append(names, np.int32(BORDER))[best]


def curves_of(pieces: Array, sources: Array, chords: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each (m, 2, 2) piece the curve of the chord it lies on; -1 for those that lie on none,
    or also on a straight line, which is what somebody drew there."""
    if not (chords >= 0).any():
        return np.full(len(pieces), -1, dtype=np.int32)
    curve_of = names_of(pieces, sources, chords)
    if (chords < 0).any():
        straight = np.where(chords < 0, np.int32(0), np.int32(BORDER))
        curve_of[names_of(pieces, sources, straight) == 0] = -1
    return curve_of


def given_digits(
    points: NDArray, local: NDArray, segments: NDArray, center: NDArray, scale: float
) -> Array:
    """Points in scene units; those that were given keep their digits, so x = 1 stays 1."""
    given = dict(
        zip(map(tuple, local.reshape(-1, 2).tolist()), segments.reshape(-1, 2), strict=True)
    )
    exact = points * scale + center
    for i, point in enumerate(map(tuple, points.tolist())):
        exact[i] = given.get(point, exact[i])
    return exact
