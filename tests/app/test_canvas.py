"""The canvas in a real window: colours at known places, the pointer, and what can go wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import jittered_square, with_named_sides
from wavelab.errors import GeometryError
from wavelab.numerics.discretization import discretize
from wavelab.numerics.sampling import PixelSampler
from wavelab.output.palette import background, colorize
from wavelab.scene.scene import Polygon, Probe, Scene, Solver, Wall

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    pytest.skip("a window needs a display", allow_module_level=True)

from PyQt5.QtTest import QTest
from vispy import gloo

from wavelab.app.canvas import field_choice, opengl_field, raster_field
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.raster_field import RasterField
from wavelab.app.qt import QKeySequence, QPoint, Qt, QtCore, QtGui, QtWidgets, make_application
from wavelab.app.tools import DrawTool, HandTool, PingTool, PointerEvent, ShapeTool

SIZE = 420


@pytest.fixture(scope="module")
def application():
    return make_application()


@pytest.fixture
def graphics_card(monkeypatch):
    """Use OpenGL even where it is software."""
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", ())


@pytest.fixture
def no_graphics_card(monkeypatch):
    monkeypatch.setattr(field_choice, "SOFTWARE_RENDERERS", ("",))
    monkeypatch.setattr(raster_field, "MOST_PIXELS", 60_000)


@pytest.fixture(params=["graphics_card", "no_graphics_card"])
def painter(request):
    """Whoever paints the field, one after the other."""
    request.getfixturevalue(request.param)
    return request.param


@pytest.fixture
def canvas(shown_canvas, request):
    request.getfixturevalue("painter" if "painter" in request.fixturenames else "graphics_card")
    return shown_canvas(SIZE, SIZE)


@pytest.fixture(scope="module")
def square():
    """A unit square of 72 triangles, order 3."""
    return discretize(with_named_sides(jittered_square(6)), 3)


def pixel(canvas: Canvas, x: float, y: float) -> tuple[int, int]:
    """Row and column of the device pixel at a place in the scene."""
    column, row = np.floor(canvas.view.to_pixels((x, y)) * canvas.devicePixelRatioF()).astype(int)
    return int(row), int(column)


def place(canvas: Canvas, x: float, y: float) -> QPoint:
    """The logical pixel at a place in the scene."""
    column, row = np.rint(canvas.view.to_pixels((x, y))).astype(int).tolist()
    return QPoint(column, row)


def show_ramp(canvas: Canvas, square) -> None:
    canvas.set_overlays_visible(False)
    canvas.set_discretization(square)
    canvas.set_limit(1.0)
    canvas.set_values((2 * square.x - 1).astype(np.float32))


# The picture


def test_an_empty_canvas_shows_its_background(painter, canvas):
    assert (canvas.findChild(RasterField) is None) == (painter == "graphics_card")
    picture = canvas.grab_rgb()
    assert picture.shape[2] == 3
    assert min(picture.shape[:2]) >= SIZE
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 1
    assert canvas.problems == []


@pytest.mark.parametrize("palette", ["berlin", "vik", "inferno"])
def test_every_place_has_the_colour_of_its_value(painter, canvas, square, palette):
    canvas.set_palette(palette)
    show_ramp(canvas, square)
    picture = canvas.grab_rgb()
    for x in (0.07, 0.31, 0.5, 0.64, 0.93):
        row, column = pixel(canvas, x, 0.4)
        center = (column + 0.5) / canvas.devicePixelRatioF(), 200.0
        value = 2 * canvas.view.to_scene(center)[0] - 1
        expected = colorize(np.array([[value]]), palette, 1.0, (0, 0, 0))[0, 0]
        assert np.abs(picture[row, column].astype(int) - expected).max() <= 5


@pytest.mark.parametrize("palette", ["berlin", "inferno"])
def test_every_place_has_the_colour_of_its_value_on_a_logarithmic_scale(
    painter, canvas, square, palette
):
    canvas.set_palette(palette)
    canvas.set_decades(2)
    show_ramp(canvas, square)
    picture = canvas.grab_rgb()
    found = []
    for x in (0.07, 0.31, 0.47, 0.53, 0.64, 0.93):
        row, column = pixel(canvas, x, 0.4)
        center = (column + 0.5) / canvas.devicePixelRatioF(), 200.0
        value = 2 * canvas.view.to_scene(center)[0] - 1
        expected = colorize(np.array([[value]]), palette, 1.0, (0, 0, 0), 2)[0, 0]
        assert np.abs(picture[row, column].astype(int) - expected).max() <= 9
        found.append(picture[row, column])
    linear = colorize(np.array([[0.06]]), palette, 1.0, (0, 0, 0))[0, 0]
    assert np.abs(found[3].astype(int) - linear).max() > 40


def test_quiet_has_the_colour_of_quiet_and_outside_another(painter, canvas, square):
    canvas.set_overlays_visible(False)
    canvas.set_discretization(square)
    picture = canvas.grab_rgb()
    assert tuple(picture[pixel(canvas, 0.5, 0.5)]) == background("berlin")
    assert tuple(picture[2, 2]) != background("berlin")


@pytest.mark.parametrize("factor", [1.0, 1.37, 7.3, 91.0])
def test_no_background_shows_between_the_elements(canvas, square, factor):
    canvas.set_overlays_visible(False)
    canvas.set_discretization(square)
    canvas.set_limit(1.0)
    canvas.set_values(np.full(square.shape, 0.7, np.float32))
    canvas.zoom(factor)
    picture = canvas.grab_rgb()
    top, left = pixel(canvas, 0.02, 0.98)
    bottom, right = pixel(canvas, 0.98, 0.02)
    inside = picture[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    assert inside.shape[0] > 300
    assert len(np.unique(inside.reshape(-1, 3), axis=0)) == 1


def test_elements_of_a_few_pixels_are_drawn_by_fewer_triangles(canvas, monkeypatch):
    """The picture is the same, and zoomed in every node is a corner again."""
    d = discretize(jittered_square(60), 4)
    canvas.set_overlays_visible(False)
    canvas.set_discretization(d)
    canvas.set_limit(1.0)
    canvas.set_values(np.sin(9 * d.x + 4 * d.y) * np.cos(7 * d.y))
    drawn = []
    original = gloo.Program.draw
    monkeypatch.setattr(
        gloo.Program,
        "draw",
        lambda self, mode, indices: (
            drawn.append(indices.nbytes // 12) or original(self, mode, indices)
        ),
    )
    for factor, triangles in ((0.3, 4), (0.4, 1), (40.0, 16)):
        canvas.zoom(factor)
        picture = canvas.grab_rgb()
        assert drawn[-1] == triangles * d.n_elements
        with monkeypatch.context() as patch:
            patch.setattr(opengl_field, "FINEST", 0.0)
            full = canvas.grab_rgb()
        assert drawn[-1] == 16 * d.n_elements
        assert np.abs(full.astype(int) - picture).mean() < 1
    assert canvas.problems == []


@pytest.mark.parametrize("factor", [0.09, 0.31, 0.77, 1.0])
@pytest.mark.parametrize("order", [3, 4, 6])
def test_no_background_shows_between_small_elements(canvas, order, factor):
    d = discretize(jittered_square(60), order)
    canvas.set_overlays_visible(False)
    canvas.set_discretization(d)
    canvas.set_limit(1.0)
    canvas.set_values(np.full(d.shape, 0.7, np.float32))
    canvas.zoom(factor)
    picture = canvas.grab_rgb()
    top, left = pixel(canvas, 0.1, 0.9)
    bottom, right = pixel(canvas, 0.9, 0.1)
    assert len(np.unique(picture[top:bottom, left:right].reshape(-1, 3), axis=0)) == 1


def test_only_values_of_the_right_size_are_taken(painter, canvas, square):
    with pytest.raises(ValueError, match="0 nodes"):
        canvas.set_values(np.zeros(3))
    show_ramp(canvas, square)
    before = canvas.grab_rgb()
    with pytest.raises(ValueError, match="5 values for 720 nodes"):
        canvas.set_values(np.zeros(5))
    assert np.array_equal(canvas.grab_rgb(), before)


def test_a_new_discretization_replaces_the_old_one(painter, canvas, square):
    show_ramp(canvas, square)
    canvas.grab_rgb()
    finer = discretize(square.mesh, 5)
    canvas.set_discretization(finer)
    canvas.set_values(np.ones(finer.shape, np.float32))
    picture = canvas.grab_rgb()
    expected = colorize(np.ones((1, 1)), "berlin", 1.0, (0, 0, 0))[0, 0]
    assert np.array_equal(picture[pixel(canvas, 0.1, 0.5)], expected)
    canvas.set_discretization(None)
    assert len(np.unique(canvas.grab_rgb().reshape(-1, 3), axis=0)) == 1


def test_infinite_and_absurd_values_and_limits_are_drawn_somehow(painter, canvas, square):
    canvas.set_discretization(square)
    for limit in (0.0, -1.0, np.nan, np.inf, 1e-300, 1e300):
        canvas.set_limit(limit)
    values = np.zeros(square.shape, np.float32)
    values[0], values[1], values[2] = np.inf, np.nan, -1e38
    canvas.set_values(values)
    canvas.grab_rgb()
    assert canvas.problems == []


def test_a_domain_of_nanometres_far_from_the_origin_is_drawn(painter, canvas):
    mesh = jittered_square(6)
    tiny = discretize(type(mesh).plain(1e-9 * mesh.vertices + 1e-3, mesh.triangles), 3)
    canvas.set_overlays_visible(False)
    canvas.set_discretization(tiny)
    canvas.set_limit(1.0)
    canvas.set_values(np.ones(tiny.shape, np.float32))
    picture = canvas.grab_rgb()
    expected = colorize(np.ones((1, 1)), "berlin", 1.0, (0, 0, 0))[0, 0]
    assert np.array_equal(picture[SIZE // 2, SIZE // 2], expected)


def test_walls_and_probes_are_drawn_over_the_field(painter, canvas, square):
    canvas.set_discretization(square)
    bare = canvas.grab_rgb()
    canvas.set_scene(
        Scene(
            "square",
            Solver(0.2),
            walls=(Wall(("domain.left",), "absorbing"),),
            probes=(Probe("P", (0.5, 0.5)),),
        )
    )
    picture = canvas.grab_rgb()
    changed = np.abs(picture.astype(int) - bare).sum(axis=2) > 0
    row, column = pixel(canvas, 0.5, 0.5)
    assert changed[row - 9 : row + 9, column - 9 : column + 40].any()
    assert not changed[row + 30 : row + 60, column - 30 : column + 30].any()
    right = picture[pixel(canvas, 1.0, 0.3)].astype(int).sum()
    left = picture[pixel(canvas, 0.0, 0.3)].astype(int).sum()
    assert right > 2 * left


def test_element_edges_can_be_shown(canvas, square):
    canvas.set_discretization(square)
    bare = canvas.grab_rgb()
    canvas.set_mesh_visible(True)
    assert (canvas.grab_rgb() != bare).any()
    canvas.set_mesh_visible(False)
    assert np.array_equal(canvas.grab_rgb(), bare)


# Size


def test_a_window_without_area_comes_back_as_it_was(painter, canvas, square, application):
    show_ramp(canvas, square)
    before = canvas.view
    for width, height in ((0, 0), (1, 300), (SIZE, SIZE)):
        canvas.resize(width, height)
        application.processEvents()
        canvas.grab_rgb()
    assert canvas.view == before
    assert canvas.problems == []


def test_minimised_and_shown_again(painter, canvas, square, application):
    show_ramp(canvas, square)
    canvas.showMinimized()
    application.processEvents()
    canvas.set_values(np.zeros(square.shape, np.float32))
    canvas.showNormal()
    application.processEvents()
    assert tuple(canvas.grab_rgb()[pixel(canvas, 0.9, 0.5)]) == background("berlin")


_SPOT = """
import json, sys
import numpy as np
from PyQt5.QtTest import QTest
from tests.sample_meshes import jittered_square
from wavelab.app.canvas import field_choice
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.qt import QCursor, QPoint, make_application
from wavelab.numerics.discretization import discretize

application = make_application()
field_choice.SOFTWARE_RENDERERS = () if sys.argv[1] == "opengl" else ("",)
canvas = Canvas()
canvas.resize(403, 301)
canvas.move(37, 21)
canvas.show()
QTest.qWaitForWindowExposed(canvas)
d = discretize(jittered_square(40), 4)
canvas.set_palette("inferno")
canvas.set_overlays_visible(False)
canvas.set_discretization(d)
canvas.set_limit(1.0)
spot = np.array([0.7, 0.2])
canvas.set_values(np.exp(-((d.x - spot[0]) ** 2 + (d.y - spot[1]) ** 2) / (2 * 0.02**2)))
bright = canvas.grab_rgb().astype(float).sum(axis=2)
bright = np.clip(bright - bright.max() / 2, 0, None)
rows, columns = np.indices(bright.shape)
found = [(columns + 0.5) * bright, (rows + 0.5) * bright]
ratio = canvas.devicePixelRatioF()
expected = canvas.view.to_pixels(spot) * ratio
error = np.array([f.sum() / bright.sum() for f in found]) - expected
hovered = []
canvas.hovered.connect(lambda x, y: hovered.append((x, y)))
aim = np.rint(canvas.view.to_pixels(spot)).astype(int)
# Moving the system's own cursor sends the event all the way through the window system.
QCursor.setPos(canvas.mapToGlobal(QPoint(5, 5)))
QTest.qWait(50)
QCursor.setPos(canvas.mapToGlobal(QPoint(*aim.tolist())))
QTest.qWait(200)
miss = (np.array(hovered[-1]) - canvas.view.to_scene(aim)) * canvas.view.scale if hovered else None
print(json.dumps({
    "ratio": ratio,
    "size": canvas.grab_rgb().shape[:2],
    "error": error.tolist(),
    "miss": None if miss is None else miss.tolist(),
}))
"""


@pytest.mark.parametrize(
    ("scale", "painter"),
    [("1", "opengl"), ("1.25", "opengl"), ("1.5", "processor"), ("2", "opengl")],
)
def test_picture_and_pointer_agree_within_a_pixel_at_every_scaling(scale, painter):
    environment = {**os.environ, "QT_SCALE_FACTOR": scale}
    run = subprocess.run(
        [sys.executable, "-c", _SPOT, painter],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout.splitlines()[-1])
    assert told["ratio"] >= float(scale) * 0.99
    assert told["size"] == pytest.approx([301 * told["ratio"], 403 * told["ratio"]], abs=1)
    assert np.abs(told["error"]).max() < 1.0
    assert told["miss"] is not None, "the pointer never arrived"
    assert np.abs(told["miss"]).max() <= 1.0


# The pointer


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
        canvas.set_tool(HandTool())
    under = canvas.view.to_scene((200, 200))
    drag(canvas, button, QPoint(200, 200), QPoint(260, 170))
    assert np.allclose(canvas.view.to_pixels(under), (260, 170))


def test_space_and_drag_pans_and_a_tap_of_space_is_told(canvas, square):
    canvas.set_discretization(square)
    pings, taps = [], []
    canvas.set_tool(PingTool(lambda *call: pings.append(call)))
    canvas.space_tapped.connect(lambda: taps.append(True))
    under = canvas.view.to_scene((200, 200))
    QTest.keyPress(canvas, Qt.Key_Space)
    drag(canvas, Qt.LeftButton, QPoint(200, 200), QPoint(230, 240))
    QTest.keyRelease(canvas, Qt.Key_Space)
    assert np.allclose(canvas.view.to_pixels(under), (230, 240))
    assert (pings, taps) == ([], [])
    QTest.keyClick(canvas, Qt.Key_Space)
    assert taps == [True]


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
    canvas.set_tool(PingTool(lambda *call: pings.append(call)))
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
        tool = ShapeTool(finished.append)
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
        canvas.set_tool(HandTool())
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
    canvas.set_tool(PingTool(lambda *call: pings.append(call)))
    QTest.mouseClick(canvas, Qt.LeftButton, Qt.ShiftModifier, place(canvas, 0.25, 0.75))
    ((x, y, _, amplitude),) = pings
    assert (x, y) == pytest.approx((0.25, 0.75), abs=canvas.view.pixel)
    assert amplitude == -1.0


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
    canvas.set_overlays_visible(False)
    before, picture = canvas.grab().toImage(), canvas.grab_rgb()
    tool = PingTool(lambda *call: None, radius=0.2)
    tool.move(PointerEvent(0.5, 0.5))
    canvas.set_overlay(tool.overlay())
    assert canvas.grab().toImage() != before
    assert np.array_equal(canvas.grab_rgb(), picture)


# Without OpenGL


def test_a_shader_that_does_not_compile_leaves_the_picture_to_the_processor(
    application, square, monkeypatch, graphics_card
):
    monkeypatch.setattr(opengl_field, "FRAGMENT_SHADER", "void main() { no shader }")
    canvas = Canvas()
    problems = []
    canvas.failed.connect(problems.append)
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    for _ in range(100):
        QTest.qWait(50)
        if problems:
            break
    assert len(problems) == 1
    assert problems[0].startswith("The processor paints the field, because OpenGL cannot draw it: ")
    picture = canvas.grab_rgb()
    low = colorize(np.array([[-0.9]]), "berlin", 1.0, (0, 0, 0))[0, 0].astype(int)
    assert np.abs(picture[pixel(canvas, 0.05, 0.5)] - low).max() <= 6
    canvas.close()
    canvas.deleteLater()


def test_no_opengl_at_all_leaves_the_picture_to_the_processor(application, square, monkeypatch):
    report = field_choice.OpenGLReport("this screen offers no OpenGL")
    monkeypatch.setattr(field_choice, "opengl_report", lambda: report)
    canvas = Canvas()
    problems = []
    canvas.failed.connect(problems.append)
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    QTest.qWait(50)
    assert problems == ["The processor paints the field, because this screen offers no OpenGL."]
    assert tuple(canvas.grab_rgb()[pixel(canvas, 0.1, 0.5)]) != background("berlin")
    canvas.close()
    canvas.deleteLater()


def test_the_processor_sharpens_the_picture_by_itself(application, square, no_graphics_card):
    canvas = Canvas()
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    field = canvas.findChild(RasterField)
    for change in (lambda: None, lambda: canvas.zoom(1.5), lambda: show_ramp(canvas, square)):
        change()
        for _ in range(200):
            if field.sharp:
                break
            QTest.qWait(20)
        assert field.sharp
    canvas.close()
    canvas.deleteLater()


def test_a_new_shape_is_there_before_its_mesh_has_been_sampled(
    application, square, no_graphics_card, monkeypatch
):
    canvas = Canvas()
    canvas.resize(SIZE, SIZE)
    canvas.show()
    show_ramp(canvas, square)
    canvas.grab_rgb()

    def color(x: float, y: float) -> np.ndarray:
        """As it is on the screen now."""
        return np.array(canvas.grab().toImage().pixelColor(place(canvas, x, y)).getRgb()[:3])

    field = canvas.findChild(RasterField)
    wave = color(0.2, 0.3)
    may_sample = threading.Event()

    def sample_late(*arguments):
        may_sample.wait(60)
        return PixelSampler(*arguments)

    monkeypatch.setattr(raster_field, "PixelSampler", sample_late)
    half = replace(square.mesh, vertices=square.mesh.vertices * (0.5, 1.0))
    canvas.set_discretization(discretize(half, 3))
    QTest.qWait(100)
    assert not field.sharp
    assert np.abs(color(0.2, 0.3) - wave).max() <= 8
    assert tuple(color(0.8, 0.3)) == field.outside
    may_sample.set()
    deadline = time.monotonic() + 60
    while not field.sharp and time.monotonic() < deadline:
        QTest.qWait(20)
    assert field.sharp
    assert tuple(color(0.2, 0.3)) == background("berlin")
    canvas.close()
    canvas.deleteLater()
