"""The dialog of layers, with real clicks and keys."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from tests import sample_drawings as made
from wavelab.app.base.qt import Qt
from wavelab.app.panels.dialogs.layers_dialog import LayersDialog
from wavelab.meshing.drawings.layers import layers_of
from wavelab.meshing.drawings.reading import read_document
from wavelab.meshing.drawings.roles import role_of, usual_number
from wavelab.scene.model.scene import Material
from wavelab.scene.systems import SYSTEMS

PLAN = made.dxf(
    made.polyline((0, 0), (40, 0), (40, 20), (0, 20), layer="room")
    + made.entity("CIRCLE", (10, 10), (20, 10), (40, 3), layer="pillar")
    + made.entity("CIRCLE", (10, 30), (20, 10), (40, 4), layer="glass")
)


@pytest.fixture
def dialog_of(driver, tmp_path):
    path = tmp_path / "plan.dxf"
    path.write_text(PLAN)
    document = read_document(path)
    layers, _ = layers_of(document)
    all_shown = []

    def shown(physics: str) -> LayersDialog:
        dialog = LayersDialog(driver.window, path.name, document, layers, physics, None)
        dialog.show()
        all_shown.append(dialog)
        return dialog

    yield shown
    for dialog in all_shown:
        dialog.close()
        dialog.deleteLater()


@pytest.fixture
def dialog(dialog_of):
    return dialog_of("light")


def pick(box, text: str) -> None:
    """As a hand does, with the keys up and down."""
    box.setFocus()
    number = box.findData(text)
    assert number >= 0
    while box.currentIndex() != number:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key_Down if before < number else Qt.Key_Up)
        assert box.currentIndex() != before


def ok(dialog) -> None:
    button = dialog.buttons.button(dialog.buttons.Ok)
    QTest.mouseClick(button, Qt.LeftButton)


def test_what_is_around_all_is_the_domain_at_first(dialog):
    assert [dialog.role(name).currentText() for name in ("room", "pillar", "glass")] == [
        "domain", "obstacle", "obstacle",
    ]  # fmt: skip
    assert dialog.table.item(1, 2).text() == "28.3 mm\u00b2"
    ok(dialog)
    assert [role.becomes for _, role in dialog.roles] == ["domain", "obstacle", "obstacle"]
    assert not dialog.isVisible()


def test_roles_media_and_walls_are_chosen_and_rows_moved(dialog):
    pick(dialog.role("glass"), "material")
    detail = dialog.detail("glass")
    detail.lineEdit().selectAll()
    QTest.keyClicks(detail.lineEdit(), "epsilon=-x")
    ok(dialog)
    assert dialog.isVisible()
    assert 'glass: epsilon = "-x" is no number' in dialog.note.text()
    detail.lineEdit().selectAll()
    QTest.keyClicks(detail.lineEdit(), "index=1.5")
    pick(dialog.detail("pillar"), "magnetic")
    cell = dialog.table.visualItemRect(dialog.table.item(2, 0)).center()
    QTest.mouseClick(dialog.table.viewport(), Qt.LeftButton, pos=cell)
    QTest.mouseClick(dialog.up, Qt.LeftButton)
    assert [dialog.table.item(i, 0).text() for i in range(3)] == ["room", "glass", "pillar"]
    assert dialog.table.currentRow() == 1
    ok(dialog)
    (_, room), (_, glass), (_, pillar) = dialog.roles
    assert room.becomes == "domain"
    assert glass.medium == Material(epsilon=2.25)
    assert pillar.wall == "magnetic"


def test_a_medium_that_needs_a_unit_and_nothing_at_all_are_refused(dialog):
    pick(dialog.role("glass"), "material")
    detail = dialog.detail("glass")
    detail.lineEdit().selectAll()
    QTest.keyClicks(detail.lineEdit(), "medium=Gold")
    ok(dialog)
    assert dialog.isVisible()
    assert "the drawing has no unit" in dialog.note.text()
    for name in ("room", "pillar", "glass"):
        pick(dialog.role(name), "nothing")
    ok(dialog)
    assert "no layer becomes anything" in dialog.note.text()


@pytest.mark.parametrize("physics", SYSTEMS)
def test_what_is_offered_first_for_a_material_is_a_medium_of_these_waves(dialog_of, physics):
    dialog = dialog_of(physics)
    pick(dialog.role("glass"), "material")
    ok(dialog)
    role = next(role for layer, role in dialog.roles if layer.name == "glass")
    assert role.medium == role_of(f"material,{usual_number(physics)}", physics, None).medium
    assert type(role.medium) is SYSTEMS[physics].medium
    assert role.medium != SYSTEMS[physics].medium()
