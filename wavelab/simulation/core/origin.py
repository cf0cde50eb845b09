"""Where what is not finite has come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Mask

Neighbors = NDArray[np.integer]

#: Elements from which distances are measured at a time, at most.
_MOST = 64


def origin(neighbors: Neighbors, mask: Mask) -> int:
    """The element from which something has spread; -1 if no element around is left to tell.

    It spreads to the elements across all faces at each stage, so those that it has not reached yet,
    but will next, are all as far from where it began: that element is looked for.  Of several such
    places the one that has spread most is taken.

    Parameters
    ----------
    neighbors : (n_elements, 3) elements across the faces; a wall has the element itself.
    mask : (n_elements,) where it is by now.
    """
    around = np.flatnonzero(~mask & mask[neighbors].any(axis=1))
    if not len(around):
        return -1
    (depth,) = _distances(neighbors, mask, [around])
    deepest = int(np.argmax(np.where(mask, depth, -1)))
    (from_deepest,) = _distances(neighbors, mask, [np.array([deepest])])
    part = mask & (from_deepest >= 0)
    around = np.flatnonzero(~mask & part[neighbors].any(axis=1))
    some = around[np.unique(np.linspace(0, len(around) - 1, _MOST).astype(int))]
    far = _distances(neighbors, part, [np.array([element]) for element in some])
    nearest = far.min(axis=0)
    uneven = np.where(part, far.max(axis=0) - nearest, len(mask))
    likely = np.flatnonzero(uneven == uneven.min())[:_MOST]
    # As far it has also come at most.
    reach = _distances(neighbors, part, [np.array([element]) for element in likely]).max(axis=1)
    beyond = np.maximum(reach - (nearest[likely] - 1), 0)
    return int(likely[np.lexsort((-nearest[likely], beyond))[0]])


def _distances(neighbors: Neighbors, mask: Mask, starts: Sequence[Neighbors]) -> NDArray[np.intp]:
    """(n_starts, n_elements) faces crossed on the way from the nearest of each set of elements
    through elements of ``mask``; -1 where no way leads."""
    found = np.full((len(starts), len(mask)), -1)
    for row, start in zip(found, starts, strict=True):
        row[start], here, distance = 0, start, 0
        while len(here):
            distance += 1
            following = np.unique(neighbors[here])
            here = following[mask[following] & (row[following] < 0)]
            row[here] = distance
    return found
