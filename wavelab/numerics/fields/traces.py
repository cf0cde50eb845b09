"""Values on the two sides of every face."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.curved_elements import CurvedElements
from wavelab.numerics.mesh.curved_faces import curved_faces

#: Numbers of elements and of their faces, (m,) each; or all faces of all elements.
Faces = Any
ALL: Faces = ...


def inside_trace(discretization: Discretization, values: Array) -> Array:
    """Nodal values on the faces: (n_elements, nodes) -> (n_elements, 3, nodes_per_face)."""
    return values[:, discretization.element.face_nodes]


def point_trace(discretization: Discretization, values: Array) -> Array:
    """Nodal values at the points of the faces, which are the nodes where these are straight
    (:mod:`wavelab.numerics.mesh.curved_faces`); shapes as of :func:`inside_trace`."""
    trace, curved = inside_trace(discretization, values), discretization.curved
    if curved is not None:
        here = slice(curved.first, None)
        matrices = curved_faces(discretization.element, curved).to_points
        trace[here] = np.einsum("kfij,kfj->kfi", matrices, trace[here])
    return trace


def to_points(discretization: Discretization, faces: Faces) -> Array:
    """(m, nodes_per_face, nodes_per_face) what :func:`point_trace` does on some faces."""
    n_fp, curved = discretization.element.nodes_per_face, discretization.curved
    matrices = np.repeat(np.eye(n_fp)[None], len(faces[0]), axis=0)
    if curved is not None:
        here, own = _bent(curved, faces)
        matrices[here] = curved_faces(discretization.element, curved).to_points[own]
    return matrices


def point_normals(discretization: Discretization) -> tuple[Array, Array]:
    """Outward normals at the points of the faces, (n_elements, 3, nodes_per_face) along x and y
    each, or (n_elements, 3, 1) where no element is curved."""
    g, curved = discretization.geometry, discretization.curved
    nx, ny = g.normal_x[:, :, None], g.normal_y[:, :, None]
    if curved is None:
        return nx, ny
    faces, here = curved_faces(discretization.element, curved), slice(0, curved.first)
    n_fp = discretization.element.nodes_per_face
    straight = (np.repeat(n[here], n_fp, axis=2) for n in (nx, ny))
    bent = (faces.normal_x, faces.normal_y)
    nx, ny = (np.concatenate(pair) for pair in zip(straight, bent, strict=True))
    return nx, ny


def outside_trace(
    discretization: Discretization, trace: Array, phases: Array | None = None
) -> Array:
    """What the neighbour publishes on each face, node by node; a boundary face sees its own.

    Parameters
    ----------
    trace : (n_elements, 3, nodes_per_face), as :func:`inside_trace` gives.
    phases : (n_elements, 3) radians by which a complex field is turned on its way from there.
    """
    c = discretization.connectivity
    across = trace[c.neighbor_element, c.neighbor_face][:, :, ::-1]
    if phases is not None:
        # The imaginary part of an element comes right after its real part.
        other = trace[c.neighbor_element ^ 1, c.neighbor_face][:, :, ::-1]
        sign = np.where(discretization.is_seen, -1.0, 1.0)[:, None]
        across = np.cos(phases)[..., None] * across + (sign * np.sin(phases))[..., None] * other
    return np.where(c.is_boundary[:, :, None], trace, across)


def tangential(discretization: Discretization, hx: Array, hy: Array, faces: Faces = ALL) -> Array:
    """H = nx Hy - ny Hx on the faces, projected onto polynomials of the order where they bend.

    Parameters
    ----------
    hx, hy : (n_elements, 3, nodes_per_face) values on all faces, as :func:`inside_trace` gives, or
        (m, nodes_per_face) on some.
    faces : numbers of the m elements and of their faces.
    """
    g, curved = discretization.geometry, discretization.curved
    h = g.normal_x[faces][..., None] * hy - g.normal_y[faces][..., None] * hx
    if curved is not None:
        here, own = _bent(curved, faces)
        h[here] = np.einsum("...ij,...j->...i", curved.tangent_x[own], hy[here])
        h[here] -= np.einsum("...ij,...j->...i", curved.tangent_y[own], hx[here])
    return h


def face_squares(
    discretization: Discretization, values: Array, faces: Faces = ALL, *, at_points: bool = False
) -> Array:
    """Integral over each face of the square of a quantity on it, (n_elements, 3) or (m,).

    Parameters
    ----------
    values : (n_elements, 3, nodes_per_face), or (m, nodes_per_face) on some ``faces``.
    at_points : they are those of :func:`point_trace` and not of :func:`inside_trace`.
    """
    g, curved = discretization.geometry, discretization.curved
    squares = np.einsum("...i,...i->...", values @ edge_mass(discretization), values)
    # Half the length: the reference edge has length 2.
    squares *= (g.face_scale * g.jacobian[:, None])[faces]
    if curved is not None:
        here, own = _bent(curved, faces)
        mass = curved.face_mass
        if at_points:
            mass = curved_faces(discretization.element, curved).mass
        squares[here] = np.einsum("...ij,...i,...j->...", mass[own], values[here], values[here])
    return squares


def _bent(curved: CurvedElements, faces: Faces) -> tuple[Any, Faces]:
    """Which of ``faces`` are of curved elements, and where those are in the arrays of these."""
    if faces is ALL:
        return slice(curved.first, None), ALL
    element, face = faces
    here = np.flatnonzero(element >= curved.first)
    return here, (element[here] - curved.first, face[here])


def edge_mass(discretization: Discretization) -> Array:
    """(nodes_per_face, nodes_per_face) mass matrix of the reference edge, of length 2."""
    element = discretization.element
    on_first_face = slice(0, element.nodes_per_face)
    # M times the lift is the mass of the faces (HW 6.2), the same one on each.
    return (element.mass @ element.lift)[element.face_nodes[0], on_first_face]
