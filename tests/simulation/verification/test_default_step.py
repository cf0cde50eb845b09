"""By default the step is so accurate that the error is that of the elements."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.products import each_value, only_in_hunt
from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.refine import refine
from wavelab.physics.initial_fields import evaluate_fields
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.steppers.steppers import equip, stepper_of

CAVITY = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 0.8]
[background]
epsilon = 2
mu = 1.5
[initial]
ez = "sin(2*pi*x)*sin(2*pi*y/0.8)"
[exact]
ez = "sin(2*pi*x)*sin(2*pi*y/0.8)*cos(5.806991334485206*t)"
[solver]
element_size = 0.5
until = 4.6
precision = "double"
"""
ROOM = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 1.6]
[solver]
element_size = 0.4
until = 1.5
precision = "double"
"""
PULSE = """
amplitude = 1
waveform = { kind = "gaussian", width = 0.25, delay = 1 }
"""
POINT = f"""
[[sources]]
position = [0.8, 0.8]
radius = 0.25
{PULSE}
"""
OPEN = """
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.6
"""
SCENES = {
    "point source": ROOM + POINT,
    "current": ROOM
    + """
[[sources]]
kind = "current"
jz = "sin(pi*x/2)*sin(pi*y/1.6)*sin(4*t + x)*exp(-(5*(t - 1))^2)"
""",
    "moving source": ROOM
    + f"""
[[sources]]
kind = "moving"
x = "0.8 + 0.4*t"
y = "0.8 + 0.1*sin(3*t)"
radius = 0.25
{PULSE}
""",
    "wave that comes in": ROOM
    + f"""
[[sources]]
kind = "plane_wave"
direction = 20
shape = "rectangle"
lower = [0.4, 0.3]
upper = [1.6, 1.3]
{PULSE}
""",
    "absorbing walls": ROOM + POINT + '[[walls]]\nedges = ["domain"]\nkind = "absorbing"',
    "PML": ROOM + POINT + OPEN,
    "pole": ROOM
    + POINT
    + "[background]\npoles = [{ kind = 'lorentz', frequency = 1.5, strength = 1, damping = 0.1 }]",
    "graded": ROOM + POINT + '[background]\nepsilon = "1 + x/2"\nsigma = 0.5',
}


def problem_for(text: str, order: int, *, refinements: int = 0, **solver) -> Problem:
    scene = parse_scene(text)
    scene = replace(scene, solver=replace(scene.solver, order=order, **solver))
    mesh = mesh_scene(scene)
    for _ in range(refinements):
        mesh = refine(mesh)
    return discretize_scene(scene, mesh)


def at_the_end(problem: Problem, backend: str) -> np.ndarray:
    """(3, n_elements, nodes_per_element) hx, hy and ez."""
    n_steps, until = problem.steps_to_end(), problem.scene.solver.until
    stepper = stepper_of(problem, dt=until / n_steps, backend=backend)
    try:
        equip(stepper, problem)
        stepper.set_fields(problem.initial)
        stepper.advance(n_steps)
        fields = stepper.fields()
    finally:
        stepper.close()
    return np.stack([fields.hx, fields.hy, fields.ez])


@pytest.mark.parametrize(
    ("order", "backend"),
    [
        (3, "numpy"), (4, "opencl"), (6, "numpy"), (8, "opencl"),
        *only_in_hunt((3, "opencl"), (4, "numpy"), (6, "opencl"), (8, "numpy")),
    ],
)  # fmt: skip
def test_the_error_falls_as_that_of_the_elements(order, backend):
    errors = [
        error_of(problem_for(CAVITY, order, refinements=refinements), backend)
        for refinements in ((0, 1) if order > 4 else (1, 2))
    ]
    assert math.log2(errors[0] / errors[1]) > order + 0.7


def error_of(problem: Problem, backend: str) -> float:
    """L2 error of Ez in the cavity."""
    d = problem.discretization
    exact = evaluate_fields(problem.scene.exact, d, t=problem.scene.solver.until)
    error = at_the_end(problem, backend)[2] - exact.ez
    return float(np.vdot(error, d.apply_mass(error, np.arange(d.n_elements)))) ** 0.5


@pytest.mark.parametrize(
    ("order", "upwinding"),
    [
        (1, 1), (2, 1), (5, 1), (7, 1), (10, 1), (1, 0), (2, 0.5), (5, 0.5),
        *only_in_hunt((9, 1), (9, 0)),
    ],
)  # fmt: skip
def test_the_error_is_that_of_the_elements(order, upwinding):
    """Shorter steps make it no smaller."""
    refinements = 2 if order < 3 else 1
    usual, fine = (
        error_of(
            problem_for(CAVITY, order, refinements=refinements, upwinding=upwinding, safety=safety),
            "opencl",
        )
        for safety in (0.9, 0.3)
    )
    assert usual < 1.1 * fine


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        (1, "wave that comes in"), (1, "PML"), (2, "wave that comes in"), (5, "PML"),
        (7, "wave that comes in"), (10, "PML"),
        *only_in_hunt(
            (2, "PML"), (5, "wave that comes in"), (7, "PML"), (10, "wave that comes in")
        ),
    ],
)  # fmt: skip
def test_sources_and_layers_are_as_accurate(order, kind):
    """By how much a third of the step changes the fields, beside the error of such elements."""
    text, size = SCENES[kind], 0.4
    if order < 3:  # of which a layer needs more elements
        text, size = text.replace("thickness = 0.6", "thickness = 0.79"), 0.3
    usual, fine = (
        at_the_end(problem_for(text, order, safety=safety, element_size=size), "opencl")
        for safety in (0.9, 0.3)
    )
    of_elements = {1: 0.02, 2: 2e-3, 5: 1e-5, 7: 1e-7, 10: 1e-10}[order]
    assert np.abs(usual - fine).max() < of_elements * np.abs(fine).max()


@pytest.mark.parametrize(
    ("kind", "step"),
    each_value(
        list(SCENES),
        [(4, 1e-6, "numpy"), (8, 1e-9, "opencl"), *only_in_hunt((4, 1e-6, "opencl"))],
    ),
    ids=str,
)
def test_shorter_steps_change_next_to_nothing(kind, step):
    """With schemes of order 4 it is 2e-6 to 1e-3 of the fields at order 4, 3e-8 to 2e-4 at 8."""
    order, part, backend = step
    usual, fine = (
        at_the_end(problem_for(SCENES[kind], order, safety=safety), backend)
        for safety in (0.9, 0.4)
    )
    assert np.abs(usual - fine).max() < part * np.abs(fine).max()


def test_what_changes_in_time_is_stepped_by_schemes_for_any_equations():
    changing = ROOM + POINT + '[background]\nepsilon = "2 + sin(3*t)/2"'
    assert not problem_for(changing, 6).scheme.linear
    with pytest.raises(SceneError, match=r"upw148.*change in time"):
        problem_for(changing, 6, stepper="upw148")
