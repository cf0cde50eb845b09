"""How the wave is solved and run, from the window: order, mesh, play, speed, trouble."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import Qt


def test_order_and_element_size(driver):
    elements = driver.session.loaded.elements
    driver.window.mesh_panel.order.setValue(5)
    driver.settled()
    assert driver.session.loaded.order == 5
    assert driver.session.loaded.elements == elements
    assert driver.bench.presenter.frame.values.shape == (elements, 21)
    field = driver.window.mesh_panel.size
    field.setFocus()
    field.lineEdit().selectAll()
    QTest.keyClicks(field, "0.1")
    QTest.keyClick(field, Qt.Key_Return)
    driver.settled()
    assert driver.session.loaded.elements > 2 * elements
    assert "order 5" in driver.window.status.text("mesh")


def test_the_stepper_can_be_chosen(driver):
    box, dt = driver.window.mesh_panel.stepper, driver.session.loaded.dt
    assert box.currentText() == "auto"
    box.setCurrentText("ndb144")
    box.textActivated.emit("ndb144")
    driver.settled()
    assert driver.session.loaded.dt > 1.5 * dt
    driver.session.undo()
    driver.until(lambda: driver.session.loaded.dt == dt)
    assert box.currentText() == "auto"


def test_an_impossible_size_is_refused_and_the_wave_goes_on(driver):
    driver.window.mesh_panel.size.changed.emit(1e-9)
    driver.until(lambda: driver.window.message.is_error)
    driver.settled()
    assert driver.session.scene.solver.element_size == 0.2
    assert driver.window.mesh_panel.size.value == 0.2
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    driver.press("Escape")
    assert not driver.window.message.text


def test_pause_step_and_reset(driver):
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    steps = driver.bench.presenter.frame.steps
    driver.press(".")
    driver.until(lambda: driver.bench.presenter.frame.steps == steps + 1)
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    driver.press("Space")
    driver.until(lambda: driver.bench.presenter.frame.steps > 0)


def test_speed_is_simulated_time_per_second(driver):
    speed = driver.window.transport.speed
    before = driver.session.solver.speed
    driver.press("Ctrl+Right")
    assert driver.session.solver.speed == pytest.approx(before * 10**0.1)
    driver.press("U")
    assert driver.session.solver.speed is None
    assert not speed.slider.isEnabled()
    driver.press("U")
    assert driver.session.solver.speed == pytest.approx(before * 10**0.1)


@pytest.mark.parametrize("typed", ["", "abc", "-3", "0", "nan", "inf", "1e999"])
def test_what_is_no_positive_number_is_put_back(driver, typed):
    field = driver.window.mesh_panel.size
    field.setFocus()
    field.lineEdit().setText(typed)
    QTest.keyClick(field, Qt.Key_Return)
    assert (field.value, field.text()) == (0.2, "0.2")
    assert driver.session.scene.solver.element_size == 0.2


def test_a_field_that_blows_up_is_told_where_and_goes_on_from_before(
    driver, small_scene, monkeypatch
):
    driver.dialogs.path = small_scene
    simulation = driver.program.runner.run.simulation
    monkeypatch.setattr(simulation.stepper, "advance", spoiled(simulation.stepper))
    driver.until(lambda: driver.window.message.is_error)
    assert "element 3" in driver.window.message.text
    assert "paused" in driver.window.message.text
    assert not driver.session.solver.playing
    monkeypatch.undo()
    driver.press("Space")
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    driver.window.message.clear()
    monkeypatch.setattr(simulation.stepper, "advance", spoiled(simulation.stepper))
    driver.until(lambda: driver.window.message.is_error)
    driver.press("Ctrl+O")  # answered with the scene itself: from its initial fields
    driver.settled()
    driver.until(lambda: driver.bench.presenter.frame.playing)


def spoiled(stepper):
    """``advance`` of a stepper that computes nonsense in element 3 and stands still then: until
    somebody looks there may be more steps, in which all would become nonsense."""
    whole, done = stepper.advance, []

    def advance(n_steps):
        if done:
            return np.repeat(done[-1:], n_steps, axis=0)
        values = whole(n_steps)
        done.extend(values)
        nodes = np.arange(3 * 6, 4 * 6)
        stepper.add_to_ez(nodes, np.full(6, np.nan))
        return values

    return advance
