"""Which face of which element lies on the other side of each face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Indices, Mask
from wavelab.errors import MeshError
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys

FaceNames = Sequence[str]


@dataclass(frozen=True, eq=False)
class Connectivity:
    """Neighbours across faces.

    Elements are counterclockwise, so the two sides of a face run through it in opposite
    directions and no orientation needs to be kept: node i of a face meets node N_fp - 1 - i of
    the neighbour's face.

    Attributes
    ----------
    neighbor_element, neighbor_face : (n_elements, 3) int32 (HW's EToE and EToF); a face on the
        boundary is its own neighbour.
    """

    neighbor_element: NDArray[np.int32]
    neighbor_face: NDArray[np.int32]

    @cached_property  # asked for in every flux
    def is_boundary(self) -> Mask:
        """(n_elements, 3): faces without a neighbour."""
        own_element = np.arange(len(self.neighbor_element))[:, None]
        return (self.neighbor_element == own_element) & (
            self.neighbor_face == np.arange(3)[None, :]
        )

    def part(self, elements: NDArray[np.integer]) -> Connectivity:
        """That of some elements, in this order; where others were neighbours is a boundary."""
        own = np.arange(len(elements), dtype=np.int32)
        place = np.full(len(self.neighbor_element), -1, np.int32)
        place[elements] = own
        near, face = place[self.neighbor_element[elements]], self.neighbor_face[elements]
        faces = np.arange(3, dtype=np.int32)
        return Connectivity(np.where(near < 0, own[:, None], near), np.where(near < 0, faces, face))

    def twofold(self) -> Connectivity:
        """That of two copies of every element, one after the other, each among its like."""
        copy = np.arange(2 * len(self.neighbor_element), dtype=np.int32)[:, None] % 2
        near = 2 * np.repeat(self.neighbor_element, 2, axis=0) + copy
        return Connectivity(near, np.repeat(self.neighbor_face, 2, axis=0))


def connect(mesh: Mesh, periodic: Sequence[tuple[FaceNames, FaceNames]] = ()) -> Connectivity:
    """Find the neighbours of every face by sorting edges.

    Parameters
    ----------
    mesh : conforming, counterclockwise (see :meth:`Mesh.checked`).
    periodic : pairs of groups of face names; the boundary faces of the first group are glued to
        those of the second, which must be its image under a rotation and a shift.

    Raises
    ------
    MeshError : a periodic pair does not match; names both and says how they differ.
    """
    n = mesh.n_elements
    keys = edge_keys(mesh.triangles[:, FACE_VERTICES].reshape(-1, 2), mesh.n_vertices)
    in_order, order = _sorted(keys, mesh.n_vertices**2)
    same = np.flatnonzero(in_order[1:] == in_order[:-1])
    first, second = order[same], order[same + 1]
    partner = np.arange(3 * n)
    partner[first], partner[second] = second, first
    for group_a, group_b in periodic:
        faces_a = _chain(mesh, group_a, partner)
        faces_b = _chain(mesh, group_b, partner)[::-1]
        _check_moved(mesh, group_a, group_b, faces_a, faces_b)
        partner[faces_a], partner[faces_b] = faces_b, faces_a
    element, face = np.divmod(partner.reshape(n, 3), 3)
    return Connectivity(element.astype(np.int32), face.astype(np.int32))


def _sorted(keys: Indices, limit: int) -> tuple[NDArray, Indices]:
    """Keys below a limit in ascending order, and which each of them is."""
    n = len(keys)
    if limit * n < 2**64:
        # One number for both sorts several times as fast.
        both = keys.astype(np.uint64) * np.uint64(n) + np.arange(n, dtype=np.uint64)
        both.sort()
        ascending, order = np.divmod(both, np.uint64(n))
        return ascending, order.astype(np.int64)
    order = np.argsort(keys)
    return keys[order], order


def face_selection(mesh: Mesh, names: FaceNames) -> Mask:
    """(n_elements, 3): faces whose name is one of ``names`` or a part of one ("domain" has the
    parts "domain.left" ...)."""
    chosen = np.array(
        [any(face == n or face.startswith(n + ".") for n in names) for face in mesh.face_names]
        + [False],  # for tag -1
        dtype=bool,
    )
    return chosen[mesh.face_tags]


def _chain(mesh: Mesh, names: FaceNames, partner: NDArray) -> Indices:
    """Flat numbers of the named boundary faces, in the direction the elements run through them."""
    label = " + ".join(names)
    faces = np.flatnonzero(
        face_selection(mesh, names).ravel() & (partner == np.arange(len(partner)))
    )
    if len(faces) == 0:
        raise MeshError(f'the periodic edge "{label}" has no faces on the boundary')
    ends = mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)[faces]
    at_start = {int(start): i for i, (start, _) in enumerate(ends)}
    heads = [i for i, (start, _) in enumerate(ends) if int(start) not in set(ends[:, 1].tolist())]
    if len(heads) != 1 or len(at_start) != len(faces):
        raise MeshError(
            f'the periodic edge "{label}" is not one open line',
            remedy="Glue one straight or bent edge to one other.",
        )
    chain, i = [], heads[0]
    while True:
        chain.append(faces[i])
        following = at_start.get(int(ends[i][1]))
        if following is None:
            break
        i = following
    return np.array(chain, dtype=np.int64)


def _check_moved(
    mesh: Mesh, group_a: FaceNames, group_b: FaceNames, faces_a: NDArray, faces_b: NDArray
) -> None:
    """One line must be the other, rotated and shifted: what crosses it, Ez and the tangential H,
    is the same on both sides then."""
    pair = f'"{" + ".join(group_a)}" and "{" + ".join(group_b)}"'
    ends = mesh.vertices[mesh.triangles[:, FACE_VERTICES].reshape(-1, 2)]
    of_a, of_b = ends[faces_a], ends[faces_b]
    lengths = [np.linalg.norm(e[:, 1] - e[:, 0], axis=1) for e in (of_a, of_b)]
    totals = [float(length.sum()) for length in lengths]
    if abs(totals[0] - totals[1]) > 1e-6 * max(totals):
        raise MeshError(
            f"the periodic edges {pair} are {totals[0]:.6g} and {totals[1]:.6g} long",
            remedy="Both must have the same length.",
        )
    if len(faces_a) != len(faces_b):
        raise MeshError(
            f"the periodic edges {pair} carry {len(faces_a)} and {len(faces_b)} faces",
            remedy="Divide both into the same faces.",
        )
    # The partner runs the other way, so its end points are swapped before they are compared.
    here = np.array([complex(x, y) for x, y in of_a.reshape(-1, 2)])
    there = np.array([complex(x, y) for x, y in of_b[:, ::-1].reshape(-1, 2)])
    here, there = here - here.mean(), there - there.mean()
    # The rotation that brings them closest in the mean square.
    turn = np.vdot(here, there)
    difference = np.abs(here * turn / (abs(turn) or 1.0) - there).reshape(-1, 2).max(axis=1)
    if (difference > 1e-6 * lengths[0]).any():
        x, y = of_a[int(np.argmax(difference / lengths[0]))].mean(axis=0)
        raise MeshError(
            f"the periodic edges {pair} are not the same line moved and turned; they differ near "
            f"({x:g}, {y:g})",
            remedy="Both must have the same form and division into faces.",
        )
