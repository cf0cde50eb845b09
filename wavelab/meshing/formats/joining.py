"""Which points of a mesh file are one vertex.

Points at the same place are one, since programs write parts of a mesh with points of their own.
They are not where a named line runs between two triangles that have their own points on it: that is
a boundary without thickness, such as Gmsh's plugin Crack makes, and both of its sides are walls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Indices, Mask
from wavelab.numerics.mesh.mesh import FACE_VERTICES, edge_keys, square_lengths

#: Points closer than this, relative to the shortest edge, are at one place.
MERGE = 1e-6


@dataclass(frozen=True)
class Joined:
    """
    Attributes
    ----------
    vertex : (n,) for each point the first one that is the same vertex.
    sheets : (m, 2) pairs of faces, 3 element + face, that lie on the two sides of a named line.
    """

    vertex: Indices
    sheets: Indices


def join(points: NDArray, triangles: NDArray, lines: NDArray, place: Indices) -> Joined:
    """
    Parameters
    ----------
    triangles : (k, 3), lines : (m, 2) point numbers; each triangle once, in any direction.
    place : (n,) of :func:`places`.
    """
    none = Joined(place, np.zeros((0, 2), np.int64))
    moved = np.flatnonzero(place != np.arange(len(place)))
    if not len(moved) or not len(lines):
        return none
    doubled = np.zeros(len(points), dtype=bool)
    doubled[moved] = doubled[place[moved]] = True
    faces = triangles[:, FACE_VERTICES].reshape(-1, 2)
    near = np.flatnonzero(doubled[faces].any(axis=1))
    one, other = _pairs(faces, near, place)
    a, b = faces[one], faces[other]
    # Between triangles on its two sides, whose ways around it are opposite if they are alike.
    crossed = place[a[:, 0]] == place[b[:, 0]]
    b[crossed] = b[crossed][:, ::-1]
    turned = _is_clockwise(points, triangles[one // 3]) ^ _is_clockwise(
        points, triangles[other // 3]
    )
    parts = (a != b[:, ::-1]).any(axis=1) & (crossed == turned)
    named = edge_keys(lines, len(points))
    parts &= np.isin(edge_keys(a, len(points)), named) | np.isin(edge_keys(b, len(points)), named)
    if not parts.any():
        return none
    vertex = place.copy()
    ends = np.zeros(len(points), dtype=bool)
    ends[place[a[parts]]] = True
    freed = np.flatnonzero(ends[place])
    vertex[freed] = freed
    _unite(vertex, a[~parts], b[~parts][:, ::-1], ends[place])
    return Joined(vertex, np.column_stack([one[parts], other[parts]]))


def _pairs(faces: Indices, near: Indices, place: Indices) -> tuple[Indices, Indices]:
    """Numbers of faces that are just two between the same places."""
    keys = edge_keys(place[faces[near]], len(place))
    order = np.argsort(keys, kind="stable")
    keys, near = keys[order], near[order]
    same = np.concatenate([[False], keys[1:] == keys[:-1], [False]])
    # The second of two, and no third before or behind.
    second = np.flatnonzero(same[1:-1] & ~same[:-2] & ~same[2:]) + 1
    return near[second - 1], near[second]


def _is_clockwise(points: NDArray, triangles: NDArray) -> Mask:
    a, b, c = (points[corner] for corner in triangles.T)
    u, v = b - a, c - a
    return np.asarray(u[:, 0] * v[:, 1] < u[:, 1] * v[:, 0])


def _unite(vertex: Indices, a: Indices, b: Indices, freed: Mask) -> None:
    """Make one of freed points that faces between triangles share; of several the first one."""

    def first(point: int) -> int:
        while vertex[point] != point:
            point = int(vertex[point])
        return point

    p, q = a.ravel(), b.ravel()
    wanted = freed[p] & (p != q)
    for i, j in zip(p[wanted].tolist(), q[wanted].tolist(), strict=True):
        low, high = sorted((first(i), first(j)))
        vertex[high] = low
    for point in np.flatnonzero(freed).tolist():
        vertex[point] = first(point)


def places(points: NDArray, triangles: NDArray) -> Indices:
    """(n,) for each point the first point of a triangle at the same place."""
    keeper = np.arange(len(points))
    squares = square_lengths(points, triangles)
    shortest = float(np.sqrt(squares.min(initial=np.inf, where=squares > 0)))
    if not np.isfinite(shortest):
        return keeper
    used = _crowded(points, triangles, MERGE * shortest)
    tree = shapely.STRtree(shapely.points(points[used]))
    one, other = tree.query(tree.geometries, predicate="dwithin", distance=MERGE * shortest)
    close = one < other
    for i, j in zip(used[one[close]].tolist(), used[other[close]].tolist(), strict=True):
        keeper[max(i, j)] = min(keeper[min(i, j)], keeper[max(i, j)])
    return keeper


def _crowded(points: NDArray, triangles: NDArray, distance: float) -> Indices:
    """Points of triangles that may be within a distance of another, and perhaps a few more.

    Two such points lie in one cell of at least one of four grids of cells that are four times as
    wide, shifted against each other by half a cell.
    """
    used = np.zeros(len(points), dtype=bool)
    used[triangles] = True
    numbers = np.flatnonzero(used)
    # Of cells that are too many to be told apart, all count.
    cells = (points[numbers] - points[numbers].min(axis=0)) / (4 * distance)
    if not cells.max(initial=0) < 2**52:
        return numbers
    close = np.zeros(len(numbers), dtype=bool)
    for shift in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)):
        close |= is_repeated(np.floor(cells + shift).astype(np.int64))
    return numbers[close]


def is_repeated(rows: Indices) -> Mask:
    """(n,) rows that are there more than once, and perhaps a few more: by hashes of 64 bits."""
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        hashes = (hashes ^ column.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(32)
    ascending = np.sort(hashes)
    twice = ascending[1:][ascending[1:] == ascending[:-1]]
    if not len(twice):
        return np.zeros(len(rows), dtype=bool)
    return np.asarray(np.isin(hashes, twice), dtype=bool)
