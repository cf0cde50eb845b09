"""A person who draws round things: real mouse and key events, and what becomes of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.sample_scenes import boxed
from wavelab.app.base.qt import Qt
from wavelab.app.edits.edits import set_curved
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.model.shapes.arcs import bulge_through, middle_of
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import MagneticWall


def area(driver) -> float:
    d = driver.session.running.problem.discretization
    return float(d.integrate(np.ones(d.shape)).sum())


def read_back(driver):
    """The scene as it is when it was saved and opened again."""
    scene = driver.session.scene
    return replace(parse_scene(dump_scene(scene)), path=scene.path)


def test_a_drawn_circle_is_a_circle_until_it_is_switched_off(driver):
    switch = driver.window.mesh_panel.curved
    assert switch.isChecked()
    driver.press("E")
    driver.drag((0.3, 0.3), (0.7, 0.7), modifier=Qt.ShiftModifier)
    driver.settled()
    (hole,) = driver.session.scene.holes
    assert isinstance(hole.shape, Ellipse)
    a, b = hole.shape.radii
    assert a == b
    cut = math.pi * a * b
    # Of order 2: the arc is a polynomial of that degree.
    assert 1 - area(driver) == pytest.approx(cut, rel=2e-4)
    switch.click()
    driver.settled()
    assert not driver.session.scene.solver.curved
    assert 1 - area(driver) < 0.97 * cut
    assert driver.window.actions_by_id["undo"].text() == "&Undo straight faces"
    driver.press("Ctrl+Z")
    driver.settled()
    assert switch.isChecked()
    assert 1 - area(driver) == pytest.approx(cut, rel=2e-4)
    assert read_back(driver) == driver.session.scene
    assert "time step" in switch.toolTip()
    assert switch.accessibleName() == "Faces"
    scene = set_curved(driver.session.scene, False).scene
    assert not scene.solver.curved
    driver.window.mesh_panel.show_scene(replace(scene, outline=None, mesh_file=Path("a.msh")))
    assert switch.isEnabled()
    assert "Gmsh" in switch.toolTip()
    assert "straight" in switch.toolTip()


def test_what_refuses_round_faces_says_so_and_the_switch_goes_back(tmp_path, start):
    path = tmp_path / "entrance.toml"
    path.write_text(ENTRANCE, encoding="utf-8")
    driver = start(path)
    switch = driver.window.mesh_panel.curved
    assert not switch.isChecked()
    switch.click()
    driver.until(lambda: "curved edge" in driver.window.message.text)
    assert "curved = false" in driver.window.message.text
    driver.until(lambda: not switch.isChecked())
    assert not driver.session.scene.solver.curved
    driver.settled()


#: A wave through a round wall, which can be cut into straight faces alone.
ENTRANCE = """\
title = "Round entrance"
[domain]
shape = "polygon"
vertices = [[0, 0], [1, 0], [1, 1], [0, 1]]
bulges = [0, 0, 0, 0.4]
[[walls]]
edges = ["domain.3"]
kind = "absorbing"
[[sources]]
kind = "plane_wave"
name = "wave"
direction = 0
amplitude = 1
edges = ["domain.3"]
waveform = { kind = "sine", frequency = 1 }
[solver]
element_size = 0.3
order = 2
curved = false
"""


def test_tool_pages_are_as_high_as_they_need_and_stand_first(driver):
    driver.window.resize(1200, 1000)
    for _ in range(5):
        driver.application.processEvents()
    gallery, column = driver.window.gallery, {}
    for tool in ("ping", "source", "draw", "select", "ping"):
        driver.bench.toolbox.choose(tool)
        for _ in range(5):
            driver.application.processEvents()
        panel = driver.window.tool_panel
        assert panel.height() == panel.sizeHint().height() or panel.hasHeightForWidth()
        panels = (driver.window.field_panel, driver.window.mesh_panel)
        column[tool] = (panel.y(), panel.height(), *(p.geometry() for p in panels), gallery.y())
    assert column["ping"][1] < column["draw"][1] < column["source"][1]
    assert column["ping"][4] < column["source"][4]
    assert len({where[0] for where in column.values()}) == 1
    # What lies below it is as high as before, and moves by what it is higher.
    higher = column["source"][1] - column["ping"][1]
    for before, after in zip(column["ping"][2:4], column["source"][2:4], strict=True):
        assert after == before.translated(0, higher)

    # The scenes below are covered or uncovered, where they are.
    def shown(tool: str) -> int:
        driver.bench.toolbox.choose(tool)
        for _ in range(5):
            driver.application.processEvents()
        return gallery.y() + gallery.visualItemRect(gallery.item(8)).y()

    shown("ping")
    assert shown("source") == shown("ping") == shown("draw")
    # Where there is no room for all, the page comes into sight.
    driver.window.resize(1000, 600)
    for tool in ("ping", "source"):
        driver.bench.toolbox.choose(tool)
        for _ in range(5):
            driver.application.processEvents()
    assert not panel.source.strength.visibleRegion().isEmpty()


def holed(tmp_path, start):
    """A window with a square obstacle, chosen with the select tool."""
    path = tmp_path / "holed.toml"
    path.write_text(HOLED, encoding="utf-8")
    driver = start(path)
    driver.press("V")
    driver.click(0.5, 0.5)
    return driver


HOLED = boxed(
    "Square hole",
    """\
[[holes]]
shape = "rectangle"
lower = [0.4, 0.4]
upper = [0.6, 0.6]
[[walls]]
kind = "magnetic"
edges = ["hole 1.top"]
[solver]
element_size = 0.1
order = 2
""",
)


def test_a_dragged_middle_makes_an_arc_through_the_pointer(tmp_path, start):
    driver = holed(tmp_path, start)
    driver.drag((0.5, 0.6), (0.5, 0.62), (0.52, 0.65))
    driver.settled()
    (hole,) = driver.session.scene.holes
    bulge = bulge_through((0.6, 0.6), (0.4, 0.6), (0.52, 0.65))
    assert hole.shape.bulges == pytest.approx((0, 0, bulge, 0), abs=0.03)
    # The side kept its wall, under the name that it has in a polygon.
    assert driver.session.scene.walls == (MagneticWall(("hole 1.2",)),)
    assert "polygon now" in driver.window.message.text
    area_of_segment = 0.04 + _segment(0.2, hole.shape.bulges[2])
    assert 1 - area(driver) == pytest.approx(area_of_segment, rel=1e-3)
    assert read_back(driver) == driver.session.scene
    # On the arc, and not on its chord, is its wall.
    driver.press("W")
    x, y = middle_of((0.6, 0.6), (0.4, 0.6), hole.shape.bulges[2])
    driver.click(x, y)
    assert driver.bench.toolbox.walls.tool.picked == "hole 1.2"
    (stroke,) = (s for s in driver.bench.toolbox.walls.tool.overlay().strokes if s.tone == "picked")
    assert max(point[1] for point in stroke.points) == pytest.approx(y, abs=1e-3)
    # A double click on the handle makes it straight; undo brings the arc and then the box back.
    driver.press("V")
    QTest.mouseDClick(driver.canvas, Qt.LeftButton, Qt.NoModifier, driver.place(x, y))
    driver.settled()
    assert driver.session.scene.holes[0].shape.bulges == ()
    for _ in range(2):
        driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.holes[0].shape == Rectangle((0.4, 0.4), (0.6, 0.6))


def _segment(chord: float, bulge: float) -> float:
    """Between an arc and its chord."""
    turn, radius = 4 * math.atan(bulge), chord * (1 + bulge**2) / (4 * bulge)
    return radius**2 * (turn - math.sin(turn)) / 2


def test_an_arc_that_cannot_be_is_red_and_leaves_the_shape_alone(tmp_path, start):
    driver = holed(tmp_path, start)
    before = driver.session.scene
    for end in ((0.5, 0.75), (0.5, 0.3), (3.0, 0.6), (0.4, 0.6)):
        driver.drag((0.5, 0.6), end, release=False)
        if end != (0.4, 0.6):
            assert driver.canvas.tool.overlay().invalid
            driver.until(lambda: "more than half a circle" in driver.window.hint.text())
        QTest.mouseRelease(driver.canvas, Qt.LeftButton, Qt.NoModifier, driver.place(*end))
        assert driver.session.scene.holes == before.holes
    # Two arcs that would cross.
    driver.drag((0.6, 0.6), (0.6, 0.5))
    driver.drag((0.5, 0.5), (0.5, 0.46))
    bowed = driver.session.scene
    driver.drag((0.5, 0.4), (0.5, 0.43), release=False)
    assert not driver.canvas.tool.overlay().invalid
    driver.pull(0.5, 0.48)
    overlay = driver.canvas.tool.overlay()
    assert overlay.invalid
    assert overlay.trouble is not None
    driver.until(lambda: "crosses itself" in driver.window.hint.text())
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, Qt.NoModifier, driver.place(0.5, 0.48))
    assert driver.session.scene is bowed
    driver.settled()


def test_a_corner_dragged_out_of_the_domain_and_back_at_high_zoom(tmp_path, start):
    driver = holed(tmp_path, start)
    driver.drag((0.6, 0.6), (1.2, 0.8))
    driver.settled()
    assert driver.session.scene.holes[0].shape.upper == pytest.approx((1.2, 0.8), abs=0.02)
    assert 1 - area(driver) == pytest.approx(0.6 * 0.4, rel=0.03)
    # All of the domain gone: refused at once.
    driver.drag((0.4, 0.4), (-0.4, -0.4))
    driver.drag(driver.session.scene.holes[0].shape.upper, (1.3, 1.3), release=False)
    driver.until(lambda: "nothing is left" in driver.window.hint.text())
    driver.press("Escape")
    driver.press("Ctrl+Z")
    # Many times larger on the screen, a pixel is nothing; what is refused stays as it was.
    corner = driver.session.scene.holes[0].shape.lower
    driver.canvas.look_at(corner)
    driver.canvas.zoom(1.25**30)
    x, y = corner
    driver.drag((x, y), (x + 30 * driver.canvas.view.pixel, y))
    driver.settled()
    assert driver.session.scene.holes[0].shape.lower[0] == pytest.approx(x, abs=0.05)


def test_undo_and_redo_as_fast_as_they_can_be_pressed_while_meshing(tmp_path, start):
    driver = holed(tmp_path, start)
    for height in (0.63, 0.68):
        driver.drag((0.5, driver_top(driver)), (0.5, height))
    shapes = driver.session.scene.holes[0].shape
    for _ in range(8):
        driver.press("Ctrl+Z")
        driver.press("Ctrl+Z")
        driver.press("Ctrl+Shift+Z")
        driver.application.processEvents()
    for _ in range(3):
        driver.press("Ctrl+Shift+Z")
    driver.settled()
    assert driver.session.scene.holes[0].shape == shapes
    assert 1 - area(driver) == pytest.approx(0.04 + _segment(0.2, shapes.bulges[2]), rel=1e-3)
    # In the middle of a drag, too.
    driver.drag((0.5, driver_top(driver)), (0.5, 0.7), release=False)
    driver.press("Ctrl+Z")
    driver.pull(0.5, 0.72)
    assert driver.canvas.tool.overlay().line == ()
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, Qt.NoModifier, driver.place(0.5, 0.72))
    driver.settled()
    assert driver.dialogs.errors == []


def driver_top(driver) -> float:
    """Where the handle of the upper edge is."""
    shape = driver.session.scene.holes[0].shape
    bulge = getattr(shape, "bulges", (0, 0, 0))[2]
    return middle_of((0.6, 0.6), (0.4, 0.6), bulge)[1]


def test_an_ellipse_has_handles_and_does_not_vanish(driver):
    driver.press("E")
    driver.drag((0.3, 0.3), (0.3, 0.3))
    assert driver.session.scene.holes == ()
    driver.until(lambda: "Too small" in driver.window.hint.text())
    driver.drag((0.3, 0.3), (0.7, 0.7))
    driver.press("V")  # what was drawn last is chosen
    shape = driver.session.scene.holes[0].shape
    (cx, cy), (a, _) = shape.center, shape.radii
    driver.drag((cx + a, cy), (cx + 0.3, cy))
    assert driver.session.scene.holes[0].shape.radii[0] == pytest.approx(0.3, abs=0.02)
    # To no width at all: refused, and it is still there.
    a = driver.session.scene.holes[0].shape.radii[0]
    driver.drag((cx + a, cy), (cx, cy), release=False)
    assert driver.canvas.tool.overlay().invalid
    driver.until(lambda: "radii" in driver.window.hint.text())
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, Qt.NoModifier, driver.place(cx, cy))
    assert driver.session.scene.holes[0].shape.radii[0] == a
    driver.drag((cx, cy), (cx + 0.05, cy + 0.1))
    driver.settled()
    moved = driver.session.scene.holes[0].shape
    assert moved.center == pytest.approx((cx + 0.05, cy + 0.1), abs=0.02)
    assert moved.radii[0] == a
