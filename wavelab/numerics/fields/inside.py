"""Which elements lie inside an outline, and how much of one that it cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.reference_element import triangle_quadrature
from wavelab.numerics.elements.simplex_basis import vandermonde
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import reference_coordinates
from wavelab.numerics.mesh.geometry import cross
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.polygon import clipped, inside_polygon, is_convex, without

#: Elements that an outline enters by less than this part of their size are not cut by it: their
#: edge was made to follow it.
_TOUCH = 1e-6
#: Elements looked at together with all segments of an outline.
_CHUNK = 4096


def inside_and_cut(mesh: Mesh, ring: Array) -> tuple[Mask, Mask]:
    """(n_elements,) twice: elements wholly inside a ring, and those that it cuts."""
    corners = mesh.vertices[mesh.triangles]
    low, high = ring.min(axis=0), ring.max(axis=0)
    near = ((corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)).all(axis=1)
    inside, cut = np.zeros((2, mesh.n_elements), dtype=bool)
    candidates = np.flatnonzero(near)
    for chosen in np.array_split(candidates, -(-len(candidates) // _CHUNK)) if near.any() else ():
        cut[chosen] = _cut(corners[chosen], ring)
    whole = candidates[~cut[candidates]]
    inside[whole] = inside_polygon(ring, corners[whole].mean(axis=1))
    return inside, cut


def _cut(corners: Array, ring: Array) -> Mask:
    """Whether a segment of the ring enters each triangle (n, 3, 2)."""
    touch = _TOUCH * np.abs(corners - np.roll(corners, -1, axis=1)).max(axis=(1, 2))
    entered = np.zeros(len(corners), dtype=bool)
    edges = corners[:, FACE_VERTICES]
    along = edges[:, :, 1] - edges[:, :, 0]
    # Outward of a counterclockwise triangle.
    normals = np.stack([along[:, :, 1], -along[:, :, 0]], axis=2)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    offsets = np.einsum("kfi,kfi->kf", normals, edges[:, :, 0])
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        length = np.linalg.norm(b - a)
        if length == 0:
            continue
        across = np.array([b[1] - a[1], a[0] - b[0]]) / length
        side = (corners - a) @ across
        # Two convex sets are apart if a normal of one of them says so.
        apart = (side.max(axis=1) <= touch) | (side.min(axis=1) >= -touch)
        nearest = np.minimum(normals @ a, normals @ b) - offsets
        apart |= (nearest >= -touch[:, None]).any(axis=1)
        entered |= ~apart
    return entered


def projected_inside(d: Discretization, rings: Sequence[Array]) -> tuple[Indices, Array]:
    """The function that is 1 inside of rings and 0 outside, projected on the polynomials.

    Exact: on an element that rings cut, the basis is integrated over the part inside.  (Where two
    overlap in such an element the first of them must be convex.)

    Parameters
    ----------
    rings : (n, 2) each, counterclockwise.

    Returns
    -------
    elements : (n,) those that are not outside.
    values : (n, nodes_per_element) at their nodes.
    """
    found = [inside_and_cut(d.mesh, ring) for ring in rings]
    inside = np.any([whole for whole, _ in found], axis=0) & d.is_seen
    cut = np.array([cut for _, cut in found]) & ~inside & d.is_seen
    elements = np.flatnonzero(inside | cut.any(axis=0))
    values = np.ones((len(elements), d.nodes_per_element))
    for row in np.flatnonzero(~inside[elements]):
        element = int(elements[row])
        here = [ring for ring, met in zip(rings, cut[:, element], strict=True) if met]
        values[row] = sum(_projection(d, element, part) for part in _parts(d.mesh, element, here))
    kept = np.abs(values).max(axis=1, initial=0.0) > 0
    return elements[kept], values[kept]


def _parts(mesh: Mesh, element: int, rings: Sequence[Array]) -> Iterator[Array]:
    """What of an element lies in some rings, in polygons apart."""
    for number, ring in enumerate(rings):
        part = ring
        for a, b in mesh.vertices[mesh.triangles[element]][FACE_VERTICES]:
            part = clipped(part, a, b)
        parts = [part]
        for before in rings[:number]:
            if is_convex(before):
                parts = [rest for part in parts for rest in without(part, before)]
        yield from (part for part in parts if len(part) >= 3)


def _projection(d: Discretization, element: int, part: Array) -> Array:
    """(nodes_per_element,) the function that is 1 in a polygon of an element and 0 beside it."""
    number = np.full(len(part), element, np.int32)
    rs = reference_coordinates(d.mesh, number, part)
    # A fan from the first corner; parts beyond a reentrant corner count negative.
    first, second, third = rs[:1], rs[1:-1], rs[2:]
    ab, ac = second - first, third - first
    area = cross(ab, ac) / 2
    r, s, weights = triangle_quadrature(d.order)
    at = first + (1 + r)[:, None, None] / 2 * ab + (1 + s)[:, None, None] / 2 * ac
    basis = vandermonde(d.order, *at.reshape(-1, 2).T)
    # The basis is orthonormal on the reference triangle, so its integrals are the coefficients.
    modes = (np.outer(weights, area).ravel() / 2) @ basis
    return d.element.vandermonde @ modes
