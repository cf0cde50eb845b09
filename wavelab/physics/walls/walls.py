"""Walls: one reflection coefficient per boundary face, and the edges that are glued together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import SceneError
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene

Array = NDArray[np.float64]


def reflection_coefficients(scene: Scene, mesh: Mesh, impedance: Array) -> Array:
    """(n_elements, 3) R of every face; -1, a conductor, where the scene says nothing.

    Parameters
    ----------
    impedance : (n_elements,) sqrt(mu / epsilon).

    Raises
    ------
    SceneError : a wall names an edge that the mesh does not have.
    """
    reflection = np.full((mesh.n_elements, 3), -1.0)
    z = np.repeat(impedance[:, None], 3, axis=1)
    for number, wall in enumerate(scene.walls, start=1):
        for edge in wall.edges:
            chosen = face_selection(mesh, (edge,))
            if not chosen.any():
                raise SceneError(
                    f'wall {number} names the edge "{edge}", which no face of the mesh has',
                    where=scene.where,
                    remedy=f"The mesh has: {', '.join(sorted(mesh.face_names)) or 'no names'}.",
                )
            if not wall.glues:
                reflection[chosen] = wall.reflection(z[chosen])
    return reflection


def periodic_pairs(scene: Scene) -> list[tuple[tuple[str], tuple[str]]]:
    """Pairs of edges that are glued together."""
    return [((wall.edges[0],), (wall.edges[1],)) for wall in scene.walls if wall.glues]
