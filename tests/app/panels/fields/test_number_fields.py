"""What fields say to numbers that cannot be, with keys and clicks as a person makes them."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QPoint, QPointF, QRect, Qt, QtGui, QtWidgets
from wavelab.app.panels.fields.field_note import note_of
from wavelab.app.panels.fields.number_fields import DegreesField, PositiveField, WholeField


def typed(field, text: str, end=Qt.Key_Return) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key_Delete)
    if end is not None:
        QTest.keyClick(field, end)


def said(field) -> str:
    note = note_of(field)
    return note.text() if note is not None and note.isVisible() else ""


def test_what_is_wrong_is_said_beside_the_field(driver):
    mesh = driver.window.mesh_panel
    positive = "a positive number, such as 0.25 or 2e-3. It stays 0.2."
    for field, text, answer in (
        (mesh.size, "-3", f"\u201c-3\u201d is not {positive}"),
        (mesh.size, "0.1 cm", f"\u201c0.1 cm\u201d is not {positive}"),
        (mesh.size, "", f"This must be {positive}"),
        (mesh.size, "1e300", "\u201c1e300\u201d is not within 1e-12 and 1e+12. It stays 0.2."),
        (mesh.order, "99", "\u201c99\u201d is not a whole number from 1 to 10. It stays 2."),
        (mesh.order, "2.5", "\u201c2.5\u201d is not a whole number from 1 to 10. It stays 2."),
    ):
        typed(field, text)
        assert said(field) == answer
        note = note_of(field)
        below = QRect(field.mapTo(driver.window, QPoint(0, 0)), field.size())
        assert abs(note.geometry().top() - below.bottom()) < 16
        assert driver.window.rect().contains(note.geometry())
        assert not below.intersects(note.geometry())
        inner = note.contentsRect().adjusted(8, 8, -8, -8)
        needed = note.fontMetrics().boundingRect(inner, int(Qt.TextWordWrap), note.text())
        assert inner.height() >= needed.height()
        assert (mesh.size.value, mesh.order.value()) == (0.2, 2)
        assert driver.session.scene.solver.element_size == 0.2
    # It goes with what is typed next, and what is right is taken.
    typed(mesh.order, "3", end=None)
    assert said(mesh.order) == ""
    typed(mesh.order, "2")
    typed(mesh.size, "0,19")
    assert said(mesh.size) == ""
    assert driver.session.scene.solver.element_size == 0.19
    # Leaving the field is enough to be told.
    typed(mesh.order, "no", end=None)
    QTest.mouseClick(driver.window.tool_panel, Qt.LeftButton)
    driver.canvas.setFocus()
    assert said(mesh.order).startswith("\u201cno\u201d is not")
    QTest.mouseClick(note_of(mesh.order), Qt.LeftButton)
    assert said(mesh.order) == ""


def test_angles_go_round_where_they_may(driver):
    driver.press("S")
    source = driver.window.tool_panel.source
    source.kind.setCurrentText("plane wave")
    source.kind.activated.emit(source.kind.currentIndex())
    typed(source.own["direction"], "270")
    assert source.own["direction"].value() == -90
    assert said(source.own["direction"]) == ""
    source.kind.setCurrentText("wave through walls")
    source.kind.activated.emit(source.kind.currentIndex())
    typed(source.own["tilt"], "120")
    assert source.own["tilt"].value() == 0
    assert said(source.own["tilt"]) == (
        "\u201c120\u201d is not an angle from -85 to 85 degrees. It stays 0\u00b0."
    )


def test_a_picture_is_not_made_in_a_size_that_was_not_typed(application):
    from wavelab.app.window.dialogs import PictureSizeDialog

    parent = QtWidgets.QWidget()
    dialog = PictureSizeDialog(parent, (640, 480))
    dialog.show()
    width, _ = dialog.findChildren(QtWidgets.QSpinBox)
    typed(width, "7")
    assert dialog.isVisible()
    assert said(width).endswith("a whole number from 16 to 8192. It stays 640.")
    typed(width, "700")
    assert not dialog.isVisible()
    assert (dialog.wish().width, dialog.wish().height) == (700, 480)
    parent.deleteLater()


def test_a_wheel_changes_only_a_field_that_was_chosen_before(application):
    panel = QtWidgets.QWidget()
    whole, angle, positive = WholeField(1, 10), DegreesField(180), PositiveField(1.0)
    column = QtWidgets.QVBoxLayout(panel)
    for field in (whole, angle, positive):
        column.addWidget(field)
    panel.show()
    QtWidgets.QApplication.setActiveWindow(panel)

    def after_a_turn_over_each(*, chosen: bool) -> tuple[float, float, float]:
        for field in (whole, angle, positive):
            panel.setFocus()
            if chosen:
                field.setFocus()
            assert field.hasFocus() == chosen
            turn(field)
        return whole.value(), angle.value(), positive.value

    panel.setFocusPolicy(Qt.StrongFocus)
    assert after_a_turn_over_each(chosen=False) == (1, 0, 1)
    assert after_a_turn_over_each(chosen=True) == (2, 5, 1.1)
    panel.close()


def turn(field) -> None:
    """The wheel by one notch upwards over a field."""
    at = field.rect().center()
    event = QtGui.QWheelEvent(
        QPointF(at), QPointF(field.mapToGlobal(at)), QPoint(), QPoint(0, 120), Qt.NoButton,
        Qt.NoModifier, Qt.NoScrollPhase, False,
    )  # fmt: skip
    QtWidgets.QApplication.sendEvent(field, event)


@pytest.mark.parametrize("typed", ["0.123456", "12.345678", "0.10001"])
@pytest.mark.parametrize("make", [lambda: PositiveField(0.1), lambda: DegreesField(90.0)])
def test_a_number_keeps_the_digits_that_were_typed(application, make, typed):
    field = make()
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key_Return)
    value = field.value if isinstance(field, PositiveField) else field.value()
    assert value == float(typed)
    assert field.lineEdit().text().rstrip("\u00b0") == typed
