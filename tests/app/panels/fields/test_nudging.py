"""Numbers in the form that go up and down by keys and wheel while the wave runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QPoint, QPointF, Qt, QtGui
from wavelab.app.panels.fields.nudging import NudgedLine, number_at, replaced, usual_step
from wavelab.scene.model.scene import Material, MaterialRegion
from wavelab.scene.model.shapes import Rectangle

EPSILON = ("material", "epsilon")


@pytest.mark.parametrize(
    ("text", "cursor", "number"),
    [
        ("2.25", 0, 2.25),
        ("2.25", 4, 2.25),
        ("0.5, -1.5", 3, 0.5),
        ("0.5, -1.5", 5, -1.5),
        ("[0, 1], [-3e-2, 4]", 11, -0.03),
        ("1 + x - 3*t", 9, 3),
        ("x - -0.01", 9, -0.01),
        ("2*-3", 4, -3),
        ("x**-2", 5, -2),
        ("atan2(y, 4)", 0, 4),
        ("2*x^2", 5, 2),
        (".5", 1, 0.5),
        ("9", 99, 9),
    ],
)
def test_the_number_at_the_cursor(text, cursor, number):
    found = number_at(text, cursor)
    assert found.value == number
    assert float(text[found.start : found.end]) == number


def test_a_text_without_numbers_has_none():
    assert number_at("sin(x)", 2) is None
    assert number_at("", 0) is None


def test_steps_are_one_in_the_second_figure():
    assert [usual_step(v) for v in (3, 2.25, 45, -0.03, 0, 1)] == pytest.approx(
        [0.1, 0.1, 1, 0.001, 0.1, 0.1]
    )
    text, now = replaced("[0.3, 1], [2, 3]", number_at("[0.3, 1], [2, 3]", 0), 0.1 + 0.2 + 0.7)
    assert (text, now.end) == ("[1, 1], [2, 3]", 2)


@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("x - ", ""), ("x + ", "*y"), ("2*", ""), ("[1, ", ", 3]")]
)
def test_numbers_go_through_zero_wherever_they_stand(application, before, after):
    line = NudgedLine()
    line.setText(f"{before}0.2{after}")
    line.setCursorPosition(len(before))
    seen = []
    for _ in range(4):
        QTest.keyClick(line, Qt.Key_PageDown)
        seen.append(line.text().removeprefix(before).removesuffix(after))
    assert [float(text) for text in seen] == pytest.approx([0.1, 0, -0.1, -0.2])
    for _ in range(4):
        QTest.keyClick(line, Qt.Key_PageUp)
    assert line.text() == f"{before}0.2{after}"


def test_a_number_stays_one(application):
    line = NudgedLine()
    line.setText("9.9e307")
    for _ in range(40):
        QTest.keyClick(line, Qt.Key_PageUp)
    assert 1e308 < float(line.text()) < 1.8e308


@pytest.fixture
def glass(driver):
    """The line with epsilon = 2 of a material in front of the user, as a click on it shows it."""
    region = MaterialRegion("glass", Material(2.0), Rectangle((0.2, 0.2), (0.8, 0.8)))
    driver.session.open(replace(driver.session.scene, materials=(region,)))
    driver.settled()
    driver.press("V")
    driver.click(0.5, 0.5)
    line = driver.window.property_panel.controls[EPSILON]
    QTest.mouseClick(line, Qt.LeftButton)
    assert line.hasFocus()
    return line


def epsilon(driver) -> float:
    return driver.session.running.scene.materials[0].material.epsilon


def test_the_index_is_turned_up_while_the_wave_runs(driver, glass):
    driver.settled()
    before = driver.bench.presenter.frame.time
    for _ in range(5):
        QTest.keyClick(glass, Qt.Key_Up)
    assert glass.text() == "2.5"
    driver.until(lambda: epsilon(driver) == 2.5)
    QTest.keyClick(glass, Qt.Key_Down, Qt.ShiftModifier)
    driver.until(lambda: epsilon(driver) == 2.49)
    driver.settled()
    # The field went along, and all of it is one step of the history.
    assert driver.bench.presenter.frame.time >= before
    driver.press("Ctrl+Z")
    driver.until(lambda: epsilon(driver) == 2)
    assert driver.window.property_panel.controls[EPSILON].text() == "2"


def test_the_wheel_turns_only_what_was_chosen(driver, glass):
    turn(glass, 2)
    driver.until(lambda: epsilon(driver) == 2.2)
    other = driver.window.property_panel.controls[("shape", "upper")]
    turn(other, 2)
    assert other.text() == "0.8, 0.8"


def test_one_coordinate_of_a_place_moves(driver, glass):
    line = driver.window.property_panel.controls[("shape", "upper")]
    QTest.mouseClick(line, Qt.LeftButton)
    line.setCursorPosition(len(line.text()))
    for _ in range(3):
        QTest.keyClick(line, Qt.Key_Down)
    assert line.text() == "0.8, 0.77"
    driver.until(
        lambda: driver.session.running.scene.materials[0].shape.upper == pytest.approx((0.8, 0.77))
    )


def test_what_cannot_be_is_said_and_the_scene_stays(driver, glass):
    QTest.keyClick(glass, Qt.Key_PageDown)
    driver.until(lambda: epsilon(driver) == 1)
    QTest.keyClick(glass, Qt.Key_PageDown)
    driver.settled()
    (note,) = driver.window.property_panel.notes.values()
    assert "epsilon" in note.text()
    assert epsilon(driver) == 1
    QTest.keyClick(glass, Qt.Key_Up)
    driver.until(lambda: epsilon(driver) == 0.1)
    assert driver.window.property_panel.notes == {}


def test_whole_numbers_stay_whole(driver):
    driver.bench.selection.present(("solver",))
    line = driver.window.property_panel.controls[("order",)]
    QTest.mouseClick(line, Qt.LeftButton)
    QTest.keyClick(line, Qt.Key_Up, Qt.ShiftModifier)
    driver.until(lambda: driver.session.running.scene.solver.order == 3)


def turn(widget, notches: int) -> None:
    at = QPointF(widget.rect().center())
    event = QtGui.QWheelEvent(
        at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 120 * notches),
        Qt.NoButton, Qt.NoModifier, Qt.NoScrollPhase, False,
    )  # fmt: skip
    widget.wheelEvent(event)
