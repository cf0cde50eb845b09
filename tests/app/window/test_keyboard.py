"""Whose the keys are: a person types numbers, and goes on with the tools."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QApplication, Qt, QtWidgets
from wavelab.app.panels.fields.number_fields import DegreesField, PositiveField, WholeField
from wavelab.app.tools import TOOLS


def keys(text: str) -> None:
    """Type into whatever has the keys."""
    for letter in text:
        QTest.keyClick(QApplication.focusWidget(), letter)


def enter() -> None:
    QTest.keyClick(QApplication.focusWidget(), Qt.Key_Return)


def line_of(field) -> QtWidgets.QLineEdit:
    return field if isinstance(field, QtWidgets.QLineEdit) else field.lineEdit()


def take(driver, field) -> None:
    """Put the cursor into a field with the mouse, over what is in it."""
    driver.until(lambda: not field.visibleRegion().isEmpty())
    QTest.mouseClick(line_of(field), Qt.LeftButton)
    assert field.hasFocus()
    line_of(field).selectAll()


def fields_on_show(window) -> list[QtWidgets.QWidget]:
    """All in which something can be typed now, without those inside of others."""
    found = window.findChildren(QtWidgets.QAbstractSpinBox)
    found += [
        line
        for line in window.findChildren(QtWidgets.QLineEdit)
        if not isinstance(line.parent(), QtWidgets.QAbstractSpinBox | QtWidgets.QComboBox)
    ]
    return [field for field in found if field.isEnabled() and field.isVisible()]


def test_return_gives_the_keys_of_every_field_back_to_the_canvas(driver):
    """So that the next key is a shortcut, and no digit of what is settled."""
    driver.window.resize(1000, 1000)
    returned = set()

    def leave_all(show) -> None:
        show()
        driver.application.processEvents()
        for field in set(fields_on_show(driver.window)) - returned:
            if not field.visibleRegion().isEmpty():
                field.setFocus()
                enter()
                assert QApplication.focusWidget() is driver.canvas
                keys("v")
                assert driver.bench.toolbox.key == "select"
                returned.add(field)
                show()

    for tool in TOOLS:
        leave_all(lambda tool=tool: driver.bench.toolbox.choose(tool))
    leave_all(lambda: driver.bench.selection.present(("solver",)))
    assert len(returned) > 10


def test_a_number_is_settled_by_return_and_taken_back_by_escape(driver):
    driver.press("S")
    frequency = driver.window.tool_panel.source.frequency
    take(driver, frequency)
    keys("3")
    enter()
    assert driver.bench.toolbox.sources.settings.frequency == 3
    take(driver, frequency)
    keys("99")
    QTest.keyClick(frequency, Qt.Key_Escape)
    assert QApplication.focusWidget() is driver.canvas
    assert frequency.lineEdit().text() == "3"
    assert driver.bench.toolbox.sources.settings.frequency == 3
    assert driver.bench.toolbox.key == "source"


def test_escape_takes_back_what_is_wrong_in_the_form(driver):
    driver.bench.selection.present(("outline",))
    line = driver.window.property_panel.controls["upper",]
    was = line.text()
    for settled in (False, True):
        take(driver, line)
        keys("nonsense")
        if settled:
            enter()
            assert driver.window.property_panel.notes
            take(driver, line)
        QTest.keyClick(line, Qt.Key_Escape)
        assert line.text() == was
        assert not driver.window.property_panel.notes


HIDING = (
    lambda driver: driver.bench.toolbox.choose("ping"),
    lambda driver: driver.window.show_properties(),
    lambda driver: driver.window.side_dock.hide(),
    lambda driver: driver.window.set_bare(True),
)


def test_a_field_that_is_hidden_settles_what_was_typed_and_takes_no_more(driver):
    page = driver.window.tool_panel.source
    for number, hide in enumerate(HIDING, start=2):
        if driver.window.bare:
            driver.window.set_bare(False)
        driver.window.side_dock.show()
        driver.bench.toolbox.choose("source")
        take(driver, page.frequency)
        keys(str(number))
        hide(driver)
        driver.until(lambda: QApplication.focusWidget() is driver.canvas)
        assert driver.bench.toolbox.sources.settings.frequency == number
        shown = [line_of(field).text() for field in fields_on_show(driver.window)]
        keys("99")
        assert [line_of(field).text() for field in fields_on_show(driver.window)] == shown
        assert page.frequency.value == number


def test_tab_leads_to_no_field_behind_another_dock(driver):
    driver.window.show_properties()
    driver.application.processEvents()
    driver.window.mesh_panel.size.setFocus(Qt.TabFocusReason)
    driver.until(lambda: QApplication.focusWidget() is driver.canvas)


@pytest.mark.parametrize(
    ("make", "typed", "value"),
    [
        (lambda: PositiveField(1.0), "0.25", 0.25),
        (lambda: WholeField(1, 9), "7", 7),
        (lambda: DegreesField(90.0), "12.5", 12.5),
    ],
    ids=["positive", "whole", "degrees"],
)
def test_what_is_typed_after_a_step_counts(application, make, typed, value):
    """Though what the step has changed is shown anew meanwhile."""
    field = make()
    field.show()
    QTest.qWaitForWindowExposed(field)
    application.setActiveWindow(field)
    field.setFocus()

    def now() -> float:
        return field.value if isinstance(field, PositiveField) else field.value()

    QTest.keyClick(field, Qt.Key_Up)
    stepped = now()
    field.selectAll()
    keys(typed[0])
    field.set_value(stepped)
    keys(typed[1:])
    enter()
    assert now() == value
    field.set_value(stepped)
    assert now() == stepped
    field.close()
    field.deleteLater()


def test_what_is_typed_after_steps_in_the_form_counts(driver):
    """Steps that were still to be taken are not taken over it."""
    driver.bench.selection.present(("outline",))
    line = driver.window.property_panel.controls["upper",]
    take(driver, line)
    for _ in range(3):  # the first is on its way, and the others wait for it
        QTest.keyClick(line, Qt.Key_Down)
    line.selectAll()
    keys("0.9, 0.8")
    driver.settled()
    enter()
    driver.settled()
    assert driver.session.scene.outline.upper == (0.9, 0.8)
    assert driver.session.running.scene.outline.upper == (0.9, 0.8)
