"""Fields on another mesh: what projection promises, on any pair of meshes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sample_meshes import elliptic_disk, jittered_square, reference_mesh
from wavelab.numerics.fields import carrying
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.mesh import Mesh


def polynomial(d: Discretization, order: int) -> np.ndarray:
    return 1 + (d.x - 0.3 * d.y) ** order - d.y ** (order - 1)


def energy(d: Discretization, field: np.ndarray) -> float:
    return float(d.integrate_product(field, field).sum())


def noise(d: Discretization) -> np.ndarray:
    """A field with jumps between all elements."""
    return np.random.default_rng(0).standard_normal(d.shape)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 6), st.integers(0, 99), st.integers(1, 6), st.integers(0, 99), st.integers(1, 6)
)
def test_polynomials_stay_on_any_pair_of_meshes_and_orders(n, seed, m, other, order):
    source, target = (
        discretize(jittered_square(n, seed), order),
        discretize(jittered_square(m, other), min(order + other % 2, 6)),
    )
    (moved,) = Carrying(source, target)([polynomial(source, order)])
    np.testing.assert_allclose(moved, polynomial(target, order), atol=1e-11)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_integrals_are_kept_and_squares_do_not_grow(far):
    source, target = (
        discretize(replace(mesh, vertices=mesh.vertices + far), 3)
        for mesh in (jittered_square(5, 1), jittered_square(4, 2))
    )
    field = noise(source)
    (moved,) = Carrying(source, target)([field])
    rounding = 1e-12 if far == 0 else 1e-6
    assert target.integrate(moved).sum() == pytest.approx(
        source.integrate(field).sum(), rel=rounding
    )
    assert energy(target, moved) < energy(source, field)
    # (u - u_old, v) = 0 for all v that the target can hold, such as u.
    (back,) = Carrying(target, source)([moved])
    both = float(source.integrate_product(back, field).sum())
    assert both == pytest.approx(energy(target, moved), rel=1e-12 if far == 0 else 1e-5)


@pytest.mark.parametrize("order", [1, 3])
def test_smooth_fields_keep_the_order_of_accuracy(order):
    errors = []
    for n in (5, 20):
        source, target = (discretize(jittered_square(k, k), order) for k in (n, n + 1))
        (moved,) = Carrying(source, target)([np.sin(4 * source.x + 3 * source.y)])
        missed = moved - np.sin(4 * target.x + 3 * target.y)
        errors.append(np.sqrt(energy(target, missed)))
    assert np.log(errors[0] / errors[1]) > (order + 0.7) * np.log(4)


def test_elements_of_both_meshes_keep_their_values_bit_for_bit(monkeypatch):
    mesh = jittered_square(6, 3)
    vertices = mesh.vertices.copy()
    moved_vertex = int(np.argmin(np.abs(vertices - 0.5).sum(axis=1)))
    vertices[moved_vertex] += 0.03
    shuffled = np.random.default_rng(1).permutation(mesh.n_elements)
    source = discretize(mesh, 4)
    target = discretize(replace(mesh, vertices=vertices).permuted(shuffled), 4)
    made = Carrying(source, target)
    around = (target.mesh.triangles == moved_vertex).any(axis=1)
    np.testing.assert_array_equal(np.flatnonzero(~around), made.kept)
    field = noise(source)
    (moved,) = made([field])
    values = {x: u for x, u in zip(map(bytes, source.x + 1j * source.y), field, strict=True)}
    for element in made.kept:
        place = bytes(target.x[element] + 1j * target.y[element])
        np.testing.assert_array_equal(moved[element], values[place])
    # Without room for the matrices of all pairs it is the same.
    monkeypatch.setattr(carrying, "_MOST_BYTES", 0)
    np.testing.assert_allclose(Carrying(source, target)([field])[0], moved, atol=1e-13)


def test_fresh_room_is_dark_and_what_is_cut_off_is_lost():
    source = discretize(jittered_square(3), 2)
    target = discretize(reference_mesh(), 2)  # [-1, 1]^2 around the unit square
    (moved,) = Carrying(source, target)([np.ones(source.shape)])
    outside = (target.x < -0.3) | (target.y < -0.3)
    assert np.abs(moved[outside]).max() == 0
    assert target.integrate(moved).sum() == pytest.approx(1, rel=1e-12)
    (back,) = Carrying(target, source)([np.ones(target.shape)])
    np.testing.assert_allclose(back, 1, atol=1e-13)


def test_curved_elements_read_the_curved_field():
    def field(d: Discretization) -> np.ndarray:
        return np.cos(2 * d.x + d.y)

    def turned(mesh: Mesh, angle: float) -> Mesh:
        c, s = np.cos(angle), np.sin(angle)
        return replace(mesh, vertices=mesh.vertices @ np.array([[c, s], [-s, c]]))

    round_disk = elliptic_disk((0, 0), (1, 1), 0)
    source, target = discretize(round_disk, 5), discretize(turned(round_disk, 0.1), 5)
    made = Carrying(source, target)
    (moved,) = made([field(source)])
    assert np.abs(moved - field(target)).max() < 2e-4
    same = Carrying(source, discretize(round_disk, 5))
    assert len(same.kept) == source.n_elements
    (moved,) = same([noise(source)])
    np.testing.assert_array_equal(moved, noise(source))
