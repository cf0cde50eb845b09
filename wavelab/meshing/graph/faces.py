"""Names of faces from named line segments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Mask
from wavelab.numerics.mesh.mesh import FACE_VERTICES, edge_keys


def face_tags(
    triangles: NDArray[np.int32],
    lines: NDArray[np.int32],
    labels: NDArray[np.int32],
    *,
    most_sides: int,
) -> tuple[NDArray[np.int32], Mask]:
    """Label of each face that one of the lines covers, -1 elsewhere.

    Parameters
    ----------
    triangles : (k, 3), lines : (m, 2) vertex numbers, in any direction; labels : (m,).
    most_sides : 1 for faces of the boundary alone; 2 also for those between two triangles, on both
        sides of them.

    Returns
    -------
    tags : (k, 3) int32; and (m,) bool, whether each line is such a face.  Of two lines on the same
    face the first counts.
    """
    n = int(triangles.max()) + 1 if len(triangles) else 0
    n = max(n, int(lines.max()) + 1 if len(lines) else 0)
    tags = np.full(3 * len(triangles), -1, dtype=np.int32)
    # Only faces between vertices of lines can be covered by one.
    touched = np.zeros(n, dtype=bool)
    touched[lines] = True
    ends = touched[triangles]
    near = np.flatnonzero(ends & np.roll(ends, -1, axis=1))
    element, face = np.divmod(near, 3)
    faces = edge_keys(triangles[element[:, None], FACE_VERTICES[face]], n)
    keys, inverse, counts = np.unique(faces, return_inverse=True, return_counts=True)
    label_of = np.full(len(keys), -1, dtype=np.int32)
    wanted = edge_keys(lines, n)
    place = np.searchsorted(keys, wanted)
    place[place == len(keys)] = 0
    tagged = (keys[place] == wanted) & (counts[place] <= most_sides) if len(keys) else wanted < 0
    # Written backwards, so that the first of several lines on a face is the last to be written.
    label_of[place[tagged][::-1]] = labels[tagged][::-1]
    tags[near] = label_of[inverse.reshape(-1)]
    return tags.reshape(-1, 3), tagged
