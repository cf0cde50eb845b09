"""Rows and grids at the window: one item, taken at any of its copies."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import pick
from wavelab.app.base.qt import Qt
from wavelab.app.tools.snapping import grid_spacing
from wavelab.scene.model.material import Material
from wavelab.scene.model.scene import Hole, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Grid, Rectangle, Repeated, Row
from wavelab.scene.toml.toml_io import load_scene

RODS = Repeated(Ellipse((0.2, 0.2), (0.06, 0.06)), Grid((3, 2), ((0.25, 0.0), (0.0, 0.25))))
SCENE = Scene(
    "rods",
    Solver(0.2, 2),
    holes=(Hole("post", Rectangle((0.1, 0.8), (0.2, 0.9))),),
    materials=(MaterialRegion("rods", Material(4.0), RODS),),
)
KIND, COUNT = ("shape", "repeat", "kind"), ("shape", "repeat", "count")


@pytest.fixture
def furnished(driver):
    driver.session.open(SCENE)
    driver.settled()
    driver.press("V")
    return driver


def rods(driver) -> Repeated:
    (region,) = driver.session.scene.materials
    return region.shape


def test_any_copy_stands_for_all_of_them(furnished):
    driver = furnished
    driver.point(0.7, 0.45)
    assert "rods" in driver.canvas.tool.overlay().label
    driver.click(0.7, 0.45)
    assert driver.bench.selection.item == ("materials", 0)
    panel = driver.window.property_panel
    assert [panel.items.itemText(i) for i in range(panel.items.count())].count("Material rods") == 1
    assert len(driver.canvas.tool.overlay().strokes) == 6
    # Between them there is the background.
    driver.hover(0.325, 0.325)
    assert "rods" not in driver.canvas.tool.overlay().label
    # The last copy is dragged, and all follow, in one step.
    step = grid_spacing(driver.canvas.view.pixel)
    driver.drag((0.7, 0.45), (0.7 + 2.1 * step, 0.45 + 1.1 * step))
    moved = rods(driver)
    assert moved.repeat == RODS.repeat
    assert moved.single().center == pytest.approx((0.2 + 2 * step, 0.2 + step))
    driver.settled()
    driver.press("Ctrl+Z")
    assert driver.session.scene == SCENE
    # A radius of the first is that of all.
    driver.settled()
    driver.click(0.2, 0.2)
    driver.drag((0.26, 0.2), (0.3, 0.2))
    radii = [part.radii[0] for part in rods(driver).parts()]
    assert radii == pytest.approx([0.1] * 6, abs=0.005)
    driver.settled()


def test_the_form_makes_a_row_of_an_obstacle(furnished, tmp_path):
    driver, panel = furnished, furnished.window.property_panel
    driver.click(0.15, 0.85)
    assert panel.controls[KIND].currentText() == "none"
    pick(panel.controls[KIND], "row")
    driver.settled()
    row = driver.session.scene.holes[0].shape
    assert isinstance(row.repeat, Row)
    count = panel.controls[COUNT]
    count.setFocus()
    count.selectAll()
    QTest.keyClicks(count, "4")
    QTest.keyClick(count, Qt.Key_Return)
    assert len(driver.session.scene.holes[0].shape.parts()) == 4
    # Nonsense stays in its field, with what is wrong below it.
    count.selectAll()
    QTest.keyClicks(count, "1000000000")
    QTest.keyClick(count, Qt.Key_Return)
    assert "2,500 copies" in panel.notes[COUNT].text()
    assert len(driver.session.scene.holes[0].shape.parts()) == 4
    driver.settled()
    driver.dialogs.path = tmp_path / "row.toml"
    driver.press("Ctrl+Shift+S")
    driver.until(driver.dialogs.path.is_file)
    assert "repeat = { count = 4, pitch = [0.2, 0] }" in driver.dialogs.path.read_text()
    assert load_scene(driver.dialogs.path).holes == driver.session.scene.holes


def test_it_is_broken_into_single_items_in_one_step(furnished):
    driver = furnished
    menu = driver.program.context_menu.made_at(driver.place(0.45, 0.45))
    (action,) = (a for a in menu.actions() if a.text() == "Break into single items")
    action.trigger()
    assert driver.session.history.undo_label == "Break material rods into single items"
    whole = driver.session.scene.materials
    assert [region.name for region in whole][:4] == ["rods 1-1", "rods 2-1", "rods 3-1", "rods 1-2"]
    assert tuple(region.shape for region in whole) == RODS.parts()
    assert len(driver.bench.selection.chosen) == 6
    driver.settled()
    # They are single now.
    driver.press("Escape")
    driver.click(0.45, 0.45)
    assert driver.bench.selection.item == ("materials", 4)
    driver.window.actions_by_id["break_up"].trigger()
    assert "nothing that is chosen is repeated" in driver.window.message.text.lower()
    driver.press("Ctrl+Z")
    assert driver.session.scene == SCENE
    driver.settled()
    menu = driver.program.context_menu.made_at(driver.place(0.15, 0.85))
    assert "Break into single items" not in [a.text() for a in menu.actions()]
    # Copied and pasted it is one row of two.
    driver.click(0.2, 0.2)
    driver.press("Ctrl+C")
    driver.point(0.5, 0.6)
    driver.press("Ctrl+V")
    first, second = driver.session.scene.materials
    assert second.shape.repeat == first.shape.repeat
    assert second.shape.single().center != first.shape.single().center
    driver.settled()
