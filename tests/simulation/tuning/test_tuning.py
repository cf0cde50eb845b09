"""Tuning behind a simulation: in its thread only in slices, and never to its harm."""

from __future__ import annotations

import math
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from wavelab import child, paths
from wavelab.opencl.tuning import tuner
from wavelab.opencl.variants import tuned
from wavelab.simulation.solver.commands import Load, Play, Quit, SetSpeed, SetTuning
from wavelab.simulation.solver.runner import Runner, RunnerSettings
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper
from wavelab.simulation.tuning import tuning as tuning_module
from wavelab.simulation.tuning.compiling import Compiler
from wavelab.simulation.tuning.tuning import MOST_SECONDS, SETTLED_SECONDS, BackgroundTuning


class Closing:
    """Counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


class FakeTuner:
    """Hands out contestants, whose duels take three slices of 20 ms."""

    def __init__(self, clock, n_contestants: int = 2, best: int = 1) -> None:
        self.clock, self.best, self.left = clock, best, n_contestants
        self.builders: list[int] = []
        self.built: list[Closing] = []
        self.slices, self.closed, self.finished = 0, 0, False
        self.fails_at: int | None = None
        self.remembered, self.late = 0, False
        self.gate = threading.Event()
        self.gate.set()

    def build(self):
        self.builders.append(threading.get_ident())
        self.gate.wait(60)
        if not self.left:
            return None
        self.left -= 1
        self.built.append(Closing())
        return self.built[-1]

    def duel(self, challenger):
        try:
            for _ in range(3):
                self.clock.now += 0.02
                self.slices += 1
                if self.slices == self.fails_at:
                    raise RuntimeError("the device is gone")
                yield
        finally:
            challenger.close()

    def remember(self) -> None:
        self.remembered += 1

    def time_is_up(self) -> None:
        self.late = True

    def finish(self):
        self.finished = True
        return SimpleNamespace(config=self.best, first=0)

    def close(self) -> None:
        self.closed += 1


def turned(tuning: BackgroundTuning, playing: bool = False, patience: float = 60.0):
    """Turn until something comes of it."""
    deadline = time.monotonic() + patience
    while not tuning.done and time.monotonic() < deadline:
        if (found := tuning.turn(playing=playing)) is not None:
            return found
        time.sleep(0.001)
    return None


def test_the_compiler_works_elsewhere_and_the_clock_runs_here(wall_clock):
    fake, made = FakeTuner(wall_clock), Closing()
    tuning = BackgroundTuning(fake, lambda config: made, wall_clock)
    assert turned(tuning) is made
    assert turned(tuning) is None
    assert tuning.done
    assert fake.finished
    assert fake.slices == 6
    assert threading.get_ident() not in fake.builders
    assert fake.remembered == 3  # after each duel, and in the end
    assert made.closed == 0
    assert [c.closed for c in fake.built] == [1, 1]


def test_nothing_changes_if_the_first_is_the_fastest(wall_clock):
    fake = FakeTuner(wall_clock, best=0)
    tuning = BackgroundTuning(fake, pytest.fail, wall_clock)
    assert turned(tuning) is None
    assert tuning.done
    assert tuning.outcome.config == 0


def test_a_wave_that_runs_keeps_most_of_the_time(wall_clock):
    fake = FakeTuner(wall_clock)
    tuning = BackgroundTuning(fake, lambda config: Closing(), wall_clock)
    for _ in range(1000):
        tuning.turn(playing=True)
        wall_clock.now += 0.01
        threads_ended()  # what is built there takes no time by this clock
        if tuning.done:
            break
    ran = wall_clock.now - 100
    assert fake.finished
    assert 0 < fake.slices * 0.02 <= 0.25 * ran
    began = wall_clock.now
    again = BackgroundTuning(FakeTuner(wall_clock), lambda config: Closing(), wall_clock)
    assert turned(again) is not None  # paused: at once
    assert wall_clock.now - began == pytest.approx(6 * 0.02)


def test_a_device_that_fails_ends_the_tuning_and_nothing_else(wall_clock):
    fake = FakeTuner(wall_clock)
    fake.fails_at = 4
    tuning = BackgroundTuning(fake, pytest.fail, wall_clock)
    assert turned(tuning) is None
    assert tuning.done
    assert tuning.outcome is None
    assert fake.closed
    assert [c.closed for c in fake.built] == [1, 1]
    tuning.turn(playing=False)


def test_what_is_built_when_nobody_waits_any_more_is_released(wall_clock):
    fake = FakeTuner(wall_clock)
    fake.gate.clear()
    tuning = BackgroundTuning(fake, pytest.fail, wall_clock)
    tuning.turn(playing=False)
    tuning.close()
    assert fake.closed
    assert not fake.built
    fake.gate.set()
    tuning.close(patience=60)
    assert [c.closed for c in fake.built] == [1]


def test_the_interpreter_keeps_its_short_turn_as_long_as_any_builds(monkeypatch, wall_clock):
    threads_ended()
    turns: list[float] = []
    monkeypatch.setattr(tuning_module.sys, "setswitchinterval", turns.append)
    fakes = [FakeTuner(wall_clock, n_contestants=0) for _ in range(2)]
    tunings = [BackgroundTuning(fake, pytest.fail, wall_clock) for fake in fakes]
    for fake, tuning in zip(fakes, tunings, strict=True):
        fake.best = 0
        fake.gate.clear()
        tuning.turn(playing=False)
        while not fake.builders:
            time.sleep(1e-3)
    fakes[0].gate.set()
    turned(tunings[0])
    assert tunings[0].done
    assert len(turns) == 1  # the other one still builds
    tunings[1].close()
    fakes[1].gate.set()
    threads_ended()
    assert len(turns) == 2
    assert turns[0] < turns[1]


def threads_ended() -> None:
    for thread in threading.enumerate():
        if thread.name == "kernel tuning":
            thread.join()


def test_it_waits_until_a_simulation_has_settled(wall_clock):
    fake = FakeTuner(wall_clock)
    tuning = BackgroundTuning(fake, lambda config: Closing(), wall_clock, settled=2.0)
    for _ in range(3):
        assert tuning.turn(playing=False) is None
        wall_clock.now += 0.6
    assert not fake.builders
    wall_clock.now += 0.6
    assert turned(tuning) is not None
    assert fake.finished


def test_the_time_is_up_while_something_compiles(wall_clock):
    fake, stopped = FakeTuner(wall_clock, n_contestants=9), []
    tuning = BackgroundTuning(fake, pytest.fail, wall_clock, stop=lambda: stopped.append(1))
    while fake.slices < 4:
        tuning.turn(playing=False)
    fake.gate.clear()
    while not fake.late:
        wall_clock.now += 1.0
        tuning.turn(playing=True)
        assert wall_clock.now < 100 + MOST_SECONDS + 2.5
    assert stopped
    fake.gate.set()
    assert turned(tuning) is None
    assert tuning.done
    assert tuning.outcome is not None  # what was found until then, which is remembered
    assert fake.remembered
    tuning.close(patience=60)
    assert all(contestant.closed for contestant in fake.built)


def test_the_time_is_up_in_a_duel(wall_clock):
    fake = FakeTuner(wall_clock, n_contestants=9)
    tuning = BackgroundTuning(fake, pytest.fail, wall_clock)
    while fake.slices < 4:
        tuning.turn(playing=False)
    wall_clock.now += MOST_SECONDS
    assert turned(tuning) is None
    assert fake.late
    assert [contestant.closed for contestant in fake.built] == [1, 1]


class FakeDevice(NumpyStepper):
    """NumPy that passes for OpenCL."""

    backend = "opencl"

    def __init__(self, operator, **how) -> None:
        super().__init__(operator, dt=how["dt"])
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def played(runner: Runner, turns: int, clock) -> None:
    for _ in range(turns):
        runner.turn()
        clock.now += 0.01
        threads_ended()


def test_the_stepper_changes_and_the_field_does_not(monkeypatch, problem, wall_clock):
    made: list[FakeDevice] = []

    def make(operator, **how):
        made.append(FakeDevice(operator, **how))
        return made[-1]

    fake = FakeTuner(wall_clock)
    monkeypatch.setattr(tuner, "tuner_for", lambda stepper, *how: fake)
    monkeypatch.setattr(tuning_module, "SETTLED_SECONDS", 0.0)
    warmed: list[int] = []
    monkeypatch.setattr(Compiler, "warm_up", lambda compiler, config: warmed.append(config))
    runner = Runner(RunnerSettings(tune=True), make=make, clock=wall_clock)
    runner.commands.put(Load(problem, 1))
    runner.commands.put(SetSpeed(0.5))
    runner.commands.put(Play())
    played(runner, 300, wall_clock)
    assert fake.finished
    assert warmed == [fake.best]
    assert [stepper.closed for stepper in made] == [1, 0]
    stepper = made[1]
    assert stepper.steps > made[0].steps > 0
    reference = NumpyStepper(problem.operator, dt=stepper.dt)
    reference.set_fields(problem.initial)
    reference.advance(stepper.steps)
    assert np.array_equal(stepper.fields().ez, reference.fields().ez)
    assert stepper.time == pytest.approx(reference.time)
    assert runner.events.get().generation == 1  # loaded, and no failure since
    assert runner.events.empty()
    runner.commands.put(Quit())
    assert not runner.turn()
    assert made[1].closed == 1


def test_a_new_problem_and_the_end_stop_the_tuning(monkeypatch, problem, wall_clock):
    fakes = [FakeTuner(wall_clock), FakeTuner(wall_clock)]
    given = iter(fakes)
    monkeypatch.setattr(tuner, "tuner_for", lambda stepper, *how: next(given))
    runner = Runner(RunnerSettings(tune=True), make=FakeDevice, clock=wall_clock)
    for generation, fake in enumerate(fakes):
        fake.gate.clear()
        runner.commands.put(Load(problem, generation))
        runner.turn()
        wall_clock.now += SETTLED_SECONDS
        runner.turn()
    assert fakes[0].closed == 1
    assert fakes[1].closed == 0
    for fake in fakes:
        fake.gate.set()
    runner.close()
    assert fakes[1].closed == 1


def test_it_can_be_switched_off_and_on(monkeypatch, problem, wall_clock):
    fakes: list[FakeTuner] = []

    def tuner_for(stepper, *how):
        fakes.append(FakeTuner(wall_clock))
        return fakes[-1]

    monkeypatch.setattr(tuner, "tuner_for", tuner_for)
    runner = Runner(RunnerSettings(tune=True), make=FakeDevice, clock=wall_clock)
    runner.commands.put(Load(problem, 1))
    runner.turn()
    assert runner.run.tuning
    runner.commands.put(SetTuning(False))
    runner.turn()
    assert not runner.run.tuning
    assert fakes[0].closed
    runner.commands.put(Load(problem, 2))
    runner.turn()
    assert not runner.run.tuning
    runner.commands.put(SetTuning(True))
    runner.turn()
    assert runner.run.tuning
    assert len(fakes) == 2
    runner.close()


@pytest.mark.parametrize("settings", [RunnerSettings(), RunnerSettings("numpy", tune=True)])
def test_not_unless_wanted_and_possible(monkeypatch, problem, settings):
    monkeypatch.setattr(tuner, "tuner_for", pytest.fail)
    runner = Runner(settings)
    runner.commands.put(Load(problem, 1))
    runner.turn()
    runner.close()


def test_on_the_device_itself(monkeypatch, tmp_path, problem):
    # The first is what it runs already: anything else a driver with empty caches compiles twice.
    candidates_of = tuned.candidates_of
    monkeypatch.setattr(tuned, "candidates_of", lambda *asked: candidates_of(*asked)[:2])
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(tuning_module, "SETTLED_SECONDS", 0.0)
    # However busy the machine is: who comes last may wait minutes for seconds of a processor.
    monkeypatch.setattr(child, "_LAST", 0)
    monkeypatch.setattr(tuning_module, "MOST_SECONDS", math.inf)
    monkeypatch.setattr(tuning_module, "_TRYING_SECONDS", math.inf)
    runner = Runner(RunnerSettings("opencl", tune=True))
    runner.commands.put(Load(problem, 1))
    runner.turn()
    deadline = time.monotonic() + 500
    while runner.run.tuning and time.monotonic() < deadline:
        runner.turn()
    assert not runner.run.tuning
    stepper = runner.run.simulation.stepper
    device = stepper.opencl_device
    case = tuned.case_of(problem.operator, device, np.dtype(np.float64))
    kept = tuned.stored_verdict(case, device)
    assert kept is not None
    assert kept.config in candidates_of(case, device)[:2]
    assert kept.untried == ()
    assert tuner.tuner_for(stepper) is None
    assert np.abs(stepper.fields().ez - problem.initial.ez).max() < 1e-15
    runner.close()
