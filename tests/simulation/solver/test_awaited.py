"""Steps wait for a number that is on its way, and never for long."""

from __future__ import annotations

import time

import pytest

from tests.simulation.solver.test_runner import look, tell
from wavelab.simulation.solver.awaited import Awaited
from wavelab.simulation.solver.commands import AwaitLoad, Load, Play, SetQuantity
from wavelab.simulation.solver.runner import Runner


@pytest.fixture
def playing(make_numpy, problem):
    """A runner that plays as fast as it can."""
    runner = Runner(make=make_numpy)
    tell(runner, Load(problem, 1), Play())
    runner.turn()
    yield runner
    runner.close()


def steps_of(runner):
    return runner.run.simulation.steps


def test_no_step_is_taken_until_it_is_there(playing, problem):
    time.sleep(0.05)
    playing.turn()
    before = steps_of(playing)
    assert before > 0
    tell(playing, AwaitLoad())
    playing.turn()
    tell(playing, SetQuantity("energy"))  # other commands are obeyed meanwhile
    playing.turn()
    assert steps_of(playing) == before
    tell(playing, Load(problem, 2, keep_field=True))
    playing.turn()
    assert playing.run.generation == 2
    assert steps_of(playing) == before + 1, "one step, and a frame of it"
    assert look(playing) is not None


def test_what_does_not_come_holds_nobody_up(playing):
    time.sleep(0.05)
    before = steps_of(playing)
    tell(playing, AwaitLoad())
    began = time.perf_counter()
    while steps_of(playing) == before:
        playing.turn()
        assert time.perf_counter() < began + 20


def test_a_wave_goes_on_while_one_number_follows_the_other(wall_clock):
    awaited = Awaited(wall_clock)
    awaited.begin()
    first = awaited.seconds
    assert first > 0
    wall_clock.now += first / 2
    assert awaited.seconds == pytest.approx(first / 2)
    awaited.end()
    assert awaited.seconds == 0
    awaited.begin()
    assert awaited.seconds == 0, "steps come first"
    wall_clock.now += 1.0
    awaited.begin()
    assert awaited.seconds == pytest.approx(first)
    wall_clock.now += 2 * first
    assert awaited.seconds == 0


def test_a_wave_goes_on_while_none_of_the_numbers_can_be(wall_clock):
    """A slider that is dragged through what is refused sends many, and none of them comes."""
    awaited, waiting = Awaited(wall_clock), 0
    for _ in range(200):
        awaited.begin()
        waiting += awaited.seconds > 0
        wall_clock.now += 0.01
    assert 0 < waiting < 150
    assert awaited.seconds < 0.05
