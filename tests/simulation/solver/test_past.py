"""The solver thread's loop in the past of a run: steps back, backwards, and other futures."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.simulation.conftest import by_hand, cavity, driven
from tests.simulation.solver.test_runner import drained, look, tell
from wavelab.errors import UnstableError
from wavelab.scene.model.scene import Material
from wavelab.simulation.messages.events import Failed, Notice, Stopped
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver.commands import (
    Load,
    Play,
    Reset,
    SetProbes,
    SetSpeed,
    StartMovie,
    TakeSteps,
)
from wavelab.simulation.solver.past_commands import (
    GoTo,
    GoToNewest,
    PlayBack,
    SetPastMemory,
    StepBack,
)
from wavelab.simulation.solver.runner import Runner


@pytest.fixture
def runner(make_numpy, make_problem):
    made = Runner(RunnerSettings(past_bytes=1 << 22), make=make_numpy)
    tell(made, Load(make_problem(driven()), generation=1))
    made.turn()
    yield made
    made.close()


def at_rest(runner: Runner):
    """The newest frame, of which nothing comes any more."""
    frame = look(runner)
    for _ in range(2000):
        if not (runner.travel.active or runner.playback.active or runner.framing.changed):
            return frame
        frame = look(runner) or frame
    raise AssertionError("it never comes to rest")


def do(runner: Runner, *commands):
    tell(runner, *commands)
    return at_rest(runner)


def fields(runner: Runner) -> np.ndarray:
    now = runner.run.simulation.stepper.fields()
    return np.stack([now.hx, now.hy, now.ez])


def forward(runner: Runner, steps: int) -> list[np.ndarray]:
    """The fields after each of so many steps."""
    found = [fields(runner)]
    for _ in range(steps):
        do(runner, TakeSteps(1))
        found.append(fields(runner))
    return found


def notices(runner: Runner) -> list[str]:
    return [event.text for event in drained(runner.events) if isinstance(event, Notice)]


def test_every_step_back_is_the_step_that_was(runner):
    seen = forward(runner, 40)
    for step in range(39, -1, -1):
        frame = do(runner, StepBack())
        assert (frame.steps, frame.past.newest, frame.playing) == (step, 40, False)
        assert np.array_equal(fields(runner), seen[step])
    assert do(runner, StepBack()) is None or runner.run.simulation.steps == 0
    for step in (17, 3, 39, 40, 99):
        do(runner, GoTo(step))
        assert np.array_equal(fields(runner), seen[min(step, 40)])
    do(runner, GoTo(11), StepBack(2), StepBack(2))
    assert np.array_equal(fields(runner), seen[7])
    do(runner, TakeSteps(5))
    assert np.array_equal(fields(runner), seen[12])
    frame = do(runner, GoToNewest())
    assert frame.steps == 40
    assert np.array_equal(fields(runner), seen[40])


def test_a_rough_journey_ends_at_the_goal_or_before_it(runner):
    do(runner, TakeSteps(90))
    for step in (70, 20, 89, 37):
        frame = do(runner, GoTo(step, roughly=True))
        assert 0 <= frame.steps <= step
        assert do(runner, GoTo(step)).steps == step


def test_backwards_it_runs_to_the_beginning_and_says_so(runner, monkeypatch):
    do(runner, SetSpeed(None), TakeSteps(60))
    advance, again = runner.run.advance, []
    monkeypatch.setattr(runner.run, "advance", lambda n: again.append(n) or advance(n))
    tell(runner, PlayBack())
    seen = [60]
    while runner.turn() and runner.travel.active:
        runner.mailbox.request()
        if (frame := runner.mailbox.take()) is not None:
            seen.append(frame.steps)
            assert frame.playing
    assert seen == sorted(seen, reverse=True)
    assert at_rest(runner) is None or runner.run.simulation.steps == 0
    assert runner.run.simulation.steps == 0
    assert drained(runner.events)[-1] == Stopped()
    assert sum(again) < 4 * 60  # moments that are kept on the way make it short
    tell(runner, Play())
    runner.turn()
    assert runner.run.simulation.steps > 0


@pytest.mark.parametrize("command", [TakeSteps(1), Reset(), SetPastMemory(0), "load"])
def test_what_else_is_asked_for_ends_it(runner, make_problem, command):
    do(runner, SetSpeed(None), TakeSteps(60))
    tell(runner, PlayBack())
    while runner.run.simulation.steps == 60:
        runner.turn()
    here, goal = runner.run.simulation.steps, runner.travel.goal
    frame = do(runner, Load(make_problem(), 2) if command == "load" else command)
    assert not frame.playing
    # On the way to a step that is shown, or there.
    assert frame.steps in {0, *range(here, (goal or here) + 2)}
    stopped = Stopped() in drained(runner.events)
    assert stopped == (command != TakeSteps(1))  # whoever asks for steps knows that it pauses


def test_a_speed_holds_backwards_too(make_numpy, make_problem, wall_clock):
    runner = Runner(RunnerSettings(past_bytes=1 << 22), make=make_numpy, clock=wall_clock)
    tell(runner, Load(make_problem(driven()), 1), TakeSteps(60), SetSpeed(0.05))
    while runner.run is None or runner.run.simulation.steps < 60:
        runner.turn()
    began = runner.run.simulation.time
    tell(runner, PlayBack())
    for _ in range(40):
        wall_clock.now += 0.02
        runner.turn()
        runner.arrive()
    gone, expected = began - runner.run.simulation.time, 0.05 * 40 * 0.02
    assert gone == pytest.approx(expected, abs=0.05 * 0.04 + runner.run.simulation.dt)
    runner.close()


def test_pings_of_the_hand_come_again_and_another_one_branches(runner):
    ping, other = by_hand(0.3, 0.6, 0.1, 1.0), by_hand(0.7, 0.2, 0.1, -1.0)
    do(runner, TakeSteps(10))
    do(runner, ping)
    do(runner, TakeSteps(20))
    once, log = fields(runner), list(runner.run.pings.log)
    do(runner, GoTo(5))
    assert runner.run.pings.log == []
    do(runner, TakeSteps(25))
    assert np.array_equal(fields(runner), once)
    assert runner.run.pings.log == log
    assert not notices(runner)
    do(runner, GoTo(12), by_hand(7.0, 7.0, 0.1, 1.0))  # touches nothing, changes nothing
    assert look(runner) is None or runner.run.past.newest == 30
    frame = do(runner, other)
    assert (frame.steps, frame.past.newest) == (12, 12)
    assert [step for step, _ in runner.run.pings.log] == [10, 12]
    (told,) = notices(runner)
    dt = runner.run.simulation.dt
    assert f"t = {12 * dt:.4g}" in told
    assert f"t = {30 * dt:.4g} is gone" in told
    do(runner, TakeSteps(18))
    changed = fields(runner)
    assert not np.allclose(changed, once)
    do(runner, GoTo(3))
    do(runner, GoTo(30))
    assert np.array_equal(fields(runner), changed)


def test_a_command_means_the_goal_and_not_the_way_to_it(runner):
    do(runner, TakeSteps(50))
    tell(runner, GoTo(33), by_hand(0.3, 0.6, 0.1, 1.0))
    at_rest(runner)
    assert [step for step, _ in runner.run.pings.log] == [33]


def test_an_edit_goes_on_from_there_and_the_past_begins_with_it(runner, make_problem):
    do(runner, TakeSteps(30))
    do(runner, GoTo(10))
    before, problem = fields(runner), runner.run.simulation.problem
    heavier = make_problem(replace(driven(), background=Material(epsilon=4.0)))
    frame = do(runner, Load(heavier, 2, keep_field=True))
    assert (frame.past.first, frame.past.newest, frame.past.since) == (10, 10, "the last edit")
    assert np.allclose(fields(runner), before)
    assert len([text for text in notices(runner) if "is gone" in text]) == 1
    do(runner, TakeSteps(5))
    assert do(runner, GoTo(0)).steps == 10
    frame = do(runner, Load(problem, 3))
    assert (frame.past.first, frame.past.newest, frame.past.since) == (0, 0, "its beginning")
    do(runner, TakeSteps(5))
    frame = do(runner, Reset())
    assert (frame.steps, frame.past.newest) == (0, 0)


def test_a_field_that_blows_up_is_back_at_a_moment_with_its_past(make_numpy, make_problem):
    ticks = itertools.count()
    settings, clock = RunnerSettings(past_bytes=1 << 22), lambda: 0.1 * next(ticks)
    runner = Runner(settings, make=make_numpy, clock=clock)
    tell(runner, Load(make_problem(driven()), generation=1))
    runner.turn()
    series = do(runner, TakeSteps(60)).probes.series
    drained(runner.events)
    simulation = runner.run.simulation
    seen, last = fields(runner), runner.run.last_good.state.steps
    ledger = runner.run.ledger
    assert last > 0
    simulation.stepper.add_to_ez(np.arange(10), np.full(10, np.nan))
    tell(runner, TakeSteps(4))
    frame = at_rest(runner)
    (failed,) = [event for event in drained(runner.events) if isinstance(event, Failed)]
    assert isinstance(failed.error, UnstableError)
    assert simulation.steps <= last
    assert runner.run.past.newest == simulation.steps
    assert (runner.run.ledger, frame.probes.series) == (ledger, series)
    assert failed.further
    do(runner, TakeSteps(60 - simulation.steps))
    assert np.array_equal(fields(runner), seen)
    runner.close()


def test_the_ledger_and_what_probes_see_are_those_of_the_moment(runner):
    do(runner, TakeSteps(80))
    accounts = {step: do(runner, GoTo(step)).ledger for step in (60, 20, 40)}
    for step, account in accounts.items():
        assert account.until == pytest.approx(step * runner.run.simulation.dt)
        assert abs(account.residual) < 1e-2 * account.turnover
    assert accounts[20].sources != accounts[60].sources
    do(runner, GoTo(30))
    frame = do(runner, TakeSteps(3))
    assert frame.probes.times[-1] == pytest.approx(frame.time)


def test_nothing_is_kept_without_memory_and_all_once_there_is_some(runner):
    do(runner, TakeSteps(20))
    frame = do(runner, SetPastMemory(0))
    assert frame.past is None
    do(runner, StepBack())
    assert runner.run.simulation.steps == 20
    assert any("memory" in text for text in notices(runner))
    do(runner, SetPastMemory(1 << 20), TakeSteps(5))
    assert do(runner, StepBack(99)).steps == 20
    frame = do(runner, SetPastMemory(1000))
    assert (frame.past.moments, frame.past.n_bytes) == (0, 0)
    assert frame.past.needed > 1000


def test_probes_that_are_placed_in_the_past_change_no_future(runner):
    do(runner, TakeSteps(40))
    seen, probes = fields(runner), cavity().probes
    do(runner, GoTo(10))
    frame = do(runner, SetProbes((*probes, replace(probes[0], name="q", position=(0.6, 0.6)))))
    assert (frame.past.newest, frame.probes.names) == (40, ("p", "q"))
    do(runner, GoToNewest())
    assert np.array_equal(fields(runner), seen)


def test_time_goes_on_while_a_movie_is_recorded(runner, tmp_path):
    do(runner, TakeSteps(20))
    movie = MovieRequest(tmp_path / "a.gif", 32, 32, time_per_frame=0.01)
    do(runner, StartMovie(movie), StepBack(), GoTo(3), PlayBack())
    assert runner.run.simulation.steps == 20
    assert len({text for text in notices(runner) if "movie" in text}) == 1
