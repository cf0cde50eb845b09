"""A presentation: panels go, the scene stays with larger letters, and all comes back as it was."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QApplication, Qt, QtWidgets
from wavelab.app.base.settings import load_preferences, preferences_path
from wavelab.app.edits.edits import add_probe
from wavelab.app.window.docks import is_in_front
from wavelab.app.window.presentation import PresentationDialog


def layout(window) -> list:
    """Of every dock whether it is there and in front, and its size; the bars; the window."""
    docks = [(d.isHidden(), is_in_front(d), d.width(), d.height()) for d in window.docks]
    bars = (window.menuBar(), window.transport, window.tool_bar, window.status, window.hint)
    return [docks, [bar.isVisible() for bar in bars], window.canvas.size(), window.size()]


def strokes(driver) -> int:
    """Pixels over which letters and marks lie."""
    window = driver.window
    with_marks = window.canvas.grab_rgb().astype(int)
    window.canvas.set_marks_visible(False)
    without = window.canvas.grab_rgb().astype(int)
    window.canvas.set_marks_visible(True)
    return int((np.abs(with_marks - without).max(axis=-1) > 24).sum())


@pytest.mark.parametrize("fill", [True, False])
def test_a_presentation_hides_panels_and_gives_back_the_same_layout(driver, fill):
    window = driver.window
    window.resize(1300, 800)
    driver.press("O")
    driver.until(lambda: window.width() == 1300 and is_in_front(window.monitor_dock))
    window.resizeDocks([window.monitor_dock], [300], Qt.Vertical)
    window.resizeDocks([window.probe_dock, window.ledger_dock], [500, 300], Qt.Horizontal)
    driver.program.preferences = driver.program.preferences.__class__(fill_screen=fill)
    QApplication.processEvents()
    before = layout(window)
    driver.press("F5")
    driver.until(lambda: window.isFullScreen() == fill)
    QApplication.processEvents()
    assert all(d.isHidden() for d in window.docks)
    assert not window.menuBar().isVisible()
    assert not window.status.isVisible()
    assert window.canvas.size() == window.size()
    assert window.legend.isVisible()
    driver.press("Escape")
    driver.until(lambda: layout(window) == before)
    assert not window.isFullScreen()
    assert not window.legend.isVisible()


def test_who_closes_the_window_in_a_presentation_finds_it_as_before(driver, start, small_scene):
    driver.window.resize(900, 650)
    driver.press("F5")
    driver.until(driver.window.isFullScreen)
    driver.close()
    again = start(small_scene)
    assert not again.window.isFullScreen()
    assert again.window.menuBar().isVisible()
    assert not again.window.legend.isVisible()


def test_the_tools_work_and_letters_are_larger(driver):
    driver.bench.editor.apply(add_probe(driver.session.scene, (0.3, 0.3)))
    driver.settled()
    driver.press("Space")
    usual = strokes(driver)
    driver.program.preferences = driver.program.preferences.__class__(
        enlargement=3.0, fill_screen=False
    )
    driver.press("F5")
    driver.until(lambda: driver.canvas.size() == driver.window.size())
    larger = strokes(driver)
    assert larger > 4 * usual
    before = len(driver.pings())
    driver.click(0.5, 0.5)
    assert len(driver.pings()) == before + 1
    driver.press("B")
    driver.click(0.7, 0.7)
    driver.settled()
    assert len(driver.session.scene.probes) == 2
    driver.press("H")
    assert driver.window.bare
    driver.press("Escape")
    assert not driver.window.bare
    assert driver.window.hiding.presenting
    driver.press("F5")
    assert not driver.window.hiding.presenting


def dialog(driver) -> PresentationDialog:
    driver.press("Shift+F5")
    (shown,) = (d for d in driver.window.findChildren(PresentationDialog) if d.isVisible())
    return shown


def test_the_setting_shows_at_once_what_it_does_and_is_kept(driver):
    over = driver.window.canvas._over
    shown = dialog(driver)
    assert over.enlargement == 1.6
    assert driver.window.legend.isVisible()
    driver.application.setActiveWindow(shown)
    field = shown.enlargement
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "9")
    QTest.keyClick(field, Qt.Key_Tab)
    (note,) = (n for n in shown.findChildren(QtWidgets.QLabel, "note") if n.isVisible())
    assert note.text() == "\u201c9\u201d is not a number from 1 to 4. It stays 1.6."
    shown.accept()
    assert shown.isVisible()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2,5")
    QTest.keyClick(field, Qt.Key_Tab)
    assert over.enlargement == 2.5
    assert shown.slider.value() == 25
    shown.legend.setFocus()
    QTest.keyClick(shown.legend, Qt.Key_Space)
    assert not driver.window.legend.isVisible()
    shown.accept()
    assert over.enlargement == 1.0
    kept = load_preferences(preferences_path())
    assert (kept.enlargement, kept.legend) == (2.5, False)
    shown = dialog(driver)
    shown.slider.setValue(40)
    assert over.enlargement == 4.0
    shown.reject()
    assert over.enlargement == 1.0
    assert load_preferences(preferences_path()).enlargement == 2.5
