"""Scattering parameters and reference runs in the window, by clicks."""

from __future__ import annotations

import csv

import pytest
from PyQt5.QtTest import QTest

from tests.sample_lane import LANE, airy
from wavelab.app.base.qt import Qt, QtGui


@pytest.fixture
def driver(start, tmp_path):
    path = tmp_path / "lane.toml"
    path.write_text(LANE)
    return start(path)


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


def test_a_reference_run_is_one_action(driver):
    driver.press("Ctrl+Shift+G")
    dialog = driver.bench.studies["reference"].dialog
    assert dialog.object.currentText() == "plate"
    assert dialog.until.value == 16
    click(dialog.start)
    driver.until(lambda: dialog.table.rowCount() == 3)
    assert [dialog.monitor.itemText(i) for i in range(2)] == ["in", "out"]
    for row, frequency in enumerate((0.75, 0.9, 1.15)):
        assert float(dialog.table.item(row, 5).text()) == pytest.approx(-airy(frequency), abs=2e-3)
    curves = {curve.name: curve for curve in dialog.plot.curves}
    assert set(curves) == {"with / without", "difference / without"}
    dialog.divided.setCurrentIndex(1)
    assert {curve.name for curve in dialog.plot.curves} == {"with", "without", "difference"}
    # What goes out on the other side goes against the arrow of its line: quotients have no sign.
    dialog.monitor.setCurrentIndex(1)
    assert float(dialog.table.item(0, 4).text()) == pytest.approx(1 - airy(0.75), abs=2e-3)
    click(dialog.copy)
    head, *rows = QtGui.QGuiApplication.clipboard().text().splitlines()
    assert head.split("\t")[-1] == "difference_quotient"
    assert len(rows) == 3


def test_scattering_parameters_are_found_drawn_and_saved(driver, tmp_path):
    driver.press("Ctrl+Shift+A")
    dialog = driver.bench.studies["scattering"].dialog
    assert [dialog.ports.itemText(i) for i in range(3)] == ["all of them", "in", "out"]
    assert not dialog.save.isEnabled()
    click(dialog.start)
    driver.until(lambda: dialog.table.rowCount() == 3)
    names = [dialog.table.horizontalHeaderItem(i).text() for i in range(1, 5)]
    assert names == [f"|S{pair}|\u00b2" for pair in ("11", "12", "21", "22")]
    for row, frequency in enumerate((0.75, 0.9, 1.15)):
        found = [float(dialog.table.item(row, i).text()) for i in range(1, 5)]
        reflected = airy(frequency)
        assert found == pytest.approx(
            [reflected, 1 - reflected, 1 - reflected, reflected], abs=5e-3
        )
    assert [curve.name for curve in dialog.plot.curves] == ["S11", "S21"]
    dialog.sending.setCurrentIndex(1)
    dialog.drawn.setCurrentIndex(1)
    assert [curve.name for curve in dialog.plot.curves] == ["S12", "S22"]
    assert dialog.plot.curves[0].smooth.max() <= 1.01
    for name in ("lane.csv", "lane.s2p"):
        driver.dialogs.path = tmp_path / name
        click(dialog.save)
        assert (tmp_path / name).exists()
    with (tmp_path / "lane.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 12


def test_runs_can_be_cancelled(driver):
    for key, name in (("Ctrl+Shift+A", "scattering"), ("Ctrl+Shift+G", "reference")):
        driver.press(key)
        dialog = driver.bench.studies[name].dialog
        click(dialog.start)
        driver.until(dialog.cancel.isEnabled)
        click(dialog.cancel)
        driver.until(lambda dialog=dialog: "Cancelled" in dialog.stage.text())
        dialog.close()
