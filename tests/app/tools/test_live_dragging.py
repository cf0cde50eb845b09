"""A source that is dragged drives the wave from under the hand."""

from __future__ import annotations

import pytest

from wavelab.scene.sources import PointSource


@pytest.fixture
def placed(driver):
    """A window with a source at (0.5, 0.5), and the tool that placed it."""
    driver.press("S")
    driver.click(0.5, 0.5)
    driver.settled()
    return driver


def running_source(driver) -> PointSource:
    """Of the solver's problem."""
    (source,) = driver.program.runner.run.simulation.problem.scene.sources
    return source


def follows(driver, x: float, y: float) -> None:
    driver.until(lambda: running_source(driver).position == pytest.approx((x, y), abs=0.01))


def test_the_wave_follows_the_hand_and_one_step_takes_all_of_it_back(placed):
    driver, generation = placed, placed.session.generation
    steps = len(driver.session.history.past)
    stepper = driver.program.runner.run.simulation.stepper
    driver.drag((0.5, 0.5), (0.55, 0.5), release=False)
    follows(driver, 0.55, 0.5)
    for x in (0.6, 0.65, 0.7):
        driver.pull(x, 0.4)
        follows(driver, x, 0.4)
    assert driver.program.runner.run.simulation.stepper is stepper
    assert len(driver.session.history.past) == steps
    assert driver.session.generation > generation
    driver.let_go(0.7, 0.4)
    driver.settled()
    assert len(driver.session.history.past) == steps + 1
    assert driver.session.scene.sources[0].position == pytest.approx((0.7, 0.4), abs=0.01)
    driver.press("Ctrl+Z")
    follows(driver, 0.5, 0.5)
    driver.settled()
    assert driver.session.scene.sources[0].position == pytest.approx((0.5, 0.5), abs=0.01)
    driver.press("Ctrl+Y")
    follows(driver, 0.7, 0.4)


@pytest.mark.parametrize("key", ["Esc", "Ctrl+Z"])
def test_what_is_given_up_is_as_it_was(placed, key):
    driver = placed
    scene, steps = driver.session.scene, len(driver.session.history.past)
    driver.drag((0.5, 0.5), (0.7, 0.4), release=False)
    follows(driver, 0.7, 0.4)
    driver.press(key)
    if key == "Esc":
        driver.settled()
        assert driver.session.scene == scene
        assert len(driver.session.history.past) == steps
        follows(driver, 0.5, 0.5)
    else:  # undo takes back the step before, and not a part of the drag
        driver.settled()
        assert driver.session.scene.sources == ()
    driver.let_go(0.7, 0.4)
    driver.settled()


def test_the_wave_follows_a_source_that_is_moved_by_the_select_tool(placed):
    driver, steps = placed, len(placed.session.history.past)
    driver.press("V")
    driver.drag((0.5, 0.5), (0.55, 0.5), release=False)
    for x in (0.6, 0.7):
        driver.pull(x, 0.4)
        follows(driver, x, 0.4)
    assert len(driver.session.history.past) == steps
    driver.let_go(0.7, 0.4)
    driver.settled()
    assert len(driver.session.history.past) == steps + 1
    driver.press("Ctrl+Z")
    follows(driver, 0.5, 0.5)


def test_where_it_may_not_be_it_stays_at_the_last_place(placed):
    driver = placed
    driver.drag((0.5, 0.5), (0.6, 0.5), release=False)
    follows(driver, 0.6, 0.5)
    driver.pull(2.5, 0.5)
    driver.settled()
    assert running_source(driver).position == pytest.approx((0.6, 0.5), abs=0.01)
    driver.let_go(2.5, 0.5)
    driver.settled()
    assert driver.session.scene.sources[0].position == pytest.approx((0.5, 0.5), abs=0.01)
    follows(driver, 0.5, 0.5)


def test_traces_go_on_through_a_number_that_is_turned(placed):
    driver = placed
    driver.press("B")
    driver.click(0.3, 0.3)
    driver.settled()
    driver.until(lambda: len(driver.bench.probe_series.times) > 20)
    first = driver.bench.probe_series.times[0]
    driver.press("S")
    driver.drag((0.5, 0.5), (0.6, 0.5))
    driver.settled()
    driver.next_frame()
    assert driver.bench.probe_series.times[0] == first
