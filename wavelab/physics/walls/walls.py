"""Walls: one reflection coefficient per boundary face, and the edges that are glued together, with
the phases that waves have there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene, Wall
from wavelab.scene.systems import system_of
from wavelab.scene.walls.periodic import PeriodicWall


def reflection_coefficients(
    scene: Scene, mesh: Mesh, impedance: Array, at_faces: Array | None = None
) -> Array:
    """(n_elements, 3) R of every face; that of the unnamed wall of its system, -1 of a conductor,
    where the scene says nothing.

    Parameters
    ----------
    impedance : (n_elements,) sqrt(mu / epsilon).
    at_faces : (n_elements, 3) that of the medium right at each face, see
        :func:`wavelab.physics.materials.materials.impedance_at_faces`; None where it is the same.

    Raises
    ------
    SceneError : a wall names an edge that the mesh does not have, or an absorbing one stands before
        a medium whose impedance changes in time.
    """
    reflection = np.full((mesh.n_elements, 3), system_of(scene).unnamed.returned)
    z = np.repeat(impedance[:, None], 3, axis=1)
    for what, wall, chosen in chosen_faces(scene, mesh):
        if (wall.matched or wall.relative) and at_faces is not None:
            z_there = at_faces[chosen]
            if np.isnan(z_there).any():
                raise SceneError(
                    f"the medium in front of {what[0]}, at {what[1]}, changes in time",
                    where=scene.where,
                    remedy="It is made for one impedance. End the changing medium before the wall.",
                )
            # A coefficient counts from the impedance of the element's constants.
            r = wall.reflection(z_there)
            of_wall, of_element = (1 + r) * z_there, (1 - r) * z[chosen]
            reflection[chosen] = (of_wall - of_element) / (of_wall + of_element)
        elif not wall.glues:
            reflection[chosen] = wall.reflection(z[chosen])
    return reflection


def elastic_reflection(scene: Scene, mesh: Mesh, impedances: Array, at_faces: Array) -> Array:
    """(n_elements, 3, 2) R of the velocity across and along every face, see
    :class:`wavelab.physics.operator.elastic.ElasticPSV`.

    Parameters
    ----------
    impedances : (n_elements, 2) of P and S waves.
    at_faces : (n_elements, 3, 2) those of the medium right at each face.

    Raises
    ------
    SceneError : a wall names an edge that the mesh does not have.
    """
    usual = system_of(scene).unnamed
    reflection = np.empty((mesh.n_elements, 3, 2))
    reflection[:] = usual.returned, usual.returned_along
    for _, wall, chosen in chosen_faces(scene, mesh):
        if not wall.glues:
            reflection[chosen] = wall.returned, wall.returned_along
    # A coefficient counts from the impedance of the element's constants: it has the same traction
    # over velocity there.
    of_element = np.broadcast_to(impedances[:, None], at_faces.shape)
    here = (np.abs(reflection) < 1) & (at_faces != of_element)
    r, z, z_there = reflection[here], of_element[here], at_faces[here]
    moves, pulls = (1 + r) * z, (1 - r) * z_there
    reflection[here] = (moves - pulls) / (moves + pulls)
    return reflection


def chosen_faces(scene: Scene, mesh: Mesh) -> Iterator[tuple[tuple[str, str], Wall, Mask]]:
    """What messages call a wall and one of its edges, the wall, and which faces (n_elements, 3) are
    there; a later one overrides an earlier.

    Raises
    ------
    SceneError : the mesh has no such edge.
    """
    for number, wall in enumerate(scene.walls, start=1):
        for edge in wall.edges:
            chosen = face_selection(mesh, (edge,))
            if not chosen.any():
                there = {mesh.face_names[tag] for tag in np.unique(mesh.face_tags) if tag >= 0}
                raise SceneError(
                    f'wall {number} is at the edge "{edge}", but no part of the boundary is',
                    where=scene.where,
                    remedy=f"There are: {', '.join(sorted(there)) or 'no names'}.",
                )
            yield (f"wall {number}", f'"{edge}"'), wall, chosen


def with_edges_of(scene: Scene, mesh: Mesh) -> Scene:
    """The scene with walls at those edges alone that a part of its mesh has."""
    walls = []
    for wall in scene.walls:
        edges = tuple(edge for edge in wall.edges if face_selection(mesh, (edge,)).any())
        walls += [replace(wall, edges=edges)] if edges else []
    return replace(scene, walls=tuple(walls))


def periodic_pairs(scene: Scene) -> list[tuple[tuple[str], tuple[str]]]:
    """Pairs of edges that are glued together."""
    return [((wall.edges[0],), (wall.edges[1],)) for wall in scene.walls if wall.glues]


def is_complex(scene: Scene) -> bool:
    """Whether a wall gives waves a phase, 0 included, so that fields have an imaginary part."""
    return any(isinstance(wall, PeriodicWall) and wall.phase is not None for wall in scene.walls)


def wall_phases(scene: Scene, mesh: Mesh) -> Array | None:
    """(n_elements, 3) radians by which what lies beyond each face is ahead of what lies before the
    edge that it is glued to; None for real fields."""
    if not is_complex(scene):
        return None
    phases = np.zeros((mesh.n_elements, 3))
    for wall in scene.walls:
        if isinstance(wall, PeriodicWall) and wall.phase is not None:
            for edge, sign in zip(wall.edges, (-1, 1), strict=True):
                phases[face_selection(mesh, (edge,))] = sign * math.radians(wall.phase)
    return phases


def discretized(
    scene: Scene, mesh: Mesh, order: int | None = None, *, in_order: bool = False
) -> Discretization:
    """The elements of a scene on its mesh, two copies of each where fields are complex.

    Parameters
    ----------
    order : of the polynomials, None for the scene's own.
    in_order : whether the elements lie as :func:`discretize` would have them.

    Raises
    ------
    WavelabError : as for :func:`wavelab.numerics.fields.discretization.discretize`.
    """
    d = discretize(mesh, order or scene.solver.order, periodic_pairs(scene), in_order=in_order)
    return d.twofold() if is_complex(scene) else d
