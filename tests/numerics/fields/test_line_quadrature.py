"""Integrals along lines through unstructured meshes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sample_meshes import jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.line_quadrature import line_quadrature, points_along
from wavelab.numerics.mesh.polygon import inside_polygon

ORDER = 3


@pytest.fixture(scope="module")
def d():
    return discretize(jittered_square(5), ORDER)


def test_products_of_polynomials_are_exact(d):
    a, b = np.array([0.13, 0.21]), np.array([0.87, 0.64])
    line = line_quadrature(d, np.array([a, b]))
    nodal = d.x**3 - 2 * d.x * d.y**2 + 1
    values = np.einsum("pn,pn->p", line.interpolation, nodal[line.elements])
    t, w = np.polynomial.legendre.leggauss(12)
    x, y = (a + (1 + t[:, None]) / 2 * (b - a)).T
    exact = w @ (x**3 - 2 * x * y**2 + 1) ** 2 * np.hypot(*(b - a)) / 2
    assert values**2 @ line.weights == pytest.approx(exact, rel=1e-12)
    assert line.inside == pytest.approx(1)


def test_a_closed_line_has_outward_normals_and_no_net_normal(d):
    ring = np.array([(0.2, 0.1), (0.9, 0.3), (0.6, 0.8)])
    line = line_quadrature(d, ring, closed=True)
    x, y = line.points.T
    # Gauss: the integral of (x, y) . n is twice the area; of n itself 0.
    (x0, y0), (x1, y1), (x2, y2) = ring
    area = ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) / 2
    assert (x * line.normal_x + y * line.normal_y) @ line.weights == pytest.approx(2 * area)
    assert abs(line.normal_x @ line.weights) < 1e-14


def test_right_of_the_way_up_is_the_positive_x_direction(d):
    line = line_quadrature(d, np.array([(0.5, 0.1), (0.5, 0.9)]))
    assert np.allclose(line.normal_x, 1)
    assert np.allclose(line.normal_y, 0)


def test_what_lies_outside_is_left_out(d):
    line = line_quadrature(d, np.array([(-1.0, 0.5), (2.0, 0.5)]))
    assert line.weights.sum() == pytest.approx(1)
    assert line.inside == pytest.approx(1 / 3)
    assert len(line_quadrature(d, np.array([(2.0, 0.0), (2.0, 1.0)]))) == 0


def test_a_line_along_the_rim_counts_once(d):
    line = line_quadrature(d, np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]))
    assert line.weights.sum() == pytest.approx(2)


def test_points_along_a_bent_line_are_evenly_spread():
    positions, along = points_along(np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)]), 5)
    assert np.allclose(along, [0, 1, 2, 3, 4])
    assert np.allclose(positions[-2:], [(3, 0), (3, 1)])
    assert np.allclose(points_along(np.array([(0.0, 0.0), (2.0, 0.0)]), 1)[0], [(1, 0)])


def test_points_in_a_polygon_that_is_not_convex():
    ring = np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (2.0, 1.0), (0.0, 3.0)])
    points = np.array([(2.0, 0.5), (2.0, 2.0), (2.9, 2.0), (-0.1, 1.0), (3.1, 1.0)])
    assert inside_polygon(ring, points).tolist() == [True, False, True, False, False]
