"""What is concentrated at points, projected on the polynomials."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of


def projected_points(d: Discretization, points: Array, weights: Array) -> tuple[Indices, Array]:
    """Sum of weight x delta(x - point), projected on the polynomials of each element.

    Its integral against any discrete field is the sum of weight x that field at the point, so a sum
    of points that is a quadrature of a density acts on every wave that the mesh carries as the
    density does, however little of it the nodes would see.  Points outside count as 0.

    Parameters
    ----------
    points, weights : (n, 2) and (n,).

    Returns
    -------
    elements : (m,) those with a point.
    values : (m, nodes_per_element) at their nodes.
    """
    found, rs = locator_of(d).locate(points)
    inside = found >= 0
    elements, row = np.unique(found[inside].astype(np.int64), return_inverse=True)
    loads = np.zeros((len(elements), d.nodes_per_element))
    basis = interpolation_weights(d.element, rs[inside])
    np.add.at(loads, row, weights[inside, None] * basis)
    v = d.element.vandermonde
    values = (loads @ v) @ v.T / d.geometry.jacobian[elements, None]
    if d.curved is not None:
        bent = np.flatnonzero(elements >= d.curved.first)
        mass = d.curved.mass[elements[bent] - d.curved.first]
        values[bent] = np.linalg.solve(mass, loads[bent, :, None])[..., 0]
    return elements, values
