"""The step of a room whose media change is stable at every moment of the run, whatever its walls:
a medium grows only by what is pumped into it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.products import each_pair
from tests.sample_meshes import jittered_square, random_fields
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.numerics.time.stability import largest_stable_step
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import Media
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.time.rates import rates_of_change
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.model.scene import Scene, Solver, Wall
from wavelab.scene.walls.conductor import Conductor
from wavelab.scene.walls.impedance import ImpedanceWall
from wavelab.scene.walls.magnetic import MagneticWall
from wavelab.scene.walls.periodic import PeriodicWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

SIDES = ("domain.left", "domain.right", "domain.bottom", "domain.top")
WALLS: dict[str, tuple[Wall, ...]] = {
    "magnetic": (MagneticWall(SIDES),),
    "conducting": (Conductor(SIDES),),
    "low impedance": (ImpedanceWall(SIDES, impedance=0.1),),
    "high impedance": (ImpedanceWall(SIDES, impedance=10.0),),
    "periodic": (PeriodicWall(SIDES[:2]), PeriodicWall(SIDES[2:])),
}
#: What is multiplied by 16 at half time; of a conductivity of 2.
CHANGES = {
    "epsilon": {"epsilon": "1 if t < 1 else 16"},
    "mu": {"mu": "1 if t < 1 else 16"},
    "epsilon and mu": {"epsilon": "1 if t < 1 else 16", "mu": "16 if t < 1 else 1"},
    "epsilon back": {"epsilon": "16 if t < 1 else 1", "sigma": "2"},
    "sigma": {"sigma": "20 if t < 1 else 0"},
}


def room(
    walls: tuple[Wall, ...], order: int, upwinding: float = 1.0, **quantities: str | float
) -> Problem:
    solver = Solver(0.5, order=order, until=2.0, upwinding=upwinding)
    scene = Scene("room", solver, background=medium(**quantities), walls=walls)
    return discretize_scene(scene, jittered_square(2))


def frozen(operator: MaxwellTM, time: float) -> MaxwellTM:
    """With media as they are at a time."""
    held = {
        name: tuple(p.frozen(p.at(time)) for p in getattr(operator.media, name))
        for name in ("epsilon", "mu", "sigma")
    }
    return replace(operator, media=Media(**held))


def exact_step(operator: MaxwellTM, scheme: LowStorageScheme) -> float:
    """By all eigenvalues of a frozen operator."""
    size = 3 * operator.discretization.x.size
    matrix = np.array([rates_of_change(operator, row) for row in np.eye(size)])
    return largest_stable_step(np.linalg.eigvals(matrix), scheme)


@pytest.mark.parametrize(
    ("walls", "change", "order"), each_pair(list(WALLS), list(CHANGES), [1, 3])
)
def test_the_step_is_stable_before_and_after_a_change(walls, change, order):
    problem = room(WALLS[walls], order, **CHANGES[change])
    operator, scheme = problem.operator, problem.scheme
    step = stable_step(operator, scheme=scheme)
    moments = [frozen(operator, time) for time in (0.5, 1.5)]
    assert step <= 1.001 * min(exact_step(moment, scheme) for moment in moments)


@pytest.mark.parametrize(("quantity", "walls"), [("epsilon", "magnetic"), ("mu", "conducting")])
def test_where_a_slower_medium_takes_shorter_steps(quantity, walls):
    """The flux damps what the wall leaves alone, and the faster other field held that back."""
    steady = stable_step(room(WALLS[walls], 5).operator)
    changing = stable_step(room(WALLS[walls], 5, **CHANGES[quantity]).operator)
    assert changing < 0.95 * steady


@pytest.mark.parametrize("quantity", ["epsilon", "mu"])
@pytest.mark.parametrize("walls", ["magnetic", "conducting"])
def test_after_the_change_noise_only_fades(quantity, walls):
    problem = room(WALLS[walls], 5, **CHANGES[quantity])
    d, dt = problem.discretization, problem.dt_max
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=dt, scheme=problem.scheme))
    simulation.stepper.set_fields(random_fields(d))
    simulation.stepper.set_clock(1.5, 0)
    energies = [problem.operator.element_energy(random_fields(d), 1.5).sum()]
    for _ in range(10):
        simulation.stepper.advance(20)
        energies.append(simulation.stepper.element_energy().sum())
    assert (np.diff(energies) <= 0).all()
