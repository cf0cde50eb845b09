"""Choosing walls edge by edge: the edits, the tool, and a person at the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import pick
from tests.sample_meshes import jittered_square
from wavelab.app.base.qt import Qt
from wavelab.app.edits import wall_edits
from wavelab.app.edits.edit_price import Price, price
from wavelab.app.panels.fields.number_fields import FROM_ZERO
from wavelab.app.tools.tool import PointerEvent
from wavelab.app.tools.wall import WallTool
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import discretize
from wavelab.output.edge_lines import distance, edge_lines
from wavelab.output.scene_drawing import draw_scene
from wavelab.scene.edges.edge_lines import entrance
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.model.scene import Hole, Scene, Solver, Wall
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.sources import GuidedMode
from wavelab.scene.walls import (
    AbsorbingWall,
    Conductor,
    ImpedanceWall,
    MagneticWall,
    OpenWall,
    PeriodicWall,
)
from wavelab.scene.walls.wall_edges import edge_names, partners
from wavelab.scene.waveforms import Sine

BOX = Scene(
    "box",
    Solver(0.1),
    outline=Rectangle((0, 0), (2, 1)),
    holes=(
        Hole("disk", Ellipse((0.5, 0.5), (0.2, 0.1))),
        Hole("step", Rectangle((1, 0), (1.2, 1))),
    ),
)


def walls_after(scene: Scene, *changes: tuple[str, type[Wall]]) -> tuple[Wall, ...]:
    for edge, kind in changes:
        scene = wall_edits.set_wall(scene, edge, kind(())).scene
    return scene.walls


def test_an_edge_gets_its_own_wall_and_joins_those_of_its_kind():
    assert walls_after(BOX, ("domain.left", MagneticWall)) == (MagneticWall(("domain.left",)),)
    both = walls_after(BOX, ("domain.left", OpenWall), ("domain.top", OpenWall))
    assert both == (OpenWall(("domain.left", "domain.top")),)
    assert walls_after(BOX, ("disk.rim", AbsorbingWall), ("disk.rim", Conductor)) == ()


def test_one_edge_of_a_shape_that_was_named_whole_is_overridden():
    scene = wall_edits.set_wall(BOX, "domain", AbsorbingWall(())).scene
    scene = wall_edits.set_wall(scene, "domain.top", Conductor(())).scene
    assert scene.walls == (AbsorbingWall(("domain",)), Conductor(("domain.top",)))
    # Back to what all of it has: nothing is left to be said.
    scene = wall_edits.set_wall(scene, "domain.top", AbsorbingWall(())).scene
    assert scene.walls == (AbsorbingWall(("domain",)),)


def test_all_edges_of_a_shape_get_a_wall_by_its_name():
    lake = replace(BOX, walls=(MagneticWall(("domain.left",)), ImpedanceWall(("step.top",), 2.0)))
    every = [name for name in edge_names(lake) if name.startswith("domain.")]
    edit = wall_edits.set_walls(lake, (*every, "disk.rim"), AbsorbingWall(()))
    assert edit.scene.walls == (
        ImpedanceWall(("step.top",), 2.0),
        AbsorbingWall(("domain",)),
        AbsorbingWall(("disk",)),
    )
    assert wall_edits.set_walls(edit.scene, every, Conductor(())).scene.walls == (
        ImpedanceWall(("step.top",), 2.0),
        AbsorbingWall(("disk",)),
    )
    two = wall_edits.set_walls(edit.scene, ("domain.left", "domain.top"), MagneticWall(()))
    assert two.scene.walls[-1] == MagneticWall(("domain.left", "domain.top"))
    for scene, edges in ((edit.scene, every), (two.scene, ("domain.left", "domain.top"))):
        kinds = {type(wall_at(edge, scene)) for edge in edges}
        assert len(kinds) == 1
    glued = wall_edits.glue(BOX, "domain.left", "step.right").scene
    freed = wall_edits.set_walls(glued, every, AbsorbingWall(()))
    assert freed.notes == ("step.right has lost its pair and is a conductor now",)
    with pytest.raises(SceneError, match="hole"):
        wall_edits.set_walls(BOX, ("disk.rim", "domain.left"), OpenWall(()))


LAKE = """\
title = "Lake"
[domain]
shape = "polygon"
vertices = [[0, 0], [2, 0], [2.3, 0.5], [2, 1], [1, 1.2], [0, 1]]
[[walls]]
edges = ["domain"]
kind = "absorbing"
[solver]
element_size = 0.3
order = 2
"""


def test_all_edges_of_an_outline_are_changed_at_once(start, tmp_path):
    path = tmp_path / "lake.toml"
    path.write_text(LAKE)
    driver = start(path)
    before = driver.session.scene
    driver.press("W")
    panel = driver.window.tool_panel.wall
    driver.click(1.0, 0.0)
    assert panel.every.text() == "All edges of domain"
    QTest.mouseClick(panel.every, Qt.LeftButton)
    assert "6 edges" in panel.name.text()
    assert panel.kind.currentText() == "absorbing"
    pick(panel.kind, "magnetic wall")
    driver.settled()
    assert driver.session.running.scene.walls == (MagneticWall(("domain",)),)
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.walls == before.walls
    # Two of them, which differ.
    driver.press("Esc")
    driver.click(1.0, 0.0)
    pick(panel.kind, "conductor")
    driver.click(0.0, 0.5, modifier=Qt.ShiftModifier)
    assert panel.kind.currentText() == ""
    assert "different walls" in panel.note.text()
    pick(panel.kind, "impedance")
    driver.settled()
    scene = driver.session.running.scene
    assert {type(wall_at(edge, scene)) for edge in driver.canvas.tool.all_picked} == {ImpedanceWall}
    # A double click picks all of them.
    place = driver.place(0.0, 0.5)
    QTest.mouseClick(driver.canvas, Qt.LeftButton, pos=place)
    QTest.mouseDClick(driver.canvas, Qt.LeftButton, pos=place)
    assert len(driver.canvas.tool.all_picked) == 6


def test_a_pair_goes_as_a_whole_and_says_so():
    scene = wall_edits.glue(BOX, "domain.left", "step.right").scene
    assert scene.walls == (PeriodicWall(("domain.left", "step.right")),)
    edit = wall_edits.set_wall(scene, "domain.left", AbsorbingWall(()))
    assert edit.scene.walls == (AbsorbingWall(("domain.left",)),)
    assert edit.notes == ("step.right has lost its pair and is a conductor now",)
    assert price(scene, edit.scene) is Price.OPERATOR
    assert price(BOX, scene) is Price.MESH
    again = wall_edits.glue(scene, "domain.left", "domain.right").scene
    assert again.walls == (PeriodicWall(("domain.left", "domain.right")),)


def test_what_cannot_be_is_refused_with_a_reason():
    with pytest.raises(SceneError, match="long"):
        wall_edits.glue(BOX, "domain.left", "domain.top")
    with pytest.raises(SceneError, match="hole"):
        wall_edits.set_wall(BOX, "disk.rim", OpenWall(()))
    fitting = [name for name, why in partners(BOX, "domain.left").items() if not why]
    assert fitting == ["domain.right", "step.right", "step.left"]
    assert partners(BOX, "domain.left")["domain.top"] == "domain.top is 2 long, domain.left 1"
    assert partners(BOX, "domain.left")["disk.rim"] == "disk.rim is not straight"


def test_every_edge_has_lines_where_it_is():
    lines = edge_lines(BOX, None)
    assert tuple(lines) == edge_names(BOX)
    assert distance(lines["domain.left"], -0.3, 0.5) == pytest.approx(0.3)
    assert distance(lines["disk.rim"], 0.5, 0.5) == pytest.approx(0.1, abs=1e-3)
    (rim,) = lines["disk.rim"]
    assert np.array_equal(rim[0], rim[-1])


def test_the_edges_of_a_mesh_file_are_known_and_waves_drawn_at_them():
    mesh = jittered_square(4)
    scene = Scene(
        "file",
        Solver(0.1),
        outline=None,
        mesh_file=Path("square.msh"),
        sources=(GuidedMode("m", mesh.face_names[0], 1.0, Sine(2.0)),),
    )
    lines = edge_lines(scene, mesh)
    assert set(lines) == set(mesh.face_names)
    for name in lines:
        place = entrance(lines[name])
        middle = np.subtract((0.5, 0.5), place.at)
        assert np.dot(middle, place.inward) == pytest.approx(0.5)
        assert place.length == pytest.approx(1.0)
    (mark,) = draw_scene(scene, discretize(mesh, 1)).sources
    assert mark.arrow[0] == pytest.approx(entrance(lines[mesh.face_names[0]]).at)
    assert len(mark.waves) == 1


class Controller:
    """A tool over the box, and what it asked for."""

    def __init__(self) -> None:
        self.picked: list[str | None] = []
        self.glued: list[tuple[str, str]] = []
        lines = edge_lines(BOX, None)
        self.tool = WallTool(
            self.picked.append,
            glue=lambda *pair: self.glued.append(pair),
            edges=lambda: lines,
            describe=lambda _: "conductor",
            partners=lambda edge: partners(BOX, edge),
        )

    def click(self, x: float, y: float) -> None:
        self.tool.move(PointerEvent(x, y, 0.002))
        self.tool.press(PointerEvent(x, y, 0.002, "left"))


def test_pointing_at_an_edge_names_it_and_a_click_picks_it():
    controller = Controller()
    controller.tool.move(PointerEvent(0.01, 0.4, 0.002))
    assert controller.tool.hint.startswith("domain.left: conductor")
    assert controller.tool.overlay().label == "domain.left: conductor"
    controller.click(0.01, 0.4)
    controller.click(0.7, 0.5)
    controller.click(1.5, 0.5)
    assert controller.picked == ["domain.left", "disk.rim", None]


def test_partners_that_fit_are_marked_and_others_say_why_not():
    controller = Controller()
    controller.click(0.0, 0.4)
    controller.tool.look_for_partner()
    tones = [stroke.tone for stroke in controller.tool.overlay().strokes]
    assert tones.count("fitting") == 3
    assert tones.count("faint") == 5
    controller.click(1.5, 1.0)
    assert "is 2 long" in controller.tool.hint
    assert controller.glued == []
    controller.click(1.99, 0.4)
    assert controller.glued == [("domain.left", "domain.right")]
    assert not controller.tool.gluing


def test_the_keys_do_it_too():
    controller = Controller()
    controller.tool.key("Tab")
    controller.tool.key("Tab")
    assert controller.picked == ["domain.bottom", "domain.right"]
    controller.tool.look_for_partner()
    controller.tool.key("Tab")
    controller.tool.key("Enter")
    assert controller.glued == [("domain.right", "domain.left")]
    controller.tool.key("Escape")
    assert controller.tool.picked is None
    assert not controller.tool.wants_key("Escape")


def test_a_person_makes_walls_and_takes_them_back(driver):
    driver.press("W")
    driver.click(0.0, 0.4)
    panel = driver.window.tool_panel.wall
    assert panel.name.text() == "domain.left"
    mesh = driver.session.running.mesh
    box = panel.kind
    box.setFocus()
    QTest.keyClick(box, Qt.Key_Down)
    driver.settled()
    assert driver.session.scene.walls == (MagneticWall(("domain.left",)),)
    assert driver.session.running.mesh is mesh
    assert driver.canvas.tool.hint.startswith("domain.left: magnetic wall")
    for _ in range(3):
        QTest.keyClick(box, Qt.Key_Down)
    driver.settled()
    assert driver.session.scene.walls == (ImpedanceWall(("domain.left",), 1.0),)
    field = panel.numbers[ImpedanceWall, "impedance"]
    field.lineEdit().selectAll()
    QTest.keyClicks(field.lineEdit(), "0.25")
    QTest.keyClick(field, Qt.Key_Return)
    driver.settled()
    assert driver.session.running.scene.walls == (ImpedanceWall(("domain.left",), 0.25),)
    # 0 is a conductor; an arrow leads away from it.
    field.lineEdit().selectAll()
    QTest.keyClicks(field.lineEdit(), "0")
    QTest.keyClick(field, Qt.Key_Return)
    driver.settled()
    assert driver.session.running.scene.walls == (ImpedanceWall(("domain.left",), 0.0),)
    QTest.keyClick(field, Qt.Key_Up)
    driver.settled()
    assert driver.session.running.scene.walls == (ImpedanceWall(("domain.left",), FROM_ZERO),)
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.running.scene.walls == ()
    assert panel.kind.currentText() == "conductor"


def test_an_edge_that_has_no_partner_yet_has_no_numbers_of_a_pair(driver):
    driver.press("W")
    driver.click(0.0, 0.4)
    panel, box = driver.window.tool_panel.wall, driver.window.tool_panel.wall.kind
    box.setCurrentIndex(box.findText("periodic"))
    box.activated.emit(box.currentIndex())
    driver.settled()
    (phase,) = panel.angles.values()
    assert driver.canvas.tool.gluing
    assert panel.partner.isVisible()
    assert not phase.isVisible()
    phase.valueChanged.emit(1.0)  # whatever makes it change
    driver.settled()
    assert driver.session.scene.walls == ()


def test_a_person_glues_two_edges(driver):
    driver.press("W")
    driver.click(0.0, 0.4)
    panel = driver.window.tool_panel.wall
    panel.kind.setFocus()
    QTest.keyClick(panel.kind, Qt.Key_End)
    assert driver.canvas.tool.gluing
    driver.click(0.4, 1.0)
    driver.settled()
    assert driver.session.running.scene.walls == (PeriodicWall(("domain.left", "domain.top")),)
    assert "domain.top" in panel.partner.text()
    near = driver.session.running.problem.discretization.connectivity
    sides = driver.session.running.mesh
    assert near.is_boundary.sum() == (sides.face_tags >= 0).sum() / 2
    mesh = driver.session.running.mesh
    QTest.keyClick(panel.kind, Qt.Key_Home)
    driver.settled()
    assert driver.session.running.scene.walls == ()
    assert driver.session.running.mesh is mesh


def test_escape_lets_go_and_then_leaves_the_tool(driver):
    driver.press("W")
    driver.press("Tab")
    assert driver.canvas.tool.picked == "domain.bottom"
    driver.press("Escape")
    assert driver.canvas.tool.picked is None
    driver.press("Escape")
    driver.press("Escape")
    assert driver.bench.toolbox.key == "ping"
