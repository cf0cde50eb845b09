"""Derivatives of nodal values inside of straight elements."""

from __future__ import annotations

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization


def gradient(d: Discretization, u: Array) -> tuple[Array, Array]:
    """du/dx and du/dy at the nodes, (n_elements, nodes_per_element) as u is (HW 6.1)."""
    u_r, u_s = u @ d.element.diff_r.T, u @ d.element.diff_s.T
    g = d.geometry
    return (
        g.dr_dx[:, None] * u_r + g.ds_dx[:, None] * u_s,
        g.dr_dy[:, None] * u_r + g.ds_dy[:, None] * u_s,
    )
