"""Metric terms of straight-sided elements: constant in each (HW 6.2)."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh


@dataclass(frozen=True, eq=False)
class Geometry:
    """Affine map from the reference triangle (area 2) to each element.

    Attributes
    ----------
    dr_dx, dr_dy, ds_dx, ds_dy : (n_elements,), r_x ... of HW, 1 / length.
    jacobian : (n_elements,), J = area / 2, length^2.
    normal_x, normal_y : (n_elements, 3) outward unit normals.
    face_scale : (n_elements, 3), surface over volume Jacobian (HW's Fscale), 1 / length.
    """

    dr_dx: Array
    dr_dy: Array
    ds_dx: Array
    ds_dy: Array
    jacobian: Array
    normal_x: Array
    normal_y: Array
    face_scale: Array

    def part(self, elements: NDArray[np.integer]) -> Geometry:
        """That of some elements, in this order."""
        return Geometry(*(getattr(self, each.name)[elements] for each in fields(self)))


def cross(a: Array, b: Array) -> Array:
    """(...,) area of the parallelogram of vectors (..., 2), positive if b is to the left of a."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def measure(mesh: Mesh) -> Geometry:
    """Metric terms of a counterclockwise mesh."""
    corners = mesh.vertices[mesh.triangles]
    by_r = (corners[:, 1] - corners[:, 0]) / 2
    by_s = (corners[:, 2] - corners[:, 0]) / 2
    jacobian = cross(by_r, by_s)
    along = corners[:, FACE_VERTICES[:, 1]] - corners[:, FACE_VERTICES[:, 0]]
    length = np.sqrt(along[:, :, 0] ** 2 + along[:, :, 1] ** 2)
    return Geometry(
        dr_dx=by_s[:, 1] / jacobian,
        dr_dy=-by_s[:, 0] / jacobian,
        ds_dx=-by_r[:, 1] / jacobian,
        ds_dy=by_r[:, 0] / jacobian,
        jacobian=jacobian,
        normal_x=along[:, :, 1] / length,
        normal_y=-along[:, :, 0] / length,
        face_scale=length / 2 / jacobian[:, None],
    )


def map_to_mesh(mesh: Mesh, r: Array, s: Array) -> tuple[Array, Array]:
    """Positions of points of the reference triangle in every element, and by no rounding beside it,
    where a formula may have no value: x, y of shape (n_elements, len(r))."""
    weights = np.stack([-(r + s) / 2, (1 + r) / 2, (1 + s) / 2])
    corners = (coordinates[mesh.triangles] for coordinates in np.ascontiguousarray(mesh.vertices.T))
    x, y = (within(of @ weights, of) for of in corners)
    return x, y


def within(values: Array, corners: Array) -> Array:
    """Coordinates (n, points), not beyond those of what they lie between, (n, corners)."""
    return values.clip(corners.min(axis=1, keepdims=True), corners.max(axis=1, keepdims=True))
