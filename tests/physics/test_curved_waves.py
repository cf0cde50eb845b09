"""Waves between curved walls: balance of energy, constant fields, the modes of round rooms."""

import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, mixed_operator, random_fields, vacuum_operator
from wavelab.numerics.discretization import discretize
from wavelab.numerics.refine import refine
from wavelab.physics.energy import element_energy
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.power import powers
from wavelab.physics.time_step import stable_step
from wavelab.scene.bessel import besselj
from wavelab.simulation.numpy_stepper import NumpyStepper

ORDERS = range(1, 7)


def energy_rate(operator, fields):
    """d/dt of the energy by the right-hand side, through the mass matrices."""
    d, change = operator.discretization, right_hand_side(operator, fields)
    of_ez = operator.epsilon @ d.integrate_product(fields.ez, change.ez)
    of_h = d.integrate_product(fields.hx, change.hx) + d.integrate_product(fields.hy, change.hy)
    return of_ez + operator.mu @ of_h


@pytest.mark.parametrize("upwinding", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("order", [1, 2, 3, 5, 8])
def test_the_energy_balance_closes_to_rounding(order, upwinding):
    operator = mixed_operator(order, upwinding, elliptic_disk(hole=0.3, core=True))
    if upwinding < 1:  # the walls of the general flux are another story
        operator = MaxwellTM(
            operator.discretization, operator.epsilon, operator.mu, operator.sigma,
            np.sign(operator.reflection - 0.1), upwinding,
        )  # fmt: skip
    fields = random_fields(operator.discretization)
    expected = powers(operator, fields).net
    size = float(element_energy(operator, fields).sum()) / stable_step(operator)
    assert abs(energy_rate(operator, fields) - expected) < 1e-12 * size
    assert expected < 0


@pytest.mark.parametrize("order", [2, 4, 7])
def test_the_central_flux_conserves_energy(order):
    d = discretize(elliptic_disk(hole=0.3, core=True), order)
    operator, fields = vacuum_operator(d, upwinding=0.0), random_fields(d)
    size = float(element_energy(operator, fields).sum()) / stable_step(operator)
    assert abs(energy_rate(operator, fields)) < 1e-13 * size


@pytest.mark.parametrize("order", [2, 3, 6])
def test_constant_fields_stay_constant(order):
    d = discretize(elliptic_disk(hole=0.3, core=True), order)
    one, none = np.ones(d.shape), np.zeros(d.shape)
    for wall, fields in (
        (-1.0, Fields(0.3 * one, -0.7 * one, none)),  # a conductor lets the magnetic field be
        (1.0, Fields(none, none, one)),
    ):
        change = right_hand_side(vacuum_operator(d, reflection=wall), fields)
        for values in (change.hx, change.hy, change.ez):
            assert np.abs(values).max() < 1e-10


def bessel_mode(j, d_or_q, t):
    """Ez = J_1(j r) cos(theta) cos(j t) and its magnetic field at points x, y."""
    x, y = d_or_q.x, d_or_q.y
    r, theta = np.hypot(x, y), np.arctan2(y, x)
    slope = j * (besselj(0, j * r) - besselj(2, j * r)) / 2 * np.cos(theta)
    round_about = -j * (besselj(0, j * r) + besselj(2, j * r)) / 2 * np.sin(theta)
    ez_x = slope * np.cos(theta) - round_about * np.sin(theta)
    ez_y = slope * np.sin(theta) + round_about * np.cos(theta)
    turned = np.sin(j * t) / j
    ez = besselj(1, j * r) * np.cos(theta) * np.cos(j * t)
    return Fields(-ez_y * turned, ez_x * turned, ez)


def run(operator, exact, until, safety):
    """L2 error of all fields at the end of a run from the exact fields."""
    d = operator.discretization
    steps = int(np.ceil(until / (safety * stable_step(operator))))
    stepper = NumpyStepper(operator, dt=until / steps)
    stepper.set_fields(exact(d, 0.0))
    stepper.advance(steps)
    found, q = stepper.fields(), d.quadrature(2 * d.order + 4)
    right = exact(q, until)
    return np.sqrt(
        sum(
            float(((getattr(found, n) @ q.to_points.T - getattr(right, n)) ** 2 * q.weights).sum())
            for n in ("hx", "hy", "ez")
        )
    )


@pytest.mark.parametrize("order", ORDERS)
def test_the_modes_of_a_disk_converge_at_the_full_order(order):
    mesh, errors = elliptic_disk((0, 0), (1, 1), 0), []
    # Shorter steps where the error in time would show.
    safety = 0.9 if order < 4 else 0.4
    for _ in range(3 if order < 5 else 2):
        operator = vacuum_operator(discretize(mesh, order))
        errors.append(
            run(operator, lambda d, t: bessel_mode(3.8317059702075125, d, t), 0.3, safety)
        )
        mesh = refine(mesh)
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates.min() > order + 0.7, (rates, errors)


def test_straight_walls_cap_the_order_at_two():
    errors = []
    for mesh in (elliptic_disk((0, 0), (1, 1), 0), refine(elliptic_disk((0, 0), (1, 1), 0))):
        operator = vacuum_operator(discretize(mesh.straight(), 3))
        errors.append(run(operator, lambda d, t: bessel_mode(3.8317059702075125, d, t), 0.3, 0.9))
    assert 1.5 < np.log2(errors[0] / errors[1]) < 2.5
