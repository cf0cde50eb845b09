"""Identities of the semi-discrete operator of elastic waves."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square
from wavelab.numerics.fields.discretization import discretize
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.time.time_step import stable_step
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def mixed_elastic(order, upwinding, walls=(-1.0, 1.0), fluids=0.4, seed=1, mesh=None):
    """Random solids and fluids, with a wall on every face of the boundary; without a mesh on a
    square."""
    rng = np.random.default_rng(seed)
    d = discretize(jittered_square(4) if mesh is None else mesh, order)
    n = d.n_elements
    mu = np.where(rng.random(n) < fluids, 0.0, rng.uniform(0.5, 2, n))
    return ElasticPSV(
        d,
        rng.uniform(0.5, 2, n),
        rng.uniform(0.5, 2, n),
        mu,
        rng.choice(walls, (n, 3, 2)),
        upwinding,
    )


def random_elastic(operator, seed=0):
    """Any fields that there can be: a fluid has no shear stress."""
    rng = np.random.default_rng(seed)
    fields = ElasticFields.of(rng.standard_normal((5, *operator.discretization.shape)))
    fluid = operator.mu == 0
    fields.sxy[fluid], fields.syy[fluid] = 0.0, fields.sxx[fluid]
    return fields


def bent_mesh():
    """With arcs as walls and as borders of media."""
    return elliptic_disk(hole=0.3, core=True)


MESHES = pytest.mark.parametrize("mesh", [None, bent_mesh()], ids=["straight", "bent"])


def growth(operator, fields, step=1e-3):
    """d(energy)/dt of the semi-discrete system: the energy is quadratic, so this is no estimate."""
    rates = operator.right_hand_side(fields)
    moved = [
        ElasticFields.of([u + s * v for u, v in zip(fields.arrays, rates.arrays, strict=True)])
        for s in (step, -step)
    ]
    more, less = (float(operator.element_energy(f).sum()) for f in moved)
    return (more - less) / (2 * step)


@MESHES
@pytest.mark.parametrize("order", [1, 3])
def test_central_flux_conserves_energy_across_solids_fluids_and_walls(order, mesh):
    operator = mixed_elastic(order, 0.0, mesh=mesh)
    fields = random_elastic(operator)
    scale = float(operator.element_energy(fields).sum()) / stable_step(operator)
    assert abs(growth(operator, fields)) < 1e-11 * scale


@MESHES
@pytest.mark.parametrize("upwinding", [0.3, 1.0])
def test_energy_falls_by_what_walls_and_jumps_take(upwinding, mesh):
    for seed in range(3):
        operator = mixed_elastic(3, upwinding, walls=(-1.0, 1.0, 0.0, 0.4), seed=seed, mesh=mesh)
        fields = random_elastic(operator, seed)
        powers = elastic_powers(operator, fields)
        assert powers.wall > 0
        assert powers.upwind > 0
        assert growth(operator, fields) == pytest.approx(powers.net, rel=1e-9)


def test_a_fluid_stays_one():
    operator = mixed_elastic(3, 1.0)
    rates = operator.constant_rates(random_elastic(operator))
    fluid = operator.mu == 0
    assert not rates.sxy[fluid].any()
    np.testing.assert_allclose(rates.sxx[fluid], rates.syy[fluid], atol=1e-9)


@pytest.mark.parametrize("upwinding", [0.0, 0.7, 1.0])
def test_fluids_alone_are_sound(upwinding):
    operator = mixed_elastic(4, upwinding, walls=(-1.0, 1.0, 0.0, 0.4), fluids=1.0)
    fields = random_elastic(operator)
    sound = MaxwellTM(
        operator.discretization,
        1 / operator.lame,
        operator.density,
        np.zeros_like(operator.lame),
        -operator.reflection[:, :, 0],  # of the pressure
        upwinding,
    )
    rates = operator.constant_rates(fields)
    expected = sound.constant_rates(MaxwellFields(fields.vy, -fields.vx, -fields.sxx))
    for found, right in (
        (rates.sxx, -expected.ez), (rates.vx, -expected.hy), (rates.vy, expected.hx),
    ):  # fmt: skip
        np.testing.assert_allclose(found, right, atol=1e-10 * np.abs(right).max())


def test_a_turned_world_has_turned_waves():
    """Rates of fields that are turned by an angle are the turned rates."""
    angle = 0.7
    c, s = np.cos(angle), np.sin(angle)
    mesh = jittered_square(3)
    turned_mesh = replace(mesh, vertices=mesh.vertices @ np.array([[c, s], [-s, c]]))

    def turned(f):
        vx, vy = c * f.vx - s * f.vy, s * f.vx + c * f.vy
        sxx = c * c * f.sxx + s * s * f.syy - 2 * c * s * f.sxy
        syy = s * s * f.sxx + c * c * f.syy + 2 * c * s * f.sxy
        sxy = c * s * (f.sxx - f.syy) + (c * c - s * s) * f.sxy
        return ElasticFields(vx, vy, sxx, syy, sxy)

    rng = np.random.default_rng(3)
    d = discretize(mesh, 3)
    there = discretize(replace(turned_mesh, regions=np.arange(d.n_elements, dtype=np.int32)), 3)
    back = discretize(replace(mesh, regions=np.arange(d.n_elements, dtype=np.int32)), 3)
    order = np.argsort(back.mesh.regions)[there.mesh.regions]
    density, lame, mu = rng.uniform(0.5, 2, (3, d.n_elements))
    reflection = rng.choice([-1.0, 1.0], (d.n_elements, 3, 2))
    one = ElasticPSV(back, density, lame, mu, reflection, 1.0)
    other = ElasticPSV(there, density[order], lame[order], mu[order], reflection[order], 1.0)
    fields = random_elastic(one)
    expected = turned(one.constant_rates(fields)).at(order)
    found = other.constant_rates(turned(fields).at(order))
    for u, v in zip(found.arrays, expected.arrays, strict=True):
        np.testing.assert_allclose(u, v, atol=1e-9 * np.abs(v).max())


def test_rest_and_even_stress_stay_on_curved_elements():
    """A solid that moves as a whole, and one under even stress, which its rim bears."""
    for value, wall in (((1.0, -2.0, 0, 0, 0), 1.0), ((0, 0, 0.7, -0.4, 0.3), -1.0)):
        operator = mixed_elastic(4, 1.0, walls=(wall,), fluids=0.0, mesh=bent_mesh())
        fields = ElasticFields.of([np.full(operator.discretization.shape, v) for v in value])
        for rate in operator.constant_rates(fields).arrays:
            assert np.abs(rate).max() < 1e-10


@MESHES
def test_half_a_stable_step_is_stable_and_twice_one_is_not(mesh):
    operator = mixed_elastic(3, 1.0, mesh=mesh)
    for part, stays in ((0.99, True), (1.5, False)):
        stepper = NumpyStepper(operator, dt=part * stable_step(operator))
        stepper.set_fields(random_elastic(operator))
        start = stepper.element_energy().sum()
        stepper.advance(60)
        assert (stepper.element_energy().sum() < start) == stays
