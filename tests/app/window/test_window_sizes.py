"""The window small, narrow, and wide again: what there was is still there and can be reached."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QApplication, Qt, QtGui, QtWidgets
from wavelab.app.edits.edits import add_probe
from wavelab.app.panels.fields.labels import WholeLabel
from wavelab.app.tools import TOOLS
from wavelab.app.window.docks import DOCKS, is_in_front
from wavelab.app.window.window import LEAST_SIZE, NARROW

SIZES = ((1280, 800), (1000, 600), (800, 600), (720, 560))


@pytest.fixture
def resized(driver):
    def resize(width, height):
        driver.window.resize(width, height)
        driver.until(lambda: driver.window.height() == height and driver.window.width() == width)
        QApplication.processEvents()

    return resize


def tab_bar(driver, title: str) -> tuple[QtWidgets.QTabBar, int]:
    """The bar that has a tab, and its number; fails where none has."""
    bars = [b for b in driver.window.findChildren(QtWidgets.QTabBar) if b.isVisible()]
    tabs = [(bar, i) for bar in bars for i in range(bar.count()) if bar.tabText(i) == title]
    assert len(tabs) == 1, title
    return tabs[0]


@pytest.mark.parametrize("size", SIZES)
def test_every_button_of_the_tool_bar_is_there_in_a_low_window(driver, resized, size):
    resized(*size)
    bar, act = driver.window.tool_bar, driver.window.actions_by_id
    for action in (a for a in bar.actions() if not a.isSeparator()):
        button = bar.widgetForAction(action)
        assert button.isVisible(), action.text()
        assert bar.rect().contains(button.geometry()), action.text()
    extension = bar.findChild(QtWidgets.QToolButton, "qt_toolbar_ext_button")
    assert not extension.isVisible()
    driver.bench.editor.apply(add_probe(driver.session.scene, (0.5, 0.5)))
    for id_, left in (("undo", 0), ("redo", 1)):
        driver.until(act[id_].isEnabled)
        QTest.mouseClick(bar.widgetForAction(act[id_]), Qt.LeftButton)
        driver.until(lambda left=left: len(driver.session.scene.probes) == left)


@pytest.mark.parametrize("size", [(750, 480), LEAST_SIZE, (1000, 600)])
def test_panels_lie_beside_each_other(driver, resized, size):
    """In the least window too, whatever panels are asked for: none covers another, or the wave."""
    window = driver.window
    resized(*size)
    for dock in window.findChildren(QtWidgets.QDockWidget):
        if not dock.isVisible():
            driver.press(DOCKS[dock.objectName()])
        QApplication.processEvents()
        docks = [d for d in window.findChildren(QtWidgets.QDockWidget) if d.isVisible()]
        panels = [*docks, window.centralWidget(), window.status, window.transport]
        seen = {p.objectName(): p.geometry() for p in panels if not p.visibleRegion().isEmpty()}
        for (one, a), (other, b) in combinations(seen.items(), 2):
            assert not a.intersects(b), (one, other)
        for name, place in seen.items():
            assert window.rect().contains(place), name


def test_the_tab_in_front_stays_there_in_a_narrow_window_and_in_a_wide_one(driver, resized):
    window = driver.window
    resized(NARROW + 100, 800)
    driver.press("O")
    assert is_in_front(window.monitor_dock)
    for width in (NARROW - 100, NARROW + 100, NARROW - 100):
        resized(width, 800)
        driver.until(lambda: is_in_front(window.monitor_dock))
        tab_bar(driver, "Monitors")
    # What lies in front of them in a narrow window has a place of its own in a wide one.
    bar, number = tab_bar(driver, "Energy")
    QTest.mouseClick(bar, Qt.LeftButton, pos=bar.tabRect(number).center())
    driver.until(lambda: is_in_front(window.ledger_dock))
    resized(NARROW + 100, 800)
    driver.until(lambda: is_in_front(window.monitor_dock) and is_in_front(window.ledger_dock))
    bar, number = tab_bar(driver, "Probes")
    QTest.mouseClick(bar, Qt.LeftButton, pos=bar.tabRect(number).center())
    resized(NARROW - 100, 800)
    driver.until(lambda: is_in_front(window.probe_dock))


def test_the_settings_of_the_tool_and_some_scenes_are_seen_at_first(driver, resized):
    """The page of every tool lies whole above all others, and three scenes below."""
    resized(1280, 800)
    inspector = driver.window.inspector
    page = inspector.tool_panel
    for key, info in TOOLS.items():
        driver.press(info.shortcut)
        QApplication.processEvents()
        driver.until(lambda: page.visibleRegion().boundingRect().height() == page.height())
        top = page.mapTo(inspector, page.rect().topLeft()).y()
        for panel in (inspector.field_panel, inspector.mesh_panel):
            assert panel.mapTo(inspector, panel.rect().topLeft()).y() > top, key
    assert inspector.gallery.height() >= 3 * 64


def test_monitors_get_room_for_their_plots_once(driver, resized):
    window = driver.window
    resized(1000, 700)
    before = window.probe_dock.height()
    driver.press("O")
    driver.until(lambda: window.monitor_dock.height() > before + 40)
    assert window.canvas.height() > window.monitor_dock.height()
    assert window.monitor_panel.plot.width() > 300
    # As high as somebody has made them they stay.
    window.resizeDocks([window.monitor_dock], [before], Qt.Vertical)
    driver.until(lambda: window.monitor_dock.height() <= before)
    driver.press("O")
    driver.press("O")
    QApplication.processEvents()
    assert window.monitor_dock.height() <= before


def test_the_status_line_shows_no_half_numbers(driver, resized):
    status, seen = driver.window.status, []
    for width in (720, 800, 1000):
        resized(width, 560)
        labels = [label for label in status.findChildren(WholeLabel) if label.isVisible()]
        seen.append(len(labels))
        for label in labels:
            assert label.visibleRegion().boundingRect() == label.rect(), label.toolTip()
        for one, other in combinations(labels, 2):
            assert not one.geometry().intersects(other.geometry())
    assert seen == sorted(seen)
    assert seen[0] < seen[-1] == 6


def test_what_a_tool_is_for_can_be_read_in_a_window_of_usual_size(driver, resized):
    resized(1000, 700)
    hints = {}
    for key, info in TOOLS.items():
        driver.press(info.shortcut)
        driver.until(lambda: driver.window.hint.text() == driver.canvas.tool.hint)
        shown = QtWidgets.QLabel.text(driver.window.hint)
        assert shown == driver.window.hint.text(), key
        hints[key] = shown
    assert len(set(hints.values())) == len(TOOLS)
    assert all(hint[0].isupper() for hint in hints.values())


def test_the_names_of_three_traces_are_seen_in_a_window_of_usual_size(driver, resized):
    resized(1000, 700)
    for y in (0.3, 0.5, 0.7):
        driver.bench.editor.apply(add_probe(driver.session.scene, (0.5, y)))
    driver.until(lambda: len(driver.bench.probe_series.names) == 3)
    panel = driver.window.probe_panel
    (scroll,) = panel.findChildren(QtWidgets.QScrollArea)
    driver.until(lambda: "probe&nbsp;3" in scroll.widget().text())
    QApplication.processEvents()
    # In lines as long as there is room.
    shown = scroll.viewport().size()
    assert scroll.widget().heightForWidth(shown.width()) <= shown.height()
    for button in panel.findChildren(QtWidgets.QToolButton):
        assert button.width() >= button.sizeHint().width()


def test_no_page_is_wider_than_the_inspector(driver, resized):
    resized(1280, 800)
    upper = driver.window.field_panel.parentWidget()
    for automatic in (True, False):
        driver.bench.views.wish(driver.bench.views.state.with_limit(None if automatic else 1.0))
        for info in TOOLS.values():
            driver.press(info.shortcut)
            QApplication.processEvents()
            assert upper.width() <= upper.parentWidget().width()
            assert upper.x() == 0


def test_what_shows_the_rest_of_a_bar_without_room_is_seen(driver):
    """Of Qt's own arrow a speck was left, black on dark ground too."""
    window = driver.window
    window.transport.setMaximumWidth(200)
    window.tool_bar.setMaximumHeight(200)
    for _ in "12":
        for bar in (window.transport, window.tool_bar):
            more = bar.findChild(QtWidgets.QToolButton, "qt_toolbar_ext_button")
            driver.until(more.isVisible)
            seen = luminance(more.grab().toImage())
            marked = np.argwhere(np.abs(seen - seen[0, 0]) > 100)
            assert (np.ptp(marked, axis=0) >= 5).all(), (bar, window.theme.name)
        driver.bench.appearance.toggle_theme()


def luminance(image) -> np.ndarray:
    """(height, width) from 0 to 255."""
    gray = image.convertToFormat(QtGui.QImage.Format_Grayscale8)
    rows = np.frombuffer(gray.bits().asstring(gray.sizeInBytes()), np.uint8)
    return rows.reshape(gray.height(), -1)[:, : gray.width()].astype(int)
