"""Stiffness and mass of continuous fields on the elements, for waves without losses that go with
exp(-i w t): of a scalar wave Ez, of elastic ones the displacement u.

    K = int curl l_i . curl l_j / mu,       M = int epsilon l_i l_j,
    K = int e(u_i) : C e(u_j),              M = int density u_i . u_j

with e(u) the strain and C e = lambda tr(e) 1 + 2 mu e.  Media that are formulas are evaluated where
the integrals are.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.numerics.elements.simplex_basis import gradient_vandermonde
from wavelab.numerics.fields.discretization import Discretization, Quadrature
from wavelab.physics.materials.solids import moduli_at
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM


def stiffness_and_mass(operator: MaxwellTM | ElasticPSV) -> tuple[Array, Array]:
    """K and M of each element, (n_elements, m, m) with the m = n_components nodes_per_element
    values of one component after the other."""
    return _of_solid(operator) if isinstance(operator, ElasticPSV) else _of_scalar(operator)


def _of_scalar(operator: MaxwellTM) -> tuple[Array, Array]:
    d = operator.discretization
    rule, (by_x, by_y) = _rule(d)
    epsilon, mu = (
        np.repeat(values[:, None], rule.x.shape[1], axis=1)
        for values in (operator.epsilon, operator.mu)
    )
    for values, profiles in ((epsilon, operator.media.epsilon), (mu, operator.media.mu)):
        for profile in profiles:
            here, formula = profile.elements, profile.formula
            assert formula is not None
            values[here] = formula.evaluate(x=rule.x[here], y=rule.y[here], t=0.0)
    curl = np.stack([-by_y, by_x])
    magnetic = np.einsum("kij,jkqn->ikqn", shares_of(operator), curl)
    magnetic *= (rule.weights / mu)[:, :, None]
    stiffness = (np.swapaxes(curl, 2, 3) @ magnetic).sum(axis=0)
    basis = rule.to_points
    return stiffness, basis.T @ ((rule.weights * epsilon)[:, :, None] * basis)


def _of_solid(operator: ElasticPSV) -> tuple[Array, Array]:
    d = operator.discretization
    rule, (by_x, by_y) = _rule(d)
    n, nodes = d.shape
    density, lame, mu = moduli_at(operator, rule.x, rule.y)

    def product(modulus: Array, a: Array, b: Array) -> Array:
        return np.swapaxes(a, 1, 2) @ ((rule.weights * modulus)[:, :, None] * b)

    stiffness = np.empty((n, 2, nodes, 2, nodes))
    stiffness[:, 0, :, 0] = product(lame + 2 * mu, by_x, by_x) + product(mu, by_y, by_y)
    stiffness[:, 1, :, 1] = product(lame + 2 * mu, by_y, by_y) + product(mu, by_x, by_x)
    stiffness[:, 0, :, 1] = product(lame, by_x, by_y) + product(mu, by_y, by_x)
    stiffness[:, 1, :, 0] = product(lame, by_y, by_x) + product(mu, by_x, by_y)
    mass = np.zeros_like(stiffness)
    basis = rule.to_points
    alone = basis.T @ ((rule.weights * density)[:, :, None] * basis)
    mass[:, 0, :, 0] = mass[:, 1, :, 1] = alone
    return stiffness.reshape(n, 2 * nodes, -1), mass.reshape(n, 2 * nodes, -1)


def _rule(d: Discretization) -> tuple[Quadrature, Array]:
    """Points of every element, and the derivatives of the nodal polynomials there along x and y,
    (2, n_elements, n_points, nodes_per_element)."""
    rule = d.quadrature(4 * d.order)
    by_r, by_s = (
        matrix @ d.element.inverse_vandermonde
        for matrix in gradient_vandermonde(d.order, rule.r, rule.s)
    )
    g = d.geometry
    metric = np.stack([g.dr_dx, g.ds_dx, g.dr_dy, g.ds_dy])[:, :, None]
    metric = np.repeat(metric, rule.x.shape[1], axis=2)
    if d.curved is not None:
        along_r, along_s = d.curved.mapping.derivatives(rule.r, rule.s)
        determinant = d.curved.mapping.determinants(rule.r, rule.s)
        inverse = (along_s[..., 1], -along_r[..., 1], -along_s[..., 0], along_r[..., 0])
        metric[:, d.curved.first :] = np.stack(inverse) / determinant
    rx, sx, ry, sy = metric[..., None]
    return rule, np.stack([rx * by_r + sx * by_s, ry * by_r + sy * by_s])


def complex_gradient(d: Discretization, values: Complex) -> tuple[Complex, Complex]:
    """d/dx and d/dy of nodal values (n_elements, nodes_per_element)."""
    g = d.geometry
    by_r, by_s = values @ d.element.diff_r.T, values @ d.element.diff_s.T
    by_x = g.dr_dx[:, None] * by_r + g.ds_dx[:, None] * by_s
    by_y = g.dr_dy[:, None] * by_r + g.ds_dy[:, None] * by_s
    if d.curved is not None:
        bent = slice(d.curved.first, None)
        by_x[bent] = (d.curved.diff_x @ values[bent, :, None])[:, :, 0]
        by_y[bent] = (d.curved.diff_y @ values[bent, :, None])[:, :, 0]
    return by_x, by_y


def shares_of(operator: MaxwellTM) -> Array:
    """(n_elements, 2, 2) mu times the inverse of the permeability: 1 but in tensors."""
    shares = np.repeat(np.eye(2)[None], operator.discretization.n_elements, axis=0)
    for tensor in operator.media.tensors:
        shares[tensor.elements] = tensor.share
    return shares
