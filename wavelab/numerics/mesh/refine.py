"""Meshes of half the element size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh


def refine(mesh: Mesh) -> Mesh:
    """Every triangle cut into four similar ones at the middles of its edges.

    Angles are kept, so the mesh is as unstructured and as good as before; only the middle of an arc
    lies on its curve.  Regions, edge names and curves are handed down.  The children of element k
    are 4k to 4k + 3: three at its vertices, then the one in the middle.
    """
    ends = np.sort(mesh.triangles[:, FACE_VERTICES], axis=2).reshape(-1, 2)
    edges, edge_of = np.unique(ends, axis=0, return_inverse=True)
    middles = mesh.vertices[edges].mean(axis=1)
    if mesh.face_curves is not None:
        curve_of = mesh.face_curves.reshape(-1)
        for number, curve in enumerate(mesh.curves):
            bent = np.unique(edge_of.reshape(-1)[curve_of == number])
            start, end = mesh.vertices[edges[bent, 0]], mesh.vertices[edges[bent, 1]]
            middles[bent] = curve.arcs(start, end, np.array([0.5]))[:, 0]
    ab, bc, ca = (edge_of.reshape(-1, 3) + mesh.n_vertices).T
    a, b, c = mesh.triangles.T
    children = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    triangles = np.stack([np.stack(child, axis=1) for child in children], axis=1)
    return Mesh(
        np.concatenate([mesh.vertices, middles]),
        triangles.reshape(-1, 3).astype(np.int32),
        np.repeat(mesh.regions, 4),
        mesh.region_names,
        _handed_down(mesh.face_tags),
        mesh.face_names,
        tuple(curve.halved() for curve in mesh.curves),
        None if mesh.face_curves is None else _handed_down(mesh.face_curves),
    )


def _handed_down(of_faces: NDArray[np.int32]) -> NDArray[np.int32]:
    """Face f of the parent is shared out between its two corner children as their faces f; the
    other faces get -1."""
    children = np.full((len(of_faces), 4, 3), -1, np.int32)
    for face, (first, second) in enumerate(FACE_VERTICES):
        children[:, first, face] = children[:, second, face] = of_faces[:, face]
    return children.reshape(-1, 3)
