"""Figures for papers and copies from the window, as a person makes them."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import strength
from tests.figure_files import png_pixels, read_pdf, read_svg
from wavelab.app.base.images import pixels_of
from wavelab.app.base.qt import QApplication, Qt, QtWidgets
from wavelab.app.panels.dialogs.figure_dialog import FigureDialog
from wavelab.output.figures.style import PARTS, UNITS, Style
from wavelab.output.palette import palette_on, surroundings

ALL = tuple(PARTS)


@pytest.fixture
def still(at_rest):
    driver = at_rest()
    driver.until(lambda: strength(driver) > 0.9)
    return driver


def exported(driver, path, style, act) -> bytes:
    driver.dialogs.path, driver.dialogs.style = path, style
    act()
    driver.until(lambda: f"saved as {path}" in driver.window.message.text)
    assert not driver.dialogs.errors
    return path.read_bytes()


def test_a_figure_shows_what_the_canvas_shows(still, tmp_path):
    style = Style(width=10 * UNITS["cm"], dpi=100, parts=ALL)
    data = exported(still, tmp_path / "f.svg", style, lambda: still.press("Ctrl+Alt+E"))
    assert still.dialogs.parts == ALL
    page = read_svg(data)
    assert {"x", "y", "Electric field Ez"} <= set(page.words), page.words
    (rgb, _), _ = page.images
    palette = palette_on("light", still.bench.views.state.palette)
    assert (rgb[0, 0] == surroundings(palette)).all()
    height, width = rgb.shape[:2]
    x0, y0, x1, y1 = still.canvas.view.visible()
    assert width / height == pytest.approx((x1 - x0) / (y1 - y0), rel=0.02)
    # The next one is offered as this one was; and the part in view is what is on it.
    still.canvas.zoom(3.0)
    data = exported(still, tmp_path / "g.pdf", style, lambda: still.press("Ctrl+Alt+E"))
    (near, _), _ = read_pdf(data).images
    assert (near == near[0, 0]).all(axis=2).mean() < (rgb == rgb[0, 0]).all(axis=2).mean()


def test_letters_that_are_missing_are_told_in_the_window(start, tmp_path, small_scene):
    text = small_scene.read_text("utf-8")
    title = next(line for line in text.splitlines() if line.startswith("title"))
    small_scene.write_text(text.replace(title, 'title = "\u6771\u4eac"'), "utf-8")
    driver = start(small_scene)
    driver.settled()
    exported(driver, tmp_path / "f.pdf", Style(parts=ALL), lambda: driver.press("Ctrl+Alt+E"))
    assert "\u6771\u4eac" in driver.window.message.text


def test_the_canvas_and_its_values_are_copied(still):
    still.press("Ctrl+Shift+C")
    copied = pixels_of(QApplication.clipboard().image())
    assert np.array_equal(copied, still.canvas.grab_rgb())
    menu = still.program.context_menu.made_at(still.canvas.rect().center())
    names = [action.text().replace("&", "") for action in menu.actions()]
    for name in ("Copy picture of the canvas", "Copy values of the field", "Export figure\u2026"):
        assert name in names
    menu.deleteLater()
    still.window.actions_by_id["copy_values"].trigger()
    rows = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    assert rows[0][0] == "ez"
    x = np.array(rows[0][1:], float)
    table = np.array(rows[1:], float)
    assert max(table.shape[0], len(x)) == pytest.approx(200, abs=1)
    y, values = table[:, 0], table[:, 1:]
    assert (np.diff(y) < 0).all()
    # The mode of a square room, at some time.
    there = np.isfinite(values)
    shape = np.sin(np.pi * x) * np.sin(np.pi * y[:, None])
    size = values[there] @ shape[there] / (shape[there] @ shape[there])
    assert np.abs(values - size * shape)[there].max() < 0.03
    inside = (x > 0) & (x < 1) & ((y > 0) & (y < 1))[:, None]
    assert np.array_equal(there, inside)


def test_a_plot_of_the_window_is_exported(start, tmp_path, small_scene):
    text = small_scene.read_text("utf-8")
    small_scene.write_text(text + '[[probes]]\nname = "p"\nposition = [0.5, 0.5]\n', "utf-8")
    driver = start(small_scene)
    plot = driver.window.probe_panel.plot
    driver.until(lambda: len(plot.table()[1][0]) > 20)
    (act,) = (a for a in plot.menu.actions() if a.text() == "Export figure\u2026")
    style = Style(dpi=72, parts=("title",))
    data = exported(driver, tmp_path / "p.png", style, act.trigger)
    assert driver.dialogs.parts == ("title",)
    assert png_pixels(data).shape[1] == pytest.approx(style.width, abs=1)
    data = exported(driver, tmp_path / "p.svg", style, act.trigger)
    page = read_svg(data)
    assert {"Ez", "time t (length units / c)"} <= set(page.words)


def test_the_dialog_takes_a_size_in_words(application):
    parent = QtWidgets.QWidget()
    offered = Style(parts=("bar", "time"))
    dialog = FigureDialog(parent, offered, ("axes", "bar"))
    dialog.show()
    assert dialog.figure_size.text() == "8.5cm"
    dialog.figure_size.selectAll()
    QTest.keyClicks(dialog.figure_size, "wide")
    dialog.accept()
    assert dialog.isVisible()
    assert not dialog.trouble.isHidden()
    assert "8.5x6cm" in dialog.trouble.text()
    QTest.keyClicks(dialog.figure_size, "120x80mm")
    QTest.mouseClick(dialog.parts["bar"], Qt.LeftButton)
    QTest.mouseClick(dialog.parts["axes"], Qt.LeftButton)
    dialog.dpi.setValue(600)
    dialog.ground.setCurrentIndex(1)
    dialog.accept()
    assert not dialog.isVisible()
    cm = UNITS["cm"]
    wished = dialog.style_wished()
    assert (wished.width, wished.height) == pytest.approx((12 * cm, 8 * cm))
    assert (wished.dpi, wished.ground) == (600, "dark")
    assert sorted(wished.parts) == ["axes", "time"]
    parent.deleteLater()
