"""Ready-made objects: put down with a click or a drag, then changed by their handles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import Qt
from wavelab.app.edits.object_edits import put_object
from wavelab.app.tools.drawing.insert import InsertTool
from wavelab.app.tools.drawing.ready_made import READY_MADE, Room
from wavelab.app.tools.tool import PointerEvent
from wavelab.errors import SceneError
from wavelab.paths import SCENES
from wavelab.scene.model.scene import Scene, Solver
from wavelab.scene.model.shapes import Lens, Rectangle, Screen, area_of
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

ROOM = Room((0.0, 0.0), (3.0, 2.0), 0.2, 0.05)
SCENE = Scene("", Solver(0.05), outline=Rectangle(ROOM.lower, ROOM.upper))


def at(x: float, y: float, button: str = "left", **more: bool) -> PointerEvent:
    return PointerEvent(x, y, 0.002, button, **more)


@pytest.mark.parametrize("key", READY_MADE)
def test_each_has_its_place_its_name_and_its_line_in_a_scene_file(key):
    what = READY_MADE[key]
    shape = what.put((1.5, 1.0), ROOM)
    scene = put_object(put_object(SCENE, what, shape).scene, what, shape.shifted((0.4, 0))).scene
    first, second = getattr(scene, what.becomes)
    assert (first.name, second.name) == (what.name, f"{what.name} 2")
    assert parse_scene(dump_scene(scene)) == scene
    middle = area_of(shape).centroid
    assert (middle.x, middle.y) == pytest.approx((1.5, 1.0), abs=0.3)
    with pytest.raises(SceneError, match="outside the domain"):
        put_object(SCENE, what, shape.shifted((30, 0)))


def test_a_click_puts_a_screen_across_and_a_drag_says_how_long_it_is_and_how_it_leans():
    put: list[Screen] = []
    tool = InsertTool(lambda _, shape: put.append(shape), room=lambda: ROOM)
    tool.chosen = "double_slit"
    tool.press(at(1.0, 0.8, ctrl=True))
    tool.release(at(1.0, 0.8, ctrl=True))
    (low, high) = put[0].bounds()
    assert low[1] <= 0.0
    assert high[1] >= 2.0
    assert put[0].width == pytest.approx(0.15)
    for ends in (((1.0, 0.5), (1.6, 1.3)), ((1.6, 1.3), (1.0, 0.5))):
        tool.press(at(*ends[0], ctrl=True))
        tool.move(at(*ends[1], ctrl=True))
        assert tool.overlay().strokes
        tool.release(at(*ends[1], ctrl=True))
    assert put[1] == put[2]
    assert (put[1].length, put[1].center) == (1.0, (1.3, 0.9))
    x, y = put[1].knobs()[1]  # the upper end
    assert (x, y) == pytest.approx((1.6, 1.3), abs=1e-3)
    tool.press(at(1.0, 0.5))
    tool.release(at(1.05, 1.5, shift=True))
    assert put[3].angle == 0
    tool.press(at(1.0, 0.5))
    tool.move(at(1.0, 1.5))
    assert tool.key("Escape")
    tool.release(at(1.0, 1.5))
    assert len(put) == 4


def test_a_teacher_puts_a_double_slit_and_makes_it_wider(driver):
    driver.press("A")
    page = driver.window.tool_panel.insert
    QTest.mouseClick(page.buttons["double_slit"], Qt.LeftButton)
    driver.point(0.5, 0.5)
    assert len(driver.canvas.tool.overlay().strokes) == 3
    driver.click(0.5, 0.5)
    (hole,) = driver.session.scene.holes
    assert (hole.name, hole.shape.slits, hole.shape.length) == ("double slit", 2, 1.0)
    driver.settled()
    mesh = driver.session.running.mesh
    assert mesh.signed_areas().sum() == pytest.approx(1 - area_of(hole.shape).area)
    # The handles are there at once; that of the width is the upper edge of the upper slit.
    assert driver.bench.toolbox.key == "select"
    x, y = hole.shape.knobs()[0]
    driver.drag((x, y), (x, y + 0.02), (x, y + 0.05), modifier=int(Qt.ControlModifier))
    wider = driver.session.scene.holes[0].shape
    assert wider.width == pytest.approx(hole.shape.width + 0.1, abs=0.01)
    assert replace(wider, width=hole.shape.width) == hole.shape
    driver.settled()
    assert "double slit.slits" in driver.session.running.mesh.face_names
    # Too wide is refused while it is dragged, and nothing comes of it.
    x, y = wider.knobs()[0]
    driver.drag((x, y), (x, y + 0.2), modifier=int(Qt.ControlModifier), release=False)
    assert "apart" in driver.canvas.tool.hint
    driver.let_go(x, y + 0.2, modifier=int(Qt.ControlModifier))
    assert driver.session.scene.holes[0].shape == wider
    for _ in range(2):
        driver.press("Ctrl+Z")
    assert driver.session.scene.holes == ()


def test_the_focus_of_a_lens_is_a_number_that_one_drags_or_edits(driver):
    driver.window.actions_by_id["insert.lens"].trigger()
    assert driver.window.tool_panel.insert.buttons["lens"].isChecked()
    driver.drag((0.3, 0.3), (0.3, 0.6), (0.3, 0.7))
    (region,) = driver.session.scene.materials
    assert isinstance(region.shape, Lens)
    assert region.shape.aperture == pytest.approx(0.4, abs=0.03)
    assert region.material.epsilon == region.shape.index**2
    x, y = region.shape.knobs()[0]
    assert (x - region.shape.center[0], y) == pytest.approx(
        (region.shape.focal_length, 0.5), abs=0.02
    )
    driver.point(x, y)
    assert "focal length" in driver.canvas.tool.hint
    driver.drag((x, y), (x + 0.1, y), modifier=int(Qt.ControlModifier))
    shape = driver.session.scene.materials[0].shape
    assert shape.focal_length == pytest.approx(region.shape.focal_length + 0.1, abs=0.01)
    # A longer focal length is a flatter lens.
    assert np.ptp([p[0] for p in shape.bounds()]) < np.ptp([p[0] for p in region.shape.bounds()])


def test_a_mesh_file_takes_no_objects_and_the_hint_says_so():
    put: list[Screen] = []
    tool = InsertTool(lambda _, shape: put.append(shape))
    assert "mesh file" in tool.hint
    tool.press(at(0.5, 0.5))
    tool.release(at(0.5, 0.5))
    assert not put


def test_a_handle_of_what_follows_a_slider_moves_the_slider(start):
    driver = start(SCENES / "double_slit.toml")
    driver.press("V")
    shape = driver.session.scene.holes[0].shape
    driver.click(shape.center[0], shape.center[1])
    x, y = shape.knobs()[0]
    driver.drag((x, y), (x, y + 0.02), (x, y + 0.05), modifier=int(Qt.ControlModifier))
    scene = driver.session.scene
    assert scene.values["width"] == pytest.approx(0.26, abs=0.021)
    assert (scene.values["d"], scene.holes[0].shape.width) == (0.8, scene.values["width"])
    assert scene.holes[0].shape.width.text == "width"
    driver.settled()
    driver.press("Ctrl+Z")
    assert driver.session.scene.values["width"] == 0.16
