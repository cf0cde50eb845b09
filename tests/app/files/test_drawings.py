"""Drawings are opened and dropped: as a domain of their own, or as obstacles."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt5.QtTest import QTest

from tests import sample_drawings as made
from tests.app.conftest import SMALL_SCENE
from wavelab.app.base.qt import Qt
from wavelab.app.edits.edits import Edit
from wavelab.app.files import drawings
from wavelab.app.files.files import OPEN_FILTERS
from wavelab.meshing.drawings.roles import Role
from wavelab.paths import MESHES
from wavelab.scene.model.scene import Material
from wavelab.scene.model.shapes import Ellipse, Rectangle

REFERENCE = Path(__file__).parents[2] / "reference" / "nodal_dg"

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="80mm" viewBox="0 0 40 20">
<rect width="40" height="20"/>
<circle id="rod" cx="10" cy="5" r="2"/>
<circle cx="30" cy="15" r="2"/><circle cx="30" cy="15" r="1"/>
</svg>"""
PLAN = made.dxf(made.polyline((0, 0), (3, 0), (3, 2), (0, 2)))
CHIP = made.gds(
    {"TOP": made.path([(-4000, 0), (4000, 0)], 500) + made.boundary(made.circle(900), 2)}
)
RODS = DRAWING.replace('<rect width="40" height="20"/>', "")


def silicon(layers):
    role = Role("material", Material(epsilon=12.0))
    return [(layer, role) for layer in layers]


def choose(driver, text):
    driver.until(lambda: driver.window.message.button(text) is not None)
    QTest.mouseClick(driver.window.message.button(text), Qt.LeftButton)


def test_a_drawing_is_opened_as_a_domain(driver, tmp_path):
    path = driver.dialogs.path = tmp_path / "room.svg"
    path.write_text(DRAWING)
    driver.press("Ctrl+O")
    driver.until(lambda: driver.session.scene.title == "room")
    assert "Left out an outline of room.svg" in driver.window.message.text
    driver.settled()
    scene = driver.session.scene
    assert scene.outline == Rectangle((0, 0), (2, 1))
    assert [hole.name for hole in scene.holes] == ["rod", "obstacle 2"]
    assert scene.solver.order == 2  # as before
    assert [a.text() for a in driver.window.recent_menu.actions()] == ["room.svg"]
    # It is on no disk yet, and saved as a scene of its own.
    assert driver.window.isWindowModified()
    driver.dialogs.path = tmp_path / "room.toml"
    driver.press("Ctrl+S")
    driver.until(lambda: not driver.window.isWindowModified())
    assert path.read_text() == DRAWING
    driver.press("Ctrl+Z")
    assert driver.session.scene.title == "Small box"


def test_every_kind_of_file_that_is_offered_opens(driver, tmp_path):
    contents = {
        ".toml": SMALL_SCENE,
        ".svg": DRAWING,
        ".msh": (MESHES / "square.msh").read_text(),
        ".neu": (REFERENCE / "mesh.neu").read_text(),
        ".node": "4 2 0 1\n1 0 0 1\n2 1 0 1\n3 1 1 1\n4 0 1 1\n",
        ".ele": "2 3 1\n1 1 2 3 0\n2 1 4 3 8\n",
    }
    for suffix, content in contents.items():
        (tmp_path / f"a{suffix}").write_text(content)
    contents |= {".dxf": PLAN, ".gds": CHIP, ".gds2": CHIP}
    (tmp_path / "a.dxf").write_text(PLAN)
    (tmp_path / "a.gds").write_bytes(CHIP)
    (tmp_path / "a.gds2").write_bytes(CHIP)
    driver.dialogs.layers = silicon
    offered = set(re.findall(r"\*(\.\w+)", OPEN_FILTERS))
    assert offered == set(contents)
    for suffix in offered:
        before = driver.session.running
        driver.dialogs.path = tmp_path / f"a{suffix}"
        driver.press("Ctrl+O")
        driver.until(lambda before=before: driver.session.running is not before)
        driver.settled()
        assert not driver.window.message.is_error


def test_a_drawing_that_is_dropped_is_what_one_chooses(driver, tmp_path):
    path = tmp_path / "rods.svg"
    path.write_text(RODS)
    driver.drop(path)
    choose(driver, "Obstacles")
    driver.until(lambda: driver.session.scene.holes)
    driver.settled()
    scene = driver.session.scene
    assert scene.outline == Rectangle((0, 0), (1, 1))
    # 24 by 14 in the drawing, half of 1 by 1.
    rod, other = scene.holes
    assert rod.name == "rod"
    assert isinstance(rod.shape, Ellipse)
    assert rod.shape.center == pytest.approx((0.5 - 10 / 48, 0.5 + 5 / 48))
    assert other.shape.center == pytest.approx((0.5 + 10 / 48, 0.5 - 5 / 48))
    assert rod.shape.radii == pytest.approx((2 / 48, 2 / 48))
    driver.drop(path)
    choose(driver, "Obstacles")
    driver.until(lambda: len(driver.session.scene.holes) == 4)
    assert len({hole.name for hole in driver.session.scene.holes}) == 4
    driver.press("Ctrl+Z")
    driver.press("Ctrl+Z")
    assert driver.session.scene.holes == ()
    driver.drop(path)
    choose(driver, "New domain")
    driver.until(lambda: "rew a frame around" in driver.window.message.text)
    driver.settled()
    assert len(driver.session.scene.holes) == 2
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.title == "Small box"
    # What cannot be read is neither.
    path.write_text(DRAWING.replace("<circle id", "<text>hi</text><circle id"))
    driver.window.message.clear()
    driver.drop(path)
    driver.until(lambda: driver.window.message.is_error)
    assert "rods.svg:3: the text is text" in driver.window.message.text
    assert driver.window.message.button("New domain") is None
    path.write_text(DRAWING)
    driver.drop(path)
    choose(driver, "New domain")
    driver.until(lambda: driver.session.scene.title == "rods")
    driver.settled()


def test_a_frame_around_a_drawing_can_be_left_out(driver, tmp_path):
    path = tmp_path / "logo.svg"
    page = '<rect id="page" x="-2" y="-2" width="44" height="24"/>'
    path.write_text(DRAWING.replace("<rect", f"{page}<rect"))
    driver.drop(path)
    choose(driver, "Frame as obstacle")
    driver.until(lambda: driver.session.scene.holes)
    assert [hole.name for hole in driver.session.scene.holes] == ["page"]
    driver.press("Ctrl+Z")
    driver.settled()
    driver.drop(path)
    driver.until(lambda: 'All others are within rect "page"' in driver.window.message.text)
    choose(driver, "Obstacles without frame")
    driver.until(lambda: "All others are within the rect" in driver.window.message.text)
    choose(driver, "Obstacles without frame")
    driver.until(lambda: driver.session.scene.holes)
    rod, other = driver.session.scene.holes
    assert (rod.name, other.name) == ("rod", "obstacle 2")
    # 24 by 14 in the drawing, half of 1 by 1.
    assert rod.shape.center == pytest.approx((0.5 - 10 / 48, 0.5 + 5 / 48))
    driver.settled()


def test_in_a_mesh_from_a_file_there_is_nothing_to_choose(driver, tmp_path):
    from wavelab.meshing.formats import write_mesh

    write_mesh(driver.session.running.mesh, tmp_path / "box.msh")
    driver.drop(tmp_path / "box.msh")
    driver.settled()
    (tmp_path / "room.svg").write_text(DRAWING)
    driver.drop(tmp_path / "room.svg")
    driver.until(lambda: driver.session.scene.title == "room")
    driver.settled()


def test_what_comes_while_a_drawing_is_read_stays(driver, tmp_path, monkeypatch):
    going = threading.Event()
    for name in ("scene_of_drawing", "obstacles_of_drawing"):
        real = getattr(drawings, name)
        monkeypatch.setattr(
            drawings, name, lambda *a, real=real, **k: going.wait(60) and real(*a, **k)
        )
    window, session = driver.window, driver.session
    room, rods = tmp_path / "room.svg", tmp_path / "rods.svg"
    room.write_text(DRAWING)
    rods.write_text(RODS)
    try:
        driver.dialogs.path = room
        driver.press("Ctrl+O")
        driver.press("Ctrl+N")
        driver.until(lambda: "Left out room.svg: another scene came" in window.message.text)
        driver.settled()
        new = session.scene
        driver.drop(rods)
        choose(driver, "Obstacles")
        wider = replace(new, outline=Rectangle((0, 0), (4, 2)))
        session.apply(Edit("Resize domain", wider))
        driver.until(lambda: "Left out rods.svg: the domain changed" in window.message.text)
        driver.drop(rods)
        choose(driver, "Obstacles")
        driver.press("Ctrl+O")
        driver.until(lambda: "Left out rods.svg: room.svg was asked" in window.message.text)
        assert session.scene == wider
    finally:
        going.set()
    driver.until(lambda: session.scene.title == "room")
    driver.settled()
    driver.press("Ctrl+Z")
    assert session.scene == wider


@pytest.mark.parametrize("way", ["open", "import", "drop"])
def test_layers_of_a_layout_become_what_is_said_of_them(way, driver, tmp_path):
    path = driver.dialogs.path = tmp_path / "chip.gds"
    path.write_bytes(CHIP)
    asked: list = []
    driver.dialogs.layers = asked.append
    act = {
        "open": lambda: driver.press("Ctrl+O"),
        "import": driver.window.actions_by_id["import_drawing"].trigger,
        "drop": lambda: driver.drop(path),
    }[way]
    before = driver.session.scene
    act()
    driver.until(lambda: asked)
    assert driver.session.scene is before  # who changes their mind keeps the scene
    driver.dialogs.layers = silicon
    act()
    driver.until(lambda: driver.session.scene.title == "chip")
    driver.settled()
    scene = driver.session.scene
    assert {region.material for region in scene.materials} == {Material(epsilon=12.0)}
    assert scene.units.length == "um"
    assert scene.solver.order == 2  # as before
    driver.press("Ctrl+Z")
    assert driver.session.scene.title == "Small box"


def test_a_dropped_drawing_with_layers_can_be_taken_by_them(driver, tmp_path):
    path = tmp_path / "room.svg"
    path.write_text(DRAWING.replace('id="rod"', 'id="rod" fill="#0000ff"'))
    driver.drop(path)
    driver.dialogs.layers = silicon
    choose(driver, "By layers")
    driver.until(lambda: driver.session.scene.title == "room")
    driver.settled()
    assert driver.session.scene.materials
