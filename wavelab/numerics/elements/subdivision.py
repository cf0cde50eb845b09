"""The small triangles between the nodes of an element, for drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def subtriangles(order: int, cuts: int | None = None) -> NDArray[np.int32]:
    """Cut the element into triangles at its nodes.

    Parameters
    ----------
    cuts : parts of each face, a divisor of the order, so that faces that two elements share are cut
        alike; None cuts at every node.

    Returns
    -------
    (cuts^2, 3) int32 local node numbers, counterclockwise.  The nodes are numbered in rows of
    ascending s, as :func:`wavelab.numerics.elements.nodes.warp_and_blend` does.

    Raises
    ------
    ValueError : the number is no divisor.
    """
    cuts = order if cuts is None else cuts
    stride, rest = divmod(order, cuts)
    if rest:
        raise ValueError(f"{order} nodes along a face cannot be cut into {cuts} equal parts")

    def node(i: int, row: int) -> int:
        i, row = stride * i, stride * row
        return row * (order + 1) - row * (row - 1) // 2 + i

    triangles = []
    for row in range(cuts):
        for i in range(cuts - row):
            triangles.append((node(i, row), node(i + 1, row), node(i, row + 1)))
            if i < cuts - row - 1:
                triangles.append((node(i + 1, row), node(i + 1, row + 1), node(i, row + 1)))
    return np.array(triangles, dtype=np.int32)


def divisors(order: int) -> list[int]:
    """All numbers of cuts that there are, ascending."""
    return [cuts for cuts in range(1, order + 1) if order % cuts == 0]
