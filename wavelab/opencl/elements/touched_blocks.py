"""Which blocks of the layout some elements lie in, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.opencl.elements.layout import interleave


@dataclass(frozen=True, eq=False)
class TouchedBlocks:
    """The blocks of the layout in which elements lie.

    Attributes
    ----------
    numbers : (n_blocks,) of the blocks.
    slots : (n,) where each element lies among their lanes.
    mask : (n_blocks, lanes), -1 where an element lies, 0 elsewhere.
    rows : (n_blocks * lanes,) the element in each lane; where there is none another of its block.
    """

    numbers: Indices
    slots: Indices
    mask: Indices
    rows: Indices

    @classmethod
    def around(cls, elements: Indices, lanes: int) -> TouchedBlocks:
        block, lane = np.divmod(elements, lanes)
        numbers, first, of = np.unique(block, return_index=True, return_inverse=True)
        slots = of * lanes + lane
        mask = np.zeros((len(numbers), lanes), np.int64)
        mask.reshape(-1)[slots] = -1
        rows = np.repeat(first, lanes)
        rows[slots] = np.arange(len(elements))
        return cls(numbers, slots, mask, rows)

    def packed(self, values: Array) -> Array:
        """(n, n_entries) of the elements to (n_blocks, n_entries, lanes)."""
        return interleave(values[self.rows], self.mask.shape[1])
