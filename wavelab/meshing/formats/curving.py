"""Sides of elements that a mesh file gives more points of than their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError
from wavelab.meshing.graph.polygons import at_point
from wavelab.numerics.mesh.curves import FacePolynomials
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys

#: A side whose points are no farther from its chord, in parts of that, is straight.
_STRAIGHT = 1e-9
#: By so much, in parts of the chord, the points of one side may differ from element to element.
_ALIKE = 1e-6


@dataclass(frozen=True)
class CurvedSides:
    """Sides of elements of one order k.

    Attributes
    ----------
    ends : (c, 2) point numbers; a side may be there twice, from either element.
    between : (c, k - 1, 2) or (c, k - 1, 3) places at equal steps of the parameter.
    """

    ends: Indices
    between: Array


def with_curves(mesh: Mesh, sides: Sequence[CurvedSides], vertex: Indices, where: str) -> Mesh:
    """The mesh with those faces curved whose points do not lie on a line.

    Parameters
    ----------
    vertex : (n,) the vertex of the mesh that each point of the file has become, -1 for none.

    Raises
    ------
    MeshError : two elements have the same side, and do not agree on its course.
    """
    curves: list[FacePolynomials] = []
    flat = mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)
    faces = edge_keys(flat, mesh.n_vertices)
    numbers = np.full(len(faces), -1, np.int32)
    for side in sides:
        ends = vertex[side.ends].astype(np.int64)
        there = (ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])
        ends, between = ends[there], side.between[there, :, :2]
        backward = ends[:, 0] > ends[:, 1]
        ends[backward], between[backward] = ends[backward, ::-1], between[backward, ::-1]
        start, end = mesh.vertices[ends[:, 0]], mesh.vertices[ends[:, 1]]
        chord, away = end - start, between - start[:, None]
        square = (chord**2).sum(axis=1)
        across = chord[:, None, 0] * away[..., 1] - chord[:, None, 1] * away[..., 0]
        bent = (np.abs(across) > _STRAIGHT * square[:, None]).any(axis=1)
        keys = edge_keys(ends, mesh.n_vertices)
        found, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        differ = np.abs(between - between[first][inverse]).max(axis=(1, 2)) > _ALIKE * square**0.5
        if differ.any():
            i = int(np.argmax(differ))
            raise MeshError(
                f"two elements give the side between them{at_point(start[i] + chord[i] / 2)} "
                "different curves",
                where=where,
                remedy="Mesh it again, with smaller elements there.",
            )
        rows = first[bent[first] & np.isin(found, faces)]
        if len(rows):
            numbers[np.isin(faces, keys[rows])] = len(curves)
            whole = [start[rows, None], between[rows], end[rows, None]]
            curves.append(FacePolynomials(np.concatenate(whole, axis=1)))
    if not curves:
        return mesh
    return replace(mesh, curves=tuple(curves), face_curves=numbers.reshape(-1, 3))
