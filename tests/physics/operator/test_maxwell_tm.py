"""Identities of the semi-discrete operator."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import (
    jittered_square,
    mixed_operator,
    random_fields,
    reference_mesh,
    vacuum_operator,
)
from wavelab.numerics.fields.discretization import discretize
from wavelab.physics.operator.energy import element_energy
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import numerical_flux, right_hand_side
from wavelab.physics.time.time_step import stable_step
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def power(operator, fields):
    """d(energy)/dt of the semi-discrete system, without integrating in time."""
    d, change = operator.discretization, right_hand_side(operator, fields)
    return float(
        np.sum(operator.epsilon * d.integrate_product(fields.ez, change.ez))
        + np.sum(
            operator.mu
            * (
                d.integrate_product(fields.hx, change.hx)
                + d.integrate_product(fields.hy, change.hy)
            )
        )
    )


@pytest.mark.parametrize("order", [1, 3, 6])
@pytest.mark.parametrize("wall", [-1.0, 1.0])
def test_central_flux_conserves_energy_across_jumps_in_material(order, wall):
    operator = mixed_operator(order, upwinding=0.0)
    operator = replace(
        operator,
        sigma=np.zeros_like(operator.sigma),
        reflection=np.full_like(operator.reflection, wall),
    )
    fields = random_fields(operator.discretization)
    scale = element_energy(operator, fields).sum() / operator.discretization.mesh.inradii().min()
    assert abs(power(operator, fields)) < 1e-12 * scale


@pytest.mark.parametrize("order", [1, 3, 6])
@pytest.mark.parametrize("upwinding", [0.0, 0.3, 1.0])
def test_energy_never_grows(order, upwinding):
    """Whatever the materials, losses and walls: for any fields, jumps included."""
    operator = mixed_operator(order, upwinding)
    for seed in range(5):
        assert power(operator, random_fields(operator.discretization, seed)) < 0


@pytest.mark.parametrize("order", [2, 5])
def test_conductivity_takes_sigma_e_squared(order):
    operator = mixed_operator(order, upwinding=0.0)
    operator = replace(operator, reflection=-np.ones_like(operator.reflection))
    fields = random_fields(operator.discretization)
    joule = np.sum(operator.sigma * operator.discretization.integrate_product(fields.ez, fields.ez))
    assert power(operator, fields) == pytest.approx(-joule, rel=1e-9)


def test_continuous_fields_have_no_flux_inside():
    operator = vacuum_operator(discretize(reference_mesh(), 4))
    d = operator.discretization
    fields = Fields(np.sin(d.x + d.y), np.cos(d.x), d.x * d.y)
    inside = ~d.connectivity.is_boundary
    for flux in numerical_flux(operator, fields):
        np.testing.assert_allclose(flux[inside], 0, atol=1e-13)


def test_what_leaves_one_element_enters_the_other():
    """The flux is single-valued: E* and H* agree seen from both sides of every interior face."""
    operator = mixed_operator(3, upwinding=0.7)
    d = operator.discretization
    fields = random_fields(d)
    e_flux, h_flux = numerical_flux(operator, fields)
    faces, g, c = d.element.face_nodes, d.geometry, d.connectivity
    e_star = fields.ez[:, faces] + e_flux
    h_star = (
        g.normal_x[:, :, None] * fields.hy[:, faces]
        - g.normal_y[:, :, None] * fields.hx[:, faces]
        + h_flux
    )
    inside = ~c.is_boundary
    across_e = e_star[c.neighbor_element, c.neighbor_face][:, :, ::-1]
    across_h = h_star[c.neighbor_element, c.neighbor_face][:, :, ::-1]
    np.testing.assert_allclose(e_star[inside], across_e[inside], atol=1e-12)
    np.testing.assert_allclose(h_star[inside], -across_h[inside], atol=1e-12)


@pytest.mark.parametrize("upwinding", [0.0, 0.5, 1.0])
def test_walls_hold_what_they_promise(upwinding):
    """E* = 0 on a conductor, H* = 0 on a magnetic wall, E* = -Z H* on an absorbing one."""
    d = discretize(reference_mesh(), 3)
    wall = d.connectivity.is_boundary
    fields = random_fields(d)
    faces, g = d.element.face_nodes, d.geometry
    ez = fields.ez[:, faces]
    h = g.normal_x[:, :, None] * fields.hy[:, faces] - g.normal_y[:, :, None] * fields.hx[:, faces]
    e_flux, _ = numerical_flux(vacuum_operator(d, upwinding, -1.0), fields)
    np.testing.assert_allclose((ez + e_flux)[wall], 0, atol=1e-13)
    _, h_flux = numerical_flux(vacuum_operator(d, upwinding, 1.0), fields)
    np.testing.assert_allclose((h + h_flux)[wall], 0, atol=1e-13)
    operator = vacuum_operator(d, upwinding, 0.0)
    e_flux, h_flux = numerical_flux(operator, fields)
    np.testing.assert_allclose((ez + e_flux + h + h_flux)[wall], 0, atol=1e-13)


@pytest.mark.parametrize(("order", "safety"), [(2, 0.05), (4, 0.1)])
def test_energy_stays_constant_with_central_flux_and_a_fine_step(order, safety):
    operator = vacuum_operator(discretize(jittered_square(4), order), upwinding=0.0)
    d = operator.discretization
    stepper = NumpyStepper(operator, dt=safety * stable_step(operator))
    stepper.set_fields(
        Fields(np.zeros(d.shape), np.zeros(d.shape), np.sin(np.pi * d.x) * np.sin(np.pi * d.y))
    )
    start = stepper.element_energy().sum()
    stepper.advance(400)
    assert stepper.element_energy().sum() == pytest.approx(start, rel=1e-10)
