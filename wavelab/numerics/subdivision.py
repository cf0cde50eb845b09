"""The small triangles between the nodes of an element, for drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def subtriangles(order: int) -> NDArray[np.int32]:
    """Cut the element into N^2 triangles at its nodes.

    Returns
    -------
    (N^2, 3) int32 local node numbers, counterclockwise.  The nodes are numbered in rows of
    ascending s, as :func:`wavelab.numerics.nodes.warp_and_blend` does.
    """
    triangles = []
    start = 0
    for row in range(order):
        length = order + 1 - row
        above = start + length
        for i in range(length - 1):
            triangles.append((start + i, start + i + 1, above + i))
            if i < length - 2:
                triangles.append((start + i + 1, above + i + 1, above + i))
        start = above
    return np.array(triangles, dtype=np.int32)
