"""Blow-ups are caught, and nothing else is."""

import math
from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import UnstableError
from wavelab.physics.operator.energy import element_energy
from wavelab.physics.operator.fields import Fields
from wavelab.physics.sources.gaussian import gaussian
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.sources import CurrentSource, PointSource
from wavelab.scene.waveforms import Sine
from wavelab.simulation.core.nan_guard import Guard, ez_norm
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def test_norm_of_a_ping_is_the_root_of_its_energy(problem):
    nodes, values = gaussian(problem.discretization, (0.4, 0.6), 0.1, 2.5)
    ez = np.zeros(problem.discretization.shape)
    ez.flat[nodes] = values
    whole = Fields(np.zeros_like(ez), np.zeros_like(ez), ez)
    energy = element_energy(problem.operator, whole).sum()
    assert ez_norm(problem.operator, nodes, values) == pytest.approx(np.sqrt(energy), rel=1e-12)


@pytest.mark.parametrize("times", [1.25, 1.6])
def test_too_long_a_step_is_caught(problem, times):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=times * problem.dt_max))
    with pytest.raises(UnstableError) as caught:
        simulation.advance(3000)
    assert caught.value.remedy
    assert simulation.steps <= 1000
    # At 1.6 times the step it has gone everywhere before anybody looks.
    if times < 1.5:
        assert "grows without bound in element" in str(caught.value)
        assert 0 <= caught.value.element < problem.discretization.n_elements


def test_what_is_not_finite_is_caught(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    simulation.stepper.add_to_ez(np.array([37]), np.array([np.nan]))
    with pytest.raises(UnstableError, match="not finite") as caught:
        simulation.check()
    assert caught.value.element == 37 // problem.discretization.nodes_per_element


def test_resonance_from_nothing_is_no_blow_up(make_problem, scenes):
    problem = make_problem(scenes["driven"](2), n=3)
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    energies = []
    for _ in range(10):
        simulation.advance(100)
        energies.append(simulation.check())
    assert energies[-1] > 20 * energies[0] > 0  # it does ring up


def test_pings_by_the_hundred_are_no_blow_up(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    start = simulation.check()
    for _ in range(100):
        assert simulation.ping(0.5, 0.5, 0.1, 1.0)
    assert simulation.check() > 100 * start
    simulation.advance(200)


def test_a_ping_outside_touches_nothing(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    assert not simulation.ping(5.0, 5.0, 0.1, 1.0)


def test_a_current_formula_counts_as_a_source(make_problem, scenes):
    jz = Formula.parse("10*sin(pi*x)*sin(pi*y)*cos(4*t)", ("x", "y", "t"))
    scene = replace(scenes["driven"](2), sources=(CurrentSource("j", jz),))
    problem = make_problem(scene, n=3)
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    simulation.advance(300)
    assert simulation.check() > 0.1


@pytest.mark.parametrize("frequency", [30.0, 1e2, 1e3, 1e4, 1e6, 1e9, 1e12])
def test_a_source_too_quick_for_the_steps_is_no_blow_up(make_problem, scenes, frequency):
    source = PointSource("quick", (0.5, 0.5), 0.2, 40.0, Sine(frequency))
    problem = make_problem(replace(scenes["driven"](2), sources=(source,)), n=3)
    # Of a round step, a round frequency has whole periods.
    for dt in (problem.dt_max, math.floor(100 * problem.dt_max) / 100, 0.9 * problem.dt_max):
        simulation = Simulation(problem, NumpyStepper(problem.operator, dt=dt))
        for steps in (1, 1, 3, 20):
            simulation.advance(steps)
            simulation.check()


def test_energy_without_a_source_is_refused(problem):
    guard = Guard(problem.operator, (), 1.0, 0.0, dt=problem.dt_max)
    share = np.full(problem.discretization.n_elements, 1 / problem.discretization.n_elements)
    assert guard.check(share, 0.1) == pytest.approx(1.0)
    with pytest.raises(UnstableError, match="without bound"):
        guard.check(5 * share, 0.2)


def test_the_guard_looks_on_its_own(problem, monkeypatch):
    looks = []
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    check = simulation.check
    monkeypatch.setattr(simulation, "check", lambda: looks.append(simulation.steps) or check())
    simulation.advance(30)
    simulation.advance(230)
    assert looks == [100, 200]


def test_a_current_that_vanishes_at_the_moment_of_a_check_is_no_blow_up(make_problem, scenes):
    """sin(8 pi t) is zero whenever 4 t is a whole number."""
    jz = Formula.parse("10*sin(pi*x)*sin(pi*y)*sin(8*pi*t)", ("x", "y", "t"))
    scene = replace(scenes["driven"](2), sources=(CurrentSource("j", jz),))
    problem = make_problem(scene, n=3)
    steps = int(np.ceil(0.25 / problem.dt_max))
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=0.25 / steps))
    simulation.advance(steps)
    assert simulation.check() > 0


@pytest.mark.parametrize("field", ["ez", "hx", "hy"])
def test_where_a_field_stops_being_finite_is_told_within_steps(make_problem, scenes, field):
    """Though by then it is not in much of the mesh."""
    problem = make_problem(scenes["driven"](2), n=12)
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    neighbors = problem.discretization.connectivity.neighbor_element
    for element in range(0, problem.discretization.n_elements, 11):
        fields = simulation.stepper.fields()
        getattr(fields, field)[element, -1] = np.inf
        simulation.stepper.set_fields(fields)
        with np.errstate(all="ignore"), pytest.raises(UnstableError, match="not finite") as caught:
            simulation.advance(10)
        around = neighbors[caught.value.element]
        assert element in (caught.value.element, *around, *neighbors[around].ravel())
        simulation.reset()
        simulation.advance(1)


def test_a_field_that_is_nowhere_finite_has_no_place(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    simulation.stepper.add_to_ez(np.arange(problem.discretization.x.size), np.nan)
    with np.errstate(all="ignore"), pytest.raises(UnstableError, match="anywhere") as caught:
        simulation.advance(10)
    assert caught.value.element == -1
