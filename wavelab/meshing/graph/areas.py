"""Which edges of an arrangement separate anything, and the areas between them."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

#: Label of a face that is no part of the domain.
VOID = -1


def separated(
    points: NDArray, edges: NDArray[np.int32], faces: NDArray, labels: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.intp]]:
    """The edges with different labels on their two sides, and the areas they separate.

    Returns
    -------
    kept : (m, 2) those edges; sides : (m, 2) the faces beside them, ``len(faces)`` the outside;
    and roots : (len(faces) + 1,) the first of the faces that make up one area, for each face.
    """
    number = {point: i for i, point in enumerate(map(tuple, points.tolist()))}
    outside = len(faces)
    sides: dict[tuple[int, int], list[int]] = {(a, b): [] for a, b in edges.tolist()}
    for index, face in enumerate(faces):
        for ring in (face.exterior, *face.interiors):
            chain = [number[point] for point in ring.coords]
            for a, b in itertools.pairwise(chain):
                sides[min(a, b), max(a, b)].append(index)
    label_of = [*labels.tolist(), VOID]
    joined: list[tuple[int, int]] = []
    kept, beside = [], []
    for edge, found in sides.items():
        one, other = (*found, outside, outside)[:2]
        if label_of[one] == label_of[other]:
            joined.append((one, other))
        else:
            kept.append(edge)
            beside.append((one, other))
    return (
        np.array(kept, dtype=np.int32).reshape(-1, 2),
        np.array(beside, dtype=np.int32).reshape(-1, 2),
        _components(outside + 1, joined),
    )


def _components(count: int, joined: list[tuple[int, int]]) -> NDArray[np.intp]:
    """For each of ``count`` items the lowest item that it is joined to, directly or not."""
    parent = list(range(count))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for one, other in joined:
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    return np.array([root(item) for item in range(count)])
