"""Elements with arcs among their faces: geometry, operators, finding points."""

import gc
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import elliptic_disk, random_fields, reference_mesh
from wavelab.errors import MeshError
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.interpolation import Locator, interpolation_weights
from wavelab.numerics.fields.sampling import PixelSampler, fit_extent
from wavelab.numerics.fields.traces import face_squares, inside_trace, outside_trace, tangential
from wavelab.numerics.mesh.curves import EllipseCurve
from wavelab.numerics.mesh.refine import refine

ORDERS = range(1, 9)
lengths = st.floats(0.5, 2.0)
ellipses = st.builds(
    EllipseCurve,
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    st.tuples(lengths, lengths),
    st.floats(-180, 180),
)


def rim_mesh(order):
    return discretize(elliptic_disk(hole=0.3, core=True), order)


@settings(max_examples=30, deadline=None)
@given(ellipses, st.floats(-3, 3), st.floats(0.01, 1.0))
def test_an_arc_is_divided_by_its_length_alike_from_both_ends(curve, first, span):
    start, end = curve.points(np.array([first, first + span]))
    fractions = np.array([0.1, 0.5, 0.9])
    there = curve.arcs(start[None], end[None], fractions)[0]
    back = curve.arcs(end[None], start[None], fractions)[0]
    scale = max(curve.radii)
    assert np.abs(there - back[::-1]).max() < 1e-14 * (scale + 3)
    assert curve.distances(there).max() < 1e-14 * (scale + 3)
    theta = np.linspace(first, first + span, 20_001)
    steps = np.linalg.norm(np.diff(curve.points(theta), axis=0), axis=1)
    along = np.concatenate([[0], np.cumsum(steps)]) / steps.sum()
    expected = curve.points(np.interp(fractions, along, theta))
    assert np.abs(there - expected).max() < 1e-6 * scale


@pytest.mark.parametrize("order", ORDERS)
def test_the_area_of_an_ellipse_is_right_to_the_order(order):
    errors = []
    for mesh in (elliptic_disk(), refine(elliptic_disk())):
        d = discretize(mesh, order)
        errors.append(abs(d.integrate(np.ones(d.shape)).sum() / (math.pi * 1.2 * 0.7) - 1))
        assert d.quadrature(2).weights.sum() == pytest.approx(
            d.integrate(np.ones(d.shape)).sum(), rel=1e-13
        )
    rate = math.log2(errors[0] / max(errors[1], 1e-15))
    assert errors[1] < 1e-13 or rate > order + 0.7


@pytest.mark.parametrize("order", ORDERS[1:])
def test_the_divergence_theorem_holds_on_every_curved_element(order):
    d = rim_mesh(order)
    curved, f = d.curved, random_fields(d)
    assert curved is not None
    u, v, w = (field[curved.first :] for field in (f.hx, f.hy, f.ez))

    def inner(a, b):
        return np.einsum("ki,kij,kj->k", a, curved.mass, b)

    def times(matrix, a):
        return np.einsum("kij,kj->ki", matrix, a)

    volume = inner(w, times(curved.diff_x, v)) - inner(w, times(curved.diff_y, u))
    volume += inner(v, times(curved.diff_x, w)) - inner(u, times(curved.diff_y, w))
    h = tangential(d, inside_trace(d, f.hx), inside_trace(d, f.hy))[curved.first :]
    trace = inside_trace(d, f.ez)[curved.first :]
    surface = np.einsum("kfi,kfij,kfj->k", trace, curved.face_mass, h)
    assert np.abs(volume - surface).max() < 1e-11


@pytest.mark.parametrize("order", ORDERS)
def test_both_sides_of_a_face_see_the_same_nodes_and_normals(order):
    d, f = rim_mesh(order), None
    for nodes in (d.x, d.y):
        mine = inside_trace(d, nodes)
        assert np.abs(mine - outside_trace(d, mine)).max() < 1e-14
    f = [np.cos(2 * d.x + d.y), np.sin(d.x - d.y)]
    h = tangential(d, *(inside_trace(d, u) for u in f))
    inner = ~d.connectivity.is_boundary
    assert np.abs((h + outside_trace(d, h))[inner]).max() < 1e-13
    some = np.nonzero(d.connectivity.is_boundary)
    on_some = tangential(d, *(inside_trace(d, u)[some] for u in f), some)
    assert np.abs(on_some - h[some]).max() < 1e-15
    np.testing.assert_allclose(
        face_squares(d, h[some], some), face_squares(d, h)[some], rtol=1e-13, atol=1e-15
    )


@pytest.mark.parametrize("order", [2, 3, 6])
def test_linear_fields_are_differentiated_to_rounding(order):
    d = rim_mesh(order)
    curved = d.curved
    assert curved is not None
    here = slice(curved.first, None)
    field = 2 * d.x - 3 * d.y
    assert np.abs(np.einsum("kij,kj->ki", curved.diff_x, field[here]) - 2).max() < 1e-10
    assert np.abs(np.einsum("kij,kj->ki", curved.diff_y, field[here]) + 3).max() < 1e-10


def test_curved_elements_come_last_and_first_order_has_none():
    d = discretize(elliptic_disk(), 3)
    assert d.first_curved == d.n_elements - 12 == 24
    assert d.mesh.has_curved_face()[d.first_curved :].all()
    assert not d.mesh.has_curved_face()[: d.first_curved].any()
    assert rim_mesh(1).curved is None
    assert discretize(reference_mesh(), 3).first_curved == 146


@settings(max_examples=15, deadline=None)
@given(st.tuples(lengths, lengths), st.floats(-90, 90), st.integers(2, 7))
def test_points_are_found_up_to_the_rim_and_not_beyond(radii, angle, order):
    d = discretize(elliptic_disk((0.5, 1.0), radii, angle, hole=0.3, core=True), order)
    curve = EllipseCurve((0.5, 1.0), radii, angle)
    rng = np.random.default_rng(1)
    size = np.concatenate([rng.uniform(0, 1.1, 400), rng.uniform(0.98, 1.02, 400)])
    on_curve = curve.points(rng.uniform(-np.pi, np.pi, 800)) - curve.center
    points = curve.center + size[:, None] * on_curve
    elements, rs = Locator(d).locate(points)
    # The polynomial rim is the ellipse up to its error.
    clear = np.minimum(np.abs(size - 1), np.abs(size - 0.3)) > 1e-2 * 8.0 ** (2 - order)
    inside = (size < 1) & (size > 0.3)
    assert ((elements >= 0) == inside)[clear].all()
    found = elements >= 0
    weights = interpolation_weights(d.element, rs[found])
    for nodes, coordinate in ((d.x, 0), (d.y, 1)):
        back = np.einsum("pn,pn->p", weights, nodes[elements[found]])
        assert np.abs(back - points[found, coordinate]).max() < 1e-9 * max(radii)


def test_a_field_moves_between_meshes_up_to_the_rim():
    coarse, fine = discretize(elliptic_disk(), 4), discretize(refine(elliptic_disk()), 5)

    def field(d):
        return np.sin(1 + d.x + 0.5 * d.y)

    (there,) = Carrying(coarse, fine)([field(coarse)])
    (back,) = Carrying(fine, coarse)([field(fine)])
    assert np.abs(there - field(fine)).max() < 2e-3
    assert np.abs(back - field(coarse)).max() < 2e-4


def test_a_fold_is_refused_with_its_place():
    mesh = elliptic_disk((0, 0), (1, 1), 0)
    vertices = mesh.vertices.copy()
    # A vertex next to the rim, which bulges over it.
    element = int(np.flatnonzero(mesh.has_curved_face())[0])
    corner = int(mesh.triangles[element].max())
    chord = vertices[[v for v in mesh.triangles[element] if v != corner]].mean(axis=0)
    mesh.vertices[corner] = 1.02 * chord
    with pytest.raises(MeshError, match=r"near \(.*folded"):
        discretize(mesh.counterclockwise(), 3)


def test_an_arc_must_end_on_its_curve():
    mesh = elliptic_disk()
    mesh.vertices[0] *= 1.01
    with pytest.raises(MeshError, match="does not end on its curve"):
        mesh.checked()


def test_a_picture_fills_the_ellipse_and_no_more():
    d = discretize(elliptic_disk((0, 0), (1, 0.6), 20), 4)
    (x0, y0, x1, y1), size = fit_extent(d, 200, 200), 200
    picture = PixelSampler(d, (x0, y0, x1, y1), size, size).sample(np.ones(d.shape))
    x = x0 + (np.arange(size) + 0.5) * (x1 - x0) / size
    y = y1 - (np.arange(size) + 0.5) * (y1 - y0) / size
    points = np.stack(np.meshgrid(x, y), axis=-1)
    curve = EllipseCurve((0, 0), (1, 0.6), 20)
    on_rim = curve.projected(points)
    part = np.linalg.norm(points, axis=-1) / np.linalg.norm(on_rim, axis=-1)
    assert np.isfinite(picture[part < 0.9999]).all()
    assert np.isnan(picture[part > 1.0001]).all()
    assert np.abs(picture[part < 0.9999] - 1).max() < 1e-5


def test_orders_that_were_used_before_leave_nothing_large():
    rim_mesh(2)
    tracemalloc.start()
    try:
        for order in (9, 10, 8, 2):
            rim_mesh(order)
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held < 2 << 20
