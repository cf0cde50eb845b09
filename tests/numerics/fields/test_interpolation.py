"""Locating points, interpolating, sampling pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import jittered_square, reference_mesh
from wavelab.errors import WavelabError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.interpolation import Locator, interpolate
from wavelab.numerics.fields.sampling import PixelSampler, fit_extent


@given(st.integers(1, 8), st.integers(0, 100), st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))
def test_points_are_found_where_they_are(n, seed, x, y):
    d = discretize(jittered_square(n, seed), 1)
    mesh = d.mesh
    elements, rs = Locator(d).locate(np.array([[x, y]]))
    inside = 0 <= x <= 1 and 0 <= y <= 1
    if min(abs(x), abs(y), abs(x - 1), abs(y - 1)) > 1e-6:
        assert (elements[0] >= 0) == inside
    if elements[0] >= 0:
        a, b, c = mesh.vertices[mesh.triangles[elements[0]]]
        r, s = rs[0]
        back = -(r + s) / 2 * a + (1 + r) / 2 * b + (1 + s) / 2 * c
        np.testing.assert_allclose(back, (x, y), atol=1e-12)


def polynomial(x, y, order):
    return 1 + (x - 0.3 * y) ** order - y ** (order - 1)


@pytest.mark.parametrize("order", [1, 2, 4, 7])
def test_interpolation_reproduces_polynomials(order):
    d = discretize(reference_mesh(), order)
    points = np.random.default_rng(1).uniform(-1, 1, (500, 2))
    elements, rs = Locator(d).locate(points)
    assert (elements >= 0).all()
    (values,) = interpolate(d, [polynomial(d.x, d.y, order)], elements, rs)
    np.testing.assert_allclose(values, polynomial(*points.T, order), atol=1e-11)


@pytest.mark.parametrize(("width", "height"), [(64, 48), (33, 91), (1, 1)])
def test_pixels_hold_the_polynomial_at_their_centres(width, height):
    d = discretize(reference_mesh(), 4)
    extent = (-1.5, -1.2, 1.1, 0.9)
    picture = PixelSampler(d, extent, width, height).sample(polynomial(d.x, d.y, 4))
    x = extent[0] + (np.arange(width) + 0.5) * (extent[2] - extent[0]) / width
    y = extent[3] - (np.arange(height) + 0.5) * (extent[3] - extent[1]) / height
    xx, yy = np.meshgrid(x, y)
    inside = (np.abs(xx) < 1) & (np.abs(yy) < 1)
    np.testing.assert_array_equal(np.isfinite(picture), inside)
    np.testing.assert_allclose(picture[inside], polynomial(xx, yy, 4)[inside], atol=2e-5)


@given(st.integers(1, 400), st.integers(1, 400))
def test_the_fitted_view_shows_the_whole_mesh_undistorted(width, height):
    d = discretize(reference_mesh(), 1)
    x0, y0, x1, y1 = fit_extent(d, width, height)
    assert min(x0, y0) < -1
    assert max(x1, y1) > 1
    assert (x1 - x0) / width == pytest.approx((y1 - y0) / height)
    assert min(x1 - x0, y1 - y0) == pytest.approx(2 * 1.06)


@pytest.mark.parametrize(
    ("extent", "size"),
    [
        ((0, 0, 1, 1), (0, 5)),
        ((0, 0, 1, 1), (10**5, 10**5)),
        ((1, 0, 0, 1), (5, 5)),
        ((0, 0, np.nan, 1), (5, 5)),
    ],
)
def test_views_that_cannot_be_drawn_are_refused(extent, size):
    with pytest.raises(WavelabError):
        PixelSampler(discretize(jittered_square(1), 1), extent, *size)
