"""Resonances in the window, by clicks."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import strength
from wavelab.app.base.qt import Qt, QtGui
from wavelab.scene.sources.mechanical.force import Force
from wavelab.simulation.solver.commands import SetSpeed


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


def brightness(image) -> float:
    points = [(x, y) for x in range(0, image.width(), 8) for y in range(0, image.height(), 8)]
    return sum(QtGui.qGray(image.pixel(*at)) for at in points) / len(points)


def test_modes_are_found_listed_and_shown(driver):
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    assert not dialog.low.isEnabled()
    dialog.modes.setValue(2)
    click(dialog.start)
    assert not dialog.start.isEnabled()
    driver.until(lambda: dialog.table.rowCount() == 2)
    assert float(dialog.table.item(0, 1).text()) == pytest.approx(2**-0.5, rel=1e-2)
    assert dialog.table.item(0, 2).text() == "lossless"
    first = dialog.shape.pixmap().toImage()
    dialog.table.setCurrentCell(1, 0)
    assert dialog.shape.pixmap().toImage() != first
    # It is as light or dark as the canvas.
    driver.press("Ctrl+T")
    driver.until(lambda: brightness(dialog.shape.pixmap().toImage()) > 150)
    driver.press("Ctrl+T")
    driver.until(lambda: brightness(dialog.shape.pixmap().toImage()) < 105)
    click(dialog.copy)
    assert len(QtGui.QGuiApplication.clipboard().text().splitlines()) == 3
    assert dialog.start.isEnabled()


def test_a_mode_is_driven_by_one_click(driver):
    """In a square room the lowest mode is strongest in the middle; its source makes it ring."""
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    assert not dialog.drive.isEnabled()
    dialog.modes.setValue(1)
    click(dialog.start)
    driver.until(dialog.drive.isEnabled)
    before = driver.bench.presenter.now
    click(dialog.drive)
    driver.settled()
    (source,) = driver.session.running.scene.sources
    assert source.position == pytest.approx((0.5, 0.5), abs=0.15)
    assert source.waveform.frequency == pytest.approx(2**-0.5, rel=1e-2)
    driver.session.solver.send(SetSpeed(None))
    period = 1 / source.waveform.frequency
    driver.until(lambda: driver.bench.presenter.now > before + 6 * period)
    # All of the field is that mode by then: sin(pi x) sin(pi y) times a number.
    d = driver.session.running.problem.discretization
    shape = np.sin(np.pi * d.x) * np.sin(np.pi * d.y)

    def likeness() -> float:
        values = driver.bench.presenter.frame.values
        return abs(np.vdot(shape, values)) / np.linalg.norm(shape) / np.linalg.norm(values)

    driver.until(lambda: strength(driver) > 0.5 and likeness() > 0.95)
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene.sources == ()


def test_a_mode_of_a_solid_is_driven_by_a_force_along_its_motion(start, tmp_path):
    """The lowest one between these walls moves along x alone."""
    path = tmp_path / "solid.toml"
    path.write_text(
        'physics = "elastic"\n'
        '[domain]\nshape = "rectangle"\nlower = [0, 0]\nupper = [2, 0.5]\n'
        '[[walls]]\nedges = ["domain"]\nkind = "slip"\n'
        "[solver]\nelement_size = 0.25\norder = 3\n"
    )
    driver = start(path)
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    dialog.modes.setValue(1)
    click(dialog.start)
    driver.until(dialog.drive.isEnabled)
    assert float(dialog.table.item(0, 1).text()) == pytest.approx(0.25, rel=1e-3)
    # It moves everywhere but at its ends.
    picture = dialog.shape.pixmap().toImage()
    row = picture.height() // 2
    grays = [QtGui.qGray(picture.pixel(x, row)) for x in range(0, picture.width(), 4)]
    middle = len(grays) // 2
    assert abs(grays[middle] - grays[middle // 4]) > 20
    click(dialog.drive)
    driver.settled()
    (source,) = driver.session.running.scene.sources
    assert isinstance(source, Force)
    assert source.position[0] == pytest.approx(1.0, abs=0.15)
    assert source.direction % 180 == pytest.approx(0.0, abs=0.5)
    assert source.waveform.frequency == pytest.approx(0.25, rel=1e-3)
    driver.session.solver.send(SetSpeed(None))
    driver.until(lambda: driver.bench.presenter.frame.time > 4 and strength(driver) > 0)


def test_a_search_can_be_cancelled_and_a_wrong_band_is_explained(driver):
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    click(dialog.start)
    driver.until(lambda: dialog.bar.value() > 0)
    click(dialog.cancel)
    driver.until(lambda: "Cancelled" in dialog.stage.text())
    dialog.in_band.setChecked(True)
    dialog.low.set_value(3.0)
    click(dialog.start)
    driver.until(lambda: "is none" in dialog.stage.text())


def test_all_that_lies_in_a_band_is_listed(driver):
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    dialog.modes.setValue(1)
    dialog.in_band.setChecked(True)
    assert not dialog.modes.isEnabled()
    dialog.low.set_value(0.65)
    dialog.high.set_value(1.2)
    click(dialog.start)
    # sqrt(2) / 2 once and sqrt(5) / 2 twice.
    driver.until(lambda: dialog.table.rowCount() == 3)
    assert dialog.stage.text().startswith("3 modes between")


def test_closing_ends_a_search(driver):
    driver.press("Ctrl+Shift+R")
    click(driver.bench.studies["resonances"].dialog.start)
    driver.close()
