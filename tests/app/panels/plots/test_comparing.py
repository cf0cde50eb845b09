"""Logarithmic axes, curves that are kept, the clipboard and figures of plots, by hand."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.panels.plots.axes.test_plot import drag, inked, shown
from tests.app.pointer import move_to
from tests.figure_files import read_pdf, read_svg
from wavelab.app.base import measures
from wavelab.app.base.qt import QApplication, Qt, QtWidgets
from wavelab.app.base.theme import THEMES
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.panels.plots.color_bar import ColorBar
from wavelab.output.figures.figure import write_figure
from wavelab.output.figures.style import Style
from wavelab.scene.model.units import TIME, Scale

X = np.linspace(0, 4, 401)


@pytest.fixture
def plot(application):
    made = Plot(THEMES["dark"], Axis("bottom", "x"), Axis("left", "y"))
    made.resize(600, 300)
    made.show()
    made.show_curves([Curve("decay", X, np.exp(-3 * X), 0)], (0.0, 4.0), (0.0, 1.0))
    application.processEvents()
    yield made
    made.hide()
    made.deleteLater()


def entry(menu: QtWidgets.QMenu, text: str) -> QtWidgets.QAction:
    """As it is when the menu opens."""
    menu.aboutToShow.emit()
    (found,) = (a for a in menu.actions() if a.text().partition("\t")[0] == text)
    return found


def test_an_exponential_is_straight_on_a_logarithmic_axis(plot):
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key_Y)
    ((low, high),) = shown(plot)[1:]
    assert low < -12 * np.log10(np.e) < 0 < high
    (curve,) = plot.placed
    slopes = np.diff(curve.drawn) / np.diff(curve.along)
    assert np.allclose(slopes, -3 * np.log10(np.e))
    assert inked(plot, plot.color(0)) > 100
    # What is read off are the numbers themselves; and so is the table.
    move_to(plot.viewport(), plot.pixel(1.0, 0.0))
    move_to(plot.viewport(), plot.pixel(2.0, 0.0))
    assert plot.reading.startswith("at 2.0")
    assert float(plot.reading.rpartition(" ")[2]) == pytest.approx(np.exp(-6.0), rel=0.05)
    assert np.array_equal(plot.table()[1], [X, np.exp(-3 * X)])
    labels = [text for _, text in plot.up.ticks_between(low, high, 8)]
    assert {"10\u207b\u00b2", "10\u207b\u2074"} <= set(labels)
    QTest.keyClick(plot, Qt.Key_Y)
    assert shown(plot)[1] == pytest.approx([0, 1])


def test_what_has_no_logarithm_has_no_place(plot):
    """Zeros and what lies before them; of what has a sign the size is drawn."""
    plot.show_curves([Curve("wave", X - 1, np.sin(np.pi * X), 0)], (-1.0, 3.0), (-1.0, 1.0))
    for axis in (plot.across, plot.up):
        plot.deeds.toggle_log(axis)
    (curve,) = plot.placed
    assert (10**curve.along > 0).all()
    assert len(curve.along) == (X > 1).sum()
    there = np.isfinite(curve.drawn)
    expected = np.abs(np.sin(np.pi * X[X > 1]))
    assert np.allclose(10 ** curve.drawn[there], expected[there])
    assert plot.up.label_text == "|y|"
    x, y = shown(plot)
    assert x[1] == pytest.approx(np.log10(3.0), abs=0.01)
    assert y[1] - y[0] <= 11


@pytest.mark.parametrize("measured", [None, Scale("um", 1e-6 / 3e8)])
def test_places_are_told_in_numbers_of_the_scene(plot, measured):
    """On a logarithmic axis and in any unit, to who shows them in the scene."""
    told = []
    measures.measure_in(measured)
    try:
        plot.across.measure(TIME, 4.0)
        plot.pointed.connect(told.append)
        plot.setFocus()
        QTest.keyClick(plot, Qt.Key_X)
        move_to(plot.viewport(), plot.pixel(-0.5, 0.5))
        move_to(plot.viewport(), plot.pixel(0.0, 0.5))
        assert told[-1][0] == pytest.approx(1.0, rel=0.02)
        unit = plot.across.unit
        read = float(plot.reading.split()[1].rstrip(":"))
        assert read == pytest.approx(1.0 if measured is None else 10 / 3, rel=0.02)
        assert unit == ("" if measured is None else "fs")
    finally:
        measures.measure_in(None)


def test_two_places_are_compared(plot):
    """The way between them, and how much more the curve is at the last."""
    drag(plot, plot.pixel(1.0, 0.5), plot.pixel(3.0, 0.5), Qt.LeftButton, Qt.ControlModifier)
    way, more = plot.reading.split("; ")
    assert way.startswith("2.0")
    found = float(more.removeprefix("decay ").replace("\u2212", "-"))
    assert found == pytest.approx(np.exp(-9) - np.exp(-3), abs=0.003)


def test_a_curve_is_kept_named_compared_saved_and_forgotten(plot, tmp_path, application):
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key_K)
    plot.show_curves([Curve("decay", X, np.exp(-X), 0)], (0.0, 4.0), (0.0, 1.0))
    names, columns = plot.table()
    assert names == ["x", "decay", "decay, kept 1"]
    assert np.array_equal(columns, [X, np.exp(-X), np.exp(-3 * X)])
    application.processEvents()
    assert "kept 1" in plot._labels._names.text()
    # Its name is typed into a small dialog, which stops nothing.
    entry(plot.menu, "decay, kept 1").menu().actions()[0].trigger()
    (dialog,) = plot.findChildren(QtWidgets.QInputDialog)
    line = dialog.findChild(QtWidgets.QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, "strong <damping>")
    QTest.keyClick(line, Qt.Key_Return)
    assert plot.table()[0] == ["x", "decay", "strong <damping>"]
    move_to(plot.viewport(), plot.pixel(1.0, 0.5))
    move_to(plot.viewport(), plot.pixel(1.5, 0.5))
    assert "strong <damping> 0.01" in plot.reading
    page = _pdf(plot, tmp_path)
    assert {"decay", "strong <damping>", "x", "y"} <= set(page.words)
    # A second one; and all are forgotten.
    QTest.keyClick(plot, Qt.Key_K)
    assert len(plot.kept) == 2
    assert plot.table()[0] == ["x", "decay", "strong <damping>", "decay, kept 1"]
    entry(plot.menu, "Forget all that was kept").trigger()
    assert plot.table()[0] == ["x", "decay"]


def test_kept_curves_are_shown_only_where_the_axes_mean_the_same(plot):
    plot.deeds.keep()
    plot.up.name("power")
    plot.show_curves([Curve("p", X, X, 0)], (0.0, 4.0), (0.0, 4.0))
    assert plot.table()[0] == ["x", "p"]
    plot.up.name("y")
    plot.show_curves([Curve("decay", X, X, 0)], (0.0, 4.0), (0.0, 4.0))
    assert plot.table()[0] == ["x", "decay", "decay, kept 1"]
    measures.measure_in(Scale("um", None))
    try:
        plot.show_curves([Curve("decay", X, X, 0)], (0.0, 4.0), (0.0, 4.0))
        assert plot.table()[0] == ["x", "decay"]
    finally:
        measures.measure_in(None)


def test_what_has_no_curves_cannot_be_logarithmic_or_kept(plot):
    plot.show_image(np.full((4, 4, 3), 200, np.uint8), (0.0, 4.0), (4.0, 0.0))
    for text in ("Logarithmic x", "Logarithmic y", "Keep curves"):
        assert not entry(plot.menu, text).isEnabled()
    plot.setFocus()
    for key in (Qt.Key_X, Qt.Key_Y, Qt.Key_K):
        QTest.keyClick(plot, key)
    assert not plot.kept.all
    assert not plot.across.log
    assert not plot.up.log


def test_a_plot_is_copied_as_numbers_as_pixels_and_as_lines(plot):
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key_C, Qt.ControlModifier | Qt.ShiftModifier)
    mime = QApplication.clipboard().mimeData()
    assert mime.hasImage()
    assert mime.imageData().width() >= 500
    page = read_svg(bytes(mime.data("image/svg+xml")))
    assert {"x", "y", "0", "4"} <= set(page.words)
    entry(plot.menu, "Copy numbers").trigger()
    rows = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    assert rows[0] == ["x", "decay"]
    assert np.array_equal(np.array(rows[1:], float).T, plot.table()[1])


@pytest.mark.parametrize("log", [False, True])
def test_a_figure_has_the_curve_where_the_plot_has_it(plot, tmp_path, log):
    if log:
        plot.deeds.toggle_log(plot.up)
    plot.setRange(xRange=(1.0, 3.0), padding=0)
    page = _pdf(plot, tmp_path)
    x = {text: at for text, at in page.texts if text in ("1.0", "2.0", "3.0")}
    assert len(x) == 3
    frame = next(p for p in page.paths if len(p) == 5)
    (x0, y0), (x1, y1) = frame.min(axis=0), frame.max(axis=0)
    curve = max(page.paths, key=len)
    part = (curve - (x0, y0)) / (x1 - x0, y1 - y0)
    (low, high) = shown(plot)[1]
    heights = np.exp(-3 * (1 + 2 * part[:, 0]))
    places = (np.log10(heights) if log else heights) - low
    inside = (part[:, 0] >= 0) & (part[:, 0] <= 1)
    assert inside.sum() > 50
    assert np.allclose(part[inside, 1], places[inside] / (high - low), atol=2e-3)


def _pdf(plot, folder):
    path = folder / "plot.pdf"
    assert write_figure(path, plot.figure(Style(parts=("title",)), "A title")) == ""
    write_figure(folder / "plot.csv", plot.figure(Style()))
    with (folder / "plot.csv").open(newline="") as file:
        assert next(csv.reader(file)) == plot.table()[0]
    page = read_pdf(path.read_bytes())
    assert "A title" in page.words
    return page


def test_a_colour_bar_is_copied_with_its_colours(application):
    bar = ColorBar()
    bar.show_palette("vik")
    bar.show_limit(2.0)
    bar.show_label("Electric field Ez")
    for action in bar.menu.actions():
        action.trigger()
        mime = QApplication.clipboard().mimeData()
        if action.text() == "Copy picture":
            root = ET.fromstring(bytes(mime.data("image/svg+xml")))
            assert "Electric field Ez" in "".join(root.itertext())
    rows = [line.split("\t") for line in mime.text().splitlines()]
    assert rows[0] == ["value", "red", "green", "blue"]
    values = np.array(rows[1:], float)
    assert values[:, 0] == pytest.approx(np.linspace(-2, 2, 256))
    bar.deleteLater()
