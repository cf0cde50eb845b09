"""Movie pictures fall on the steps nearest to their times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.simulation.core.frame_clock import FrameClock


@given(st.floats(1e-3, 1.0), st.floats(1e-3, 1.0), st.floats(0, 100), st.integers(1, 50))
def test_each_picture_is_taken_at_the_nearest_step(interval, dt, start, stride):
    clock, time, step, taken = FrameClock(start, interval), start, 0, []
    while len(taken) < 30:
        due = clock.due(time, dt)
        taken += [time] * due
        clock.take(due)
        ahead = min(stride, clock.steps_until(time, dt))
        step += ahead
        time = start + step * dt
    for k, when in enumerate(taken):
        assert abs(when - (start + k * interval)) <= 0.5 * dt * (1 + 1e-6) + 1e-9


def test_a_reset_does_not_stop_the_movie():
    clock = FrameClock(0.0, 0.1)
    clock.take(clock.due(0.0, 0.01))
    assert clock.due(0.05, 0.01) == 0
    clock.rewind(0.0)
    assert clock.due(0.05, 0.01) == 0
    assert clock.due(0.1, 0.01) == 1
    clock.take()
    assert clock.due(0.2, 0.01) == 1


def test_a_jump_forward_gives_no_burst():
    clock = FrameClock(0.0, 0.1)
    clock.take(clock.due(0.0, 0.01))
    clock.rewind(50.0)
    assert clock.due(50.0, 0.01) == 0
    assert clock.steps_until(50.0, 0.01) == pytest.approx(10)


@pytest.mark.parametrize("stride", [1, 2, 3, 50])
def test_of_two_steps_that_are_as_near_the_first_is_taken(stride):
    """Every fifth picture lies halfway between two steps."""
    clock, step, taken = FrameClock(0.0, 3.3), 0, []
    while len(taken) < 11:
        due = clock.due(step, 1.0)
        taken += [step] * due
        clock.take(due)
        step += min(stride, clock.steps_until(step, 1.0))
    assert taken == [0, 3, 7, 10, 13, 16, 20, 23, 26, 30, 33]
