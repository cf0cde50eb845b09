"""Sides of Gmsh's elements of higher order, which follow polynomials."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError
from wavelab.meshing.formats.curving import CurvedSides
from wavelab.meshing.formats.gmsh_kinds import CORNERS, ORDERS, Block
from wavelab.meshing.formats.records import Rows


def curved_sides(
    blocks: Sequence[Block], corners: Rows, table: Rows, places: Array, where: str
) -> tuple[CurvedSides, ...]:
    """The sides of all triangles and quadrangles of higher order, for each order there is.

    Beside the corners an element of order k has k - 1 nodes on each side, at equal steps of the
    parameter, side by side; those within it say nothing of where it ends.

    Parameters
    ----------
    corners : finds nodes by their tags among the points of the mesh.
    table : finds them among all, at ``places`` (n, 3).

    Raises
    ------
    MeshError : a node on a side is not in the file.
    """
    found: dict[int, list[tuple[Indices, Array]]] = defaultdict(list)
    for block in blocks:
        order, sides = ORDERS.get(block.kind, 1), CORNERS.get(block.kind, 0)
        if order == 1 or sides < 3 or not len(block.nodes):
            continue
        for side in range(sides):
            begin = sides + side * (order - 1)
            nodes = block.nodes[:, begin : begin + order - 1]
            rows, there = table.find(nodes)
            if not there.all():
                raise MeshError(
                    f"an element names node {int(nodes[~there][0])}, which is not in the file",
                    where=where,
                )
            ends, _ = corners.find(block.nodes[:, [side, (side + 1) % sides]])
            found[order].append((ends, places[rows]))
    return tuple(
        CurvedSides(*(np.concatenate(parts) for parts in zip(*of_order, strict=True)))
        for _, of_order in sorted(found.items())
    )
