"""What is shown: the right numbers, in a fitting palette."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulation.conftest import cavity, square
from wavelab.physics.problem import pose
from wavelab.simulation.batch_options import BatchOptions
from wavelab.simulation.numpy_stepper import NumpyStepper
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.views import view


@pytest.fixture
def simulation():
    """The (1, 1) mode of a square, shortly before a quarter of its period."""
    problem = pose(cavity(5), square(5))
    made = Simulation(problem, NumpyStepper(problem.operator, dt=0.9 * problem.dt_max))
    made.advance(round(0.3 / made.dt))
    return made


def test_the_strength_of_the_magnetic_field(simulation):
    d, t = simulation.problem.discretization, simulation.time
    x, y = np.pi * d.x, np.pi * d.y
    exact = (
        np.abs(np.sin(np.sqrt(2) * np.pi * t))
        / np.sqrt(2)
        * np.hypot(np.sin(x) * np.cos(y), np.cos(x) * np.sin(y))
    )
    assert view(simulation, "h") == pytest.approx(exact, abs=2e-3)


@pytest.mark.parametrize(
    ("options", "palette"),
    [
        ({}, "berlin"),
        ({"quantity": "h"}, "inferno"),
        ({"quantity": "hx"}, "berlin"),
        ({"quantity": "h", "palette": "vik"}, "vik"),
    ],
)
def test_a_headless_run_takes_a_palette_that_suits(options, palette):
    assert BatchOptions(**options).applied(cavity()).view.palette == palette
