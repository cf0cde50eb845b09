"""The matrices of an element as the stage kernel for processors reads them.

By the symmetries of the reference triangle (:mod:`wavelab.opencl.elements.symmetry`) D_s is D_r for
nodes in another order, and the faces are one face turned round, so that half of D_r and half of the
lift of face 0 say everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.opencl.elements.symmetry import derivative, face_lift, swapped_nodes, turned_nodes


@dataclass(frozen=True)
class Tiling:
    """Rows of a matrix dealt out to tiles of one size.

    Attributes
    ----------
    size : rows of a tile, as even as tiles of at most so many can be.
    count : tiles.
    """

    size: int
    count: int

    @staticmethod
    def of(n_rows: int, largest: int) -> Tiling:
        """As few tiles as there can be."""
        count = -(-n_rows // largest)
        return Tiling(-(-n_rows // count), count)

    @property
    def n_rows(self) -> int:
        """Rows with those that fill up the last tile."""
        return self.size * self.count

    def fill(self, rows: NDArray, filling: float) -> NDArray:
        """(count, size, ...) of (rows, ...)."""
        full = np.full((self.n_rows, *rows.shape[1:]), filling, dtype=rows.dtype)
        full[: len(rows)] = rows
        return full.reshape(self.count, self.size, *rows.shape[1:])


@dataclass(frozen=True, eq=False)
class EvenOddTiles:
    """Half-size matrices in the order in which the kernel reads them, and what they belong to.

    Attributes
    ----------
    n_pairs : nodes that are mirror images of each other for D_r.
    n_singles : nodes that are their own image.
    pairs, singles : how rows for them are dealt out to tiles.
    orbits : (pairs.n_rows + singles.n_rows, 8), for each row a node and its image, where D_r has
        them, where D_s has them, and where the lifts of faces 1 and 2 have them (that of face 0
        is as D_r).  Rows that fill up belong to node N_p, which does not exist.
    entries : tile by tile, column by column, the rows of a tile side by side: for pairs of nodes
        D_r from even parts, from odd parts, lift from even parts, from odd parts; for single nodes
        D_r from odd parts and lift from even parts, as the others are 0.
    """

    n_pairs: int
    n_singles: int
    pairs: Tiling
    singles: Tiling
    orbits: Indices
    entries: Array

    @staticmethod
    def of(element: ReferenceElement, largest: int) -> EvenOddTiles:
        """Tiles of at most ``largest`` rows."""
        diff, lift = derivative(element, "r"), face_lift(element, 0)
        rows = np.array(diff.rows)
        n_pairs = int((rows[:, 0] != rows[:, 1]).sum())
        n_singles = len(rows) - n_pairs
        # On a face with an odd number of nodes the one in the middle has no odd part.
        odd_columns = element.nodes_per_face // 2
        pairs, singles = Tiling.of(n_pairs, largest), Tiling.of(n_singles, largest)

        def stream(tiling: Tiling, which: slice, matrices: list[Array]) -> Array:
            tiles = [tiling.fill(m[which], 0).transpose(0, 2, 1) for m in matrices]
            return np.concatenate([t.reshape(tiling.count, -1) for t in tiles], axis=1).ravel()

        from_odd, lift_odd = diff.from_odd[:, :n_pairs], lift.from_odd[:, :odd_columns]
        of_pairs = [diff.from_even, from_odd, lift.from_even, lift_odd]
        entries = [
            stream(pairs, slice(n_pairs), of_pairs),
            stream(singles, slice(n_pairs, None), [from_odd, lift.from_even]),
        ]
        moved = [
            np.arange(element.nodes_per_element),
            swapped_nodes(element),
            *(turned_nodes(element, face) for face in (1, 2)),
        ]
        orbits = np.hstack([to[rows] for to in moved])
        return EvenOddTiles(
            n_pairs, n_singles, pairs, singles,
            np.concatenate([
                tiling.fill(part, element.nodes_per_element).reshape(-1, 8)
                for tiling, part in ((pairs, orbits[:n_pairs]), (singles, orbits[n_pairs:]))
            ]),
            np.concatenate(entries),
        )  # fmt: skip
