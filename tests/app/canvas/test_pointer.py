"""The pointer on the canvas in a real window, and what the tool hears of it."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from wavelab.errors import GeometryError
from wavelab.scene.model.shapes import Polygon

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    pytest.skip("a window needs a display", allow_module_level=True)

from PyQt5.QtTest import QTest

from tests.app.canvas.places import SIZE, place
from wavelab.app.base.qt import QKeySequence, QPoint, Qt, QtCore, QtGui, QtWidgets
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.shape import RectangleTool
from wavelab.app.tools.pan import PanTool
from wavelab.app.tools.ping import PingTool
from wavelab.app.tools.tool import PointerEvent


def wheel(canvas: Canvas, at: QPoint, eighths: int) -> None:
    event = QtGui.QWheelEvent(
        QtCore.QPointF(at),
        QtCore.QPointF(canvas.mapToGlobal(at)),
        QPoint(),
        QPoint(0, eighths),
        Qt.NoButton,
        Qt.NoModifier,
        Qt.NoScrollPhase,
        False,
    )
    QtWidgets.QApplication.sendEvent(canvas, event)


def drag(canvas: Canvas, button, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(canvas, button, Qt.NoModifier, start)
    event = QtGui.QMouseEvent(
        QtCore.QEvent.MouseMove, QtCore.QPointF(end), Qt.NoButton, button, Qt.NoModifier
    )
    QtWidgets.QApplication.sendEvent(canvas, event)
    QTest.mouseRelease(canvas, button, Qt.NoModifier, end)


def test_the_wheel_zooms_at_the_pointer(painter, canvas, square):
    canvas.set_discretization(square)
    at = QPoint(100, 330)
    under, scale = canvas.view.to_scene((100, 330)), canvas.view.scale
    wheel(canvas, at, 240)
    assert canvas.view.scale == pytest.approx(1.44 * scale)
    assert np.allclose(canvas.view.to_scene((100, 330)), under)
    canvas.fit()
    assert canvas.view.scale == pytest.approx(scale)


@pytest.mark.parametrize("button", [Qt.MiddleButton, Qt.LeftButton])
def test_middle_button_and_hand_tool_pan(canvas, square, button):
    canvas.set_discretization(square)
    if button == Qt.LeftButton:
        canvas.set_tool(PanTool())
    under = canvas.view.to_scene((200, 200))
    drag(canvas, button, QPoint(200, 200), QPoint(260, 170))
    assert np.allclose(canvas.view.to_pixels(under), (260, 170))


def test_space_and_drag_pans_and_a_tap_of_space_is_told(canvas, square):
    canvas.set_discretization(square)
    pings, sampling = [], []
    canvas.set_tool(PingTool(pings.append))
    canvas.space_tapped.connect(lambda: sampling.append(True))
    under = canvas.view.to_scene((200, 200))
    QTest.keyPress(canvas, Qt.Key_Space)
    drag(canvas, Qt.LeftButton, QPoint(200, 200), QPoint(230, 240))
    QTest.keyRelease(canvas, Qt.Key_Space)
    assert np.allclose(canvas.view.to_pixels(under), (230, 240))
    assert (pings, sampling) == ([], [])
    QTest.keyClick(canvas, Qt.Key_Space)
    assert sampling == [True]


class Mouse:
    """Over a canvas, with several buttons down at once."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.down = Qt.MouseButtons(Qt.NoButton)
        self.at = QPoint(200, 200)

    def press(self, button) -> None:
        self.down |= button
        self._send(QtCore.QEvent.MouseButtonPress, button)

    def release(self, button) -> None:
        self.down &= ~button
        self._send(QtCore.QEvent.MouseButtonRelease, button)

    def move(self, x: int, y: int) -> None:
        self.at = QPoint(x, y)
        self._send(QtCore.QEvent.MouseMove, Qt.NoButton)

    def _send(self, kind, button) -> None:
        event = QtGui.QMouseEvent(kind, QtCore.QPointF(self.at), button, self.down, Qt.NoModifier)
        QtWidgets.QApplication.sendEvent(self.canvas, event)


@pytest.fixture
def ringing(canvas, square):
    """A canvas with a ping tool, a mouse over it with its left button down, and the pings."""
    canvas.set_discretization(square)
    pings = []
    canvas.set_tool(PingTool(pings.append))
    mouse = Mouse(canvas)
    mouse.press(Qt.LeftButton)
    mouse.move(240, 200)
    assert len(pings) > 1
    return canvas, mouse, pings


def test_a_button_let_go_while_another_moves_the_view_is_let_go(ringing):
    canvas, mouse, pings = ringing
    mouse.press(Qt.MiddleButton)
    mouse.move(260, 200)
    mouse.release(Qt.LeftButton)
    under = canvas.view.to_scene((260, 200))
    mouse.move(280, 220)
    assert np.allclose(canvas.view.to_pixels(under), (280, 220)), "the view stopped moving"
    mouse.release(Qt.MiddleButton)
    before = len(pings)
    mouse.move(100, 300)
    assert len(pings) == before
    mouse.press(Qt.LeftButton)
    assert len(pings) == before + 1


def test_a_button_that_was_down_for_one_tool_is_not_down_for_another(ringing):
    canvas, mouse, pings = ringing
    tool = canvas.tool
    canvas.set_tool(DrawTool(lambda polygon: None))
    mouse.release(Qt.LeftButton)
    canvas.set_tool(tool)
    before = len(pings)
    mouse.move(100, 300)
    assert len(pings) == before
    # What is pressed for a tool that came later is its own.
    mouse.press(Qt.LeftButton)
    mouse.move(140, 300)
    assert len(pings) > before + 1


@pytest.mark.parametrize("lost", ["focus", "tool"])
@pytest.mark.parametrize("drawn", ["line", "rectangle"])
def test_what_is_half_drawn_when_the_pointer_is_lost_is_given_up(canvas, square, drawn, lost):
    canvas.set_discretization(square)
    finished = []
    if drawn == "line":
        tool = DrawTool(finished.append, element_size=lambda: 0.05)
    else:
        tool = RectangleTool(finished.append)
    canvas.set_tool(tool)
    mouse = Mouse(canvas)

    def half_a_circle() -> None:
        mouse.move(200, 200)
        mouse.press(Qt.LeftButton)
        for turn in np.linspace(0, 0.75 * np.pi, 30):
            mouse.move(round(200 + 90 * np.sin(turn)), round(290 - 90 * np.cos(turn)))

    half_a_circle()
    if lost == "focus":
        QtWidgets.QApplication.sendEvent(
            canvas, QtGui.QFocusEvent(QtCore.QEvent.FocusOut, Qt.ActiveWindowFocusReason)
        )
    else:
        canvas.set_tool(PanTool())
        canvas.set_tool(tool)
    mouse.release(Qt.LeftButton)
    assert not finished
    half_a_circle()
    mouse.release(Qt.LeftButton)
    assert len(finished) == 1


def test_a_button_let_go_over_a_dialog_is_let_go(ringing):
    canvas, mouse, pings = ringing
    canvas.setFocus()
    dialog = QtWidgets.QDialog(canvas)
    dialog.show()
    QtWidgets.QApplication.sendEvent(
        canvas, QtGui.QFocusEvent(QtCore.QEvent.FocusOut, Qt.ActiveWindowFocusReason)
    )
    mouse.down = Qt.MouseButtons(Qt.NoButton)
    dialog.close()
    before = len(pings)
    mouse.move(100, 300)
    assert len(pings) == before


def test_a_click_reaches_the_tool_in_scene_coordinates(canvas, square):
    canvas.set_discretization(square)
    pings = []
    canvas.set_tool(PingTool(pings.append))
    QTest.mouseClick(canvas, Qt.LeftButton, Qt.ShiftModifier, place(canvas, 0.25, 0.75))
    (ping,) = pings
    assert ping.position == pytest.approx((0.25, 0.75), abs=canvas.view.pixel)
    assert ping.amplitude == -1.0


def test_keys_the_tool_wants_win_over_shortcuts_of_the_window(application, square):
    window = QtWidgets.QMainWindow()
    inner = Canvas()
    window.setCentralWidget(inner)
    window.resize(SIZE, SIZE)
    triggered = []
    for key in ("Backspace", "D"):
        action = QtWidgets.QAction(key, window)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda _, key=key: triggered.append(key))
        window.addAction(action)
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    # Shortcuts act in the active window alone, and no window manager makes it that.  What earlier
    # windows have left in the queue may take it away again, so that comes first.
    application.processEvents()
    application.setActiveWindow(window)
    assert application.activeWindow() is window
    inner.setFocus()
    inner.set_discretization(square)
    tool = DrawTool(lambda vertices: None)
    inner.set_tool(tool)
    QTest.mouseClick(inner, Qt.LeftButton, Qt.NoModifier, place(inner, 0.2, 0.2))
    QTest.mouseClick(inner, Qt.LeftButton, Qt.NoModifier, place(inner, 0.8, 0.2))
    QTest.keyClick(inner, Qt.Key_Backspace)
    assert len(tool.vertices) == 1
    assert triggered == []
    QTest.keyClick(inner, Qt.Key_D)
    assert triggered == ["D"]
    QTest.keyClick(inner, Qt.Key_Escape)
    QTest.keyClick(inner, Qt.Key_Backspace)
    assert triggered == ["D", "Backspace"]
    window.close()
    window.deleteLater()


def test_a_polygon_drawn_with_the_mouse_comes_out(canvas, square):
    canvas.set_discretization(square)
    finished, hints = [], []
    tool = DrawTool(finished.append)
    canvas.tool_changed.connect(lambda: hints.append(tool.hint))
    canvas.set_tool(tool)
    for corner in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8)):
        QTest.mouseClick(canvas, Qt.LeftButton, Qt.NoModifier, place(canvas, *corner))
    QTest.keyClick(canvas, Qt.Key_Return)
    assert finished == [Polygon(((0.2, 0.2), (0.8, 0.2), (0.8, 0.8)))]
    assert len(set(hints)) >= 3


def test_a_refusal_of_what_a_tool_did_is_told_and_the_program_goes_on(canvas, square):
    canvas.set_discretization(square)

    def refuse(*_):
        raise GeometryError("that place is outside", remedy="Click inside.")

    refused = []
    canvas.refused.connect(refused.append)
    canvas.set_tool(PingTool(refuse))
    QTest.mouseClick(canvas, Qt.LeftButton, Qt.NoModifier, QPoint(5, 5))
    assert [(e.message, e.remedy) for e in refused] == [("that place is outside", "Click inside.")]
    assert canvas.problems == []


def test_leaving_takes_the_ring_away(canvas, square):
    canvas.set_discretization(square)
    tool = PingTool(lambda *call: None)
    canvas.set_tool(tool)
    left = []
    canvas.left.connect(lambda: left.append(True))
    tool.move(PointerEvent(0.5, 0.5))
    QtWidgets.QApplication.sendEvent(canvas, QtCore.QEvent(QtCore.QEvent.Leave))
    assert tool.overlay().rings == ()
    assert left == [True]


def test_the_bare_wave_still_shows_where_the_pointer_is(painter, canvas, square, application):
    canvas.set_discretization(square)
    canvas.set_marks_visible(False)
    before, picture = canvas.grab().toImage(), canvas.grab_rgb()
    tool = PingTool(lambda *call: None, radius=0.2)
    tool.move(PointerEvent(0.5, 0.5))
    canvas.set_overlay(tool.overlay())
    assert canvas.grab().toImage() != before
    assert np.array_equal(canvas.grab_rgb(), picture)
