"""Waves between curved walls: balance of energy, constant fields, the modes of round rooms."""

from dataclasses import replace

import numpy as np
import pytest

from tests.products import each_value
from tests.sample_meshes import elliptic_disk, mixed_operator, random_fields, vacuum_operator
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.fields.discretization import discretize
from wavelab.numerics.fields.traces import inside_trace
from wavelab.numerics.mesh.refine import refine
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, right_hand_side
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.walls import AbsorbingWall
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.verification.round_waves import Scattering, cored_mode, disk_mode, ring_mode

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
    size = float(operator.element_energy(fields).sum()) / stable_step(operator)
    assert abs(energy_rate(operator, fields) - expected) < 1e-12 * size
    assert expected < 0


@pytest.mark.parametrize("order", [2, 4, 7])
def test_the_central_flux_conserves_energy(order):
    d = discretize(elliptic_disk(hole=0.3, core=True), order)
    operator, fields = vacuum_operator(d, upwinding=0.0), random_fields(d)
    size = float(operator.element_energy(fields).sum()) / stable_step(operator)
    assert abs(energy_rate(operator, fields)) < 1e-13 * size


@pytest.mark.parametrize("order", [2, 3, 6])
def test_constant_fields_stay_constant(order):
    d = discretize(elliptic_disk(hole=0.3, core=True), order)
    one, none = np.ones(d.shape), np.zeros(d.shape)
    for wall, fields in (
        (
            -1.0,
            MaxwellFields(0.3 * one, -0.7 * one, none),
        ),  # a conductor lets the magnetic field be
        (1.0, MaxwellFields(none, none, one)),
    ):
        change = right_hand_side(vacuum_operator(d, reflection=wall), fields)
        for values in (change.hx, change.hy, change.ez):
            assert np.abs(values).max() < 1e-10


def l2_error(exact, d, found, t):
    """Of all fields together, by quadrature."""
    q = d.quadrature(2 * d.order + 4)
    right, squares = exact(q, t), 0.0
    for name in ("hx", "hy", "ez"):
        wrong = getattr(found, name) @ q.to_points.T - getattr(right, name)
        squares += float((q.weights * wrong**2).sum())
    return np.sqrt(squares)


def run(operator, exact, until, safety):
    """L2 error of all fields at the end of a run from the exact fields."""
    d = operator.discretization
    steps = int(np.ceil(until / (safety * stable_step(operator))))
    stepper = NumpyStepper(operator, dt=until / steps)
    stepper.set_fields(exact(d, 0.0))
    stepper.advance(steps)
    return l2_error(exact, d, stepper.fields(), until)


ROOM = Ellipse((0, 0), (1, 1))


def meshed(size, holes=(), cores=()):
    """A round room of radius 1 with other round things in it."""
    return mesh_scene(
        Scene(
            "round",
            Solver(element_size=size),
            ROOM,
            holes=tuple(Hole(f"hole {i}", hole) for i, hole in enumerate(holes)),
            materials=tuple(
                MaterialRegion(f"core {i}", Material(4.0), c) for i, c in enumerate(cores)
            ),
        )
    )


def series(mode, mesh, order, levels):
    """Errors of runs on finer and finer meshes, and of the best approximation there is on them."""
    # The error in time must not show.
    safety = 0.9 if order < 4 else 0.4
    errors, best = [], []
    for _ in range(levels):
        d = discretize(mesh, order)
        operator = replace(vacuum_operator(d), epsilon=np.where(d.mesh.regions == 1, 4.0, 1.0))
        errors.append(run(operator, mode.fields, 0.2, safety))
        best.append(best_error(mode.fields, d, 0.2))
        mesh = refine(mesh)
    return np.array(errors), np.array(best)


def best_error(exact, d, t):
    """L2 error of the projections of the exact fields."""
    q = d.quadrature(2 * d.order + 4)
    right, squares = exact(q, t), 0.0
    mass = np.einsum("kp,pi,pj->kij", q.weights, q.to_points, q.to_points)
    for values in (right.hx, right.hy, right.ez):
        apply_mass = (q.weights * values) @ q.to_points
        nodal = np.linalg.solve(mass, apply_mass[:, :, None])[:, :, 0]
        squares += float((q.weights * (nodal @ q.to_points.T - values) ** 2).sum())
    return np.sqrt(squares)


@pytest.mark.parametrize("order", ORDERS)
def test_the_modes_of_a_disk_converge_at_the_full_order(order):
    errors, _ = series(disk_mode(1, 3.0, 4.5), meshed(0.4), order, 3 if order < 4 else 2)
    assert np.log2(errors[:-1] / errors[1:]).min() > order + 0.7, errors


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", ["ring", "dielectric core"])
def test_modes_round_a_hole_and_in_a_dielectric_are_as_good_as_can_be(kind, order):
    """These bend more towards the middle, and the power of h shows late: up to order 4 here.

    For all orders the error stays close to that of the best approximation by polynomials on the
    same elements, which is the same on straight elements.
    """
    if kind == "ring":
        mode, mesh = (
            ring_mode(1, 0.45, 5.5, 6.5),
            meshed(0.4, holes=[Ellipse((0, 0), (0.45, 0.45))]),
        )
    else:
        mode, mesh = (
            cored_mode(1, 0.5, 4.0, 2.0, 3.0),
            meshed(0.4, cores=[Ellipse((0, 0), (0.5, 0.5))]),
        )
    errors, best = series(mode, mesh, order, 3 if order < 4 else 2)
    if order > 1:  # of order 1 faces are straight, and the domain is another
        assert (errors < 4 * best).all(), errors / best
    rate = np.log2(errors[-2] / errors[-1])
    assert rate > order + (0.7 if order < 5 else -0.2), errors


def test_straight_walls_cap_the_order_at_two():
    errors, _ = series(disk_mode(1, 3.0, 4.5), meshed(0.4).straight(), 3, 1)
    finer, _ = series(disk_mode(1, 3.0, 4.5), refine(meshed(0.4)).straight(), 3, 1)
    assert 1.5 < np.log2(errors[0] / finer[0]) < 2.5


def run_lit(operator, wave, until, safety=0.4):
    """The same with absorbing straight outer walls through which the exact wave comes in.

    ``safety`` is the step in parts of the largest stable one: small, and only the error of the
    elements is left.
    """
    d, g = operator.discretization, operator.discretization.geometry
    walls = d.connectivity.is_boundary & (operator.reflection == 0)
    assert not walls[d.first_curved :].any()
    # Fields are the real part of amplitudes times exp(-i k t).
    now, later = (wave.fields(d, t) for t in (0.0, np.pi / (2 * wave.k)))
    hx, hy, ez = (
        inside_trace(d, getattr(now, n) + 1j * getattr(later, n)) for n in ("hx", "hy", "ez")
    )
    normal_x, normal_y = g.normal_x[:, :, None], g.normal_y[:, :, None]
    coming = (ez + normal_x * hy - normal_y * hx) / 2 * walls[:, :, None]

    def lifted(flux):
        return (g.face_scale[:, :, None] * flux).reshape(d.n_elements, -1) @ d.element.lift.T

    added = np.stack([lifted(-normal_y * coming), lifted(normal_x * coming), lifted(coming)])

    def rate(state, t):
        change = right_hand_side(operator, MaxwellFields(*state))
        wall = (added * np.exp(-1j * wave.k * t)).real
        return np.stack([change.hx, change.hy, change.ez]) + wall

    steps = int(np.ceil(until / (safety * stable_step(operator, scheme=SCHEMES["rkf84"]))))
    dt, state = until / steps, np.stack([now.hx, now.hy, now.ez])
    for t in dt * np.arange(steps):  # the classical scheme of Kutta
        one = rate(state, t)
        two = rate(state + dt / 2 * one, t + dt / 2)
        three = rate(state + dt / 2 * two, t + dt / 2)
        four = rate(state + dt * three, t + dt)
        state = state + dt / 6 * (one + 2 * two + 2 * three + four)
    return l2_error(wave.fields, d, MaxwellFields(*state), until)


def lit_cylinder(wave, element_size):
    """The body of a :class:`Scattering` in a square of side 2."""
    body, epsilon = Ellipse((0, 0), (wave.radius, wave.radius)), wave.epsilon
    return Scene(
        "cylinder",
        Solver(element_size=element_size),
        Rectangle((-1, -1), (1, 1)),
        holes=(Hole("cylinder", body),) if epsilon is None else (),
        materials=() if epsilon is None else (MaterialRegion("glass", Material(epsilon), body),),
        walls=(AbsorbingWall(("domain",)),),
    )


@pytest.mark.parametrize(("order", "epsilon"), each_value([2, 4], [None, 2.25]))
def test_a_plane_wave_on_a_cylinder_converges_to_the_series(order, epsilon):
    """As the modes round a hole: the full power of h at low order, and no worse than can be."""
    wave = Scattering(2.0, 0.5, epsilon)
    scene = lit_cylinder(wave, 0.3)
    mesh, errors, best = mesh_scene(scene), [], []
    for _ in range(2):
        operator = discretize_scene(scene, mesh, order=order).operator
        errors.append(run_lit(operator, wave, 0.1))
        best.append(best_error(wave.fields, operator.discretization, 0.1))
        mesh = refine(mesh)
    if order > 1:
        assert (np.array(errors) < 4 * np.array(best)).all(), (errors, best)
    assert np.log2(errors[0] / errors[1]) > order + (0.7 if order < 4 else 0.3), errors


def print_rates():
    """For docs/accuracy.md: rates for a cylinder between three meshes."""
    for epsilon in (None, 2.25):
        for order in range(1, 7):
            wave = Scattering(2.0, 0.5, epsilon)
            mesh, errors = mesh_scene(lit_cylinder(wave, 0.2)), []
            for _ in range(3):
                operator = discretize_scene(lit_cylinder(wave, 0.2), mesh, order=order).operator
                errors.append(run_lit(operator, wave, 0.03, safety=0.05))
                mesh = refine(mesh)
            print(epsilon, order, errors, np.log2(np.divide(errors[:-1], errors[1:])))


if __name__ == "__main__":
    print_rates()
