"""The solver thread's loop, driven turn by turn without a thread."""

import math
import queue
import threading
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.operator.test_media import medium
from tests.simulation.conftest import by_hand, cavity
from tests.simulation.core.test_cut_steps import MEDIA, expected, mode_problem, of_mode
from wavelab.errors import DeviceError, UnstableError
from wavelab.physics.stepper import Stepper
from wavelab.scene.model.scene import Probe
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.messages.events import Failed, Loaded, LoadFailed, Notice
from wavelab.simulation.solver.command import without_superseded
from wavelab.simulation.solver.commands import (
    Load,
    Pause,
    Play,
    Quit,
    Reset,
    SetProbes,
    SetQuantity,
    SetSpeed,
    TakeSteps,
)
from wavelab.simulation.solver.questions import (
    FieldsTaken,
    Measure,
    MonitorRead,
    PingsTaken,
    TakeFields,
    TakePings,
)
from wavelab.simulation.solver.runner import Runner, RunnerSettings
from wavelab.simulation.solver.solver_thread import SolverThread
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper


def drained(events: queue.SimpleQueue) -> list:
    got = []
    while not events.empty():
        got.append(events.get())
    return got


def tell(runner: Runner, *commands) -> None:
    for command in commands:
        runner.commands.put(command)


def look(runner: Runner):
    """The frame the window would get now."""
    runner.mailbox.request()
    assert runner.turn()
    return runner.mailbox.take()


@pytest.fixture
def runner(make_numpy, problem):
    made = Runner(make=make_numpy)
    tell(made, Load(problem, generation=1))
    made.turn()
    yield made
    made.close()


def test_loading_is_announced(runner, problem):
    (event,) = drained(runner.events)
    assert event == Loaded(1, "NumPy", "numpy", "double", 3, 32, 960, problem.dt_max, kept=False)


def test_the_stepper_is_asked_for_as_the_settings_and_the_scene_say(make_numpy, problem):
    asked = []

    def make(operator, **how):
        asked.append({k: v for k, v in how.items() if k != "notify"})
        return make_numpy(operator, **how)

    runner = Runner(RunnerSettings("opencl", "some card", "per_node"), make=make)
    tell(runner, Load(problem, 1))
    runner.turn()
    assert asked == [
        {
            "dt": problem.dt_max,
            "scheme": problem.scheme,
            "backend": "opencl",
            "device": "some card",
            "variant": "per_node",
            "precision": "double",
            "auxiliary_equations": (),
        }
    ]


def test_paused_until_played_and_again_when_paused(runner):
    assert look(runner).steps == 0
    tell(runner, Play())
    for _ in range(5):
        runner.turn()
    frame = look(runner)
    assert frame.steps >= 5
    assert frame.playing
    assert frame.time == pytest.approx(frame.steps * frame.dt)
    tell(runner, Pause())
    runner.turn()
    frame = look(runner) or frame
    steps = frame.steps
    tell(runner, SetQuantity("energy"))
    frame = look(runner)
    assert frame.steps == steps
    assert not frame.playing
    assert frame.steps_per_second == 0


def test_steps_are_taken_exactly(runner):
    tell(runner, TakeSteps(3), TakeSteps(4))
    for _ in range(10):
        runner.turn()
        if look(runner) is None:
            break
    tell(runner, SetQuantity("ez"))
    assert look(runner).steps == 4  # the second request replaces what was left of the first


def test_no_frame_unless_asked_for_and_none_twice(runner):
    tell(runner, Play())
    runner.turn()
    assert runner.mailbox.take() is None
    tell(runner, Pause())
    assert look(runner) is not None
    assert look(runner) is None  # nothing changed since
    assert runner.mailbox.wanted.is_set()


def test_a_paused_runner_sleeps_on_its_queue(runner, monkeypatch):
    look(runner)
    waits = []
    monkeypatch.setattr(runner, "commands", _Recording(runner.commands, waits))
    runner.turn()
    runner.turn()
    assert all(wait >= 0.25 for wait in waits)
    assert len(waits) == 2


class _Recording:
    """A queue that notes how long a get may block, and does not block."""

    def __init__(self, inner, waits):
        self._inner, self._waits = inner, waits

    def get(self, timeout=None):
        self._waits.append(timeout)
        return self._inner.get_nowait()

    def __getattr__(self, name):
        return getattr(self._inner, name)


def test_frames_hold_the_chosen_quantity(runner, problem):
    np.testing.assert_allclose(look(runner).values, problem.initial.ez.astype(np.float32))
    tell(runner, SetQuantity("hx"))
    frame = look(runner)
    assert frame.quantity == "hx"
    assert frame.values.dtype == np.float32
    assert not frame.values.any()


def test_a_ping_shows_while_paused(runner):
    before = look(runner)
    tell(runner, by_hand(0.5, 0.5, 0.1, 3.0))
    after = look(runner)
    assert after.steps == before.steps
    assert np.abs(after.values - before.values).max() > 2.5
    assert after.energy > before.energy


def test_every_step_gives_one_probe_sample(runner):
    tell(runner, Play())
    got = [look(runner).probes for _ in range(6)]
    tell(runner, Pause(), SetQuantity("ez"))
    last = look(runner)
    times = np.concatenate([p.times for p in [*got, last.probes]])
    assert len(times) == last.steps
    np.testing.assert_allclose(times, last.dt * np.arange(1, last.steps + 1))
    exact = np.cos(np.sqrt(2) * np.pi * times) * np.sin(0.3 * np.pi) * np.sin(0.4 * np.pi)
    values = np.concatenate([p.values for p in [*got, last.probes]])[:, 0]
    np.testing.assert_allclose(values, exact, atol=2e-2)


def test_probes_are_replaced_and_one_outside_is_named(runner):
    drained(runner.events)
    before = look(runner).probes
    tell(runner, SetProbes((Probe("in", (0.5, 0.5)), Probe("out", (7.0, 0.5)))), TakeSteps(2))
    frame = look(runner)
    runner.turn()
    assert frame.probes.names == ("in",)
    assert frame.probes.series != before.series
    (notice,) = drained(runner.events)
    assert isinstance(notice, Notice)
    assert "out" in notice.text


def test_probes_that_find_no_room_replace_none(failing):
    runner, _ = failing
    probes = runner.run.simulation.probes
    drained(runner.events)
    Failing.left = 0
    tell(runner, SetProbes((Probe("a", (0.5, 0.5)), Probe("b", (0.2, 0.5)))), Play())
    runner.turn()
    assert [type(event) for event in drained(runner.events)] == [Failed]
    assert runner.run.simulation.probes is probes
    assert look(runner).probes.values.shape[1] == 1


def test_reset_goes_back_to_the_start(runner, problem):
    tell(runner, by_hand(0.5, 0.5, 0.1, 1.0), TakeSteps(1))
    series = look(runner).probes.series
    tell(runner, Reset())
    frame = look(runner)
    assert (frame.time, frame.steps) == (0.0, 0)
    assert frame.probes.series != series
    np.testing.assert_allclose(frame.values, problem.initial.ez.astype(np.float32))


def test_speed_ties_simulated_to_wall_time(make_numpy, problem, wall_clock):
    runner = Runner(make=make_numpy, clock=wall_clock)
    tell(runner, Load(problem, 1), SetSpeed(0.5), Play())
    for _ in range(80):
        runner.turn()
        wall_clock.now += 0.05
    time = look(runner).time
    assert time == pytest.approx(0.5 * 4.0, abs=2 * problem.dt_max)


def test_a_field_is_carried_to_another_mesh_and_order(runner, make_problem):
    tell(runner, TakeSteps(1))
    before = look(runner)
    finer = make_problem(n=7, order=5)
    tell(runner, Load(finer, generation=2, keep_field=True))
    after = look(runner)
    assert after.generation == 2
    assert after.time == before.time
    assert after.values.shape == finer.discretization.shape
    assert after.energy == pytest.approx(before.energy, rel=1e-2)
    assert after.dt == finer.dt_max
    assert drained(runner.events)[-1].kept


def test_another_mesh_is_seen_before_any_step_and_other_numbers_after_one(runner, make_problem):
    """A shape follows the hand at once; a number that is turned is seen in what the wave does."""
    tell(runner, Play(), SetSpeed(None))
    before = look(runner)
    other = make_problem(order=2)
    tell(runner, Load(other, generation=2, keep_field=True))
    there = look(runner)
    assert (there.generation, there.steps, there.time) == (2, before.steps, before.time)
    assert look(runner).steps > before.steps
    steps = runner.run.simulation.steps
    slower = replace(other, dt_max=other.dt_max / 2)
    tell(runner, Load(slower, generation=3, keep_field=True))
    assert look(runner).steps > steps


def test_without_keeping_the_new_problem_starts_afresh(runner, make_problem, scenes):
    tell(runner, TakeSteps(1))
    look(runner)
    tell(runner, Load(make_problem(scenes["driven"]()), generation=2))
    after = look(runner)
    assert (after.generation, after.time, after.energy) == (2, 0.0, 0.0)


def test_the_old_stepper_is_closed_once(make_problem):
    closed = []

    class Closing(NumpyStepper):
        def close(self):
            closed.append(self.operator)

    first, second = make_problem(), make_problem(n=3)
    runner = Runner(make=lambda op, *, dt, **how: Closing(op, dt=dt))
    tell(runner, Load(first, 1))
    runner.turn()
    tell(runner, Load(second, 2, keep_field=True))
    runner.turn()
    assert closed == [first.operator]
    tell(runner, Quit())
    assert not runner.turn()
    assert closed == [first.operator, second.operator]


def test_a_problem_that_cannot_start_leaves_the_old_one_running(make_numpy, problem, make_problem):
    def make(operator, **how):
        if operator is problem.operator:
            return make_numpy(operator, **how)
        raise DeviceError("the kernel does not compile")

    runner = Runner(make=make)
    tell(runner, Load(problem, generation=1), Play())
    runner.turn()
    drained(runner.events)
    tell(runner, Load(make_problem(n=3), generation=2, keep_field=True))
    before = look(runner)
    (event,) = drained(runner.events)
    assert isinstance(event, LoadFailed)
    assert event.generation == 2
    after = look(runner)
    assert after.generation == 1
    assert after.playing
    assert after.steps > before.steps
    runner.close()


class Failing(NumpyStepper):
    """Fails once, after so many more calls of any of them."""

    left = math.inf

    def __init__(self, operator, **how):
        super().__init__(operator, **how)
        self.closed = 0

    def close(self):
        self.closed += 1

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        if callable(value) and name in _OF_STEPPERS:
            Failing.left -= 1
            if Failing.left == -1:
                raise DeviceError("no room left")
        return value


_OF_STEPPERS = {
    name for name in vars(Stepper) if not name.startswith("_") and name not in ("close", "scheme")
}


@pytest.fixture
def failing(problem, wall_clock):
    """A runner that plays, and all steppers that it has made."""
    made = []

    def make(operator, *, dt, **how):
        made.append(Failing(operator, dt=dt))
        return made[-1]

    runner = Runner(make=make, clock=wall_clock)
    tell(runner, Load(problem, 1), Play())
    runner.turn()
    yield runner, made
    Failing.left = math.inf
    runner.close()


@pytest.mark.parametrize("keep_field", [True, False])
def test_a_load_that_fails_at_any_call_changes_nothing(failing, make_problem, keep_field):
    runner, made = failing
    first = runner.run
    # The first call reads the field that is to be kept, which may be lost without harm.
    for calls in range(int(keep_field), 100):
        ledger, pings, steps = first.ledger, first.pings, first.simulation.steps
        drained(runner.events)
        Failing.left = calls
        tell(runner, Load(make_problem(n=3), 2, keep_field))
        runner.turn()
        Failing.left = math.inf
        event = drained(runner.events)[-1]
        if not isinstance(event, LoadFailed):
            break
        assert "no room left" in str(event.error)
        assert (runner.run, first.ledger, first.pings) == (first, ledger, pings)
        assert made[0].closed == 0
        assert [stepper.closed for stepper in made[1:]] == [1] * (len(made) - 1)
        assert runner.playback.playing
        assert first.simulation.steps > steps
    assert calls > 10
    assert runner.run.generation == 2
    assert made[0].closed == 1
    assert made[-1].closed == 0


def test_a_new_run_does_not_mind_that_the_old_one_cannot_be_closed(failing, make_problem):
    runner, made = failing

    def lost():
        raise DeviceError("the device is gone")

    made[0].close = lost
    drained(runner.events)
    tell(runner, Load(make_problem(n=3), 2))
    runner.turn()
    assert [type(event) for event in drained(runner.events)] == [Loaded]
    assert runner.run.generation == 2


def test_a_reset_that_fails_at_any_call_leaves_nothing_of_before(failing):
    runner, _ = failing
    failures = 0
    for calls in range(25):
        tell(runner, TakeSteps(5))
        runner.turn()
        ledger, pings = runner.run.ledger, runner.run.pings
        drained(runner.events)
        Failing.left = calls
        tell(runner, Reset())
        runner.turn()
        Failing.left = math.inf
        failures += any(isinstance(event, Failed) for event in drained(runner.events))
        run = runner.run
        assert run.pings is not pings
        # The last calls are those of the first step, after which the device is begun with anew.
        assert run.ledger is None or (
            run.ledger is not ledger and (run.kept or run.ledger.account.since == 0)
        )
    assert failures > 10


def test_what_is_said_of_pings_at_the_start_comes_after_what_clears_all_messages(make_problem):
    outside, inside = (Ping(0.0, at, 0.1) for at in ((9.0, 9.0), (0.5, 0.5)))
    scene = replace(cavity(), pings=(outside, inside))
    runner = Runner(RunnerSettings("numpy"))
    tell(runner, Load(make_problem(scene), 1))
    runner.turn()
    assert [type(event) for event in drained(runner.events)] == [Loaded, Notice]
    assert len(runner.run.pings.replay()) == 1
    runner.close()


def test_only_the_last_of_several_loads_is_made(problem):
    kept = Load(problem, 3, keep_field=True)
    ping = by_hand(0.0, 0.0, 1.0, 1.0)
    left = without_superseded([Load(problem, 1), ping, Load(problem, 2, True), kept])
    assert left == [ping, replace(kept, keep_field=False)]
    assert without_superseded([ping, kept]) == [ping, kept]


def test_a_blow_up_pauses_at_the_last_good_state(make_numpy, problem, wall_clock):
    def make(operator, *, dt, **how):
        return NumpyStepper(operator, dt=1.7 * dt)

    runner = Runner(make=make, clock=wall_clock)
    tell(runner, Load(problem, 1), Play())
    for _ in range(3000):
        runner.turn()
        wall_clock.now += 0.01
        failures = [e for e in drained(runner.events) if isinstance(e, Failed)]
        if failures:
            break
    (failure,) = failures
    assert isinstance(failure.error, UnstableError)
    frame = look(runner)
    assert not frame.playing
    assert frame.time == failure.restored
    assert np.isfinite(frame.values).all()
    assert frame.energy <= 4.1 * 0.125
    # The thread goes on: the user can start again.
    tell(runner, Reset())
    assert look(runner).time == 0


def test_a_lost_device_pauses_and_the_next_problem_runs(make_problem):
    class Losing(NumpyStepper):
        lost = False

        def _check(self):
            if Losing.lost:
                raise RuntimeError("device lost")

        def advance(self, n_steps):
            self._check()
            return super().advance(n_steps)

        def fields(self):
            self._check()
            return super().fields()

    kinds = [Losing]
    runner = Runner(make=lambda op, *, dt, **how: kinds[-1](op, dt=dt))
    tell(runner, Load(make_problem(), 1), Play())
    runner.turn()
    Losing.lost = True
    runner.turn()
    failures = [e for e in drained(runner.events) if isinstance(e, Failed)]
    assert [str(f.error) for f in failures] == ["device lost"]
    copy = runner.run.last_good.state
    kinds.append(NumpyStepper)
    tell(runner, Load(make_problem(n=3), 2, keep_field=True), Play())
    frame = look(runner)
    assert (frame.generation, frame.playing) == (2, True)
    notice, loaded = drained(runner.events)
    assert "device lost" in notice.text
    assert f"starting from t = {copy.time:.6g}" in notice.text
    assert loaded.kept


def test_commands_before_any_problem_are_harmless(make_numpy):
    runner = Runner(make=make_numpy)
    tell(
        runner,
        Play(),
        by_hand(0, 0, 1, 1),
        Reset(),
        SetSpeed(2.0),
        SetProbes(()),
        Pause(),
        Quit(),
    )
    assert not runner.turn()
    assert drained(runner.events) == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: SetSpeed(0.0),
        lambda: SetSpeed(float("nan")),
        lambda: TakeSteps(-1),
        lambda: by_hand(0.0, float("inf"), 1.0, 1.0),
        lambda: by_hand(0.0, 0.0, 0.0, 1.0),
    ],
)
def test_senseless_commands_cannot_be_made(make):
    with pytest.raises(ValueError):  # noqa: PT011
        make()


def test_the_thread_runs_serves_and_ends(make_numpy, problem):
    runner = Runner(make=make_numpy)
    thread = SolverThread(runner)
    thread.start()
    tell(runner, Load(problem, 1), Play())
    runner.mailbox.request()
    assert isinstance(runner.events.get(timeout=60), Loaded)
    for _ in range(6000):
        frame = runner.mailbox.take()
        if frame is not None:
            break
        threading.Event().wait(0.01)
    assert frame is not None
    thread.stop()
    thread.join(60)
    assert not thread.is_alive()


def test_a_thread_never_started_joins_at_once(make_numpy):
    thread = SolverThread(Runner(make=make_numpy))
    thread.join(0.1)
    assert not thread.is_alive()


def test_the_energy_of_a_running_wave_is_summed_up_ten_times_a_second(
    make_numpy, problem, wall_clock, monkeypatch
):
    runner = Runner(make=make_numpy, clock=wall_clock)
    tell(runner, Load(problem, generation=1), Play())
    runner.turn()
    checks = []
    simulation = runner.run.simulation
    monkeypatch.setattr(simulation, "check", lambda: checks.append(simulation.steps) or 1.0)
    for _ in range(4):
        wall_clock.now += 0.04
        look(runner)
    assert len(checks) == 2
    tell(runner, Pause())
    look(runner)
    assert len(checks) == 3
    runner.close()


def test_every_question_is_answered_once_even_by_a_device_that_fails(runner, monkeypatch):
    drained(runner.events)

    def fails(*_):
        raise DeviceError("gone")

    monkeypatch.setattr(runner.run.simulation, "state", fails)
    monkeypatch.setattr(runner.run.pings, "replay", fails)
    tell(runner, TakeFields(), Measure(7), TakePings())
    runner.turn()
    told = drained(runner.events)
    assert [type(event) for event in told] == [FieldsTaken, Failed, MonitorRead, PingsTaken, Failed]
    assert told[0] == FieldsTaken(None, None)
    assert told[2] == MonitorRead(None)


def test_a_jump_of_a_medium_is_met_and_booked_again_after_a_reset(make_numpy):
    quantities, pieces = MEDIA["at other times"]
    problem = mode_problem(medium(**quantities))
    runner = Runner(make=make_numpy)
    tell(runner, Load(problem, generation=1))
    runner.turn()
    run = runner.run
    until, dt = problem.scene.solver.until, run.simulation.dt
    for _ in range(2):
        tell(runner, Reset(), TakeSteps(round(until / dt)))
        while run.simulation.time < until - dt / 2:
            runner.turn()
        e, h = expected(pieces, run.simulation.time)
        assert of_mode(problem, run.simulation) == pytest.approx((e, h), abs=2e-5)
        run.ledger.update(run.simulation)
        account = run.ledger.account
        assert abs(account.residual) < 1e-4 * account.initial
        assert account.parametric < -0.1 * account.initial
    runner.close()


def losing(kinds):
    """Makes steppers of the last kind, whose first two lose their device at a word."""

    class Losing(NumpyStepper):
        lost = False

        def _step(self, *given):
            if self.lost:
                raise DeviceError("the driver failed", where="card")
            super()._step(*given)

        def fields(self):
            if self.lost:
                raise DeviceError("the driver failed", where="card")
            return super().fields()

    kinds.append(Losing)
    return lambda op, *, dt, **how: kinds[-1](op, dt=dt)


def test_a_device_that_was_reset_is_begun_with_anew(problem, wall_clock):
    kinds, told = [], []
    runner = Runner(make=losing(kinds), clock=wall_clock)
    tell(runner, Load(problem, 1), Play())
    for _ in range(30):
        wall_clock.now += 0.1
        runner.turn()
    time, copy = runner.run.simulation.time, runner.run.last_good.state
    assert 0 < copy.time <= time
    drained(runner.events)
    runner.run.simulation.stepper.lost = True
    wall_clock.now += 0.1
    runner.turn()
    assert runner.run.simulation.time == copy.time
    assert runner.playback.playing
    told = drained(runner.events)
    assert [type(event) for event in told] == [Notice, Loaded, Notice]
    assert "card failed" in told[-1].text
    wall_clock.now += 0.1
    runner.turn()
    assert runner.run.simulation.time > copy.time
    runner.close()


def test_a_device_that_fails_again_at_once_is_left_alone(problem, wall_clock):
    kinds = []
    runner = Runner(make=losing(kinds), clock=wall_clock)
    tell(runner, Load(problem, 1), Play())
    runner.turn()
    kinds[-1].lost = True
    drained(runner.events)
    for _ in range(5):
        wall_clock.now += 0.1
        runner.turn()
    failures = [event for event in drained(runner.events) if isinstance(event, Failed)]
    assert len(failures) == 1
    assert not runner.playback.playing
    kinds[-1].lost = False
    runner.close()


def test_a_device_that_is_gone_does_not_keep_the_solver_from_ending(problem):
    class Gone(NumpyStepper):
        def close(self):
            raise DeviceError("the driver failed")

    runner = Runner(make=lambda op, *, dt, **how: Gone(op, dt=dt))
    tell(runner, Load(problem, 1))
    runner.turn()
    runner.close()
    assert runner.run is None


def test_where_no_other_device_is_found_that_is_told(problem, wall_clock):
    kinds = []
    make = losing(kinds)
    runner = Runner(make=make, clock=wall_clock)
    tell(runner, Load(problem, 1), Play())
    runner.turn()
    run = runner.run

    def none(*_, **__):
        raise DeviceError("there is no OpenCL device")

    kinds.append(none)
    run.simulation.stepper.lost = True
    drained(runner.events)
    wall_clock.now += 0.1
    runner.turn()
    assert [str(e.error) for e in drained(runner.events) if isinstance(e, Failed)] == [
        "card: the driver failed"
    ]
    assert runner.run is run
    run.simulation.stepper.lost = False
    runner.close()
