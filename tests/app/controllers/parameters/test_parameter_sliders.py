"""Sliders of parameters, moved by a hand while the wave runs."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests.app.slider_bench import SCENE, follows, let_go, press, pull, row, running, steps, value
from wavelab.app.base.qt import QApplication, Qt, QtGui
from wavelab.scene.toml.toml_io import load_scene


def test_sliding_turns_the_running_wave_and_one_step_takes_it_back(turned):
    driver, before = turned, steps(turned)
    stepper = driver.program.runner.run.simulation.stepper
    time = driver.bench.presenter.frame.time
    press(driver, "f", 0.25)
    for part, wanted in ((0.5, 3.0), (0.75, 4.0), (1.0, 5.0)):
        pull(driver, "f", part)
        follows(driver, "f", wanted)
    assert driver.program.runner.run.simulation.stepper is stepper
    assert running(driver).sources[0].waveform.frequency == 5
    assert running(driver).values["wavelength"] == 0.2
    assert row(driver, "wavelength").number.text() == "0.2"
    assert steps(driver) == before
    driver.until(lambda: driver.window.isWindowModified())
    let_go(driver, "f", 1.0)
    driver.settled()
    driver.next_frame()
    assert driver.bench.presenter.frame.time >= time
    assert steps(driver) == before + 1
    assert driver.session.history.undo_label == "Change Frequency"
    assert row(driver, "f").number.text() == "5"
    driver.press("Ctrl+Z")
    follows(driver, "f", 2)
    driver.settled()
    assert row(driver, "f").number.text() == "2"
    driver.until(lambda: not driver.window.isWindowModified())
    driver.press("Ctrl+Y")
    follows(driver, "f", 5)


def test_numbers_of_a_notice_are_not_said_anew_at_every_place(turned):
    driver, message = turned, turned.window.message
    assert "up to 2," in message.text
    message.clear()
    press(driver, "f", 0.25)
    for part, wanted in ((0.5, 3.0), (0.75, 4.0)):
        pull(driver, "f", part)
        follows(driver, "f", wanted)
        driver.settled()
        assert not message.shown
    let_go(driver, "f", 0.75)
    line = row(driver, "f").number
    line.setFocus()
    QTest.keyClick(line, Qt.Key_Up)
    driver.until(lambda: "up to 4." in message.text)


def test_a_mesh_is_made_anew_and_the_newest_wins(turned):
    driver, before = turned, steps(turned)
    press(driver, "w", 0.125)
    for part in (0.2, 0.25, 0.3, 0.375, 0.25, 0.375):
        pull(driver, "w", part)
    follows(driver, "w", 0.4)
    time = driver.bench.presenter.frame.time
    assert steps(driver) == before
    let_go(driver, "w", 0.375)
    driver.settled()
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert steps(driver) == before + 1
    assert running(driver).holes[0].shape.upper == (0.7, 0.9)
    driver.press("Ctrl+Z")
    follows(driver, "w", 0.2)


def test_what_was_tried_and_runs_is_a_part_of_the_step_that_cannot_be(turned):
    """A mesh that is refused after the hand let go does not lose the way back."""
    driver, scene = turned, turned.session.scene
    press(driver, "s", 0.25)
    pull(driver, "s", 0.125)
    follows(driver, "s", 0.05)
    driver.settled()
    pull(driver, "s", 0.75)  # the kite crosses itself, which the mesher finds
    let_go(driver, "s", 0.75)
    driver.until(lambda: driver.window.message.is_error)
    driver.settled()
    assert "Kite" in driver.window.message.text
    assert value(driver, "s") == pytest.approx(0.05)
    driver.until(lambda: row(driver, "s").number.text() == "0.05")
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene == scene


def test_what_rules_refuse_is_said_and_the_slider_stays_at_the_last_good_value(turned):
    driver, before = turned, steps(turned)
    press(driver, "f", 0.25)
    pull(driver, "f", 0.0)  # at a frequency of 1 the lamp would be in y = 0.9, which is fine
    follows(driver, "f", 1)
    let_go(driver, "f", 0.0)
    driver.settled()
    line = row(driver, "f").number
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "7")
    QTest.keyClick(line, Qt.Key_Return)
    assert "outside its range" in driver.window.message.text
    assert "1 to 5" in driver.window.message.text
    assert line.text() == "1"
    assert value(driver, "f") == 1
    assert steps(driver) == before + 1
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "2.345")
    QTest.keyClick(line, Qt.Key_Return)
    driver.until(lambda: not driver.window.message.is_error)
    follows(driver, "f", 2.345)
    assert value(driver, "f") == 2.345
    assert line.text() == "2.345"


def test_a_refusal_while_it_is_held(start, tmp_path):
    path = tmp_path / "slit.toml"
    path.write_text(SCENE.replace("range = [1, 5]", "range = [0, 5]"))
    driver = start(path)
    driver.settled()
    press(driver, "f", 0.4)
    pull(driver, "f", 0.2)
    follows(driver, "f", 1)
    pull(driver, "f", 0.0)  # no sine has the frequency 0
    assert driver.window.message.is_error
    slider = row(driver, "f").slider
    assert slider._notches.value(slider.value()) == pytest.approx(1, abs=0.03)
    pull(driver, "f", 0.3)
    assert not driver.window.message.is_error
    follows(driver, "f", 1.5)
    pull(driver, "f", 0.0)
    let_go(driver, "f", 0.0)
    driver.settled()
    assert value(driver, "f") == pytest.approx(1.5, abs=0.03)
    driver.press("Ctrl+Z")
    follows(driver, "f", 2)


def test_escape_gives_a_slide_up(turned):
    driver, scene, before = turned, turned.session.scene, steps(turned)
    press(driver, "f", 0.25)
    pull(driver, "f", 0.5)
    follows(driver, "f", 3)
    QTest.keyClick(row(driver, "f").slider, Qt.Key_Escape)
    driver.settled()
    follows(driver, "f", 2)
    pull(driver, "f", 0.75)
    let_go(driver, "f", 0.75)
    driver.settled()
    assert driver.session.scene == scene
    assert steps(driver) == before
    assert not driver.window.isWindowModified()


def test_keys_and_wheel_are_steps_of_one_edit(turned):
    driver, before = turned, steps(turned)
    line = row(driver, "n").number
    QTest.mouseClick(line, Qt.LeftButton)
    QTest.keyClick(line, Qt.Key_Up)
    follows(driver, "n", 1.75)
    QTest.keyClick(line, Qt.Key_Up)
    follows(driver, "n", 2)
    slider = row(driver, "n").slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key_Left)
    follows(driver, "n", 1.75)
    QTest.keyClick(slider, Qt.Key_End)
    follows(driver, "n", 3)
    QTest.mouseClick(line, Qt.LeftButton)
    QTest.keyClick(line, Qt.Key_PageUp)  # not past the end
    driver.settled()
    assert value(driver, "n") == 3
    assert not driver.window.message.is_error
    assert steps(driver) == before + 1
    driver.press("Ctrl+Z")
    follows(driver, "n", 1.5)
    assert running(driver).materials[0].material.epsilon == 2.25


def test_a_double_click_goes_back_to_what_is_saved(turned):
    driver = turned
    press(driver, "n", 0.25)
    pull(driver, "n", 0.75)
    let_go(driver, "n", 0.75)
    follows(driver, "n", 2.5)
    driver.settled()
    assert "back to 1.5" in row(driver, "n").slider.toolTip()
    QTest.mouseDClick(row(driver, "n").label, Qt.LeftButton)
    follows(driver, "n", 1.5)
    driver.settled()
    assert row(driver, "n").number.text() == "1.5"
    driver.until(lambda: not driver.window.isWindowModified())


def test_it_is_saved_with_names_and_kept_against_a_crash(turned, tmp_path):
    driver = turned
    press(driver, "f", 0.25)
    pull(driver, "f", 0.5)
    follows(driver, "f", 3)
    assert driver.bench.autosave.path.exists()  # with what is said, and not what is tried
    assert load_scene(driver.bench.autosave.path).values["f"] == 2
    let_go(driver, "f", 0.5)
    driver.settled()
    driver.until(lambda: load_scene(driver.bench.autosave.path).values["f"] == 3)
    driver.press("Ctrl+S")
    driver.until(lambda: not driver.window.isWindowModified())
    text = (tmp_path / "turned.toml").read_text()
    assert 'frequency = "f"' in text
    assert "value = 3" in text
    driver.bench.files.open_path(tmp_path / "turned.toml")
    driver.settled()
    assert value(driver, "f") == 3
    assert row(driver, "f").number.text() == "3"


def test_the_panel_is_there_only_for_parameters(driver, tmp_path):
    panel = driver.bench.parameters.panel
    assert not panel.isVisible()
    path = tmp_path / "turned.toml"
    path.write_text(SCENE)
    driver.window.show_properties()
    driver.drop(path)
    driver.settled()
    driver.until(panel.isVisible)
    assert not panel.visibleRegion().isEmpty()  # in front of the form
    assert list(panel.rows) == ["f", "n", "w", "g", "s", "wavelength"]
    assert not row(driver, "wavelength").slider.isVisible()
    assert row(driver, "f").slider.accessibleName() == "Frequency"
    assert row(driver, "f").unit.text() == "1/s"
    assert "Properties" in row(driver, "g").slider.toolTip()  # where to give it a range
    driver.press("Ctrl+Z")
    driver.until(lambda: not panel.isVisible())


def test_what_the_right_button_offers(turned):
    driver = turned
    parameters = driver.bench.parameters
    menu = driver.bench.parameter_menu.made_for("f")
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == [
        "Reset to 2", "Sweep to and fro", "Time of a sweep", "Properties of parameter f\u2026",
        "Delete parameter f",
    ]  # fmt: skip
    times = menu.actions()[2].menu().actions()
    assert [t.text() for t in times if t.isChecked()] == ["4 s"]
    times[0].trigger()
    assert parameters.sweeping.seconds == 2
    menu.actions()[-2].trigger()
    form = driver.window.property_panel
    assert driver.window.properties_open
    assert form.items.currentText() == "Parameter f"
    assert form.controls["range",].text() == "1, 5"
    menu.actions()[-1].trigger()
    driver.settled()
    assert "f" not in driver.session.scene.values
    assert driver.session.scene.sources[0].waveform.frequency == 2
    assert list(parameters.panel.rows) == ["n", "w", "g", "s", "wavelength"]
    driver.press("Ctrl+Z")
    driver.settled()
    assert list(parameters.panel.rows) == ["f", "n", "w", "g", "s", "wavelength"]


def test_the_menu_pops_up_on_a_row(turned):
    driver, found = turned, []
    driver.bench.parameters.panel.menu_wished.connect(lambda name, at: found.append(name))
    slider = row(driver, "n").slider
    at = slider.rect().center()
    event = QtGui.QContextMenuEvent(QtGui.QContextMenuEvent.Mouse, at, slider.mapToGlobal(at))
    QApplication.sendEvent(slider, event)
    assert found == ["n"]
    driver.until(lambda: QApplication.activePopupWidget() is not None)
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key_Escape)
    driver.until(lambda: QApplication.activePopupWidget() is None)
