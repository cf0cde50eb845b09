"""A slow wave glides from step to step, and what rests is shown as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.app.shell.between_steps import BetweenSteps
from wavelab.output.arrows import Arrows
from wavelab.paths import SCENES
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.messages.frames import Frame, ProbeSamples
from wavelab.simulation.solver.commands import SetSpeed

DT, SPEED = 0.1, 0.5  # five steps a second
STEP = DT / SPEED


def frame(steps: int, **more) -> Frame:
    """Whose field is the square of its time, and with a sample at a probe."""
    time = DT * steps
    probes = ProbeSamples(0, ("ear",), np.array([time]), np.array([[1.0]]))
    made = Frame(
        1, "ez", np.full((2, 3), time**2, np.float32), time, steps, DT, 1 / STEP, 0.0, True, probes
    )
    return replace(made, **more)


def between(speed: float | None = SPEED) -> BetweenSteps:
    return BetweenSteps(lambda: speed)


def shown_twice(one: Frame, other: Frame, **more) -> list[Frame | None]:
    """Of two frames a step apart, what is to be seen at once, on the way, and later."""
    over = between(**more)
    over.shown(one, 10.0)
    return [over.shown(other, 10.0 + STEP), *(over.shown(None, 10 + STEP + t) for t in (0.1, 9, 9))]


def test_from_one_step_to_the_next_in_a_straight_line():
    over, first = between(), frame(3)
    assert over.shown(first, 0.0) is first
    assert over.shown(None, 0.1) is None, "nothing is known of what comes"
    begin = over.shown(frame(4), STEP)
    np.testing.assert_array_equal(begin.values, first.values)
    assert begin.time == first.time
    assert len(begin.probes) == 1, "samples are handed on at once"
    seen = [over.shown(None, STEP + t) for t in np.linspace(0, 2 * STEP, 41)[1:]]
    seen = [each for each in seen if each is not None]
    times = [each.time for each in seen]
    assert times == sorted(times)
    assert times[0] < 0.31
    assert len(seen) > 15
    part = (np.array(times) - 0.3) / DT
    values = np.array([each.values for each in seen])
    np.testing.assert_allclose(values, (0.09 + 0.07 * part)[:, None, None] * np.ones((2, 3)), 1e-5)
    assert values.dtype == np.float32
    np.testing.assert_array_equal(seen[-1].values, frame(4).values)
    assert all(not len(each.probes) for each in seen), "and once"


@given(st.lists(st.floats(0.5, 1.5), min_size=3, max_size=12))
def test_no_picture_jumps_whenever_steps_come(rhythm):
    """From one turn of the display to the next the clock goes a part of a step, and never back."""
    over, now, due = between(), 0.0, 0.0
    arrivals, turns, times = iter(rhythm), int(STEP * sum(rhythm) * 60), []
    steps = 0
    for _ in range(turns):
        new = None
        if now >= due:
            new, steps = frame(steps), steps + 1
            due += STEP * next(arrivals, 1.0)
        if (found := over.shown(new, now)) is not None:
            times.append(found.time)
        now += 1 / 60
    gone = np.diff(times)
    assert (gone >= 0).all()
    # At most what is left of one step and the whole of the next, in the time of a step.
    assert (gone <= 2 * DT / (60 * STEP) + 1e-12).all()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"playing": False}, "it rests"),
        ({"generation": 2}, "another problem"),
        ({"quantity": "hx"}, "another field"),
        ({"values": np.zeros((4, 3), np.float32)}, "another mesh"),
        ({"steps": 9}, "it has gone to another time"),
        ({"steps_per_second": 1.0}, "the device is too slow"),
        ({"time": 5.0}, "far too long a way"),
        ({"time": 0.305}, "soon enough"),
    ],
)
def test_what_is_no_way_is_shown_at_once(change, why):
    newest = replace(frame(4), **change)
    at_once, *later = shown_twice(frame(3), newest)
    assert at_once is newest, why
    assert later == [None] * 3


def test_as_fast_as_possible_every_step_is_shown_as_it_is():
    newest = frame(4)
    at_once, *later = shown_twice(frame(3), newest, speed=None)
    assert at_once is newest
    assert later == [None] * 3


def test_what_changes_on_the_way_is_reached_by_its_end():
    over, struck = between(), frame(4, values=np.full((2, 3), 7, np.float32))
    over.shown(frame(3), 0.0)
    over.shown(frame(4), STEP)
    half = over.shown(None, 1.5 * STEP)
    np.testing.assert_array_equal(over.shown(struck, 1.5 * STEP).values, half.values)
    assert 0.16 < over.shown(None, 1.7 * STEP).values.mean() < 7
    np.testing.assert_array_equal(over.shown(None, 3 * STEP).values, struck.values)
    # And at once where the wave was at the end of its way.
    again = frame(4, values=np.full((2, 3), 8, np.float32))
    assert over.shown(again, 3.1 * STEP) is again


def test_arrows_go_along():
    places = np.zeros((1, 2))
    one, other = (Arrows("power", places, np.full((1, 2), x), 1.0) for x in (0.0, 1.0))
    _, on_the_way, end, _ = shown_twice(frame(3, arrows=one), frame(4, arrows=other))
    assert 0 < on_the_way.arrows.vectors[0, 0] < 1
    assert end.arrows is other
    # Those of another lattice are taken as they are.
    moved = replace(other, positions=np.ones((1, 2)))
    _, on_the_way, *_ = shown_twice(frame(3, arrows=one), frame(4, arrows=moved))
    assert on_the_way.arrows is moved


def test_slow_motion_glides_in_the_window_and_a_pause_shows_the_step_itself(driver):
    driver.session.open(load_scene(SCENES / "cavity_1_1.toml"))
    driver.settled()
    driver.session.solver.send(SetSpeed(0.05))  # a step in half a second
    seen = []
    show = driver.bench.show_frame

    def watch(frame, rate):
        seen.append(frame)
        show(frame, rate)

    driver.program.workbench.show_frame = watch
    driver.until(lambda: len({frame.steps for frame in seen}) > 4)
    of_step = {n: [f.time for f in seen if f.steps == n] for n in {f.steps for f in seen}}
    assert max(len(times) for times in of_step.values()) > 3
    assert max(len(set(times)) for times in of_step.values()) > 3
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    simulation = driver.program.runner.run.simulation
    shown = driver.bench.presenter.frame
    assert (shown.time, shown.steps) == (simulation.time, simulation.steps)
    np.testing.assert_array_equal(shown.values, simulation.stepper.view("ez"))
