"""Identities of mesh, connectivity, metric terms and traces."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_meshes import elliptic_disk, jittered_square, reference_mesh
from wavelab.errors import MeshError
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.traces import inside_trace, outside_trace
from wavelab.numerics.mesh.connectivity import connect
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.ordering import hilbert_index, hilbert_order

meshes = st.builds(jittered_square, st.integers(1, 6), st.integers(0, 1000))


@given(meshes, st.integers(1, 5))
def test_both_sides_of_a_face_are_the_same_points(mesh, order):
    d = discretize(mesh, order)
    for coordinate in (d.x, d.y):
        inside = inside_trace(d, coordinate)
        np.testing.assert_allclose(outside_trace(d, inside), inside, atol=1e-14)


@given(meshes, st.integers(1, 5))
def test_the_trace_map_is_its_own_inverse(mesh, order):
    d = discretize(mesh, order)
    trace = np.random.default_rng(0).random((d.n_elements, 3, order + 1))
    np.testing.assert_array_equal(outside_trace(d, outside_trace(d, trace)), trace)


@given(meshes)
def test_connectivity_is_symmetric_and_covers_the_boundary(mesh):
    c = connect(mesh)
    own = np.arange(mesh.n_elements)[:, None]
    np.testing.assert_array_equal(
        c.neighbor_element[c.neighbor_element, c.neighbor_face], np.broadcast_to(own, (len(own), 3))
    )
    np.testing.assert_array_equal(c.is_boundary, mesh.face_tags >= 0)


@given(meshes)
def test_normals_of_an_element_sum_to_zero(mesh):
    g = discretize(mesh, 1).geometry
    lengths = g.face_scale * 2 * g.jacobian[:, None]
    for normal in (g.normal_x, g.normal_y):
        np.testing.assert_allclose((normal * lengths).sum(axis=1), 0, atol=1e-14)
    np.testing.assert_allclose(g.normal_x**2 + g.normal_y**2, 1)


@given(meshes, st.integers(1, 4))
def test_lift_of_one_is_boundary_over_area(mesh, order):
    d = discretize(mesh, order)
    flux = np.broadcast_to(d.geometry.face_scale[:, :, None], (d.n_elements, 3, order + 1))
    lifted = flux.reshape(d.n_elements, -1) @ d.element.lift.T
    perimeter = (d.geometry.face_scale * 2 * d.geometry.jacobian[:, None]).sum(axis=1)
    np.testing.assert_allclose(d.integrate(lifted), perimeter, rtol=1e-12)


@given(meshes)
def test_elements_tile_the_square(mesh):
    d = discretize(mesh, 2)
    assert d.integrate(np.ones(d.shape)).sum() == pytest.approx(1)
    assert (d.geometry.jacobian > 0).all()
    assert d.integrate_product(d.x, d.y).sum() == pytest.approx(1 / 4)


def test_metric_terms_differentiate_linear_functions():
    d = discretize(reference_mesh(), 3)
    u = 2 * d.x - 3 * d.y + 1
    g, e = d.geometry, d.element
    u_r, u_s = u @ e.diff_r.T, u @ e.diff_s.T
    np.testing.assert_allclose(g.dr_dx[:, None] * u_r + g.ds_dx[:, None] * u_s, 2, atol=1e-11)
    np.testing.assert_allclose(g.dr_dy[:, None] * u_r + g.ds_dy[:, None] * u_s, -3, atol=1e-11)


def test_scaled_normals_are_sums_of_metric_terms():
    """face_scale * normal = -grad s, grad (r + s), -grad r: what compact kernels rely on."""
    g = discretize(reference_mesh(), 1).geometry
    for normal, by_r, by_s in ((g.normal_x, g.dr_dx, g.ds_dx), (g.normal_y, g.dr_dy, g.ds_dy)):
        expected = np.column_stack([-by_s, by_r + by_s, -by_r])
        np.testing.assert_allclose(g.face_scale * normal, expected, rtol=1e-10, atol=1e-12)


def test_periodic_sides_meet_their_images():
    mesh = jittered_square(4)
    d = discretize(
        mesh, 3, [(("domain.left",), ("domain.right",)), (("domain.bottom",), ("domain.top",))]
    )
    assert not d.connectivity.is_boundary.any()
    for coordinate in (d.x, d.y):
        jump = inside_trace(d, coordinate) - outside_trace(d, inside_trace(d, coordinate))
        np.testing.assert_allclose(jump - np.round(jump), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("domain.left", "domain.right"), "1 and 1.30902 long"),
        (("domain.left", "domain.top"), r"not the same line moved and turned.* near \(0, 0\.625"),
        (("domain.left", "nowhere"), "no faces"),
        (("domain", "domain.top"), "not one open line"),
    ],
)
def test_periodic_pairs_that_do_not_match_are_refused(pair, message):
    mesh = jittered_square(4)
    right, above = (mesh.vertices[:, i] == 1 for i in (0, 1))
    vertices = mesh.vertices.copy()
    vertices[right & (mesh.vertices[:, 1] == 0), 0] = 1.5
    vertices[above & (np.abs(mesh.vertices[:, 0] - 0.5) < 0.1), 0] += 0.05
    with pytest.raises(MeshError, match=message):
        connect(replace(mesh, vertices=vertices), [((pair[0],), (pair[1],))])


def test_hilbert_neighbours_are_close():
    side = np.arange(16)
    cells = np.stack(np.meshgrid(side, side), axis=2).reshape(-1, 2).astype(float)
    path = cells[hilbert_order(cells)]
    np.testing.assert_array_equal(np.abs(np.diff(path, axis=0)).sum(axis=1), 1)
    assert len(np.unique(hilbert_index(cells))) == 256


@given(st.integers(0, 10_000))
def test_clockwise_triangles_are_turned_with_their_tags(seed):
    mesh = jittered_square(2)
    flip = np.random.default_rng(seed).random(mesh.n_elements) < 0.5
    triangles, tags = mesh.triangles.copy(), mesh.face_tags.copy()
    triangles[flip] = triangles[flip][:, ::-1]
    tags[flip] = tags[flip][:, [1, 0, 2]]
    turned = replace(mesh, triangles=triangles, face_tags=tags).counterclockwise()
    assert (turned.signed_areas() > 0).all()

    def named(m: Mesh) -> set:
        edges = np.sort(m.triangles[:, FACE_VERTICES], axis=2)
        return {
            (*edges[k, f].tolist(), int(m.face_tags[k, f]))
            for k in range(m.n_elements)
            for f in range(3)
        }

    assert named(turned) == named(mesh)


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        ([(0, 0), (1, 0), (0, 1)], np.zeros((0, 3)), "no triangles"),
        ([(0, 0), (1, 0), (np.nan, 1)], [(0, 1, 2)], "vertex 2"),
        ([(0, 0), (1, 0), (0, 1)], [(0, 1, 3)], "triangle 0 names"),
        ([(0, 0), (1, 0), (2, 0)], [(0, 1, 2)], "no area"),
        ([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)] * 3, "3 triangles share"),
    ],
)
def test_meshes_that_cannot_be_used_are_refused(vertices, triangles, message):
    with pytest.raises(MeshError, match=message):
        Mesh.plain(np.array(vertices, float), np.array(triangles)).checked()


def test_a_part_has_the_nodes_and_neighbours_of_the_whole():
    """In any order; what was cut off is a boundary."""
    d = discretize(jittered_square(4), 3)
    rng = np.random.default_rng(1)
    for count in (d.n_elements, 12):
        chosen = rng.permutation(d.n_elements)[:count]
        part = d.part(chosen)
        np.testing.assert_array_equal(part.x, d.x[chosen])
        np.testing.assert_array_equal(part.geometry.normal_y, d.geometry.normal_y[chosen])
        near = d.connectivity.neighbor_element[chosen]
        cut = ~np.isin(near, chosen)
        np.testing.assert_array_equal(
            part.connectivity.is_boundary, cut | d.connectivity.is_boundary[chosen]
        )
        kept = ~part.connectivity.is_boundary
        np.testing.assert_array_equal(chosen[part.connectivity.neighbor_element][kept], near[kept])
        alone = connect(part.mesh)
        for name in ("neighbor_element", "neighbor_face"):
            np.testing.assert_array_equal(getattr(part.connectivity, name), getattr(alone, name))


def test_curved_elements_stay_the_last_ones():
    d = discretize(elliptic_disk(), 3)
    assert d.curved is not None
    first = d.curved.first
    order = np.concatenate([np.arange(first)[::-1], np.arange(d.n_elements)[: first - 1 : -1]])
    part = d.part(order)
    assert part.curved is not None
    assert part.curved.first == first
    again = discretize(part.mesh, 3)
    np.testing.assert_array_equal(
        np.sort(part.integrate(part.x)), np.sort(again.integrate(again.x))
    )
    np.testing.assert_array_equal(part.curved.mass, d.curved.mass[::-1])
    np.testing.assert_array_equal(part.curved.mapping.bends, d.curved.mapping.bends[:, ::-1])


@pytest.mark.parametrize("order", [2, 3, 5, 10])
def test_no_node_lies_beyond_the_border(order):
    """Where sqrt(x) has no value: a node at 0 is there, and not at -4e-17."""
    mesh = jittered_square(5)
    stretched = replace(mesh, vertices=mesh.vertices * [0.7, 1] + [0.1, 0])
    for each, (left, right) in ((mesh, (0, 1)), (stretched, (0.1, 0.7 + 0.1))):
        d = discretize(each, order)
        assert (d.x.min(), d.x.max()) == (left, right)
        assert (d.y.min(), d.y.max()) == (0, 1)
        # All nodes of 5 faces on each side, those of a corner once or twice.
        assert (d.x == left).sum() >= 5 * (order + 1)
        assert (d.x == right).sum() >= 5 * (order + 1)
