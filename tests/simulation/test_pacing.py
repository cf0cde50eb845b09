"""Batches of the right length, at the right time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.pacing import BatchController, Pace, StepMeter


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
