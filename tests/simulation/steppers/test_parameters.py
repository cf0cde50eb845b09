"""Parameters of a scene are numbers to the kernels: other values of them compile nothing."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

TEXT = """\
[parameters]
n = { value = 2, range = [1, 4] }
a = { value = 0.3, range = [-1, 1] }
f = 1.5
spare = 1

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]

[background]
epsilon = "n + 0.2*a*sin(2*pi*f*t)"

[[materials]]
name = "graded"
epsilon = "n + a*x*y^2"
sigma = "a^2"
shape = "ellipse"
center = [0.6, 0.5]
radii = [0.15, 0.15]

[[sources]]
name = "sheet"
kind = "current"
jz = "a*sin(2*pi*f*t)*exp(-(x - n/4)^2/0.02) if t < 2/f else a/n"

[[sources]]
name = "lamp"
position = ["0.2 + abs(a)", 0.3]
radius = "0.1/f"
amplitude = "n"
waveform = { kind = "formula", formula = "sin(2*pi*f*t)*(1 - exp(-n*t))" }

[initial]
ez = "a*sin(pi*x)*sin(pi*y)"

[solver]
element_size = 0.3
order = 2
precision = "double"
until = 0.5
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return parse_scene(TEXT)


def ez_at_the_end(problem: Problem, backend: str) -> np.ndarray:
    n_steps = problem.steps_to_end()
    dt = problem.scene.solver.until / n_steps
    with closing(stepper_of(problem, dt=dt, backend=backend)) as stepper:
        simulation = Simulation(problem, stepper)
        simulation.advance(n_steps)
        return simulation.stepper.fields().ez


def test_other_values_compile_nothing(scene: Scene, compiled: list[str]) -> None:
    mesh = mesh_scene(scene)
    ez_at_the_end(discretize_scene(scene, mesh), "opencl")
    before = len(compiled)
    for values in ({"n": 2.7}, {"a": -0.4}, {"f": 2.25, "a": 0.7}):
        changed = discretize_scene(with_parameters(scene, values), mesh)
        found = ez_at_the_end(changed, "opencl")
        assert found == pytest.approx(ez_at_the_end(changed, "numpy"), abs=1e-9)
    assert len(compiled) == before


def test_a_problem_is_revised(scene: Scene) -> None:
    problem = discretize_scene(scene, mesh_scene(scene))
    other = with_parameters(scene, {"n": 3.0, "a": 0.1, "f": 1.0})
    assert can_be_revised(scene, other)
    found = revised(problem, other)
    anew = discretize_scene(other, problem.discretization.mesh)
    assert (found.initial.ez == anew.initial.ez).all()
    # The time step may be another one.
    difference = ez_at_the_end(found, "numpy") - ez_at_the_end(anew, "numpy")
    assert np.abs(difference).max() < 1e-4 * np.abs(anew.initial.ez).max()


def test_a_parameter_without_effect_is_told(scene: Scene) -> None:
    problem = discretize_scene(scene, mesh_scene(scene))
    told = "nothing in the scene uses parameter spare, so it has no effect"
    assert told in problem.notices
    assert sum("uses parameter" in notice for notice in problem.notices) == 1
