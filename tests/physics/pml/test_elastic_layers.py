"""Layers of open walls of elastic waves: what they take, and that they never give."""

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_elastic import random_elastic
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.power.elastic_power import elastic_powers
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

SCENE = """
title = "open"
physics = "elastic"
[domain]
{domain}
[background]
s_speed = {s_speed}
[[walls]]
kind = "open"
edges = ["domain"]
thickness = 0.5
[[pings]]
time = 0
position = [0, 0]
radius = 0.12
amplitude = 1
[solver]
element_size = 0.25
order = 4
precision = "double"
until = {until}
"""
SQUARE = 'shape = "rectangle"\nlower = [-1, -1]\nupper = [1, 1]'
TURNED = 'shape = "polygon"\nvertices = [[-1.2, 0], [0, -1.2], [1.2, 0], [0, 1.2]]'
ROUND = 'shape = "ellipse"\ncenter = [0, 0]\nradii = [1, 1]'


def problem_of(domain, s_speed=0.5, until=3.0):
    scene = parse_scene(SCENE.format(domain=domain, s_speed=s_speed, until=until))
    return discretize_scene(scene, mesh_scene(scene))


@pytest.mark.parametrize("domain", [SQUARE, TURNED, ROUND], ids=["square", "turned", "round"])
@pytest.mark.parametrize("s_speed", [0.0, 0.5])
def test_a_layer_takes_from_any_fields(domain, s_speed):
    problem = problem_of(domain, s_speed)
    (equations,) = problem.auxiliary_equations
    for seed in range(3):
        fields = random_elastic(problem.operator, seed)
        with_memory = type(fields).of(fields.arrays, (np.zeros(equations.shape),))
        without = elastic_powers(problem.operator, fields)
        taken = elastic_powers(problem.operator, with_memory, auxiliary_equations=(equations,)).wall
        assert taken > without.wall


def test_a_ping_leaves():
    problem = problem_of(SQUARE)
    simulation = Simulation(problem, stepper_of(problem))
    simulation.ping(0.0, 0.0, 0.12, 1.0)
    start = float(simulation.stepper.element_energy().sum())
    simulation.advance(problem.steps_to_end())
    left = float(simulation.stepper.element_energy().sum())
    simulation.close()
    assert left < 1e-4 * start


def test_a_layer_needs_some_upwinding():
    """Without any, what it does at the nodes of an element can make fields grow a little."""
    scene = parse_scene(SCENE.format(domain=SQUARE, s_speed=0.5, until=1.0))
    for upwinding, right in ((0.0, False), (0.05, False), (0.1, True)):
        solver = replace(scene.solver, upwinding=upwinding)
        changed, mesh = replace(scene, solver=solver), mesh_scene(scene)
        if right:
            assert discretize_scene(changed, mesh).auxiliary_equations
            continue
        with pytest.raises(SceneError, match="needs upwinding") as raised:
            discretize_scene(changed, mesh)
        assert "0.1 or more" in raised.value.remedy
