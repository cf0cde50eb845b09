"""What one of several ranks has of a mesh: elements of its own, and their neighbours.

The elements of a part lie in the order that they have in the whole, along a Hilbert curve, and each
knows its number there, as each vertex does.  So parts can be put together again, all of them or
some elements of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.curves import Curve, EllipseCurve
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.ordering import hilbert_order
from wavelab.numerics.mesh.partitioning import partitioned

#: What a curved element weighs beside a straight one (docs/ranks.md says what was measured).
CURVED_WEIGHT = 15


@dataclass(frozen=True, eq=False)
class Excerpt:
    """Some elements of a mesh.

    Attributes
    ----------
    mesh : these, in the order of the whole, with their vertices alone.
    numbers : (n_elements,) of each in the whole, ascending.
    vertex_numbers : (n_vertices,) of each in the whole.
    """

    mesh: Mesh
    numbers: Indices
    vertex_numbers: Indices

    def only(self, rows: Indices) -> Excerpt:
        """Some of these elements, in this order."""
        mesh = self.mesh.permuted(rows)
        used, triangles = np.unique(mesh.triangles, return_inverse=True)
        mesh = replace(
            mesh,
            vertices=mesh.vertices[used],
            triangles=triangles.reshape(-1, 3).astype(np.int32),
        )
        return Excerpt(_with_own_curves(mesh), self.numbers[rows], self.vertex_numbers[used])


@dataclass(frozen=True, eq=False)
class MeshPart(Excerpt):
    """What a rank has of a mesh.

    Attributes
    ----------
    owner : (n_elements,) the rank that computes each; of this one all that meet it across a face
        of an element of its own are here too.
    rank : which this is.
    out_of : elements of the whole.
    """

    owner: NDArray[np.int32]
    rank: int
    out_of: int


def deal_out(mesh: Mesh, n_parts: int) -> Iterator[MeshPart]:
    """The parts of a mesh, one after the other.

    Raises
    ------
    WavelabError : there are fewer elements than parts.
    """
    centers = mesh.vertices[mesh.triangles].mean(axis=1)
    order = hilbert_order(centers)
    whole = Excerpt(mesh.permuted(order), np.arange(len(order)), np.arange(mesh.n_vertices))
    weights = np.where(whole.mesh.has_curved_face(), CURVED_WEIGHT, 1)
    neighbors = connect(whole.mesh).neighbor_element
    owner = partitioned(neighbors, weights, centers[order], n_parts).astype(np.int32)
    for rank in range(n_parts):
        here = owner == rank
        here[neighbors[here]] = True
        rows = np.flatnonzero(here)
        some = whole.only(rows)
        yield MeshPart(some.mesh, some.numbers, some.vertex_numbers, owner[rows], rank, len(order))


def put_together(excerpts: Sequence[Excerpt]) -> Excerpt:
    """Excerpts of one mesh, which have no element in common, as one."""
    numbers = np.concatenate([e.numbers for e in excerpts])
    order = np.argsort(numbers)
    vertex_numbers, first, place = np.unique(
        np.concatenate([e.vertex_numbers for e in excerpts]), return_index=True, return_inverse=True
    )
    place = place.reshape(-1).astype(np.int32)
    vertices = np.concatenate([e.mesh.vertices for e in excerpts])[first]
    begin = np.cumsum([0, *(e.mesh.n_vertices for e in excerpts)])
    triangles = [place[e.mesh.triangles + at] for e, at in zip(excerpts, begin, strict=False)]
    curves, of_faces = _all_curves([e.mesh for e in excerpts])
    mesh = Mesh(
        vertices,
        np.concatenate(triangles)[order],
        np.concatenate([e.mesh.regions for e in excerpts])[order],
        excerpts[0].mesh.region_names,
        np.concatenate([e.mesh.face_tags for e in excerpts])[order],
        excerpts[0].mesh.face_names,
        curves,
        of_faces[order] if of_faces is not None else None,
    )
    return Excerpt(mesh, numbers[order], vertex_numbers)


def _with_own_curves(mesh: Mesh) -> Mesh:
    """With the curves of its own faces alone, and of those that are many faces the own ones."""
    if mesh.face_curves is None:
        return mesh
    of_faces = np.full_like(mesh.face_curves, -1)
    curves: list[Curve] = []
    for number in np.unique(mesh.face_curves[mesh.face_curves >= 0]).tolist():
        there = mesh.face_curves == number
        of_faces[there] = len(curves)
        curve = mesh.curves[number]
        if not isinstance(curve, EllipseCurve):
            element, face = np.nonzero(there)
            ends: Array = mesh.vertices[mesh.triangles[element[:, None], FACE_VERTICES[face]]]
            curve = curve.only(ends[:, 0], ends[:, 1])
        curves.append(curve)
    return replace(mesh, curves=tuple(curves), face_curves=of_faces if curves else None)


def _all_curves(meshes: Sequence[Mesh]) -> tuple[tuple[Curve, ...], NDArray[np.int32] | None]:
    """All of their curves, and the face_curves of all their elements."""
    numbers: dict[Curve, int] = {}
    of_faces = []
    for mesh in meshes:
        own = [numbers.setdefault(curve, len(numbers)) for curve in mesh.curves]
        if mesh.face_curves is None:
            of_faces.append(np.full((mesh.n_elements, 3), -1, np.int32))
        else:
            of_faces.append(np.array([*own, -1], np.int32)[mesh.face_curves])
    return tuple(numbers), np.concatenate(of_faces) if numbers else None
