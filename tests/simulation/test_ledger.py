"""The energy ledger closes: on every scene, after pings, and better the more often it looks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.scene.scene import GaussianPulse
from wavelab.simulation.commands import Load, Ping, Play, Reset
from wavelab.simulation.ledger import Ledger
from wavelab.simulation.numpy_stepper import NumpyStepper
from wavelab.simulation.runner import Runner
from wavelab.simulation.simulation import Simulation


def run(problem, *, steps=200, every=1, dt=None) -> Ledger:
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=dt or problem.dt_max))
    ledger = Ledger(simulation)
    for _ in range(0, steps, every):
        simulation.advance(every)
        ledger.update(simulation)
    return ledger


@pytest.fixture
def lossy(make_problem, scenes):
    """A driven square with a conducting filling."""
    problem = make_problem(scenes["driven"](), n=4)
    operator = replace(
        problem.operator,
        sigma=np.full(problem.discretization.n_elements, 0.4),
        reflection=np.where(
            problem.discretization.connectivity.is_boundary, 0.0, problem.operator.reflection
        ),
    )
    return replace(problem, operator=operator)


def test_the_account_of_a_driven_lossy_absorbing_scene_closes(lossy):
    account = run(lossy, steps=300).account
    assert account.initial == 0
    assert min(account.sources, account.walls, account.conductors, account.numerical) > 0
    assert abs(account.residual) < 1e-4 * account.sources
    assert account.turnover >= account.stored


def test_the_residual_falls_fast_with_the_time_between_looks(lossy):
    """Until it is the error of the time stepper that is left."""
    dt = lossy.dt_max / 2
    coarse, fine = (abs(run(lossy, steps=480, every=n, dt=dt).account.residual) for n in (4, 2))
    assert fine < coarse / 6
    assert fine < 3e-4 * run(lossy, steps=240).account.sources


def test_the_upwind_flux_accounts_for_all_that_a_cavity_loses(problem):
    account = run(problem, steps=100, dt=problem.dt_max / 4).account
    lost = account.initial - account.stored
    assert lost > 0
    assert account.numerical == pytest.approx(lost, rel=1e-3)
    assert account.walls == account.conductors == account.sources == 0


def test_a_ping_is_booked_at_once_and_with_the_field_it_meets(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    ledger = Ledger(simulation)
    simulation.advance(5)
    ledger.update(simulation)
    ledger.ping(simulation, lambda: simulation.ping(0.5, 0.5, 0.1, -0.5))
    account = ledger.account
    assert account.pings < 0  # against the field that is there
    assert account.residual == pytest.approx(0, abs=1e-3 * account.initial)
    simulation.advance(5)
    ledger.update(simulation)
    assert abs(ledger.account.residual) < 1e-2 * account.initial


def test_frames_carry_the_account_up_to_their_own_time_when_paused(make_problem, make_numpy):
    runner = Runner(make=make_numpy)
    problem = make_problem()
    runner.commands.put(Load(problem, 1))
    runner.commands.put(Play())
    for _ in range(5):
        runner.mailbox.request()
        runner.turn()
    frame = runner.mailbox.take()
    assert frame.ledger.since == 0
    assert frame.ledger.until <= frame.time
    runner.commands.put(Ping(0.5, 0.5, 0.1, 1.0))
    runner.mailbox.request()
    runner.turn()
    assert runner.mailbox.take().ledger.pings != 0
    runner.commands.put(Reset())
    runner.mailbox.request()
    runner.turn()
    account = runner.mailbox.take().ledger
    assert account.pings == 0
    assert account.since == 0
    runner.close()


def test_a_pulse_that_has_left_through_absorbing_walls_was_booked_there(make_problem, scenes):
    driven = scenes["driven"]()
    source = replace(driven.sources[0], waveform=GaussianPulse(0.15, 0.5))
    problem = make_problem(replace(driven, sources=(source,)), n=5, order=4)
    operator = replace(problem.operator, reflection=np.zeros_like(problem.operator.reflection))
    account = run(replace(problem, operator=operator), steps=1200).account
    assert account.stored < 1e-2 * account.sources
    assert account.walls == pytest.approx(account.sources, rel=2e-2)


def test_impedance_is_between(make_problem, scenes):
    """A wall that reflects half the amplitude takes energy, but less than one that takes all."""
    problem = make_problem(scenes["cavity"](2), n=3)

    def taken(reflection):
        operator = replace(
            problem.operator, reflection=np.full_like(problem.operator.reflection, reflection)
        )
        return run(replace(problem, operator=operator), steps=60).account.walls

    assert 0 == taken(-1.0) < taken(0.5) < taken(0.0)
