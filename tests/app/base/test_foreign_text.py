"""Names in scenes and files are shown as they are, whatever Qt could read into them."""

from __future__ import annotations

from dataclasses import replace

from tests.app.conftest import SMALL_SCENE
from wavelab.app.base.foreign_text import as_tip, on_menu
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.edits.item_edits import remove
from wavelab.scene.model.scene import Hole
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.toml.toml_io import load_scene, save_scene

NAME = "<b>&Up &amp; down</b>"


def test_tips_and_menus():
    assert as_tip("x < 1 & y") == "x < 1 & y"
    assert as_tip('<img src="a">') == '<p>&lt;img src="a"&gt;</p>'
    assert on_menu("a & b") == "a && b"


def test_names_are_shown_as_they_are(driver, tmp_path):
    path = tmp_path / f"{NAME.replace('/', '')}.toml"
    path.write_text(SMALL_SCENE)
    hole = Hole(NAME, Rectangle((0.6, 0.6), (0.8, 0.8)))
    save_scene(
        replace(load_scene(path), title=NAME, description=NAME, holes=(hole,)),
        path,
    )
    driver.bench.files.open_path(path)
    driver.settled()
    window = driver.window
    driver.press("W")
    driver.click(0.7, 0.6)
    driver.until(lambda: NAME in window.hint.text())
    window.show_properties()
    panel = window.property_panel
    panel.show_note(next(iter(panel.controls)), NAME)
    shown = [label for label in window.findChildren(QtWidgets.QLabel) if NAME in label.text()]
    assert window.hint in shown
    assert set(panel.notes.values()) <= set(shown)
    assert [label for label in shown if label.textFormat() != Qt.PlainText] == []
    driver.bench.editor.apply(remove(driver.session.scene, [("holes", 0)]))
    driver.bench.catch_up()
    undo = window.actions_by_id["undo"].text()
    assert undo == f"&Undo remove obstacle {on_menu(NAME)}"
    (recent,) = window.recent_menu.actions()
    assert recent.text() == on_menu(path.name)
    tips = [recent.toolTip()]
    for row in range(window.gallery.count()):
        tips.append(window.gallery.item(row).toolTip())
    assert sum(as_tip(NAME) == tip for tip in tips) == 1
    assert not any("<b>" in tip for tip in tips)
