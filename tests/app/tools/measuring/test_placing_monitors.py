"""Monitors placed, changed and removed by mouse and keys on the real window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import pick
from tests.simulation.records.test_monitors import measured
from wavelab.app.base.qt import Qt
from wavelab.app.edits.monitor_edits import MEASURED
from wavelab.physics.problem import discretize_scene
from wavelab.scene.monitors import EnergyMonitor, FluxMonitor, IntensityMonitor, LineMonitor
from wavelab.scene.toml.toml_io import parse_scene

#: A source beside a conducting disk; waves leave at the walls.
SCATTERER = """\
title = "Source and disk"
[domain]
shape = "rectangle"
lower = [-1, -1]
upper = [1, 1]
[[holes]]
name = "disk"
shape = "ellipse"
center = [0.3, 0]
radii = [0.2, 0.2]
[[walls]]
edges = ["domain"]
kind = "absorbing"
[[sources]]
kind = "point"
name = "lamp"
position = [-0.3, 0]
radius = 0.1
amplitude = 10
waveform = { kind = "sine", frequency = 1 }
[solver]
element_size = 0.2
order = 3
until = 6
precision = "double"
"""
MONITORS = """\
[[monitors]]
kind = "far_field"
name = "far field 1"
shape = "ellipse"
center = [0, 0]
radii = [0.8, 0.7]
frequencies = [1, 1.5]
begin = 4
[[monitors]]
kind = "flux"
name = "outflow 1"
vertices = [[-0.6, -0.6], [0.6, -0.6], [0.6, 0.6], [-0.6, 0.6]]
closed = true
frequencies = [1, 1.5]
begin = 4
"""


def write(line, text: str) -> None:
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key_Backspace)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key_Return)


@pytest.fixture
def page(driver):
    driver.press("B")
    return driver.window.tool_panel.probe


def test_every_kind_is_placed_and_undo_takes_it_away(driver, page):
    made = {
        "line": (LineMonitor, "line 1"),
        "flux": (FluxMonitor, "flux 1"),
        "energy": (EnergyMonitor, "energy 1"),
        "intensity": (IntensityMonitor, "intensity 1"),
    }
    for kind, (type_, name) in made.items():
        pick(page.measured, MEASURED[kind].label)
        assert page.frequencies.isHidden() == (kind != "flux")
        assert page.shape.isHidden() == (kind in ("line", "flux"))
        if kind == "intensity":
            assert page.shape.currentText() == "everywhere"
            driver.click(0.5, 0.5)
        else:
            driver.drag((0.7, 0.6), (0.3, 0.2))
        driver.settled()
        (monitor,) = driver.session.running.scene.monitors
        assert (type(monitor), monitor.name) == (type_, name)
        if kind == "energy":
            assert monitor.shape.lower == pytest.approx((0.3, 0.2))
            assert monitor.shape.upper == pytest.approx((0.7, 0.6))
        elif kind != "intensity":
            assert monitor.vertices == ((0.7, 0.6), (0.3, 0.2))
        assert name in driver.window.monitor_panel.chooser.currentText()
        assert not driver.window.monitor_dock.isHidden()
        driver.press("Ctrl+Z")
        driver.settled()
        assert driver.session.running.scene.monitors == ()


def test_a_monitor_is_chosen_reshaped_and_deleted(driver, page):
    pick(page.measured, "power through a line")
    for y in (0.2, 0.7):
        driver.drag((0.2, y), (0.8, y))
        driver.settled()  # the dock that comes with the first takes room from the canvas
    driver.drag((0.8, 0.7), (0.8, 0.8))
    driver.click(0.4, 0.2)
    assert "flux 1" in driver.window.monitor_panel.chooser.currentText()
    assert driver.window.property_panel.items.currentText() == "Monitor flux 1"
    driver.drag((0.35, 0.2), (0.35, 0.4))
    first, second = driver.session.scene.monitors
    assert second.vertices == ((0.2, 0.7), (0.8, 0.8))
    assert first.vertices == ((0.2, 0.4), (0.8, 0.4))
    write(driver.window.property_panel.controls[("frequencies",)], "1, 2")
    assert driver.session.scene.monitors[0].frequencies == (1.0, 2.0)
    driver.press("Delete")
    assert [m.name for m in driver.session.scene.monitors] == ["flux 2"]
    driver.settled()
    driver.press("Ctrl+Z")
    assert [m.name for m in driver.session.scene.monitors] == ["flux 1", "flux 2"]


def test_what_cannot_be_is_told_with_the_remedy(driver, page):
    pick(page.measured, "far field")
    write(page.frequencies, "two")
    assert "'two' is no frequency" in driver.window.message.text
    write(page.frequencies, "")
    driver.drag((0.2, 0.2), (0.8, 0.8))
    assert 'onitor "far field 1" has no frequencies' in driver.window.message.text
    write(page.frequencies, "1.5")
    driver.drag((0.2, 0.2), (1.2, 0.8))
    assert "leaves the domain" in driver.window.message.text
    assert "draw it smaller" in driver.window.message.text
    assert driver.session.scene.monitors == ()


def test_a_far_field_drawn_round_a_scatterer_is_that_of_the_scene_file(start, tmp_path):
    path = tmp_path / "scatterer.toml"
    path.write_text(SCATTERER)
    driver = start(path)
    driver.press("Space")
    driver.press("B")
    page = driver.window.tool_panel.probe
    pick(page.measured, "far field")
    assert page.frequencies.text() == "1"  # that of the lamp
    write(page.frequencies, "1, 1.5")
    pick(page.shape, "ellipse")
    driver.drag((-0.8, -0.7), (0.8, 0.7))
    driver.settled()  # a notice of it moves the canvas
    pick(page.measured, "power out of a region")
    pick(page.shape, "rectangle")
    driver.drag((-0.6, -0.6), (0.6, 0.6))
    driver.settled()
    driver.press("Y")
    for number in (0, 1):
        driver.bench.selection.choose(("monitors", number))
        write(driver.window.property_panel.controls[("begin",)], "4")
    driver.settled()
    drawn, written = driver.session.scene, parse_scene(SCATTERER + MONITORS)
    assert drawn.monitors == written.monitors
    assert replace(drawn, path=None) == written

    found = measured(discretize_scene(drawn, driver.session.running.mesh), "numpy")
    radiated = found["far field 1"].arrays["power"]
    # In the steady state all that passes the inner square leaves for good.
    assert radiated[0] == pytest.approx(found["outflow 1"].arrays["mean_power"][0], rel=1e-2)
    assert radiated[0] > 50 * radiated[1]


def test_the_select_tool_changes_and_removes_monitors(driver, page):
    pick(page.measured, "energy in a region")
    driver.drag((0.2, 0.2), (0.6, 0.6))
    driver.settled()
    driver.press("V")
    driver.click(0.4, 0.6)
    assert driver.bench.selection.item == ("monitors", 0)
    driver.drag((0.6, 0.6), (0.8, 0.7))
    assert driver.session.scene.monitors[0].shape.upper == pytest.approx((0.8, 0.7))
    driver.drag((0.8, 0.7), (0.8, 0.2))  # nothing is left of it
    assert driver.session.scene.monitors[0].shape.upper == pytest.approx((0.8, 0.7))
    driver.settled()
    driver.press("Delete")
    assert driver.session.scene.monitors == ()
    driver.press("Delete")
    assert "cannot be removed" in driver.window.message.text
