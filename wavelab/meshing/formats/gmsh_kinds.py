"""Gmsh's types of elements, by their numbers."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.arrays import Indices

#: Elements of each order from 2 to 10, by Gmsh's numbers: lines; triangles and quadrangles with
#: nodes within them, and without.
_LINES = (8, 26, 27, 28, 62, 63, 64, 65, 66)
_TRIANGLES = (9, 21, 23, 25, 42, 43, 44, 45, 46)
_HOLLOW_TRIANGLES = (9, 20, 22, 24, 52, 53, 54, 55, 56)
_QUADRANGLES = (10, 36, 37, 38, 47, 48, 49, 50, 51)
_HOLLOW_QUADRANGLES = (16, 39, 40, 41, 57, 58, 59, 60, 61)
#: Polynomial order by element type.
ORDERS = {
    15: 0, 1: 1, 2: 1, 3: 1,
    **{
        kind: order
        for kinds in (
            _LINES, _TRIANGLES, _HOLLOW_TRIANGLES, _QUADRANGLES, _HOLLOW_QUADRANGLES,
        )
        for order, kind in enumerate(kinds, start=2)
    },
}  # fmt: skip
#: Number of corners by element type, for points, lines, triangles and quadrangles.
CORNERS = {
    15: 1,
    **dict.fromkeys((1, *_LINES), 2),
    **dict.fromkeys((2, *_TRIANGLES, *_HOLLOW_TRIANGLES), 3),
    **dict.fromkeys((3, *_QUADRANGLES, *_HOLLOW_QUADRANGLES), 4),
}
#: Number of nodes by element type; the first ones are the corners.
NODES = {
    15: 1, 1: 2, 2: 3, 3: 4,
    **{kind: ORDERS[kind] + 1 for kind in _LINES},
    **{kind: 3 * ORDERS[kind] for kind in _HOLLOW_TRIANGLES},
    **{kind: (ORDERS[kind] + 1) * (ORDERS[kind] + 2) // 2 for kind in _TRIANGLES},
    **{kind: 4 * ORDERS[kind] for kind in _HOLLOW_QUADRANGLES},
    **{kind: (ORDERS[kind] + 1) ** 2 for kind in _QUADRANGLES},
    # Volumes, which are refused.
    **{4: 4, 5: 8, 6: 6, 7: 5, 11: 10, 12: 27, 13: 18, 14: 14, 17: 20, 18: 15, 19: 13},
    **{29: 20, 30: 35, 31: 56},
}  # fmt: skip


@dataclass(frozen=True)
class Block:
    """Elements of one type: tags (n,), node tags (n, m) and physical group (n,) of each."""

    kind: int
    tags: Indices
    nodes: Indices
    groups: Indices
