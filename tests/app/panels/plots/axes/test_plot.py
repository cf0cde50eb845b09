"""What mouse and keys do in a plot, as a person would use it."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import decoded
from tests.app.pointer import move_to
from wavelab.app.base.images import pixels_of
from wavelab.app.base.qt import QApplication, QEvent, QPoint, QPointF, Qt, QtGui, QtWidgets
from wavelab.app.base.theme import THEMES
from wavelab.app.panels.plots.axes.axis import Axis, decades, degrees, labelled_ticks
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.panels.plots.probe_plot import ProbePlot
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.simulation.messages.frames import ProbeSamples

X = np.linspace(0, 4, 401)


@pytest.fixture
def plot(application):
    made = Plot(THEMES["dark"], Axis("bottom", "x"), Axis("left", "y"))
    made.resize(600, 200)
    made.show()
    made.show_curves([Curve("sine", X, np.sin(np.pi * X), 0)], (0.0, 4.0), (-1.0, 1.0))
    application.processEvents()
    yield made
    made.hide()
    made.deleteLater()


def wheel(plot, at: QPoint, notches: int) -> None:
    where = QPointF(at), QPointF(plot.viewport().mapToGlobal(at))
    turn = QPoint(0, 120 * notches)
    event = QtGui.QWheelEvent(
        *where, QPoint(), turn, Qt.NoButton, Qt.NoModifier, Qt.NoScrollPhase, False
    )
    QApplication.sendEvent(plot.viewport(), event)


def drag(plot, start: QPoint, end: QPoint, button, modifiers=Qt.NoModifier) -> None:
    """The mouse with a button held."""
    target = plot.viewport()
    QTest.mousePress(target, button, modifiers, start)
    for part in (0.5, 1.0):
        at = QPointF(start + (end - start) * part)
        move = QtGui.QMouseEvent(
            QEvent.MouseMove, at, QPointF(target.mapToGlobal(at.toPoint())),
            Qt.NoButton, button, Qt.KeyboardModifiers(modifiers),
        )  # fmt: skip
        QTest.qWait(20)  # pyqtgraph passes over moves that follow each other too quickly
        QApplication.sendEvent(target, move)
    QTest.mouseRelease(target, button, modifiers, end)


def shown(plot) -> np.ndarray:
    """[[left, right], [bottom, top]]."""
    return np.array(plot.viewRange())


def inked(plot, colour: QtGui.QColor) -> int:
    wanted = np.array([colour.red(), colour.green(), colour.blue()])
    pixels = pixels_of(plot.grab().toImage()).astype(int)
    return int((np.abs(pixels - wanted).max(axis=2) < 40).sum())


def test_the_wheel_enlarges_at_the_pointer_and_a_double_click_shows_all(plot):
    whole = shown(plot)
    wheel(plot, plot.pixel(1.0, 0.5), 3)
    assert (np.ptp(shown(plot), axis=1) < np.ptp(whole, axis=1)).all()
    x, y = shown(plot)
    assert (1.0 - x[0]) / np.ptp(x) == pytest.approx(0.25, abs=0.01)
    assert (0.5 - y[0]) / np.ptp(y) == pytest.approx(0.75, abs=0.02)
    # What is new does not take it away.
    plot.show_curves([Curve("sine", X, 3 * np.sin(np.pi * X), 0)], (0.0, 4.0), (-3.0, 3.0))
    assert shown(plot)[0] == pytest.approx(x)
    QTest.mouseDClick(plot.viewport(), Qt.LeftButton, pos=plot.pixel(1.0, 0.5))
    assert shown(plot) == pytest.approx(np.array([[0, 4], [-3, 3]]))


@pytest.mark.parametrize(
    ("button", "modifier"), [(Qt.MiddleButton, Qt.NoModifier), (Qt.LeftButton, Qt.ShiftModifier)]
)
def test_a_drag_moves_what_is_shown(plot, button, modifier):
    drag(plot, plot.pixel(1.0, 0.0), plot.pixel(2.0, 0.5), button, modifier)
    assert shown(plot)[0] == pytest.approx([-1, 3], abs=0.05)
    assert shown(plot)[1] == pytest.approx([-1.5, 0.5], abs=0.05)
    assert not plot.reading.endswith("to 2.00")


def test_a_drag_measures_and_a_click_takes_it_away(plot):
    told = []
    plot.pointed.connect(told.append)
    drag(plot, plot.pixel(0.5, 1.0) + QPoint(2, 2), plot.pixel(2.5, 1.0), Qt.LeftButton)
    assert plot.reading == "2.00 from 0.500 to 2.50; sine 0"
    assert told[-1] == pytest.approx((0.5, 2.5))
    QTest.mouseClick(plot.viewport(), Qt.LeftButton, pos=plot.pixel(3.0, 0.8))
    assert plot.reading.startswith("at 3.0")


def test_keys_read_measure_enlarge_and_move(plot):
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key_Right)
    assert plot.reading.startswith("at 2.0")
    for _ in range(10):
        QTest.keyClick(plot, Qt.Key_Right, Qt.ShiftModifier)
    assert " from 2.0" in plot.reading
    QTest.keyClick(plot, Qt.Key_Plus)
    assert np.ptp(shown(plot)[0]) == pytest.approx(3.2)
    QTest.keyClick(plot, Qt.Key_PageDown)
    assert shown(plot)[0].mean() == pytest.approx(2 + 1.6, abs=0.1)
    QTest.keyClick(plot, Qt.Key_Minus)
    assert np.ptp(shown(plot)[0]) == pytest.approx(4)
    QTest.keyClick(plot, Qt.Key_Home)
    assert shown(plot)[0] == pytest.approx([0, 4])
    QTest.keyClick(plot, Qt.Key_C, Qt.ControlModifier)
    rows = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    assert rows[0] == ["x", "sine"]
    assert len(rows) == 402
    assert float(rows[51][1]) == pytest.approx(1)


def test_curves_with_points_of_their_own_share_a_table(plot):
    a = Curve("a", np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]), 0)
    b = Curve("b", np.array([1.0, 3.0]), np.array([5.0, 6.0]), 1)
    plot.show_curves([a, b], (0.0, 3.0), (0.0, 6.0))
    names, columns = plot.table()
    assert names == ["x", "a", "b"]
    expected = [[0, 1, 2, 3], [1, 2, 3, np.nan], [np.nan, 5, np.nan, 6]]
    assert np.array_equal(np.array(columns), expected, equal_nan=True)


@pytest.mark.parametrize("size", [1e-300, 1e-14, 1.0, 1e300])
def test_values_of_any_size_are_drawn_and_read(plot, size):
    plot.show_curves([Curve("a", X, size * np.sin(X), 0)], (0.0, 4.0), (-size, size))
    assert inked(plot, plot.color(0)) > 50
    move_to(plot.viewport(), plot.pixel(np.pi / 2, size) + QPoint(3, 0))
    move_to(plot.viewport(), plot.pixel(np.pi / 2, size) + QPoint(2, 2))
    assert plot.reading.startswith("at 1.57: a 1.0")


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_leaves_a_gap(plot, hole):
    values = np.where((X > 1) & (X < 2), hole, np.sin(X))
    plot.show_curves([Curve("a", X, values, 0)], (0.0, 4.0), (-1.0, 1.0))
    assert inked(plot, plot.color(0)) > 30
    move_to(plot.viewport(), plot.pixel(1.4, 0.0))
    move_to(plot.viewport(), plot.pixel(1.5, 0.0))
    assert plot.reading.endswith("a \u2013")


def test_the_theme_is_followed_while_it_is_shown(plot):
    for name in ("light", "dark"):
        plot.set_theme(THEMES[name])
        background = QtGui.QColor(THEMES[name].window)
        assert plot.grab().toImage().pixelColor(2, 2) == background
        assert inked(plot, QtGui.QColor(THEMES[name].probe_series[0])) > 50


def test_a_picture_lies_over_the_grid(plot):
    plot.show_image(np.full((4, 4, 3), 200, np.uint8), (0.0, 4.0), (4.0, 0.0))
    corners = plot.pixel(0.1, 0.1), plot.pixel(3.9, 3.9)
    rows, columns = (sorted(getattr(c, part)() for c in corners) for part in ("y", "x"))
    pixels = pixels_of(plot.grab().toImage())[slice(*rows), slice(*columns)]
    assert pixels.size
    assert (pixels == 200).all()
    assert corners[0].y() < corners[1].y()  # time runs downwards


def test_ticks():
    assert [label for _, label in degrees(0, 360, 12)] == [str(45 * i) for i in range(9)]
    assert len(degrees(0, 360, 4)) <= 5
    assert degrees(10, 30, 4) == labelled_ticks(10, 30, 4)
    assert [label for _, label in decades(2.9, 4.1, 10)] == [
        "10\u00b3", "2\u00d710\u00b3", "5\u00d710\u00b3", "10\u2074",
    ]  # fmt: skip
    assert len(decades(-15, 15, 8)) <= 9


def test_traces_are_followed_until_they_are_moved(application):
    series = ProbeSeries()
    plot = ProbePlot(series, THEMES["dark"])
    plot.resize(600, 200)
    plot.show()

    def record(start: float, stop: float, number: int = 1) -> None:
        times = np.arange(start, stop, 0.01)
        series.add(ProbeSamples(number, ("a",), times, np.sin(times)[:, None]))
        plot.refresh()

    record(0, 0)  # a probe of which nothing has been heard
    assert shown(plot)[0] == pytest.approx([0, 10])
    move_to(plot.viewport(), plot.pixel(5, 0))
    record(0, 0.01)
    record(0.01, 0.02)
    record(0.02, 20)
    assert shown(plot)[0] == pytest.approx([9.99, 19.99])
    wheel(plot, plot.pixel(15, 0), -1)
    assert shown(plot)[0] == pytest.approx([7.49, 19.99])
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key_PageUp)
    back = shown(plot)[0]
    record(20, 30)
    assert shown(plot)[0] == pytest.approx(back)
    QTest.keyClick(plot, Qt.Key_Home)
    record(30, 31)
    assert shown(plot)[0][1] == pytest.approx(30.99)
    # A wave that begins afresh is followed, wherever somebody was looking.
    QTest.keyClick(plot, Qt.Key_PageUp)
    record(0, 1, number=2)
    assert shown(plot)[0][0] == 0
    plot.deleteLater()


def test_a_plot_is_saved_as_numbers_and_as_a_picture(start, tmp_path, small_scene):
    text = small_scene.read_text()
    small_scene.write_text(text + '[[probes]]\nname = "p"\nposition = [0.5, 0.5]\n')
    driver = start(small_scene)
    plot = driver.window.probe_panel.plot
    driver.until(lambda: len(plot.table()[1][0]) > 20)
    save = next(a for a in plot.menu.actions() if "Save" in a.text())
    for name in ("plot.csv", "plot.png"):
        driver.dialogs.path = tmp_path / name
        save.trigger()
        assert driver.dialogs.path.exists()
    with (tmp_path / "plot.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["time t (length units / c)", "p"]
    assert len(rows) > 20
    (picture,) = decoded(tmp_path / "plot.png")
    assert picture.shape[1] > 300
    # Its keys are the plot's while it is at hand, and the window's otherwise.
    plot.setFocus()
    scale = driver.canvas.view.pixel
    QTest.keyClick(plot, Qt.Key_Plus)
    assert driver.canvas.view.pixel == scale
    assert plot.moved
    driver.press("+")
    assert driver.canvas.view.pixel < scale
    assert not driver.dialogs.errors


def test_the_menu_that_nobody_sees_is_not_walked_through(plot):
    assert not plot.getPlotItem().stateGroup.widgetList


def test_nothing_of_a_plot_outlives_its_window(application):
    """Though somebody holds its Python half, as a traceback does."""
    before = set(QApplication.topLevelWidgets())
    window = QtWidgets.QMainWindow()
    plot = Plot(THEMES["dark"], Axis("bottom", "x"), Axis("left", "y"))
    window.setCentralWidget(plot)
    window.show()
    window.close()
    window.deleteLater()
    application.sendPostedEvents(None, QEvent.DeferredDelete)
    assert plot is not None
    assert set(QApplication.topLevelWidgets()) <= before
