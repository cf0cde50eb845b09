"""The open walls of a scene as sides that a layer can follow: straight lines and ellipses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import face_selection
from wavelab.physics.pml.pml_edges import EllipticSide, Side, StraightSide
from wavelab.remembered import Remembered
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Ellipse
from wavelab.scene.walls.open import default_elements

#: A curved edge of a mesh file has more straight pieces than this.
_MOST_PIECES = 64


@dataclass(frozen=True, eq=False)
class Piece:
    """A side of the domain that is open, its edge's name and its faces (element, face), and which
    elements have a node in its layer, (n_elements,)."""

    side: Side
    edge: str
    faces: tuple[Indices, Indices]
    reached: Mask

    @classmethod
    def along(
        cls, side: Side, edge: str, faces: tuple[Indices, Indices], d: Discretization
    ) -> Piece:
        """With the elements that the layer reaches, from the edge inwards."""
        inside = side.depth(d.x, d.y).max(axis=1) > 1e-9 * side.thickness
        reached = np.zeros(d.n_elements, dtype=bool)
        front = np.unique(faces[0])
        while len(front):
            reached[front] = True
            near = np.unique(d.connectivity.neighbor_element[front])
            front = near[inside[near] & ~reached[near]].astype(np.int64)
        return cls(side, edge, faces, reached)


def trouble(scene: Scene, edge: str, problem: str, remedy: str) -> SceneError:
    """The error about the layer along an edge."""
    return SceneError(f'the PML along "{edge}" {problem}', where=scene.where, remedy=remedy)


def pml_pieces(scene: Scene, d: Discretization) -> tuple[Piece, ...]:
    """The sides that the faces of open walls lie on.

    Raises
    ------
    SceneError : a layer does not fit the edge.
    """
    if not any(wall.pml for wall in scene.walls):
        return ()
    # A thickness of None is up to the mesh, and is remembered with it.
    layers = ((wall.pml, wall.pml and wall.layer_thickness(scene)) for wall in scene.walls)
    rim = scene.outline if isinstance(scene.outline, Ellipse) else scene.outline is None
    key = (tuple(wall.edges for wall in scene.walls), tuple(layers), rim)
    return _known.get(d, key, lambda: tuple(_found(scene, d)))


#: While media, sources and the like are turned, they stay.
_known: Remembered[Discretization, tuple[Piece, ...]] = Remembered(4)


def _found(scene: Scene, d: Discretization) -> list[Piece]:
    # A later wall overrides a part of an earlier one.
    owner = np.full((d.n_elements, 3), -1)
    for number, wall in enumerate(scene.walls):
        owner[face_selection(d.mesh, wall.edges)] = number
    found = []
    for number, wall in enumerate(scene.walls):
        for edge in wall.edges if wall.pml else ():
            chosen = face_selection(d.mesh, (edge,)) & (owner == number)
            element, face = np.nonzero(chosen & d.connectivity.is_boundary)
            if len(element):
                thickness = wall.layer_thickness(scene) or _default_thickness(d, element)
                found += _pieces_of(scene, edge, thickness, (element, face), d)
    return found


def _pieces_of(
    scene: Scene, edge: str, thickness: float, faces: tuple[Indices, Indices], d: Discretization
) -> list[Piece]:
    side: Side | None
    element, face = faces
    if isinstance(scene.outline, Ellipse):
        shape = scene.outline
        side = EllipticSide(shape.center, shape.radii, math.radians(shape.angle), thickness)
        # Normals of the rim would cross inside the layer.
        if thickness >= shape.sharpest:
            raise trouble(
                scene, edge, f"is {thickness:g} thick, but the rim is too curved for that",
                f"Make it thinner than {shape.sharpest:g}, the smallest radius of curvature.",
            )  # fmt: skip
        return [Piece.along(side, edge, faces, d)]
    if (side := _circle(d, element, face, thickness)) is not None:
        return [Piece.along(side, edge, faces, d)]
    groups = _lines(d, element, face)
    if len(groups) > _MOST_PIECES and scene.outline is None:
        raise trouble(
            scene, edge, "would follow a curve, which is neither straight nor a whole circle",
            'Use kind = "absorbing" there.',
        )  # fmt: skip
    found = []
    for group in groups:
        k, f, g = element[group], face[group], d.geometry
        normal = (float(g.normal_x[k, f].mean()), float(g.normal_y[k, f].mean()))
        nodes = d.element.face_nodes[f]
        along = normal[0] * d.x[k[:, None], nodes] + normal[1] * d.y[k[:, None], nodes]
        side = StraightSide(normal, float(along.max()), thickness)
        found.append(Piece.along(side, edge, (k, f), d))
    return found


def _default_thickness(d: Discretization, elements: Indices) -> float:
    """Of a layer in a mesh file."""
    extent = np.ptp(d.mesh.vertices, axis=0).min()
    across = default_elements(d.order) * edge_lengths(d)[elements].mean()
    return float(min(across, extent / 5))


def edge_lengths(d: Discretization) -> Array:
    """(n_elements,) edge of the equilateral triangle of the same area."""
    return np.sqrt(2 * d.geometry.jacobian * 4 / math.sqrt(3))


def _lines(d: Discretization, element: Indices, face: Indices) -> list[Indices]:
    """Faces on the same straight line, as indices into ``element``."""
    g = d.geometry
    n_x, n_y = g.normal_x[element, face], g.normal_y[element, face]
    nodes = d.element.face_nodes[face]
    x, y = d.x[element[:, None], nodes].mean(axis=1), d.y[element[:, None], nodes].mean(axis=1)
    size = float(np.ptp(d.mesh.vertices, axis=0).max())
    groups: list[Indices] = []
    left = np.arange(len(element))
    while len(left):
        i = left[0]
        along = n_x[left] * n_x[i] + n_y[left] * n_y[i] > 1 - 1e-9
        on = np.abs(n_x[i] * (x[left] - x[i]) + n_y[i] * (y[left] - y[i])) < 1e-6 * size
        groups.append(left[along & on])
        left = left[~(along & on)]
    return groups


def _circle(
    d: Discretization, element: Indices, face: Indices, thickness: float
) -> EllipticSide | None:
    """The whole circle that the faces of a mesh file make, if they do."""
    first = d.element.face_nodes[face][:, 0]
    x, y = d.x[element, first], d.y[element, first]
    if len(x) < 12:
        return None
    system = np.column_stack([2 * x, 2 * y, np.ones(len(x))])
    (c_x, c_y, rest), *_ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
    radius = math.sqrt(max(rest + c_x**2 + c_y**2, 0.0))
    off = np.abs(np.hypot(x - c_x, y - c_y) - radius).max()
    angles = np.sort(np.arctan2(y - c_y, x - c_x))
    widest = np.diff(np.append(angles, angles[0] + 2 * np.pi)).max()
    outward = d.geometry.normal_x[element, face] * (x - c_x)
    outward += d.geometry.normal_y[element, face] * (y - c_y)
    if off > 1e-5 * radius or widest > 2 * np.pi / 6 or (outward < 0).any() or thickness >= radius:
        return None
    return EllipticSide((float(c_x), float(c_y)), (radius, radius), 0.0, thickness)
