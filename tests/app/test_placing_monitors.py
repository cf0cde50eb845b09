"""Monitors placed with the probe tool, by drags on the real window."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.monitor_edits import MEASURED
from wavelab.app.qt import Qt
from wavelab.scene.monitors import EnergyMonitor, FluxMonitor, LineMonitor

MADE = {"line": LineMonitor, "flux": FluxMonitor, "energy": EnergyMonitor}


def drag(driver, start, end) -> None:
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=driver.place(*start))
    QTest.mouseMove(driver.canvas, driver.place(*end))
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=driver.place(*end))


@pytest.mark.parametrize("kind", MADE)
def test_a_drag_places_a_monitor_and_undo_takes_it_away(driver, kind):
    driver.press("B")
    box = driver.window.tool_panel.measured
    box.setFocus()
    for _ in range(list(MEASURED).index(kind)):
        QTest.keyClick(box, Qt.Key_Down)
    drag(driver, (0.7, 0.6), (0.3, 0.2))
    driver.settled()
    (monitor,) = driver.session.running.scene.monitors
    assert type(monitor) is MADE[kind]
    assert monitor.name == f"{kind} 1"
    if kind == "energy":
        assert monitor.shape.lower == pytest.approx((0.3, 0.2), abs=0.01)
        assert monitor.shape.upper == pytest.approx((0.7, 0.6), abs=0.01)
    else:
        assert monitor.vertices[1] == pytest.approx((0.3, 0.2), abs=0.01)
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.running.scene.monitors == ()


def test_a_click_places_no_monitor_and_escape_gives_a_drag_up(driver):
    driver.press("B")
    driver.bench.toolbox.set_measured("flux")
    driver.click(0.5, 0.5)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=driver.place(0.2, 0.2))
    QTest.mouseMove(driver.canvas, driver.place(0.6, 0.2))
    assert driver.canvas.tool.hint.startswith("Release")
    driver.press("Escape")
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=driver.place(0.6, 0.2))
    assert driver.session.scene.monitors == ()
    assert driver.session.scene.probes == ()
