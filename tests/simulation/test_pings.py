"""Pings of a scene come at their times, and a session is played back by its log."""

from __future__ import annotations

import time
from dataclasses import replace

import h5py
import numpy as np
import pytest

from tests.simulation.conftest import by_hand, cavity, square
from wavelab.errors import SceneError
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import FieldFormulas
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.waveforms import Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.messages.events import Notice
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.pings import Pings
from wavelab.simulation.solver import commands
from wavelab.simulation.solver.questions import FieldsTaken, PingsTaken, TakeFields, TakePings
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.studies.convergence import study

NUMPY = BatchOptions(backend="numpy", progress=False)
#: A source, and nothing at the start.
SCENE = replace(
    cavity(), initial=FieldFormulas(), exact=None,
    sources=(PointSource("s", (0.5, 0.5), 0.1, 1.0, Sine(0.7)),),
)  # fmt: skip


def with_pings(*pings, **changes):
    return replace(SCENE, pings=pings, **changes)


def simulated(scene):
    problem = discretize_scene(scene, square(3))
    return Simulation(problem, NumpyStepper(problem.operator, dt=problem.dt_max))


def fields_of(path):
    with h5py.File(path) as file:
        return np.stack([file[name][()] for name in ("hx", "hy", "ez")])


def test_a_ping_is_added_at_the_step_nearest_to_its_time():
    dt = simulated(SCENE).dt
    pings = [Ping(k * dt, (0.3, 0.6), 0.1, a) for k, a in ((5.4, 2.0), (0, 1.0), (3.0, -1.0))]
    played, by_hand = simulated(with_pings(*pings)), simulated(SCENE)
    Pings(played).advance(12)
    for step in range(12):
        for at, amplitude in ((0, 1.0), (3, -1.0), (5, 2.0)):
            if at == step:
                by_hand.ping(0.3, 0.6, 0.1, amplitude)
        by_hand.advance(1)
    ez = by_hand.stepper.fields().ez
    assert np.abs(ez).max() > 0.1
    np.testing.assert_allclose(played.stepper.fields().ez, ez, atol=1e-13)
    for one in (played, by_hand):
        one.close()


class Live:
    """A runner without a thread."""

    def __init__(self, scene):
        self.runner = Runner(RunnerSettings(backend="numpy"))
        self.load(scene)

    def load(self, scene, keep_field=False, mesh=None):
        self.problem = discretize_scene(scene, mesh or square(3))
        self.tell(commands.Load(self.problem, 0, keep_field=keep_field))

    def tell(self, *given):
        for command in given:
            self.runner.commands.put(command)
        self.runner.turn()

    def step(self, n):
        """Take n steps, whatever the batches."""
        self.tell(commands.TakeSteps(n))
        goal = time.monotonic() + 60
        while self.runner.playback.steps_asked:
            assert time.monotonic() < goal
            self.runner.turn()

    def logged(self):
        """The pings that this run has given."""
        return [ping for _, ping in self.runner.run.pings.log]

    def asked(self, command, kind):
        self.tell(command)
        found = None
        while not self.runner.events.empty():
            event = self.runner.events.get()
            found = event if isinstance(event, kind) else found
        assert found is not None
        return found


@pytest.fixture
def live():
    made = Live(SCENE)
    yield made
    made.runner.close()


def test_a_session_is_played_back_to_rounding(live, tmp_path):
    live.step(3)
    live.tell(
        by_hand(0.3, 0.4, 0.1, 1.0),
        by_hand(0.35, 0.4, 0.1, -0.5),
    )
    live.step(7)
    live.tell(by_hand(5.0, 5.0, 0.1, 1.0))  # touches nothing
    live.tell(by_hand(0.7, 0.6, 0.05, 2.0))
    live.step(6)
    taken = live.asked(TakePings(), PingsTaken)
    fields = live.asked(TakeFields(), FieldsTaken).state.fields
    assert [ping.radius for ping in taken.pings] == [0.1, 0.1, 0.05]
    solver = replace(SCENE.solver, until=taken.time)
    scene = parse_scene(dump_scene(with_pings(*taken.pings, solver=solver)))
    options = replace(NUMPY, snapshot=tmp_path / "a.h5", ledger=True)
    summary = run_problem(discretize_scene(scene, square(3)), options)
    assert summary["steps"] == 16
    expected = np.stack([fields.hx, fields.hy, fields.ez])
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(fields_of(options.snapshot), expected, atol=1e-13)
    ledger = summary["ledger"]
    again = run_problem(discretize_scene(scene, square(3)), options)
    assert again["ledger"] == ledger
    # And so it is in the window, from the scene alone, after a reset too.
    live.load(scene)
    live.step(9)
    live.tell(commands.Reset())
    live.step(16)
    played = live.asked(TakeFields(), FieldsTaken).state.fields
    np.testing.assert_allclose(played.ez, fields.ez, atol=1e-13)
    log = live.asked(TakePings(), PingsTaken)
    assert [(p.radius, p.amplitude) for p in log.pings] == [(0.1, 1.0), (0.1, -0.5), (0.05, 2.0)]
    assert log.time == pytest.approx(taken.time)


def test_their_energy_is_booked():
    pings = Ping(0.07, (0.3, 0.4), 0.1, 1.0), Ping(0.23, (0.7, 0.6), 0.05, 2.0)
    ledger = run_problem(
        discretize_scene(with_pings(*pings), square(12)), replace(NUMPY, ledger=True)
    )["ledger"]
    assert ledger["pings"] == pytest.approx(0.0315, rel=0.01)  # pi/2 (a r)^2 of each, about
    assert abs(ledger["residual"]) < ledger["doubt"]
    assert ledger["doubt"] < 2e-4 * ledger["pings"]


def test_a_field_that_was_carried_over_is_not_repeated(live):
    live.step(2)
    live.tell(by_hand(0.3, 0.4, 0.1, 1.0))
    scene = with_pings(*(Ping(k * live.problem.dt_max, (0.5, 0.5), 0.1) for k in (0, 2, 4)))
    live.load(scene, keep_field=True)
    assert live.asked(TakePings(), PingsTaken).pings is None
    before = live.asked(TakeFields(), FieldsTaken).state
    live.step(1)
    assert live.asked(TakePings(), PingsTaken).pings is None
    # The pings of the past are not given again, that of the future is.
    assert before.steps == 2
    live.step(2)
    assert len(live.runner.run.pings.log) == 1
    live.tell(commands.Reset())
    assert len(live.asked(TakePings(), PingsTaken).pings) == 1  # that at 0
    live.tell(commands.Pause())


@pytest.mark.parametrize(("sizes"), [(2, 6), (6, 2), (2, 6, 2, 6)])
def test_each_ping_is_given_once_whatever_the_steps_of_a_new_mesh(live, sizes):
    """At a change from mesh to mesh the steps that pings are nearest to change too."""
    dt = discretize_scene(SCENE, square(2)).dt_max
    assert dt > 2 * discretize_scene(SCENE, square(6)).dt_max
    scene = with_pings(*(Ping(0.1 * k * dt, (0.5, 0.5), 0.1, 1.0 + k) for k in range(80)))
    given = []
    live.load(scene, mesh=square(sizes[0]))
    for size in sizes[1:]:
        live.step(2)
        given += live.logged()
        live.load(scene, keep_field=True, mesh=square(size))
    while live.runner.run.simulation.time < 8 * dt:
        live.step(1)
    assert given + live.logged() == list(scene.pings)


@pytest.mark.parametrize("back", [0, 1, 2])
def test_going_back_after_a_change_of_mesh_gives_what_the_kept_field_lacks(live, back):
    dt = discretize_scene(SCENE, square(2)).dt_max
    scene = with_pings(*(Ping(0.1 * k * dt, (0.5, 0.5), 0.1, 1.0 + k) for k in range(40)))
    live.load(scene, mesh=square(2))
    live.step(1)
    before = live.logged()
    live.load(scene, keep_field=True, mesh=square(6))
    simulation = live.runner.run.simulation
    run = live.runner.run
    if back == 0:
        live.step(3)
        run.last_good.forget()  # no field after the change was kept
        before = []
    else:
        for _ in range(back - 1):
            live.step(1)
        simulation.advance(1)
        run.last_good.forget()
        run.last_good.offer(simulation)
        run.pings.advance(3)
    assert run.go_back() == simulation.time
    while simulation.time < 4 * dt:
        live.step(1)
    assert before + live.logged() == list(scene.pings)


def test_going_back_to_an_earlier_state_gives_again_what_came_after_it():
    dt = simulated(SCENE).dt
    simulation = simulated(with_pings(*(Ping(k * dt, (0.5, 0.5), 0.1) for k in (1, 3, 5))))
    pings = Pings(simulation)
    pings.advance(2)
    simulation.advance(1)
    state = simulation.state()
    pings.give_due()
    pings.advance(3)
    whole = simulation.stepper.fields().ez
    assert len(pings.replay()) == 3
    simulation.restore(state)
    back = Pings(simulation, earlier=pings)
    back.give_due()
    assert [round(p.time / dt) for p in back.replay()] == [1, 3]
    back.advance(3)
    np.testing.assert_allclose(simulation.stepper.fields().ez, whole, atol=1e-13)
    assert back.replay() == pings.replay()
    simulation.close()


def test_what_comes_to_nothing_is_said(tmp_path):
    said = []
    late, outside = Ping(7.0, (0.5, 0.5), 0.1), Ping(0.1, (9, 9), 0.1)
    run_problem(discretize_scene(with_pings(late, outside), square(3)), NUMPY, notify=said.append)
    assert said == [
        "pings after the end of the run at 0.4: 1",
        "pings that touch no element: 1",
    ]


def test_the_window_is_told_of_the_first_that_touches_nothing(live):
    outside = [Ping(k * live.problem.dt_max, (9, 9 + k), 0.1) for k in (0, 1)]
    live.load(with_pings(*outside, Ping(0.0, (0.5, 0.5), 0.1)))
    live.tell(by_hand(5.0, 5.0, 0.1, 1.0))  # that of a hand is seen to do nothing
    live.step(3)
    told = [live.runner.events.get() for _ in range(live.runner.events.qsize())]
    said = [event.text for event in told if isinstance(event, Notice)]
    assert isinstance(told[-1], Notice)  # after the news of the load, which would cover it
    assert said == ["The ping of the scene at (9, 9) touches no element"]


def test_what_is_recorded_of_a_step_comes_before_its_pings(tmp_path):
    """At time 0 too."""
    scene = replace(with_pings(Ping(0.0, (0.5, 0.5), 0.1), Ping(0.2, (0.5, 0.5), 0.1)), sources=())
    options = replace(NUMPY, snapshot=tmp_path / "a.h5", snapshot_every=0.2)
    summary = run_problem(discretize_scene(scene, square(3)), options)
    first, second, _ = (np.abs(fields_of(file)[2]).max() for file in summary["snapshots"])
    assert (first, summary["energy"]["initial"]) == (0, 0)
    assert 0 < second < 0.9


def test_the_study_of_convergence_pings_too():
    quiet = replace(SCENE, sources=(), solver=replace(SCENE.solver, element_size=0.7, order=1))
    with pytest.raises(SceneError, match="the field is zero"):
        study(quiet, 0.1, backend="numpy")
    found = study(replace(quiet, pings=(Ping(0.05, (0.5, 0.5), 0.2),)), 0.2, backend="numpy")
    assert 0 < found.runs[0].error < 1


@pytest.mark.parametrize(
    ("ping", "said"),
    [
        (Ping(-1.0, (0, 0), 0.1), "the time of ping 1 is -1"),
        (Ping(1.0, (0, 0), 0.0), "the radius of ping 1 is 0"),
        (Ping(float("inf"), (0, 0), 0.1), "time is inf"),
    ],
)
def test_pings_have_rules(ping, said):
    from wavelab.scene.rules.validate import check_scene

    with pytest.raises(SceneError, match=said):
        check_scene(with_pings(ping))
    with pytest.raises(SceneError, match="exact solution is none"):
        check_scene(replace(cavity(), pings=(Ping(0.1, (0, 0), 0.1),)))
