"""Batches of the right length, at the right time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.core.pacing import BatchController, Pace, StepMeter


@given(st.floats(1e-6, 0.5), st.integers(0, 2**32 - 1))
def test_batches_settle_at_the_target_under_noise(cost, seed):
    rng = np.random.default_rng(seed)
    controller, chosen = BatchController(0.012), []
    for _ in range(80):
        n = controller.steps
        chosen.append(n)
        controller.measured(n, n * cost * rng.uniform(0.8, 1.25))
    ideal = np.clip(0.012 / cost, 1, 100_000)
    settled = np.array(chosen[40:])
    assert np.all(settled >= np.floor(0.7 * ideal))
    assert np.all(settled <= np.ceil(1.4 * ideal))


def test_one_mistimed_batch_changes_little():
    controller = BatchController(0.01)
    for _ in range(60):
        controller.measured(controller.steps, controller.steps * 1e-4)
    assert controller.steps == 100
    controller.measured(100, 100 * 1e-9)
    assert 100 < controller.steps < 140
    controller.measured(controller.steps, 100 * 1e-4)
    controller.measured(controller.steps, 0.1)  # something else had the processor
    assert controller.steps > 25


def test_batches_at_most_double():
    controller, before = BatchController(1.0), 1
    for _ in range(10):
        controller.measured(controller.steps, 1e-6)
        assert controller.steps <= 2 * before
        before = controller.steps


def test_full_speed_has_no_due_steps():
    assert Pace().due_steps(0.0, 0.1, now=5.0) is None
    assert Pace().wait_seconds(0.0, 0.1, now=5.0) == 0.0


def test_simulated_time_follows_wall_time():
    pace, time, dt = Pace(), 3.0, 0.001
    pace.set_speed(0.5)
    for i in range(2000):
        now = 10.0 + i * 0.01
        time += dt * pace.due_steps(time, dt, now)
    assert time - 3.0 == pytest.approx(0.5 * 19.99, abs=dt)


def test_a_slow_device_is_not_made_to_sprint():
    pace, dt = Pace(), 0.01
    pace.set_speed(1.0)
    pace.due_steps(0.0, dt, now=0.0)
    # A second passes in which nothing is done; only the patience is owed, now and later.
    assert pace.due_steps(0.0, dt, now=1.0) == round(Pace.PATIENCE / dt)
    assert pace.due_steps(Pace.PATIENCE, dt, now=1.0) == 0


def test_waiting_ends_when_a_step_is_due():
    pace, dt = Pace(), 0.01
    pace.set_speed(0.1)
    assert pace.due_steps(0.0, dt, now=0.0) == 0
    wait = pace.wait_seconds(0.0, dt, now=0.02)
    assert wait == pytest.approx(0.08)
    assert pace.due_steps(0.0, dt, now=0.02 + wait) == 1


def test_steps_per_second_forget_the_past():
    meter = StepMeter()
    assert meter.rate == 0.0
    for i in range(100):
        meter.add(7, i * 0.05)
    assert meter.rate == pytest.approx(140)
    for i in range(100):
        meter.add(1, 5.0 + i * 0.05)
    assert meter.rate == pytest.approx(20)
    meter.clear()
    assert meter.rate == 0.0


class Machine:
    """A solver's loop on a pretended clock: batches of a controller and a frame after each."""

    def __init__(self, seed=0):
        self.controller = BatchController()
        self.cost = 1e-4  # of a step
        self.latency = 0.0  # of a batch
        self.frame = 1e-3
        self.noise = 0.0  # standard deviation of the logarithm of every time
        self._rng = np.random.default_rng(seed)

    def turns(self, count):
        """Steps and wall time of each turn."""
        steps, seconds = [], []
        for _ in range(count):
            n = self.controller.steps
            batch = self._about(self.latency + n * self.cost)
            frame = self._about(self.frame)
            self.controller.measured(n, batch)
            self.controller.spent_beside(frame)
            steps.append(n)
            seconds.append(batch + frame)
        return np.array(steps), np.array(seconds)

    def _about(self, seconds):
        return seconds * np.exp(self.noise * self._rng.standard_normal())


def reversals(steps):
    """How often the number of steps turns from growing to shrinking or back, but for single steps
    by which a fraction is rounded."""
    moves = np.diff(steps)
    moves = np.sign(moves[np.abs(moves) > 1])
    return int((moves[1:] != moves[:-1]).sum())


@pytest.mark.parametrize("factor", [0.125, 0.5, 2.0, 8.0])
def test_a_sudden_change_of_load_is_met_within_a_few_batches(factor):
    machine = Machine()
    machine.turns(40)
    machine.cost *= factor
    steps, seconds = machine.turns(40)
    assert np.all(seconds[4:] < 0.02)
    assert np.all(seconds[16:] == pytest.approx(0.013, rel=0.1))
    assert reversals(steps) <= 1


@pytest.mark.parametrize("frame", [0.002, 0.008, 0.014])
def test_frames_that_become_dearer_shorten_the_batches(frame):
    """As after a resize, or a view that costs more."""
    machine = Machine()
    machine.turns(40)
    machine.frame = frame
    steps, seconds = machine.turns(40)
    wished = max(1 / 60 - frame, 0.5 * frame)
    assert np.all(seconds[12:] == pytest.approx(min(wished, 0.012) + frame, rel=0.1))
    assert reversals(steps) <= 1
    machine.frame = 1e-3
    _, seconds = machine.turns(40)
    assert np.all(seconds[20:] == pytest.approx(0.013, rel=0.1))


def test_twenty_frames_a_second_as_long_as_a_frame_allows_it():
    machine = Machine()
    machine.frame = 0.035
    steps, seconds = machine.turns(60)
    assert np.all(seconds[20:] <= 0.05)
    assert steps[-1] * machine.cost > 0.005  # the wave does not stand still


@pytest.mark.parametrize("latency", [0.002, 0.008, 0.011])
def test_a_latency_of_each_batch_sets_off_no_oscillation(latency):
    machine = Machine()
    machine.latency = latency
    steps, seconds = machine.turns(200)
    assert np.all(seconds[150:] == pytest.approx(0.013, rel=0.05))
    assert reversals(steps) <= 1


@given(st.integers(0, 2**32 - 1), st.floats(1e-5, 3e-3))
def test_noise_of_a_busy_machine_does_not_add_up(seed, cost):
    machine = Machine(seed)
    machine.cost, machine.noise = cost, 0.5
    steps, seconds = machine.turns(300)
    # Half of all times are within a factor of 1.4 of the true ones.
    ideal = max(0.012 / cost, 1)
    assert 0.45 * ideal <= np.median(steps[50:]) <= 1.05 * ideal
    assert np.median(seconds[50:]) < 0.016
    assert np.mean(seconds[50:] < 0.05) > 0.95
