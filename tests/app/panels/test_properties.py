"""The form with the properties of an item, filled in by a person."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from PyQt5.QtTest import QTest

from tests import sample_kinds
from tests.app.pointer import move_to
from wavelab.app.base.qt import Qt
from wavelab.app.panels.property_panel import PropertyPanel
from wavelab.app.session.item_at import item_at
from wavelab.scene.editing import properties
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Probe, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.sources import PointSource
from wavelab.scene.walls import MagneticWall
from wavelab.scene.waveforms import Sine

SCENE = Scene(
    "box",
    Solver(0.1),
    holes=(Hole("disk", Ellipse((0.5, 0.5), (0.1, 0.1))),),
    materials=(MaterialRegion("glass", Material(2.0), Rectangle((0.2, 0.2), (0.8, 0.8))),),
    walls=(MagneticWall(("domain.left",)),),
    probes=(Probe("ear", (0.3, 0.3)),),
)


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ((0.305, 0.3), ("probes", 0)),
        ((0.001, 0.5), ("walls", 0)),
        ((0.5, 0.5), ("holes", 0)),
        ((0.7, 0.7), ("materials", 0)),
        ((0.9, 0.9), ("background",)),
        ((1.5, 0.9), ("outline",)),
    ],
)
def test_what_is_at_a_place(place, key):
    assert item_at(SCENE, *place, 0.01) == key


@pytest.mark.parametrize("what", sample_kinds.SCENES)
def test_everything_has_a_form_with_a_label_on_every_line(application, what):
    registry, scene_with = sample_kinds.SCENES[what]
    panel = PropertyPanel()
    for kind in registry.values():
        scene = scene_with(kind)
        found = properties.items(scene)
        for item in found:
            panel.show_items(found, item.key)
            shown = properties.properties(scene, item.key)
            panel.show_properties(properties.kind_of(scene, item.key), shown)
            assert list(panel.controls) == [p.key for p in shown]
            form = panel.scroll.widget().layout()
            labels = [form.labelForField(control).text() for control in panel.controls.values()]
            assert labels == [p.label for p in shown]


def fill(driver, key, text: str) -> None:
    line = driver.window.property_panel.controls[key]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key_Return)


def begin(driver, key, text: str):
    """Type without settling it."""
    line = driver.window.property_panel.controls[key]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    return line


def test_what_was_typed_for_an_item_is_put_into_no_other(driver):
    """By an undo, or a file that is dropped, the item of the form may become another one."""
    scene = replace(driver.session.scene, probes=())
    first = replace(scene, holes=(Hole("first", Rectangle((0.2, 0.2), (0.3, 0.3))),))
    others = (
        (Hole("second", Rectangle((0.6, 0.6), (0.8, 0.8))),),
        (Hole("first", Ellipse((0.5, 0.5), (0.1, 0.1))),),
        (),
    )
    for holes, looked_at in itertools.product(others, (True, False)):
        driver.session.open(first)
        driver.settled()
        driver.bench.selection.choose(("holes", 0))
        driver.window.show_properties()
        line = driver.window.property_panel.controls["shape", "upper"]
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, "0.9, 0.9")
        there = replace(scene, holes=holes)
        driver.session.open(there)
        if looked_at:
            driver.bench.catch_up()
        QTest.keyClick(line, Qt.Key_Return)
        assert driver.session.scene == there
    assert not driver.dialogs.errors
    driver.session.open(first)
    driver.settled()
    driver.bench.selection.choose(("holes", 0))
    fill(driver, ("shape", "upper"), "0.9, 0.9")
    assert driver.session.scene.holes[0].shape.upper == (0.9, 0.9)
    # Neither a probe goes into an obstacle nor an obstacle or the domain's border over a probe.
    lamp = PointSource("lamp", (0.4, 0.4), 0.05, 1.0, Sine(2.0))
    there = replace(first, probes=(Probe("ear", (0.5, 0.5)),), sources=(lamp,))
    for item, key, text, words in (
        (("holes", 0), ("shape", "upper"), "0.9, 0.9", "would cover source lamp, probe ear"),
        (("probes", 0), ("position",), "0.25, 0.25", "would lie in an obstacle"),
        (("probes", 0), ("position",), "7, 0.25", "outside the domain"),
        (("sources", 0), ("position",), "0.25, 0.25", "would lie in an obstacle"),
        (("sources", 0), ("position",), "0.5, -1", "outside the domain"),
        (("outline",), ("upper",), "0.45, 1", "would leave out probe ear"),
    ):
        driver.session.open(there)
        driver.settled()
        driver.bench.selection.choose(item)
        fill(driver, key, text)
        assert words in driver.window.property_panel.notes[key].text()
        assert driver.session.scene == there
    driver.bench.selection.choose(("probes", 0))
    fill(driver, ("position",), "0.7, 0.25")
    assert driver.session.scene.probes[0].position == (0.7, 0.25)


def test_a_person_changes_what_was_clicked(driver):
    scene = driver.session.scene
    glass = MaterialRegion("glass", Material(2.0), Rectangle((0.2, 0.2), (0.8, 0.8)))
    driver.session.open(replace(scene, materials=(glass,)))
    driver.settled()
    panel = driver.window.property_panel
    assert not panel.isVisible()
    driver.press("V")
    driver.click(0.5, 0.5)
    assert panel.isVisible()
    assert panel.items.currentText() == "Material glass"
    fill(driver, ("shape", "lower"), "0.25")
    assert "lower has 1 number" in panel.notes[("shape", "lower")].text().lower()
    fill(driver, ("shape", "lower"), "0.2, 0.2")
    fill(driver, ("material", "epsilon"), "1 + x")
    driver.settled()
    assert driver.session.running.scene.materials[0].material.epsilon.text == "1 + x"
    fill(driver, ("material", "epsilon"), "-3")
    (note,) = panel.notes.values()
    assert note.isVisible()
    assert "epsilon" in note.text()
    assert driver.session.scene.materials[0].material.epsilon.text == "1 + x"
    fill(driver, ("material", "epsilon"), "4")
    driver.settled()
    assert panel.notes == {}
    box = panel.controls[("material", "poles", 0, "kind")]
    box.setFocus()
    QTest.keyClick(box, Qt.Key_Down)
    driver.settled()
    assert len(driver.session.running.scene.materials[0].material.poles) == 1
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.running.scene.materials[0].material == Material(4.0)
    QTest.mouseClick(panel.remove, Qt.LeftButton)
    driver.settled()
    assert driver.session.running.scene.materials == ()
    assert panel.items.currentText() == "Background"


def test_each_wrong_number_keeps_its_note_until_it_is_right(driver):
    glass = MaterialRegion("glass", Material(2.0), Rectangle((0.2, 0.2), (0.8, 0.8)))
    driver.session.open(replace(driver.session.scene, materials=(glass,)))
    driver.settled()
    driver.bench.selection.choose(("materials", 0))
    driver.window.show_properties()
    panel = driver.window.property_panel
    epsilon, mu, lower, upper = (
        ("material", "epsilon"), ("material", "mu"), ("shape", "lower"), ("shape", "upper")
    )  # fmt: skip

    def shown() -> dict:
        """Where there are notes, each just below its field, and what is typed there."""
        driver.application.processEvents()
        for key, note in panel.notes.items():
            assert note.isVisible()
            field = panel.controls[key].geometry()
            assert 0 < note.geometry().top() - field.bottom() < 20
        return {key: panel.controls[key].text() for key in panel.notes}

    fill(driver, epsilon, "-3")
    fill(driver, mu, "nonsense(")
    fill(driver, lower, "0.9, 0.2")
    assert shown() == {epsilon: "-3", mu: "nonsense(", lower: "0.9, 0.2"}
    assert len({note.text() for note in panel.notes.values()}) == 3
    fill(driver, epsilon, "4")
    driver.settled()
    assert shown() == {mu: "nonsense(", lower: "0.9, 0.2"}
    assert driver.session.scene.materials[0].material == Material(4.0)
    # What was wrong only because of another number is right with another.
    fill(driver, upper, "0.95, 0.8")
    panel.controls[lower].setFocus()
    QTest.keyClick(panel.controls[lower], Qt.Key_Return)
    driver.settled()
    assert shown() == {mu: "nonsense("}
    assert driver.session.scene.materials[0].shape == Rectangle((0.9, 0.2), (0.95, 0.8))
    # An undo of the property itself shows what it is.
    fill(driver, epsilon, "0")
    driver.press("Ctrl+Z")
    driver.press("Ctrl+Z")
    driver.press("Ctrl+Z")
    driver.settled()
    assert shown() == {mu: "nonsense("}
    assert panel.controls[epsilon].text() == "2"
    driver.bench.selection.choose(("background",))
    assert shown() == {}
    driver.bench.selection.choose(("materials", 0))
    assert panel.controls[mu].text() == "1"


def test_a_person_says_a_medium_by_its_index(driver):
    """The switch turns epsilon into the index and back; only one of them has a line."""
    panel = driver.window.property_panel
    glass = MaterialRegion("glass", Material(2.0), Rectangle((0.2, 0.2), (0.8, 0.8)))
    driver.session.open(replace(driver.session.scene, materials=(glass,)))
    driver.settled()
    driver.press("V")
    driver.click(0.7, 0.7)
    way, index = ("material", "index", "said_as"), ("material", "index")
    epsilon = ("material", "epsilon")
    driver.until(lambda: epsilon in panel.controls)
    assert index not in panel.controls
    box = panel.controls[way]
    assert [box.itemData(i) for i in range(box.count())] == ["epsilon", "index"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key_Down)
    driver.settled()
    driver.until(lambda: index in panel.controls)
    assert epsilon not in panel.controls
    assert panel.controls[index].text() == f"{2**0.5:.6g}"
    fill(driver, index, "1.5")
    driver.settled()
    assert driver.session.scene.materials[0].material == Material(index=1.5)
    assert driver.session.running.problem.operator.epsilon.max() == 2.25
    fill(driver, index, "-1")
    assert "index of" in panel.notes[index].text()
    for _ in range(2):
        driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.materials[0].material == Material(2.0)
    driver.until(lambda: epsilon in panel.controls)


def test_a_material_is_drawn_and_its_form_comes_up(driver):
    driver.press("E")
    driver.window.tool_panel.purposes["material"].click()
    start, end = driver.place(0.3, 0.3), driver.place(0.7, 0.6)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=start)
    move_to(driver.canvas, end)
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=end)
    driver.settled()
    (region,) = driver.session.running.scene.materials
    assert region.name == "material 1"
    assert driver.window.property_panel.items.currentText() == "Material 1"
    assert driver.session.running.problem.operator.epsilon.max() == 2.25


def test_several_items_are_changed_together_in_one_step(driver):
    lamps = tuple(
        PointSource(name, (x, 0.5), 0.05, height, Sine(2.0, phase=phase))
        for name, x, height, phase in (("left", 0.3, 1.0, 0.0), ("right", 0.7, 1.0, 3.0))
    )
    driver.session.open(replace(driver.session.scene, sources=lamps))
    driver.settled()
    driver.press("V")
    driver.click(0.3, 0.5)
    driver.click(0.7, 0.5, modifier=Qt.ShiftModifier)
    panel = driver.window.property_panel
    assert "2 items" in panel.kind.text()
    assert ("name",) not in panel.controls
    assert panel.controls["amplitude",].text() == "1"
    phase = panel.controls["waveform", "phase"]
    assert (phase.text(), phase.placeholderText()) == ("", "mixed")
    fill(driver, ("waveform", "frequency"), "2.5")
    driver.settled()
    fill(driver, ("waveform", "phase"), "1")
    driver.settled()
    sources = driver.session.running.scene.sources
    assert [s.waveform for s in sources] == [Sine(2.5, phase=1.0)] * 2
    assert [s.position for s in sources] == [lamp.position for lamp in lamps]
    assert (phase.text(), phase.placeholderText()) == ("1", "")
    for wanted in ([0.0, 3.0], [0.0, 3.0]):
        driver.press("Ctrl+Z")
        driver.settled()
        assert [s.waveform.phase for s in driver.session.scene.sources] == wanted
    assert driver.session.scene.sources == lamps
    # What is wrong for one of them is wrong for all, and none is changed.
    fill(driver, ("radius",), "-1")
    assert panel.notes["radius",].isVisible()
    assert driver.session.scene.sources == lamps
    # Of what is of different kinds only what they share is there.
    scene = replace(driver.session.scene, probes=(Probe("ear", (0.5, 0.3)),))
    found = properties.common(scene, [("sources", 0), ("probes", 0)])
    assert [p.key for p in found] == [("position",)]
    assert found[0].mixed


def test_the_form_is_about_what_is_left_of_several(driver):
    """An undo may take away the one whose properties were on show."""
    left = PointSource("left", (0.3, 0.5), 0.05, 1.0, Sine(2.0))
    driver.session.open(replace(driver.session.scene, sources=(left,)))
    driver.settled()
    driver.press("S")
    driver.click(0.7, 0.5)
    driver.settled()
    driver.press("V")
    driver.click(0.3, 0.5)
    driver.click(0.7, 0.5, modifier=Qt.ShiftModifier)
    panel = driver.window.property_panel
    assert "2 items" in panel.kind.text()
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.bench.selection.chosen == (driver.bench.selection.item,) == (("sources", 0),)
    assert panel.items.currentText() == "Source left"
    fill(driver, ("amplitude",), "3")
    driver.settled()
    assert driver.session.scene.sources == (replace(left, amplitude=3.0),)
