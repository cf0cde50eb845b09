"""Labels written on the scene: by the menu of the right button, the form and the mouse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QApplication, Qt
from wavelab.scene.model.scene import Probe
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.waveforms import Sine


def write(driver, x: float, y: float, text: str) -> None:
    """As a person does: right button, the entry, the words, Enter."""
    menu = driver.program.context_menu.made_at(driver.place(x, y))
    next(a for a in menu.actions() if a.text() == "Write a label here").trigger()
    line = driver.window.property_panel.controls[("text",)]
    assert line.hasFocus()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key_Return)


@pytest.fixture
def labelled(driver):
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    return driver


def inked(driver, x: float, y: float, reach: float = 0.06) -> bool:
    """Whether something light is drawn there, over a quiet dark field."""
    picture = driver.canvas.grab_rgb()
    ratio = driver.canvas.devicePixelRatioF()
    corners = [driver.place(x - reach, y + reach / 3), driver.place(x + reach, y - reach / 3)]
    (left, top), (right, bottom) = [(round(ratio * p.x()), round(ratio * p.y())) for p in corners]
    return bool(picture[top:bottom, left:right].min(axis=2).max() > 150)


def test_a_label_is_written_moved_and_taken_away(labelled, tmp_path):
    driver = labelled
    generation = driver.session.generation
    assert not inked(driver, 0.55, 0.5)
    write(driver, 0.5, 0.5, "Here it is bright")
    (label,) = driver.session.scene.labels
    assert (label.name, label.text) == ("label 1", "Here it is bright")
    assert label.position == pytest.approx((0.5, 0.5), abs=0.02)
    driver.until(lambda: inked(driver, 0.55, 0.5))
    # On its letters it is dragged.
    driver.press("V")
    driver.click(0.56, label.position[1])
    assert driver.window.property_panel.items.currentText() == "Label 1"
    driver.drag((0.56, label.position[1]), (0.36, label.position[1] - 0.3))
    (moved,) = driver.session.scene.labels
    assert np.subtract(moved.position, label.position) == pytest.approx((-0.2, -0.3), abs=0.02)
    driver.until(lambda: not inked(driver, 0.6, 0.5))
    # It costs no new problem, and nothing of the wave.
    assert driver.session.generation == generation
    driver.dialogs.path = tmp_path / "labelled.toml"
    driver.press("Ctrl+Shift+S")
    assert load_scene(driver.dialogs.path).labels == (moved,)
    driver.press("Del")
    assert driver.session.scene.labels == ()
    driver.press("Ctrl+Z")
    assert driver.session.scene.labels == (moved,)


def test_an_arrow_leads_to_what_is_meant(labelled):
    driver = labelled
    write(driver, 0.3, 0.8, "wall")
    line = driver.window.property_panel.controls[("to",)]
    QTest.mouseClick(line, Qt.LeftButton)
    QTest.keyClicks(line, "0.8, 0.3")
    QTest.keyClick(line, Qt.Key_Return)
    (label,) = driver.session.scene.labels
    assert label.to == (0.8, 0.3)
    half = np.add(label.position, label.to) / 2
    driver.until(lambda: inked(driver, *half))
    # The text stands on the other side of its point now.
    assert inked(driver, label.position[0] - 0.03, label.position[1], 0.03)


def test_labels_are_copied_like_anything_else(labelled):
    driver = labelled
    write(driver, 0.5, 0.5, "node")
    driver.press("V")
    driver.press("Ctrl+C")
    assert "[[labels]]" in QApplication.clipboard().text()
    driver.press("Ctrl+D")
    first, second = driver.session.scene.labels
    assert (second.text, second.name) == ("node", "label 2")
    assert second.position != first.position


def test_keys_do_not_count_up_in_words(labelled):
    driver = labelled
    write(driver, 0.5, 0.5, "mode 3")
    line = driver.window.property_panel.controls[("text",)]
    QTest.mouseClick(line, Qt.LeftButton)
    QTest.keyClick(line, Qt.Key_Up)
    assert line.text() == "mode 3"


@pytest.mark.parametrize("tool", ["V", "S", "B", "W"])
def test_what_was_pointed_at_is_not_named_in_the_next_scene(driver, tool):
    scene = driver.session.scene
    lamp = PointSource("lamp", (0.5, 0.5), 0.05, 1.0, Sine(2.0))
    driver.session.open(replace(scene, sources=(lamp,), probes=(Probe("ear", (0.5, 0.52)),)))
    driver.settled()
    driver.press(tool)
    if tool == "W":
        driver.click(0.0, 0.5)
    driver.point(0.0 if tool == "W" else 0.5, 0.5)
    driver.until(lambda: driver.canvas.overlay.label)
    before = driver.canvas.overlay.label
    driver.session.open(replace(scene, title="another"))
    driver.settled()
    driver.bench.catch_up()
    if tool == "W":  # the pointer is on an edge there too, but none is picked
        assert driver.canvas.tool.picked is None
    else:
        assert driver.canvas.overlay.label != before
        assert "lamp" not in driver.canvas.tool.hint
