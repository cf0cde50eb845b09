"""Walls against exact solutions: what they send back, and edges glued to other edges."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.products import each_value
from tests.sample_meshes import jittered_square, random_fields, vacuum_operator
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.numerics.mesh.refine import refine
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.power.power import powers
from wavelab.physics.problem import discretize_scene
from wavelab.physics.time.time_step import stable_step
from wavelab.physics.walls.walls import reflection_coefficients
from wavelab.scene.model.scene import Scene, Solver, Wall
from wavelab.scene.walls import AbsorbingWall, ImpedanceWall, MagneticWall, PeriodicWall
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

#: Of the medium in front of the wall: Z = 2 / 3, and waves run with the speed 2 / 3.
EPSILON = 2.25
Z = 1 / math.sqrt(EPSILON)


def strip(right: Wall, upwinding: float) -> MaxwellTM:
    """A square in which plane waves run along x, with a wall at the right."""
    scene = Scene(
        "strip",
        Solver(upwinding=upwinding),
        walls=(MagneticWall(("domain.top", "domain.bottom")), right),
    )
    d = discretize(jittered_square(3), 8)
    k = d.n_elements
    return MaxwellTM(
        d,
        np.full(k, EPSILON),
        np.ones(k),
        np.zeros(k),
        reflection_coefficients(scene, d.mesh, np.full(k, Z)),
        upwinding,
    )


def returned(operator: MaxwellTM) -> float:
    """Part of a pulse that comes back from the right wall: by projection of Ez on what a wall
    with R = 1 would send."""
    d = operator.discretization

    def pulse(x0):
        return np.exp(-((d.x - x0) ** 2) / (2 * 0.08**2))

    stepper = NumpyStepper(operator, dt=0.5 * stable_step(operator))
    start = pulse(0.5)
    stepper.set_fields(MaxwellFields(np.zeros(d.shape), -start / Z, start))
    steps = math.ceil(1.0 / (Z * stepper.dt))
    stepper.advance(steps)
    expected = pulse(1.5 - Z * steps * stepper.dt)
    ez = stepper.fields().ez
    product = d.integrate_product(ez, expected).sum()
    return float(product / d.integrate_product(expected, expected).sum())


@pytest.mark.parametrize(
    ("impedance", "upwinding"), each_value([None, 0.0, 0.2, Z, 1.0, 5.0], [0.0, 0.5, 1.0])
)
def test_reflection_is_that_of_the_surface_impedance(impedance, upwinding):
    edges = ("domain.right",)
    if impedance is None:
        wall, expected = AbsorbingWall(edges), 0.0
    else:
        wall, expected = ImpedanceWall(edges, impedance), (impedance - Z) / (impedance + Z)
    assert returned(strip(wall, upwinding)) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("upwinding", [0.0, 0.3, 1.0])
def test_a_wall_takes_what_it_promises_whatever_the_upwinding(upwinding):
    """p^2 / Z of what runs into it, and energy only falls, for any fields."""
    d = discretize(jittered_square(3), 3)
    into = MaxwellFields(np.zeros(d.shape), -np.ones(d.shape), np.ones(d.shape))
    operator = vacuum_operator(d, upwinding, 0.0)
    assert powers(operator, into).wall == pytest.approx(1.0 + 2 * 0.25, rel=1e-12)
    assert powers(operator, random_fields(d)).net < 0


def turning_modes(d: Discretization, t: float) -> Fields:
    """In the square [-1, 1]^2 with conducting walls, two modes that look the same after a quarter
    turn: one is its own mirror image and one its negative, so no wall does on both axes what
    gluing does."""
    ez, hx, hy = (np.zeros(d.shape) for _ in range(3))
    p = np.pi
    c, s = np.cos, np.sin
    first, second = p / math.sqrt(2), p * math.sqrt(5)

    def add(omega, value, by_x, by_y):
        nonlocal ez, hx, hy
        ez = ez + value * math.cos(omega * t)
        hx = hx - by_y * math.sin(omega * t) / omega
        hy = hy + by_x * math.sin(omega * t) / omega

    x, y = d.x, d.y
    h = p / 2
    add(first, c(h * x) * c(h * y), -h * s(h * x) * c(h * y), -h * c(h * x) * s(h * y))
    add(
        second,
        s(p * x) * s(2 * p * y) - s(2 * p * x) * s(p * y),
        p * c(p * x) * s(2 * p * y) - 2 * p * c(2 * p * x) * s(p * y),
        2 * p * s(p * x) * c(2 * p * y) - p * s(2 * p * x) * c(p * y),
    )
    return MaxwellFields(hx, hy, ez)


def quarter(n: int) -> Scene:
    return Scene(
        "a quarter of a square",
        Solver(element_size=1 / n),
        walls=(PeriodicWall(("domain.left", "domain.bottom")),),
    )


@pytest.mark.parametrize("order", [2, 4])
def test_a_quarter_with_glued_edges_is_the_whole_square(order):
    mesh = jittered_square(3)
    errors = []
    for _ in range(2):
        problem = discretize_scene(quarter(3), mesh, order=order)
        d = problem.discretization
        stepper = NumpyStepper(problem.operator, dt=0.3 * problem.dt_max)
        stepper.set_fields(turning_modes(d, 0.0))
        stepper.advance(math.ceil(0.8 / stepper.dt))
        exact = turning_modes(d, stepper.dt * math.ceil(0.8 / stepper.dt))
        difference = stepper.fields().ez - exact.ez
        errors.append(math.sqrt(d.integrate_product(difference, difference).sum()))
        mesh = refine(mesh)
    assert errors[1] < 0.02
    assert math.log2(errors[0] / errors[1]) > order + 0.7


def test_a_conductor_in_place_of_the_glue_is_wrong():
    """The test above can fail."""
    scene = replace(quarter(3), walls=())
    problem = discretize_scene(scene, jittered_square(6), order=4)
    d = problem.discretization
    stepper = NumpyStepper(problem.operator, dt=problem.dt_max)
    stepper.set_fields(turning_modes(d, 0.0))
    stepper.advance(math.ceil(0.8 / stepper.dt))
    exact = turning_modes(d, stepper.dt * math.ceil(0.8 / stepper.dt))
    assert np.abs(stepper.fields().ez - exact.ez).max() > 0.1
