"""Face points of curved elements: the divergence theorem by their rule, and both sides alike."""

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.gradients import gradient
from wavelab.numerics.fields.traces import (
    face_squares,
    inside_trace,
    outside_trace,
    point_normals,
    point_trace,
    to_points,
)
from wavelab.numerics.mesh.curved_faces import curved_faces
from wavelab.numerics.mesh.refine import refine


def rim_mesh(order, levels=0):
    mesh = elliptic_disk(hole=0.3, core=True)
    for _ in range(levels):
        mesh = refine(mesh)
    return discretize(mesh, order)


@pytest.mark.parametrize("order", [2, 3, 5, 8])
def test_the_divergence_theorem_holds_by_the_rule_of_the_faces(order):
    d = rim_mesh(order)
    faces = curved_faces(d.element, d.curved)
    pairs = ((faces.diff_x, faces.normal_x), (faces.diff_y, faces.normal_y))
    for derivative, normal in pairs:
        volume = d.curved.mass @ derivative
        surface = np.zeros_like(volume)
        for f, nodes in enumerate(d.element.face_nodes):
            points = faces.to_points[:, f]
            flow = np.swapaxes(points, 1, 2) @ faces.mass[:, f] @ (normal[:, f, :, None] * points)
            surface[:, nodes[:, None], nodes] += flow
        assert np.abs(volume + np.swapaxes(volume, 1, 2) - surface).max() < 1e-14


@pytest.mark.parametrize("order", [2, 4, 7])
def test_both_sides_of_a_face_have_the_same_points_and_opposite_normals(order):
    d = rim_mesh(order)
    inner = ~d.connectivity.is_boundary
    nx, ny = point_normals(d)
    np.testing.assert_allclose(nx**2 + ny**2, 1)
    for mine, sign in ((point_trace(d, d.x), 1), (point_trace(d, d.y), 1), (nx, -1), (ny, -1)):
        assert np.abs(mine - sign * outside_trace(d, mine))[inner].max() < 1e-13


def test_faces_that_do_not_bend_keep_their_nodes():
    d = rim_mesh(4)
    field = np.cos(2 * d.x - d.y)
    bent = d.mesh.face_curves >= 0
    at_points, at_nodes = point_trace(d, field), inside_trace(d, field)
    np.testing.assert_array_equal(at_points[~bent], at_nodes[~bent])
    assert np.abs(at_points - at_nodes)[bent].max(axis=1).min() > 1e-6
    some = np.nonzero(bent)
    found = np.einsum("fij,fj->fi", to_points(d, some), at_nodes[some])
    np.testing.assert_allclose(found, at_points[some])


def test_integrals_over_faces_are_those_by_nodes_but_for_the_root():
    """Of the length of an arc as a function of its parameter."""
    d = rim_mesh(4)
    field = np.cos(2 * d.x - d.y)
    right = face_squares(d, inside_trace(d, field))
    found = face_squares(d, point_trace(d, field), at_points=True)
    np.testing.assert_allclose(found, right, rtol=1e-6)


@pytest.mark.parametrize("order", [2, 3, 5])
def test_derivatives_have_their_order_and_leave_constants(order):
    errors = []
    for levels in (0, 1):
        d = rim_mesh(order, levels)
        by_x, by_y = gradient(d, np.sin(d.x + 2 * d.y))
        slope = np.cos(d.x + 2 * d.y)
        errors.append(np.sqrt(d.integrate((by_x - slope) ** 2 + (by_y - 2 * slope) ** 2).sum()))
        for found in gradient(d, np.ones(d.shape)):
            assert np.abs(found).max() < 1e-10
    assert np.log2(errors[0] / errors[1]) > order - 0.3
