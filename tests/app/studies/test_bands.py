"""Band structures in the window, by clicks."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import strength
from wavelab.app.base.qt import Qt, QtGui
from wavelab.paths import SCENES
from wavelab.scene.sources.mechanical.force import Force
from wavelab.simulation.solver.commands import SetSpeed

CELL = """
title = "Cell"
[domain]
shape = "rectangle"
lower = [-0.5, -0.5]
upper = [0.5, 0.5]
[[materials]]
epsilon = 8.9
shape = "ellipse"
center = [0, 0]
radii = [0.2, 0.2]
[[walls]]
kind = "periodic"
edges = ["domain.left", "domain.right"]
[[walls]]
kind = "periodic"
edges = ["domain.top", "domain.bottom"]
[solver]
element_size = 0.3
order = 3
"""


@pytest.fixture
def driver(start, tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text(CELL)
    return start(path)


def opened(driver):
    driver.press("Ctrl+Shift+B")
    dialog = driver.bench.studies["bands"].dialog
    dialog.points.setValue(2)
    dialog.bands.setValue(3)
    return dialog


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


def test_bands_are_found_and_a_click_shows_a_wave(driver):
    dialog = opened(driver)
    assert not dialog.drive.isEnabled()
    dialog.path.setText("g x m")
    click(dialog.start)
    driver.until(lambda: dialog.table.rowCount() == 1)
    assert float(dialog.table.item(0, 1).text()) == pytest.approx(0.3224, abs=1e-3)
    found = driver.bench.studies["bands"]._bands
    assert [name for _, name in found.corners] == ["G", "X", "M"]
    first = dialog.shape.pixmap().toImage()
    plot, point, band = dialog.plot, 2, 1
    at = plot.pixel(float(found.along[point]), float(found.frequencies[point, band]))
    QTest.mouseClick(plot.viewport(), Qt.LeftButton, pos=at)
    assert "Band 2 at X" in dialog.told.text()
    assert dialog.shape.pixmap().toImage() != first
    click(dialog.copy)
    assert len(QtGui.QGuiApplication.clipboard().text().splitlines()) == 6
    # The lowest wave of all does not swing.
    plot.chosen.emit(0, 0)
    assert not dialog.drive.isEnabled()


def test_a_wave_is_driven_by_one_click(driver):
    """The walls get its phases, and the source makes it ring, whatever else is there."""
    dialog = opened(driver)
    click(dialog.start)
    driver.until(lambda: dialog.drive.isEnabled())
    found = driver.bench.studies["bands"]._bands
    dialog.plot.chosen.emit(1, 1)
    click(dialog.drive)
    driver.settled()
    scene = driver.session.running.scene
    assert [wall.phase for wall in scene.walls] == pytest.approx([90.0, 0.0])
    (source,) = scene.sources
    frequency = found.frequencies[1, 1]
    assert source.waveform.frequency == pytest.approx(frequency)
    driver.session.solver.send(SetSpeed(None))
    before = driver.bench.presenter.now
    driver.until(lambda: driver.bench.presenter.now > before + 6 / frequency)
    shape = found.fields(1, 1)[2]

    def likeness() -> float:
        """Of the real part that is seen, to the wave with some phase."""
        values = driver.bench.presenter.frame.values
        parts = np.stack([shape.real.ravel(), shape.imag.ravel()], axis=1)
        fit, *_ = np.linalg.lstsq(parts, values.ravel(), rcond=None)
        return float(np.linalg.norm(parts @ fit) / np.linalg.norm(values))

    driver.until(lambda: strength(driver) > 0.1 and likeness() > 0.85)
    driver.press("Ctrl+Z")
    driver.settled()
    assert [wall.phase for wall in driver.session.scene.walls] == [None, None]


def test_a_wave_of_a_solid_is_driven_by_a_force(start):
    driver = start(SCENES / "phononic_crystal.toml")
    dialog = opened(driver)
    dialog.bands.setValue(4)
    click(dialog.start)
    driver.until(lambda: dialog.table.rowCount() == 1)
    assert float(dialog.table.item(0, 1).text()) == pytest.approx(0.261, abs=2e-3)
    found = driver.bench.studies["bands"]._bands
    dialog.plot.chosen.emit(1, 2)
    click(dialog.drive)
    driver.settled()
    scene = driver.session.running.scene
    assert [wall.phase for wall in scene.walls] == pytest.approx([90.0, 0.0])
    (source,) = scene.sources
    assert isinstance(source, Force)
    assert source.waveform.frequency == pytest.approx(found.frequencies[1, 2])
    assert source.direction == pytest.approx(found.direction(1, 2), abs=0.1)
    driver.session.solver.send(SetSpeed(None))
    driver.until(lambda: driver.bench.presenter.frame.time > 0.5 and strength(driver) > 0)
    assert not driver.dialogs.errors


def test_a_scene_that_does_not_repeat_itself_is_explained(start, small_scene):
    driver = start(small_scene)
    dialog = opened(driver)
    click(dialog.start)
    driver.until(lambda: "no edges are glued" in dialog.stage.text())


def test_bands_of_a_scene_with_units_are_in_them(start, tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text(CELL + '[units]\nlength = "um"\n')
    driver = start(path)
    dialog = opened(driver)
    dialog.path.setText("g x m")
    click(dialog.start)
    driver.until(lambda: dialog.table.rowCount() == 1)
    assert dialog.plot.up.unit == "THz"
    assert "(THz)" in dialog.plot.up.text
    assert dialog.told.text().endswith(" THz")
    low, high = (dialog.table.item(0, i).text() for i in (1, 2))
    assert low.endswith(" THz")
    assert high.endswith(" THz")
    assert "opposite wavevector" in dialog.drive.toolTip()
