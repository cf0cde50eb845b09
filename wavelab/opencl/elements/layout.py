"""Arrays of structures of arrays (AoSoA): V elements side by side, so that a lane of a device is an
element.

Entry n of element k lies at ``(k div V) * n_entries * V + n * V + (k mod V)``.  Only the last block
is padded.  All conversions between this and host arrays of (n_elements, n_entries) are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.mesh.connectivity import Connectivity


class Load(NamedTuple):
    """What the equations ask of a stage: its fields, what is differentiated, the products with
    matrices of derivatives, and whether there is one for matrix units."""

    n_fields: int = 3
    n_operands: int = 3
    n_products: int = 4
    tensor: bool = True


MAXWELL = Load()


@dataclass(frozen=True)
class KernelConfig:
    """How the stage kernel is laid over a device; a work group computes one block.

    Attributes
    ----------
    lanes : V, elements side by side, which make a block.
    width : lanes that one work item takes, as components of a vector; a divisor of ``lanes``.
    rows : work items that share the nodes of an element.
    tile : nodes one work item computes at a time; with "even_odd_cpu" pairs of nodes, at most.
    matrices : how matrix entries reach the multiply-add instructions: "buffer", read from global
        memory, a tile of rows at a time; "even_odd_cpu", the same with matrices halved by the
        symmetry of the triangle, for one work item per block; or, with width 1, written into the
        code, halved too: "literal", all of an element by a work item alone; "even_odd_gpu", half a
        product at a time by each of 2, 4 or 8 rows; "tensor", as fragments for the matrix units
        of a device, in double precision, with four rows and a multiple of 8 lanes; or "by_node",
        from global memory, four columns at a time, with width 1 and as many rows as make, times
        ``tile``, the nodes of an element.

    Raises
    ------
    ValueError : a width or number of rows that the matrices are not made for.
    """

    lanes: int
    width: int
    rows: int
    tile: int = 1
    matrices: str = "buffer"

    def __post_init__(self) -> None:
        if self.matrices == "literal" and (self.width, self.rows) != (1, 1):
            raise ValueError("matrices are literals for a work item that does an element alone")
        if self.even_odd_gpu and (self.width != 1 or self.rows not in (2, 4, 8)):
            raise ValueError("products are dealt out to work items for width 1 and 2, 4 or 8 rows")
        if self.tensor and (self.width != 1 or self.rows != 4 or self.lanes % 8):
            raise ValueError("matrix units are for width 1, 4 rows and a multiple of 8 lanes")
        if self.by_node and self.width != 1:
            raise ValueError("work items do nodes of one element with width 1")
        if self.even_odd_cpu and not self.alone:
            raise ValueError("tiles of halved matrices are for a work item that does a block alone")

    @property
    def alone(self) -> bool:
        """Whether one work item makes a whole group and needs no barrier."""
        return self.lanes == self.width and self.rows == 1

    @property
    def compact(self) -> bool:
        """Whether an element's traces lie together, and its constants are a row of a table."""
        return self.matrices in ("literal", "even_odd_gpu", "tensor")

    @property
    def even_odd_gpu(self) -> bool:
        """Whether a work item does half a product at a time."""
        return self.matrices == "even_odd_gpu"

    @property
    def tensor(self) -> bool:
        """Whether the matrix units of the device multiply."""
        return self.matrices == "tensor"

    @property
    def even_odd_cpu(self) -> bool:
        """Whether halves of the matrices are read from memory."""
        return self.matrices == "even_odd_cpu"

    @property
    def by_node(self) -> bool:
        """Whether a work item does some nodes, all at a time."""
        return self.matrices == "by_node"

    @property
    def local_size(self) -> tuple[int]:
        """Work items of a group."""
        return (self.lanes // self.width * self.rows,)

    def n_blocks(self, n_elements: int) -> int:
        """Blocks that hold this many elements."""
        return -(-n_elements // self.lanes)

    def global_size(self, n_elements: int) -> tuple[int]:
        """Work items for this many elements."""
        return (self.n_blocks(n_elements) * self.local_size[0],)


def interleave(values: NDArray, lanes: int, padding: float = 0) -> NDArray:
    """(n_elements, n_entries) to (n_blocks, n_entries, lanes), the last block filled up."""
    n_elements, n_entries = values.shape
    blocks = np.empty((-(-n_elements // lanes), n_entries, lanes), dtype=values.dtype)
    fill_blocks(blocks, values, padding)
    return blocks


def fill_blocks(blocks: NDArray, values: NDArray, padding: float = 0) -> None:
    """:func:`interleave` into an array that is there, in its type of number: large meshes have no
    memory for copies on the way."""
    n_elements, n_entries = values.shape
    lanes = blocks.shape[2]
    whole, rest = divmod(n_elements, lanes)
    full = values[: whole * lanes].reshape(whole, lanes, n_entries)
    blocks[:whole] = full.transpose(0, 2, 1)
    blocks[whole:, :, :rest] = values[whole * lanes :].T
    blocks[whole:, :, rest:] = padding


def deinterleave(blocks: NDArray, n_elements: int) -> NDArray:
    """Inverse of :func:`interleave`."""
    n_blocks, n_entries, lanes = blocks.shape
    values = blocks.transpose(0, 2, 1).reshape(n_blocks * lanes, n_entries)
    return np.ascontiguousarray(values[:n_elements])


class ListedBlocks:
    """The blocks that hold some elements, and values at the nodes of these alone, which lie as
    [listed block][entry][node][lane].

    Attributes
    ----------
    blocks : (n_blocks,) numbers of the blocks, ascending.
    """

    def __init__(self, elements: Indices, lanes: int) -> None:
        self._lane, self._lanes = elements % lanes, lanes
        self.blocks, self._row = np.unique(elements // lanes, return_inverse=True)

    def packed(self, values: NDArray) -> NDArray:
        """From (n_entries, n_elements, n_nodes); other lanes get 0."""
        n_entries, _, n_nodes = values.shape
        blocks = np.zeros((len(self.blocks), n_entries, n_nodes, self._lanes))
        blocks[self._row, :, :, self._lane] = values.transpose(1, 0, 2)
        return blocks

    def places(self, n_entries: int, n_nodes: int) -> Indices:
        """(n_elements,) where the first number of each is among those that are packed."""
        return np.asarray(self._row * (n_entries * n_nodes * self._lanes) + self._lane)

    def unpacked(self, blocks: NDArray) -> Array:
        """Inverse of :meth:`packed`."""
        rows = blocks[self._row, :, :, self._lane]
        return np.ascontiguousarray(rows.transpose(1, 0, 2), dtype=np.float64)

    def listed_lanes(self) -> NDArray:
        """(n_blocks, lanes): 1 for the elements, 0 for others."""
        listed = np.zeros((len(self.blocks), self._lanes))
        listed[self._row, self._lane] = 1
        return listed


def outside_slots(
    connectivity: Connectivity,
    nodes_per_face: int,
    n_traces: int,
    lanes: int,
    trace_lanes: int | None = None,
) -> NDArray[np.int32]:
    """(n_blocks, 3, lanes): index of the neighbour's last face node in the trace buffer.

    The trace buffer is [block][face node][trace][lane], with ``trace_lanes`` lanes in a block: as
    many as the fields, or 1 so that an element's traces lie together.  Own node j of a face meets
    the neighbour's node N_fp - 1 - j, which lies j * n_traces * trace_lanes before this index.  A
    wall has the index of its own face, and so have the padding lanes.
    """
    trace_lanes = trace_lanes or lanes
    n_elements = len(connectivity.neighbor_element)
    n_padded = -(-n_elements // lanes) * lanes
    element = np.repeat(np.arange(n_padded, dtype=np.int32)[:, None], 3, axis=1)
    face = np.tile(np.arange(3, dtype=np.int32), (n_padded, 1))
    element[:n_elements] = connectivity.neighbor_element
    face[:n_elements] = connectivity.neighbor_face
    block, lane = np.divmod(element, trace_lanes)
    last = (block * 3 + face) * nodes_per_face + nodes_per_face - 1
    return interleave(last * (n_traces * trace_lanes) + lane, lanes)


def trace_places(
    elements: Indices, faces: Indices, nodes_per_face: int, n_traces: int, trace_lanes: int
) -> Indices:
    """(n, nodes_per_face, n_traces): where faces of elements publish, in the trace buffer of
    :func:`outside_slots`."""
    block, lane = np.divmod(elements, trace_lanes)
    slots = (block * 3 + faces)[:, None] * nodes_per_face + np.arange(nodes_per_face)
    numbers = slots[:, :, None] * n_traces + np.arange(n_traces)
    return numbers * trace_lanes + lane[:, None, None]


def fragments(beside: list[NDArray], after: list[NDArray]) -> Array:
    """(n_tiles, n_entries): for each tile of 8 rows what kernels/stage/stage_tensor.cl.mako reads,
    in fragments of 8 rows by 4 columns: matrices with their entries side by side, then others."""
    parts = [np.stack([_by_fragment(matrix) for matrix in beside], axis=-1)]
    parts += [_by_fragment(matrix) for matrix in after]
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)


def _by_fragment(matrix: NDArray) -> Array:
    """(n_tiles, n_fragments, 8, 4), filled up with zeros."""
    n_tiles, n_fragments = -(-matrix.shape[0] // 8), -(-matrix.shape[1] // 4)
    padded = np.zeros((8 * n_tiles, 4 * n_fragments))
    padded[: matrix.shape[0], : matrix.shape[1]] = matrix
    return padded.reshape(n_tiles, 8, n_fragments, 4).swapaxes(1, 2)


def face_slots(face_nodes: NDArray[np.int32], nodes_per_element: int) -> NDArray[np.int32]:
    """(nodes_per_element, 2): where a node is among the 3 N_fp face nodes; -1 fills up.

    A vertex is on two faces, other nodes on one or none.
    """
    slots = np.full((nodes_per_element, 2), -1, dtype=np.int32)
    for slot, node in enumerate(face_nodes.ravel()):
        slots[node, 0 if slots[node, 0] < 0 else 1] = slot
    return slots


def columns_in_quads(matrices: list[NDArray]) -> NDArray:
    """(n_quads, n_rows, len(matrices), 4): four columns side by side, for work items that have rows
    of their own.  Columns of zeros fill up the last."""
    return pack_rows([matrix.T for matrix in matrices], 4)


def pack_rows(matrices: list[NDArray], tile: int) -> NDArray:
    """(n_tiles, n_columns, len(matrices), tile): the rows of a tile side by side.

    A work item that computes ``tile`` rows walks through this in order.  Rows of zeros fill up
    the last tile.
    """
    n_rows, n_columns = matrices[0].shape
    n_tiles = -(-n_rows // tile)
    padded = np.zeros((len(matrices), n_tiles * tile, n_columns))
    padded[:, :n_rows] = matrices
    return np.ascontiguousarray(
        padded.reshape(len(matrices), n_tiles, tile, n_columns).transpose(1, 3, 0, 2)
    )


def matrices_of(
    element: ReferenceElement, config: KernelConfig, entries: NDArray | None
) -> list[NDArray]:
    """Derivatives and lift, as the stage kernel of a config takes them.

    Parameters
    ----------
    entries : of even and odd tiles; None for other kernels.
    """
    derivatives, faces = [element.diff_r, element.diff_s], np.split(element.lift, 3, axis=1)
    if entries is not None:
        return [entries]
    if config.tensor:
        return [fragments(derivatives, faces)]
    if config.by_node:
        of_faces = np.concatenate([columns_in_quads([face]) for face in faces])
        return [columns_in_quads(derivatives), of_faces]
    if config.compact:
        return []
    return [pack_rows(m, config.tile) for m in (derivatives, [element.lift])]
