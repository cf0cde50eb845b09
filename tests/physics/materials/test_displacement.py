"""The displacement of a membrane: exact, alike on both steppers, and without effect on the wave."""

from dataclasses import replace

import numpy as np
import pytest

from wavelab.meshing.job import mesh_scene
from wavelab.physics.exact import field_errors
from wavelab.physics.materials.displacement import integral_of
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

DRUM = """\
physics = "membrane"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
density = 2
tension = 3
[initial]
displacement = "sin(pi*x)*sin(pi*y)"
[exact]
displacement = "sin(pi*x)*sin(pi*y)*cos(sqrt(3)*pi*t)"
velocity = "-sqrt(3)*pi*sin(pi*x)*sin(pi*y)*sin(sqrt(3)*pi*t)"
sx = "3*pi*cos(pi*x)*sin(pi*y)*cos(sqrt(3)*pi*t)"
sy = "3*pi*sin(pi*x)*cos(pi*y)*cos(sqrt(3)*pi*t)"
[solver]
element_size = 0.5
order = 3
precision = "double"
"""


def run(scene, backend: str, until: float):
    problem = discretize_scene(scene, mesh_scene(scene))
    simulation = Simulation(problem, stepper_of(problem, backend=backend))
    simulation.advance(problem.steps_to_end(until))
    return problem, simulation


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_a_plucked_membrane_moves_as_it_must(backend):
    errors = []
    for size in (0.5, 0.25):
        scene = parse_scene(DRUM)
        scene = replace(scene, solver=replace(scene.solver, element_size=size, until=0.7))
        problem, simulation = run(scene, backend, 0.7)
        found = field_errors(problem, simulation.stepper.fields(), simulation.time)
        assert set(found) == {"hx", "hy", "ez", "displacement"}
        errors.append([error.l2 for error in found.values()])
        simulation.stepper.close()
    rates = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert (rates > 3.3).all(), (errors, rates)


def test_both_steppers_keep_the_same_displacement_and_the_wave_is_that_without():
    scene = parse_scene(DRUM)
    found = {}
    for backend in ("numpy", "opencl"):
        problem, simulation = run(scene, backend, 1.0)
        fields = simulation.stepper.fields()
        found[backend] = integral_of(problem.auxiliary_equations, fields), fields.ez
        simulation.stepper.close()
    for one, other in zip(*found.values(), strict=True):
        assert np.abs(one - other).max() < 1e-12
    bare = replace(problem, auxiliary_equations=(), initial=replace(problem.initial, auxiliary=()))
    simulation = Simulation(bare, stepper_of(bare, backend="numpy"))
    simulation.advance(problem.steps_to_end(1.0))
    assert np.abs(simulation.stepper.fields().ez - found["numpy"][1]).max() < 1e-13
