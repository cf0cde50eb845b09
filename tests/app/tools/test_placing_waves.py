"""Waves that come in through walls, and handles of sources, by mouse on the real window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import pick
from tests.app.pointer import move_to
from wavelab.app.base.qt import Qt
from wavelab.app.edits import wall_edits
from wavelab.errors import SceneError
from wavelab.scene.sources import PlaneWave
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.walls import AbsorbingWall, Conductor
from wavelab.simulation.solver.commands import SetSpeed

GUIDE = """\
title = "Guide"

[domain]
shape = "rectangle"
lower = [0, 0]
upper = [2, 0.5]

[[walls]]
edges = ["domain.right"]
kind = "absorbing"

[solver]
element_size = 0.12
order = 3
"""
WITH_MODE = (
    GUIDE.replace('["domain.right"]', '["domain.right", "domain.left"]')
    + """
[[sources]]
name = "source 1"
kind = "guided_mode"
edge = "domain.left"
amplitude = 1
mode = 1
waveform = { kind = "sine", frequency = 1.5 }
"""
)


@pytest.fixture
def guide(start, tmp_path):
    """A guide at rest, with the source tool."""
    path = tmp_path / "guide.toml"
    path.write_text(GUIDE, encoding="utf-8")
    driver = start(path)
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.time == 0)
    driver.press("S")
    return driver


def fill(field, text: str) -> None:
    line = field.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key_Return)


def handle(driver, name: str):
    """Where a handle of the last source is."""
    scene = driver.session.scene
    return next(h.at for h in scene.sources[-1].handles(scene) if h.name == name)


def test_a_guided_mode_placed_by_mouse_is_the_one_of_the_scene_file(guide):
    pick(guide.window.tool_panel.source.kind, "guided mode")
    page = guide.window.tool_panel.source
    assert page.own["mode"].isVisible()
    fill(page.frequency, "1.5")
    guide.point(1.0, 0.5)
    assert "two parallel" in guide.canvas.tool.hint
    guide.point(0.0, 0.1)
    assert "mode 1 runs above frequency 1" in guide.canvas.tool.hint
    guide.click(0.0, 0.1)
    guide.settled()
    asked = parse_scene(WITH_MODE)
    assert replace(guide.session.running.scene, path=None) == replace(asked, path=None)
    assert "domain.left is absorbing now, it was a conductor" in guide.window.message.text

    # It goes to the right: after the time t nothing is further than t, and much of it is near.
    guide.session.solver.send(SetSpeed(None))
    guide.press("Space")
    guide.until(lambda: guide.bench.presenter.frame.time > 1.7)
    frame = guide.bench.presenter.frame
    x = guide.session.running.problem.discretization.x
    assert np.abs(frame.values[x > frame.time + 0.1]).max(initial=0.0) < 1e-3
    assert 0.8 < np.abs(frame.values[x < 0.6]).max() < 1.2

    # Too high a mode is refused where it is typed; one undo takes the wave and the wall back.
    guide.press("V")
    guide.click(0.0, 0.25)
    panel = guide.window.property_panel
    assert panel.items.currentText() == "Source 1"
    line = panel.controls[("mode",)]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "2")
    QTest.keyClick(line, Qt.Key_Return)
    assert "needs more than 2" in panel.notes[("mode",)].text()
    guide.press("Ctrl+Z")
    guide.settled()
    assert guide.session.running.scene.sources == ()
    assert guide.session.running.scene.walls == (AbsorbingWall(("domain.right",)),)


def test_a_mode_that_does_not_run_there_is_not_placed(guide):
    pick(guide.window.tool_panel.source.kind, "guided mode")
    assert guide.canvas.tool.hint.startswith("Click the end of a guide")
    guide.window.tool_panel.source.own["mode"].setValue(3)
    assert guide.canvas.tool.hint.startswith("This mode can come in nowhere here")
    guide.click(0.0, 0.1)
    assert guide.session.scene.sources == ()
    assert "Mode 3 runs above the frequency 3" in guide.window.message.text
    guide.click(1.0, 0.5)
    assert "two parallel" in guide.window.message.text
    assert guide.session.scene.walls == (AbsorbingWall(("domain.right",)),)


def test_a_wave_goes_through_walls_and_is_turned_carried_and_taken_away(guide):
    pick(guide.window.tool_panel.source.kind, "wave through walls")
    guide.window.tool_panel.source.own["tilt"].setValue(10)
    guide.drag((2.0, 0.3), (1.98, 0.02), (1.2, 0.0))
    guide.settled()
    (wave,) = guide.session.running.scene.sources
    assert isinstance(wave, PlaneWave)
    assert (wave.edges, wave.direction) == (("domain.right", "domain.bottom"), -170.0)
    walls = guide.session.scene.walls
    assert walls == (AbsorbingWall(("domain.right", "domain.bottom")),)
    # Shift and a click: one more edge, and one less.
    guide.click(0.7, 0.5, modifier=Qt.ShiftModifier)
    guide.settled()
    assert guide.session.running.scene.sources[0].edges[-1] == "domain.top"
    guide.click(0.9, 0.5, modifier=Qt.ShiftModifier)
    guide.click(0.9, 0.0, modifier=Qt.ShiftModifier)
    guide.settled()
    assert guide.session.running.scene.sources[0].edges == ("domain.right",)
    # The tip of its arrow turns it, its tail carries it to another wall.
    start = handle(guide, "place")
    guide.drag(
        handle(guide, "direction"),
        (start[0] - 0.2, start[1] + 0.01),
        modifier=Qt.ShiftModifier,
    )
    assert guide.session.scene.sources[0].direction == pytest.approx(180)
    guide.drag(handle(guide, "place"), (0.0, 0.4))
    guide.settled()
    (wave,) = guide.session.running.scene.sources
    assert (wave.edges, wave.direction) == (("domain.left",), 0.0)
    with pytest.raises(SceneError, match="has to absorb"):
        wall_edits.set_wall(guide.session.scene, "domain.left", Conductor(()))
    guide.drag(handle(guide, "place"), (1.0, 0.3))  # no wall there
    assert guide.session.scene.sources == (wave,)
    guide.click(*handle(guide, "place"))
    assert guide.window.property_panel.items.currentText() == "Source 1"
    guide.press("Del")
    guide.settled()
    assert guide.session.running.scene.sources == ()
    guide.press("Ctrl+Z")
    guide.settled()
    assert guide.session.running.scene.sources == (wave,)


def test_a_wave_is_sent_in_from_the_page_of_the_wall(guide):
    guide.press("W")
    guide.click(2.0, 0.4)
    panel = guide.window.tool_panel.wall
    button = panel.buttons["wave through walls"]
    assert button.isVisible()
    QTest.mouseClick(button, Qt.LeftButton)
    guide.settled()
    (wave,) = guide.session.running.scene.sources
    assert (wave.edges, wave.direction) == (("domain.right",), 180)
    assert guide.window.property_panel.items.currentText() == "Source 1"
    # The wall cannot be taken away under it.
    panel.kind.setFocus()
    QTest.keyClick(panel.kind, Qt.Key_Home)
    assert "has to absorb" in guide.window.message.text
    assert panel.kind.currentText() == "absorbing"
    guide.click(0.0, 0.4)
    assert not button.isVisible()


def test_a_moving_source_is_sent_elsewhere_by_its_arrow(guide):
    pick(guide.window.tool_panel.source.kind, "moving")
    guide.drag((0.3, 0.2), (0.6, 0.2))
    guide.settled()
    assert guide.session.scene.sources[0].velocity() == pytest.approx((0.5, 0.0), abs=0.01)
    tip = handle(guide, "speed")
    assert tip == pytest.approx((0.3 + 0.5 * 0.25 * 2, 0.2), abs=0.01)
    guide.drag(tip, (0.3, 0.4))
    assert guide.session.scene.sources[0].velocity() == pytest.approx((0.0, 0.4), abs=0.02)
    guide.drag(handle(guide, "place"), (1.0, 0.1))
    guide.settled()
    (source,) = guide.session.running.scene.sources
    assert handle(guide, "place") == pytest.approx((1.0, 0.1), abs=0.01)
    assert source.velocity() == pytest.approx((0.0, 0.4), abs=0.02)
    for _ in range(2):
        guide.press("Ctrl+Z")
    guide.settled()
    assert guide.session.running.scene.sources[0].velocity() == pytest.approx((0.5, 0.0), abs=0.01)


def test_the_ends_and_the_focus_of_an_array_are_dragged(guide):
    pick(guide.window.tool_panel.source.kind, "array")
    guide.drag((0.3, 0.1), (0.3, 0.4))
    guide.drag((0.3, 0.4), (0.5, 0.4))
    guide.settled()
    (array,) = guide.session.running.scene.sources
    assert array.end == pytest.approx((0.5, 0.4), abs=0.01)
    assert array.start == pytest.approx((0.3, 0.1), abs=0.01)
    tip = handle(guide, "direction")
    middle = handle(guide, "place")
    guide.drag(tip, (middle[0], middle[1] + 0.2), modifier=Qt.ShiftModifier)
    assert guide.session.scene.sources[0].direction == 90.0
    # Outside of the domain it cannot end, and says so before it is let go.
    there = guide.session.scene
    end, out = guide.place(*there.sources[0].end), guide.place(0.5, 0.56)
    move_to(guide.canvas, end)
    QTest.mousePress(guide.canvas, Qt.LeftButton, Qt.NoModifier, end)
    move_to(guide.canvas, out)
    guide.until(lambda: guide.canvas.tool.hint.startswith("Not so: source 1 would lie outside"))
    assert {s.tone for s in guide.canvas.tool.overlay().strokes} == {"refused"}
    QTest.mouseRelease(guide.canvas, Qt.LeftButton, Qt.NoModifier, out)
    assert guide.session.scene == there
    guide.until(lambda: "would lie outside the domain" in guide.window.message.text)
    pick(guide.window.tool_panel.source.kind, "point")
    guide.click(1.0, -0.06)
    guide.press("B")
    guide.click(1.0, -0.06)
    assert guide.session.scene == there


def test_the_corners_of_a_region_are_dragged_as_those_of_any_shape(guide):
    pick(guide.window.tool_panel.source.kind, "region")
    guide.drag((0.4, 0.1), (0.8, 0.3))
    guide.drag((0.8, 0.3), (1.0, 0.4))
    guide.settled()
    (region,) = guide.session.running.scene.sources
    assert region.shape.lower == pytest.approx((0.4, 0.1), abs=0.01)
    assert region.shape.upper == pytest.approx((1.0, 0.4))  # it snaps to the grid


@pytest.mark.parametrize("wave", ["p", "s"])
def test_an_earthquake_is_placed_at_the_edge_that_is_clicked(start, tmp_path, wave):
    """No mode runs beside any edge of a solid."""
    path = tmp_path / "ground.toml"
    path.write_text(f'physics = "elastic"\n{GUIDE}')
    driver = start(path)
    driver.press("S")
    pick(driver.window.tool_panel.source.kind, f"{wave.upper()} wave through walls")
    driver.point(1.0, 0.0)
    driver.until(lambda: "becomes absorbing" in driver.canvas.tool.overlay().label)
    driver.click(1.0, 0.0)
    driver.settled()
    (source,) = driver.session.running.scene.sources
    assert (source.wave, source.edges, source.direction) == (wave, ("domain.bottom",), 90)
    assert not driver.dialogs.errors
