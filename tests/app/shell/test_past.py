"""Going back in time by hand: keys, the slider, backwards, and what a ping makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QEvent, QPoint, QPointF, Qt, QtGui, QtWidgets
from wavelab.app.base.settings import load_preferences, preferences_path
from wavelab.app.window.dialogs import PastMemoryDialog
from wavelab.simulation.solver.commands import TakeSteps

PROBE = '\n[[probes]]\nname = "p"\nposition = [0.4, 0.3]\n'


@pytest.fixture
def driver(at_rest):
    """Forty steps of the standing wave, at rest."""
    made = at_rest(PROBE)
    made.until(lambda: frame(made).steps == 0)
    made.session.solver.send(TakeSteps(40))
    made.until(lambda: frame(made).steps == 40)
    return made


def frame(driver):
    return driver.bench.presenter.frame


def at_step(driver, step: int) -> None:
    driver.until(lambda: frame(driver).steps == step and not frame(driver).playing)


def on_slider(driver, part: float) -> QPoint:
    """A place on the slider, from its beginning to its end."""
    slider = driver.window.time_bar.slider
    return QPoint(round(6 + part * (slider.width() - 12)), slider.height() // 2)


def test_a_key_takes_the_last_step_back_and_forth_it_is_the_same(driver):
    bar, now = driver.window.time_bar, frame(driver)
    assert bar.isVisible()
    assert bar.text == "kept from t 0.000"
    driver.press(",")
    at_step(driver, 39)
    assert bar.slider.shown == 39
    assert bar.text == f"t {39 * now.dt:.3f} of {now.time:.3f}"
    driver.press(".")
    at_step(driver, 40)
    assert np.array_equal(frame(driver).values, now.values)
    for _ in range(3):
        driver.press(",")
    at_step(driver, 37)
    driver.press("Ctrl+.")
    at_step(driver, 40)
    driver.press("Space")
    driver.until(lambda: frame(driver).steps > 45)


def test_the_slider_is_dragged_through_the_past(driver):
    slider, series = driver.window.time_bar.slider, driver.bench.probe_series
    times, values = series.times.copy(), series.values.copy()
    assert len(times) == 40
    QTest.mousePress(slider, Qt.LeftButton, pos=on_slider(driver, 1.0))
    for part in (0.9, 0.7, 0.5, 0.3):
        at = QPointF(on_slider(driver, part))
        move = QtGui.QMouseEvent(
            QEvent.MouseMove, at, Qt.NoButton, Qt.LeftButton, Qt.KeyboardModifiers(0)
        )
        driver.application.sendEvent(slider, move)
        driver.until(lambda: frame(driver).steps <= slider.shown)
    QTest.mouseRelease(slider, Qt.LeftButton, pos=on_slider(driver, 0.3))
    goal = int(slider.shown)
    assert 5 < goal < 20
    at_step(driver, goal)
    dt = frame(driver).dt
    # What probes and ledger show is of then, and what came after comes again.
    assert len(series.times) == goal
    assert driver.window.ledger_panel.account.until == pytest.approx(goal * dt)
    assert driver.window.status.text("time") == f"t {goal * dt:.4f}"
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key_Right)
    at_step(driver, goal + 1)
    assert len(series.times) == goal + 1
    driver.press("Ctrl+.")
    at_step(driver, 40)
    assert np.array_equal(series.times, times)
    assert np.array_equal(series.values, values)


def test_backwards_to_the_beginning_and_forward_again(driver):
    act = driver.window.actions_by_id
    driver.press("Shift+Space")
    assert act["play_back"].isChecked()
    driver.until(lambda: "Pause" in act["play"].text())
    driver.until(lambda: frame(driver).steps < 40)
    driver.press("Space")
    driver.until(lambda: not frame(driver).playing)
    assert not act["play_back"].isChecked()
    assert 0 < frame(driver).steps < 40
    driver.press("U")
    driver.press("Shift+Space")
    at_step(driver, 0)
    driver.until(lambda: not act["play_back"].isChecked())
    assert "Play" in act["play"].text()
    driver.press("Space")
    driver.until(lambda: frame(driver).steps > 40)


def test_a_ping_in_the_past_begins_another_future(driver):
    series = driver.bench.probe_series
    for _ in range(10):
        driver.press(",")
    at_step(driver, 30)
    driver.click(0.6, 0.6)
    driver.until(lambda: frame(driver).past.newest == 30)
    assert "is gone" in driver.window.message.text
    assert driver.window.time_bar.text == "kept from t 0.000"
    assert len(series.times) == 30
    driver.press(".")
    at_step(driver, 31)
    assert len(series.times) == 31
    assert (np.diff(series.times) > 0).all()


def test_where_nothing_is_kept_that_is_said(driver, tmp_path):
    driver.dialogs.memory = 0
    driver.window.actions_by_id["memory"].trigger()
    driver.until(lambda: frame(driver).past is None)
    assert not driver.window.time_bar.slider.isVisible()
    assert load_preferences(preferences_path()).history == 0
    driver.press(",")
    assert "Nothing is kept" in driver.window.message.text
    driver.dialogs.memory = 3
    driver.window.actions_by_id["memory"].trigger()
    driver.until(lambda: frame(driver).past is not None)
    assert driver.window.time_bar.slider.isVisible()
    driver.dialogs.path = tmp_path / "wave.gif"
    driver.press("F9")
    driver.press(",")
    assert "movie" in driver.window.message.text
    driver.press("F9")
    driver.until(lambda: driver.session.solver.recording is None)


@pytest.mark.parametrize("typed", ["-1", "much", "1e9"])
def test_memory_is_a_whole_number_of_mib(application, typed):
    parent = QtWidgets.QWidget()
    dialog = PastMemoryDialog(parent, 256)
    dialog.show()
    for text, stays in ((typed, True), ("12", False)):
        line = dialog.mib.lineEdit()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key_Return)
        assert dialog.isVisible() == stays
        assert dialog.mib.value() == (256 if stays else 12)
    parent.deleteLater()
