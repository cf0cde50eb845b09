"""Which part of a mesh each of several devices computes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import WavelabError
from wavelab.numerics.mesh.ordering import hilbert_order

#: What all elements weigh together, at most, as METIS is told: half of what 32 bits hold.
_MOST_WEIGHT = 1 << 30


def has_metis() -> bool:
    """Whether :func:`partitioned` cuts along few faces, or along a curve only."""
    try:
        import pymetis  # noqa: F401
    except ImportError:
        return False
    return True


def partitioned(
    neighbor_element: NDArray[np.int32],
    weights: Indices,
    centers: Array,
    n_parts: int,
    ties: Indices | None = None,
) -> Indices:
    """(n_elements,) number of the part that each element is in; every part has some.

    Parts weigh about the same.  METIS cuts along few faces (Karypis & Kumar, *A fast and high
    quality multilevel scheme for partitioning irregular graphs*, 1998).  Where pymetis is not
    installed, pieces of a Hilbert curve do, whose borders are longer.

    Parameters
    ----------
    neighbor_element : (n_elements, 3) behind each face, the element itself at a wall.
    weights : (n_elements,) whole numbers > 0: what an element costs.
    centers : (n_elements, 2).
    ties : (n_elements,) whole numbers > 0: what it costs to cut the faces of an element, of both
        beside one the more; None where all cost the same.  A curve does not look at them.

    Raises
    ------
    WavelabError : there are fewer elements than parts.
    """
    n_elements = len(weights)
    if n_elements < n_parts:
        raise WavelabError(
            f"a mesh of {n_elements} elements has no {n_parts} parts",
            remedy="Use fewer ranks or devices, or smaller elements.",
        )
    if n_parts == 1:
        return np.zeros(n_elements, np.int64)
    if has_metis():
        parts = _by_metis(neighbor_element, weights, n_parts, ties)
        if len(np.unique(parts)) == n_parts:  # of a few elements it leaves some empty
            return parts
    return _along_curve(weights, centers, n_parts)


def _by_metis(
    neighbor_element: NDArray[np.int32], weights: Indices, n_parts: int, ties: Indices | None
) -> Indices:
    import pymetis

    n = len(weights)
    here = np.repeat(np.arange(n, dtype=np.int64), 3)
    there = neighbor_element.ravel().astype(np.int64)
    # Glued edges may lead to one neighbour through several faces; METIS wants it once.
    pairs = np.unique((here * n + there)[here != there])
    here, there = np.divmod(pairs, n)
    starts = np.searchsorted(here, np.arange(n + 1))
    graph = pymetis.CSRAdjacency(starts.astype(np.int32), there.astype(np.int32))
    cuts = None if ties is None else _in_few_bits(np.maximum(ties[here], ties[there]))
    _, parts = pymetis.part_graph(n_parts, graph, vweights=_in_few_bits(weights), eweights=cuts)
    return np.asarray(parts, np.int64)


def _in_few_bits(weights: Indices) -> NDArray[np.int32]:
    """Weights in which METIS, which adds them up in as many bits as they have, can do so."""
    coarser = -(-int(weights.sum()) // _MOST_WEIGHT)
    return np.maximum(1, weights // coarser).astype(np.int32)


def _along_curve(weights: Indices, centers: Array, n_parts: int) -> Indices:
    order = hilbert_order(centers)
    before = np.cumsum(weights[order]) - weights[order] / 2
    part = np.floor(before * (n_parts / weights.sum())).astype(np.int64)
    if len(np.unique(part)) < n_parts:  # single elements that weigh as much as a part
        part = np.arange(len(order)) * n_parts // len(order)
    parts = np.empty(len(order), np.int64)
    parts[order] = part
    return parts
