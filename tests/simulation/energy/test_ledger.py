"""The energy ledger closes: on every scene, after pings, and better the more often it looks."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.simulation.conftest import by_hand
from wavelab.meshing.job import mesh_scene
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.paths import SCENES
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.waveforms import GaussianPulse
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy import ledger, look_schedule
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.solver.commands import Load, Play, Reset, TakeSteps
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def run(problem, *, steps=200, every=1, dt=None) -> Ledger:
    dt = dt or problem.dt_max
    # On the device, where hundreds of steps take less time.
    simulation = Simulation(problem, OpenCLStepper(problem.operator, dt=dt, precision="double"))
    book = Ledger(simulation)
    for _ in range(0, steps, every):
        simulation.advance(every)
        book.update(simulation)
    simulation.close()
    return book


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


def test_the_residual_falls_fast_with_the_time_between_looks(lossy, monkeypatch):
    """Until it is the error of the time stepper that is left; nothing is sampled between looks."""
    monkeypatch.setattr(ledger, "_STAGES_PER_SAMPLE", 10**9)
    dt = lossy.dt_max / 4
    coarse, fine = (run(lossy, steps=480, every=n, dt=dt).account for n in (16, 4))
    assert abs(fine.residual) < abs(coarse.residual) / 10
    assert abs(fine.residual) < 1e-3 * fine.sources
    assert abs(coarse.residual) < coarse.doubt
    assert fine.doubt < coarse.doubt / 10


def test_the_upwind_flux_accounts_for_all_that_a_cavity_loses(problem):
    account = run(problem, steps=100, dt=problem.dt_max / 4).account
    lost = account.initial - account.stored
    assert lost > 0
    assert account.numerical == pytest.approx(lost, rel=1e-3)
    assert account.walls == account.conductors == account.sources == 0


def test_a_ping_is_booked_at_once_and_with_the_field_it_meets(problem):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max / 2))
    book = Ledger(simulation)
    simulation.advance(5)
    book.update(simulation)
    book.ping(simulation, lambda: simulation.ping(0.5, 0.5, 0.1, -0.5))
    account = book.account
    assert account.pings < 0  # against the field that is there
    assert account.residual == pytest.approx(0, abs=1e-3 * account.initial)
    simulation.advance(5)
    book.update(simulation)
    assert abs(book.account.residual) < 1e-2 * account.initial


def test_a_ping_of_a_trail_reads_no_field_where_taps_see_all(problem, monkeypatch):
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    book, read = Ledger(simulation), []
    monkeypatch.setattr(simulation.stepper, "fields", lambda: read.append(simulation.steps))
    monkeypatch.setattr(look_schedule.LookSchedule, "may_look_closely", False)
    simulation.advance(2)
    for x in (0.4, 0.5, 0.6):
        book.ping(simulation, lambda x=x: simulation.ping(x, 0.5, 0.1, 1.0))
    assert read == []
    monkeypatch.undo()
    simulation.advance(2)
    book.update(simulation)
    assert book.account.looks == 2  # at the start and now
    assert book.account.pings > 0
    assert abs(book.account.residual) < 1e-2 * book.account.put_in


def test_a_ping_that_is_not_looked_at_is_in_what_is_stored_then(problem, monkeypatch):
    """A paused wave that was booked at this very moment is pinged, and then has other fluxes."""
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))
    book = Ledger(simulation)
    simulation.advance(4)
    book.update(simulation)
    monkeypatch.setattr(look_schedule.LookSchedule, "may_look_closely", False)
    book.ping(simulation, lambda: simulation.ping(0.5, 0.5, 0.1, 2.0))
    monkeypatch.undo()
    book.update(simulation)
    assert book.account.stored == pytest.approx(simulation.element_energy().sum())
    later = Ledger(simulation, earlier=book.account, before=book)
    simulation.advance(10)
    later.update(simulation)
    assert later.account.pings > 0
    assert abs(later.account.residual) < 1e-2 * later.account.put_in


@pytest.fixture(scope="module")
def welcome():
    """The scene the window opens with, and the same without its source."""
    scene = load_scene(SCENES / "welcome.toml")
    mesh = mesh_scene(scene)
    return {
        True: discretize_scene(scene, mesh),
        False: discretize_scene(replace(scene, sources=()), mesh),
    }


@pytest.mark.parametrize("seconds", [0.0, 1e-6], ids=["much time", "no time"])
@pytest.mark.parametrize("driven", [True, False], ids=["source", "pings alone"])
def test_at_full_speed_it_closes_however_fast_the_machine_is(welcome, driven, seconds, monkeypatch):
    """A clock that stands still leaves all the time there is for looks; to one of a machine with a
    million steps in a second nearly every look is too dear, at a millisecond each."""
    ticks, looks = itertools.count(), itertools.count()
    monkeypatch.setattr(look_schedule, "thread_time", lambda: 1e-3 * next(looks))
    runner = Runner(clock=lambda: seconds * next(ticks))
    runner.commands.put(Load(welcome[driven], 1))
    for ping in (
        by_hand(1.7, 1.6, 0.03, 1.0),
        by_hand(2.2, 0.4, 0.02, 1.0),
        None,
    ):
        runner.commands.put(TakeSteps(40))
        while runner.turn() and runner.playback.steps_asked:
            pass
        if ping is not None:
            runner.commands.put(ping)
    runner.mailbox.request()
    runner.turn()
    account = runner.mailbox.take().ledger
    runner.close()
    assert account.pings > 0
    assert (account.sources > account.pings) == driven
    assert account.until == pytest.approx(120 * welcome[driven].dt_max)
    assert abs(account.residual) < 0.01 * account.put_in
    assert abs(account.residual) < account.doubt
    if seconds:
        assert account.looks < 60


def test_headless_it_closes_too(welcome):
    problem = welcome[True]
    solver = replace(problem.scene.solver, until=1.0)
    problem = replace(problem, scene=replace(problem.scene, solver=solver))
    account = run_problem(problem, BatchOptions(ledger=True))["ledger"]
    assert account["sources"] > 0.3
    assert abs(account["residual"]) < 1e-3 * account["sources"]


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
    runner.commands.put(by_hand(0.5, 0.5, 0.1, 1.0))
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
    account = run(replace(problem, operator=operator), steps=1200, every=6).account
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
