"""Derivatives of nodal values inside of elements."""

from __future__ import annotations

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.curved_faces import curved_faces


def gradient(d: Discretization, u: Array) -> tuple[Array, Array]:
    """du/dx and du/dy at the nodes, (..., n_elements, nodes_per_element) as u is (HW 6.1); those of
    :mod:`wavelab.numerics.mesh.curved_faces` on curved elements."""
    u_r, u_s = u @ d.element.diff_r.T, u @ d.element.diff_s.T
    g = d.geometry
    by_x = g.dr_dx[:, None] * u_r + g.ds_dx[:, None] * u_s
    by_y = g.dr_dy[:, None] * u_r + g.ds_dy[:, None] * u_s
    if d.curved is not None:
        faces, here = curved_faces(d.element, d.curved), slice(d.curved.first, None)
        for result, matrices in ((by_x, faces.diff_x), (by_y, faces.diff_y)):
            result[..., here, :] = (matrices @ u[..., here, :, None])[..., 0]
    return by_x, by_y
