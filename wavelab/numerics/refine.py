"""Meshes of half the element size."""

from __future__ import annotations

import numpy as np

from wavelab.numerics.mesh import FACE_VERTICES, Mesh


def refine(mesh: Mesh) -> Mesh:
    """Every triangle cut into four similar ones at the middles of its edges.

    Angles are kept, so the mesh is as unstructured and as good as before.  Regions and edge names
    are handed down.  The children of element k are 4k to 4k + 3: three at its vertices, then the
    one in the middle.
    """
    ends = np.sort(mesh.triangles[:, FACE_VERTICES], axis=2).reshape(-1, 2)
    edges, edge_of = np.unique(ends, axis=0, return_inverse=True)
    middles = mesh.vertices[edges].mean(axis=1)
    ab, bc, ca = (edge_of.reshape(-1, 3) + mesh.n_vertices).T
    a, b, c = mesh.triangles.T
    children = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    triangles = np.stack([np.stack(child, axis=1) for child in children], axis=1)
    tags = np.full((mesh.n_elements, 4, 3), -1, np.int32)
    # Face f of the parent is shared out between its two corner children as their faces f.
    for face, (first, second) in enumerate(FACE_VERTICES):
        tags[:, first, face] = tags[:, second, face] = mesh.face_tags[:, face]
    return Mesh(
        np.concatenate([mesh.vertices, middles]),
        triangles.reshape(-1, 3).astype(np.int32),
        np.repeat(mesh.regions, 4),
        mesh.region_names,
        tags.reshape(-1, 3),
        mesh.face_names,
    )
