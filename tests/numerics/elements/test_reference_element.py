"""Identities of the nodal operators, for every order."""

import numpy as np
import pytest

from wavelab.errors import WavelabError
from wavelab.numerics.elements.jacobi import (
    gauss_lobatto_points,
    gauss_quadrature,
    jacobi_derivative,
    jacobi_polynomial,
)
from wavelab.numerics.elements.reference_element import (
    MAX_ORDER,
    reference_element,
    triangle_quadrature,
)
from wavelab.numerics.elements.simplex_basis import gradient_vandermonde, vandermonde
from wavelab.numerics.elements.subdivision import divisors, subtriangles

ORDERS = range(1, MAX_ORDER + 1)


@pytest.mark.parametrize("alpha_beta", [(0, 0), (1, 0), (3, 0), (1, 1), (2.5, 0.5)])
def test_jacobi_polynomials_are_orthonormal(alpha_beta):
    x, w = gauss_quadrature(*alpha_beta, 12)
    values = np.array([jacobi_polynomial(x, *alpha_beta, n) for n in range(11)])
    np.testing.assert_allclose(values * w @ values.T, np.eye(11), atol=1e-12)


def test_jacobi_derivative_is_the_limit_of_differences():
    x, h = np.linspace(-0.9, 0.9, 7), 1e-6
    for n in range(6):
        difference = (jacobi_polynomial(x + h, 1, 0, n) - jacobi_polynomial(x - h, 1, 0, n)) / (
            2 * h
        )
        np.testing.assert_allclose(jacobi_derivative(x, 1, 0, n), difference, atol=1e-7)


def test_gauss_rule_integrates_monomials():
    x, w = gauss_quadrature(0, 0, 6)
    for p in range(12):
        assert np.sum(w * x**p) == pytest.approx((1 - (-1) ** (p + 1)) / (p + 1), abs=1e-14)


@pytest.mark.parametrize("n", ORDERS)
def test_lobatto_points_are_extrema_of_legendre_polynomials(n):
    points = gauss_lobatto_points(n)
    np.testing.assert_allclose(jacobi_derivative(points[1:-1], 0, 0, n), 0, atol=1e-10)
    np.testing.assert_array_equal(points, -points[::-1])


@pytest.mark.parametrize("order", ORDERS)
def test_basis_is_orthonormal_on_the_triangle(order):
    r, s, w = triangle_quadrature(2 * order)
    v = vandermonde(order, r, s)
    np.testing.assert_allclose(v.T @ (w[:, None] * v), np.eye(v.shape[1]), atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_gradients_of_the_basis_are_limits_of_differences(order):
    r, s = np.array([-0.5, 0.1, -0.2]), np.array([-0.3, -0.6, 0.1])
    h = 1e-6
    d_r, d_s = gradient_vandermonde(order, r, s)
    for derivative, (dr, ds) in ((d_r, (h, 0)), (d_s, (0, h))):
        plus, minus = vandermonde(order, r + dr, s + ds), vandermonde(order, r - dr, s - ds)
        np.testing.assert_allclose(derivative, (plus - minus) / (2 * h), atol=2e-6 * order**3)


@pytest.mark.parametrize("order", ORDERS)
def test_derivatives_of_polynomials_are_exact(order):
    e = reference_element(order)
    r, s = e.r, e.s
    for i in range(order + 1):
        for j in range(order + 1 - i):
            p = r**i * s**j
            p_r = i * r ** max(i - 1, 0) * s**j
            p_s = j * r**i * s ** max(j - 1, 0)
            np.testing.assert_allclose(e.diff_r @ p, p_r, atol=1e-11)
            np.testing.assert_allclose(e.diff_s @ p, p_s, atol=1e-11)


@pytest.mark.parametrize("order", ORDERS)
def test_mass_matrix_is_the_quadrature_of_products(order):
    e = reference_element(order)
    r, s, w = triangle_quadrature(2 * order)
    nodal = vandermonde(order, r, s) @ e.inverse_vandermonde
    np.testing.assert_allclose(nodal.T @ (w[:, None] * nodal), e.mass, atol=1e-13)
    assert e.mass.sum() == pytest.approx(2)


@pytest.mark.parametrize("order", ORDERS)
def test_integration_by_parts(order):
    """M D + (M D)^T is the boundary mass matrix weighted with the normal: no order is lost."""
    e = reference_element(order)
    face_mass = e.mass @ e.lift  # (N_p, 3 N_fp)
    boundary_r = np.zeros_like(e.mass)
    boundary_s = np.zeros_like(e.mass)
    # Normals times face length over 2 of the reference triangle: (0, -1), (1, 1), (-1, 0).
    for f, (normal_r, normal_s) in enumerate([(0, -1), (1, 1), (-1, 0)]):
        block = face_mass[:, f * e.nodes_per_face : (f + 1) * e.nodes_per_face]
        boundary_r[:, e.face_nodes[f]] += normal_r * block
        boundary_s[:, e.face_nodes[f]] += normal_s * block
    for diff, boundary in ((e.diff_r, boundary_r), (e.diff_s, boundary_s)):
        stiffness = e.mass @ diff
        np.testing.assert_allclose(stiffness + stiffness.T, boundary, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_lift_of_one_is_boundary_over_area(order):
    e = reference_element(order)
    lifted = e.lift @ np.ones(3 * e.nodes_per_face)
    # The lift knows each face as [-1, 1], of length 2.
    assert np.sum(e.mass @ lifted) == pytest.approx(3 * 2)


@pytest.mark.parametrize("order", ORDERS)
def test_face_nodes_run_counterclockwise(order):
    e = reference_element(order)
    corners = [(-1, -1), (1, -1), (-1, 1)]
    for f in range(3):
        along = np.column_stack([e.r, e.s])[e.face_nodes[f]]
        np.testing.assert_allclose(along[0], corners[f], atol=1e-14)
        np.testing.assert_allclose(along[-1], corners[(f + 1) % 3], atol=1e-14)
        assert len(set(e.face_nodes[f])) == order + 1


def lebesgue_constant(order, r, s):
    grid = np.linspace(-1, 1, 60)
    at_r, at_s = (a.ravel() for a in np.meshgrid(grid, grid))
    inside = at_r + at_s <= 0
    to_nodal = np.linalg.inv(vandermonde(order, r, s))
    return np.abs(vandermonde(order, at_r[inside], at_s[inside]) @ to_nodal).sum(axis=1).max()


@pytest.mark.parametrize("order", ORDERS)
def test_interpolation_is_better_conditioned_than_at_equispaced_nodes(order):
    e = reference_element(order)
    steps = [(i, j) for i in range(order + 1) for j in range(order + 1 - i)]
    s, r = 2 * np.array(steps).T / order - 1
    ours, equispaced = lebesgue_constant(order, e.r, e.s), lebesgue_constant(order, r, s)
    assert ours <= equispaced + 1e-12
    assert ours < 7


@pytest.mark.parametrize(
    ("order", "cuts"), [(order, cuts) for order in ORDERS for cuts in divisors(order)]
)
def test_subtriangles_tile_the_element(order, cuts):
    e = reference_element(order)
    triangles = subtriangles(order, cuts)
    corners = np.column_stack([e.r, e.s])[triangles]
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]) / 2
    assert len(areas) == cuts**2
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(2)
    # Of each face the same nodes, whichever way one runs through it.
    for face in e.face_nodes:
        taken = np.isin(face, triangles)
        assert taken.sum() == cuts + 1
        assert (taken == taken[::-1]).all()


def test_faces_are_cut_into_equal_parts():
    assert divisors(6) == [1, 2, 3, 6]
    with pytest.raises(ValueError, match="5 nodes along a face cannot be cut into 2"):
        subtriangles(5, 2)


@pytest.mark.parametrize("order", [0, 11, -1, 2.5])
def test_other_orders_are_refused(order):
    with pytest.raises(WavelabError, match="order"):
        reference_element(order)
