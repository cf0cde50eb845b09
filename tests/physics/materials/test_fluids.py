"""Fluids bear no shear, whatever stress they are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_elastic import random_elastic
from wavelab.meshing.job import mesh_scene
from wavelab.physics.materials.fluids import flowing
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.loading import carried_over
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

SCENE = """
physics = "elastic"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
p_speed = 1
s_speed = 0.5
[[materials]]
name = "sea"
p_speed = 0.8
s_speed = {s_speed}
shape = "rectangle"
lower = [0, 0.5]
upper = [1, 1]
[initial]
sxy = "{sxy}"
sxx = "{sxx}"
syy = "{syy}"
[solver]
element_size = 0.3
order = 2
until = 1
"""


def problem_of(*, s_speed: str = "0", sxy: str = "0", sxx: str = "0", syy: str = "0") -> Problem:
    scene = parse_scene(SCENE.format(s_speed=s_speed, sxy=sxy, sxx=sxx, syy=syy))
    return discretize_scene(scene, mesh_scene(scene))


def in_fluid(problem: Problem) -> np.ndarray:
    found = problem.operator.mu == 0
    assert found.any()
    assert not found.all()
    return found


@pytest.mark.parametrize("s_speed", ["0", '"0*x"'])
def test_an_initial_stress_leaves_a_fluid_its_pressure(s_speed):
    problem = problem_of(s_speed=s_speed, sxy="1 + x", sxx="2 + y", syy="x")
    fields, fluid, d = problem.initial, in_fluid(problem), problem.discretization
    assert not fields.sxy[fluid].any()
    np.testing.assert_allclose(fields.sxx[fluid], (2 + d.x + d.y)[fluid] / 2)
    np.testing.assert_array_equal(fields.syy[fluid], fields.sxx[fluid])
    np.testing.assert_allclose(fields.sxy[~fluid], (1 + d.x)[~fluid])
    np.testing.assert_allclose(fields.sxx[~fluid], (2 + d.y)[~fluid])
    assert any("shears a fluid" in notice for notice in problem.notices)


@pytest.mark.parametrize(
    "initial",
    [{}, {"sxx": "exp(x)", "syy": "exp(x)"}, {"sxy": "x if y < 0.5 else 0", "s_speed": "0.3"}],
)
def test_nothing_is_told_where_nothing_is_sheared(initial):
    problem = problem_of(**initial)
    assert not any("shears a fluid" in notice for notice in problem.notices)


def test_the_wave_stays_bounded():
    """Where it was left the stress pushed the fluid for ever."""
    problem = problem_of(sxy="sin(3*x*y)")
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    first = problem.operator.element_energy(problem.initial).sum()
    simulation.advance(60)
    assert problem.operator.element_energy(simulation.state().fields).sum() < first


def test_a_solid_that_melts_loses_its_shear_while_the_wave_runs():
    before = problem_of(s_speed="0.4", sxy="sin(3*x*y)", sxx="x", syy="y")
    simulation = Simulation(before, NumpyStepper(before.operator, dt=before.dt_max))
    (sea,) = before.scene.materials
    melted = replace(sea, material=replace(sea.material, s_speed=0.0))
    after = revised(before, replace(before.scene, materials=(melted,)))
    state, live = carried_over(simulation, after, lambda told: None)
    assert live
    assert state is not None
    fluid = in_fluid(after)
    assert not state.fields.sxy[fluid].any()
    np.testing.assert_array_equal(state.fields.sxx[fluid], state.fields.syy[fluid])
    np.testing.assert_array_equal(state.fields.sxy[~fluid], before.initial.sxy[~fluid])


def test_fields_that_fit_stay_the_same_ones():
    problem = problem_of(s_speed="0.4")
    fields = random_elastic(problem.operator, 1)
    assert flowing(problem.operator, fields) is fields
