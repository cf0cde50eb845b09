"""Cut segments where they meet, and make what nearly meets meet exactly."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array

#: Merging can bring two edges together that were apart before; this many rounds settle it.
_ROUNDS = 6


def arrange(segments: Array, tolerance: float) -> tuple[Array, NDArray[np.int32], Array]:
    """The arrangement of straight segments, without features smaller than ``tolerance``.

    Vertices closer than the tolerance become one (the one that comes first), a vertex closer than
    the tolerance to a segment cuts it, and segments are cut where they cross.

    Parameters
    ----------
    segments : (m, 2, 2) end points.
    tolerance : distance, in the same unit.

    Returns
    -------
    points : (n, 2) float64, edges : (k, 2) int32 point numbers, each edge once; and
    merged : (j, 2) given end points that gave way to a neighbour at some distance.
    """
    given: Array | None = None
    for _ in range(_ROUNDS):
        points, edges = _numbered(segments)
        keeper = _cluster(points, tolerance)
        if given is None:
            given = points[keeper != np.arange(len(points))]
        edges = _unique_edges(keeper[edges])
        cut = _cut_at_vertices(points, edges, tolerance)
        noded = shapely.unary_union(shapely.multilinestrings(points[cut]))
        segments = _atoms(noded)
        if len(segments) == len(edges):
            # Neither a vertex on an edge nor a crossing: nothing is left to be done.
            break
    points, edges = _numbered(segments)
    return points, _unique_edges(edges), given if given is not None else np.zeros((0, 2))


def _numbered(segments: Array) -> tuple[Array, NDArray[np.int32]]:
    """Distinct end points in order of first appearance, and the segments as point numbers."""
    flat = segments.reshape(-1, 2)
    _, first, inverse = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return flat[first[order]], rank[inverse.reshape(-1)].reshape(-1, 2)


def _cluster(points: Array, tolerance: float) -> NDArray[np.intp]:
    """For each point the number of the first point within the tolerance (often itself)."""
    keeper = np.arange(len(points))
    geometry = shapely.points(points)
    one, other = shapely.STRtree(geometry).query(geometry, predicate="dwithin", distance=tolerance)
    close = one < other
    for i, j in sorted(zip(one[close].tolist(), other[close].tolist(), strict=True)):
        if keeper[i] == i and keeper[j] == j:
            keeper[j] = i
    return keeper


def _cut_at_vertices(
    points: Array, edges: NDArray[np.int32], tolerance: float
) -> NDArray[np.int32]:
    """Edges cut at the vertices that lie on them, within the tolerance."""
    used = np.unique(edges)
    tree = shapely.STRtree(shapely.points(points[used]))
    lines, hits = tree.query(
        shapely.linestrings(points[edges]), predicate="dwithin", distance=tolerance
    )
    hits = used[hits]
    inner = (hits != edges[lines, 0]) & (hits != edges[lines, 1])
    lines, hits = lines[inner], hits[inner]
    if len(lines) == 0:
        return edges
    start, end = points[edges[lines, 0]], points[edges[lines, 1]]
    along = ((points[hits] - start) * (end - start)).sum(axis=1)
    chains: dict[int, list[tuple[float, int]]] = {}
    for line, position, hit in zip(lines.tolist(), along.tolist(), hits.tolist(), strict=True):
        chains.setdefault(line, []).append((position, hit))
    pieces = [edges[[line not in chains for line in range(len(edges))]]]
    for line, chain in chains.items():
        path = [edges[line, 0], *(hit for _, hit in sorted(chain)), edges[line, 1]]
        pieces.append(np.column_stack([path[:-1], path[1:]]).astype(np.int32))
    return _unique_edges(np.concatenate(pieces))


def _unique_edges(edges: NDArray) -> NDArray[np.int32]:
    """Each edge once, whatever its direction; edges of no length dropped."""
    ordered = np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1)
    return np.unique(ordered, axis=0).astype(np.int32).reshape(-1, 2)


def _atoms(lines: shapely.Geometry) -> Array:
    """(m, 2, 2) straight pieces of a noded set of lines."""
    coordinates, owner = shapely.get_coordinates(shapely.get_parts(lines), return_index=True)
    joined = owner[1:] == owner[:-1]
    return np.stack([coordinates[:-1][joined], coordinates[1:][joined]], axis=1)
