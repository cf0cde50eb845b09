"""Resonances in the window, by clicks."""

from __future__ import annotations

import pytest
from PyQt5.QtTest import QTest

from wavelab.app.qt import Qt, QtGui


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.LeftButton)


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
    click(dialog.copy)
    assert len(QtGui.QGuiApplication.clipboard().text().splitlines()) == 3
    assert dialog.start.isEnabled()


def test_a_search_can_be_cancelled_and_a_wrong_band_is_explained(driver):
    driver.press("Ctrl+Shift+R")
    dialog = driver.bench.studies["resonances"].dialog
    click(dialog.start)
    driver.until(lambda: dialog._bar.value() > 0)
    click(dialog.cancel)
    driver.until(lambda: "Cancelled" in dialog._stage.text())
    dialog.in_band.setChecked(True)
    dialog.low.set_value(3.0)
    click(dialog.start)
    driver.until(lambda: "is none" in dialog._stage.text())


def test_closing_ends_a_search(driver):
    driver.press("Ctrl+Shift+R")
    click(driver.bench.studies["resonances"].dialog.start)
    driver.close()
