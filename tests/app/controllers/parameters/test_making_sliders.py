"""Numbers of the form that become sliders by the right button, and numbers again."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QApplication, Qt, QtGui
from wavelab.scene.toml.toml_io import load_scene


@pytest.fixture
def lamp(driver):
    """A window with a source, whose form is in front."""
    driver.press("S")
    driver.click(0.5, 0.5)
    driver.settled()
    driver.bench.selection.present(("sources", 0))
    driver.application.processEvents()
    return driver


def offered(driver, key, cursor: int = 0):
    """The entries above the usual ones in the menu of a field, as the right button pops it up."""
    line = driver.window.property_panel.controls[key]
    driver.until(line.isVisible)
    line.deselect()
    line.setCursorPosition(cursor)
    at = line.cursorRect().center()
    event = QtGui.QContextMenuEvent(QtGui.QContextMenuEvent.Mouse, at, line.mapToGlobal(at))
    QApplication.sendEvent(line, event)
    driver.until(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    actions = menu.actions()
    ends = [i for i, action in enumerate(actions) if action.isSeparator()]
    return menu, {a.text(): a for a in actions[: ends[0]] if a.text().startswith("Make ")}


def activated(driver) -> None:
    """The window, once a menu is gone, as a window manager would."""
    QTest.qWait(100)
    driver.application.setActiveWindow(driver.window)
    driver.until(lambda: QApplication.activeWindow() is driver.window)


def choose(driver, key, words: str, cursor: int = 0) -> None:
    menu, entries = offered(driver, key, cursor)
    QTest.mouseClick(menu, Qt.LeftButton, pos=menu.actionGeometry(entries[words]).center())
    driver.until(lambda: QApplication.activePopupWidget() is None)
    activated(driver)
    driver.settled()


FREQUENCY = ("waveform", "frequency")


def test_a_number_becomes_a_slider_and_a_number_again(lamp, tmp_path):
    driver, form = lamp, lamp.window.property_panel
    before = driver.session.scene
    was = before.sources[0].waveform.frequency
    choose(driver, FREQUENCY, "Make it a slider")
    (parameter,) = driver.session.scene.parameters
    assert parameter.name == "source_1_frequency"
    assert parameter.title == "Source 1: frequency"
    assert parameter.range[0] < was < parameter.range[1]
    assert form.controls[FREQUENCY].text() == parameter.name
    row = driver.bench.parameters.panel.rows[parameter.name]
    driver.until(row.slider.isVisible)
    assert not row.slider.visibleRegion().isEmpty()  # in front of the form
    QTest.keyClick(row.slider, Qt.Key_End)
    driver.settled()
    assert driver.session.running.scene.sources[0].waveform.frequency == parameter.range[1]
    driver.dialogs.path = tmp_path / "made.toml"
    driver.press("Ctrl+Shift+S")
    driver.until(driver.dialogs.path.exists)
    assert load_scene(driver.dialogs.path).parameters == driver.session.scene.parameters
    driver.window.show_properties()
    choose(driver, FREQUENCY, "Make it a plain number")
    assert driver.session.scene.parameters == ()
    assert type(driver.session.scene.sources[0].waveform.frequency) is float
    assert "nothing uses any more" in driver.window.message.text
    for _ in range(3):
        driver.press("Ctrl+Z")
        driver.settled()
    assert driver.session.scene.sources == before.sources
    assert driver.session.scene.parameters == ()


def test_the_number_at_the_pointer_is_meant(lamp):
    driver, key = lamp, ("position",)
    text = driver.window.property_panel.controls[key].text()
    x, y = text.split(", ")
    _, entries = offered(driver, key, len(text))
    assert list(entries) == [f"Make {y} a slider"]
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key_Escape)
    driver.until(lambda: QApplication.activePopupWidget() is None)
    choose(driver, key, f"Make {x} a slider", 0)
    assert driver.session.scene.parameters[-1].name == "source_1_position_x"
    driver.window.show_properties()
    menu, entries = offered(driver, key, len(driver.window.property_panel.controls[key].text()))
    assert list(entries) == [f"Make {y} a slider", "Make it a plain number"]
    QTest.keyClick(menu, Qt.Key_Escape)
    driver.until(lambda: QApplication.activePopupWidget() is None)


def test_a_name_that_is_taken_gets_a_number(lamp):
    driver = lamp
    choose(driver, FREQUENCY, "Make it a slider")
    driver.window.show_properties()
    line = driver.window.property_panel.controls[FREQUENCY]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "3")
    QTest.keyClick(line, Qt.Key_Return)
    driver.settled()
    choose(driver, FREQUENCY, "Make it a slider")
    names = [p.name for p in driver.session.scene.parameters]
    assert names == ["source_1_frequency", "source_1_frequency_2"]


def test_names_and_words_are_no_numbers(lamp):
    driver = lamp
    form = driver.window.property_panel
    assert form.controls["name",].contextMenuPolicy() == Qt.DefaultContextMenu
    driver.bench.selection.present(("solver",))
    driver.application.processEvents()
    choose(driver, ("order",), "Make it a slider")
    parameter = driver.session.scene.parameters[-1]
    assert (parameter.name, parameter.step) == ("solver_order", 1)


def test_a_parameter_has_a_form(lamp):
    driver, form = lamp, lamp.window.property_panel
    choose(driver, FREQUENCY, "Make it a slider")
    driver.bench.selection.present(("parameters", 0))
    for key, text in (("name", "f"), ("label", "Pitch"), ("unit", "Hz"), ("range", "0.5, 12")):
        line = form.controls[key,]
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key_Return)
        driver.settled()
        assert not form.notes
    row = driver.bench.parameters.panel.rows["f"]
    driver.until(lambda: (row.label.text(), row.unit.text()) == ("Pitch", "Hz"))
    assert driver.session.scene.sources[0].waveform.frequency.text == "f"
    assert "From 0.5 to 12" in row.slider.toolTip()
    QTest.mouseClick(form.remove, Qt.LeftButton)
    driver.settled()
    assert driver.session.scene.parameters == ()
    assert not driver.bench.parameters.panel.isVisible()
