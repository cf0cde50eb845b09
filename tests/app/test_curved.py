"""A person who draws round things: real mouse and key events, and what becomes of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from wavelab.app.edits import set_curved
from wavelab.app.qt import QEvent, QPointF, Qt, QtGui, QtWidgets
from wavelab.scene.shapes import Ellipse
from wavelab.scene.toml_io import dump_scene, parse_scene


def drag(driver, start, end, *between, modifier=Qt.NoModifier, release=True) -> None:
    QTest.mouseMove(driver.canvas, driver.place(*start))
    QTest.mousePress(driver.canvas, Qt.LeftButton, modifier, driver.place(*start))
    for point in (*between, end):
        move(driver, *point, modifier=modifier)
    if release:
        QTest.mouseRelease(driver.canvas, Qt.LeftButton, modifier, driver.place(*end))


def move(driver, x: float, y: float, modifier=Qt.NoModifier) -> None:
    """The mouse with its left button held."""
    place = QPointF(driver.place(x, y))
    event = QtGui.QMouseEvent(QEvent.MouseMove, place, Qt.NoButton, Qt.LeftButton, modifier)
    QtWidgets.QApplication.sendEvent(driver.canvas, event)


def area(driver) -> float:
    d = driver.session.running.problem.discretization
    return float(d.integrate(np.ones(d.shape)).sum())


def read_back(driver):
    """The scene as it is when it was saved and opened again."""
    scene = driver.session.scene
    return replace(parse_scene(dump_scene(scene)), path=scene.path)


def test_a_drawn_circle_is_a_circle_until_it_is_switched_off(driver):
    switch = driver.window.mesh_panel.curved
    assert switch.isChecked()
    driver.press("E")
    drag(driver, (0.3, 0.3), (0.7, 0.7), modifier=Qt.ShiftModifier)
    driver.settled()
    (hole,) = driver.session.scene.holes
    assert isinstance(hole.shape, Ellipse)
    a, b = hole.shape.radii
    assert a == b
    cut = math.pi * a * b
    # Of order 2: the arc is a polynomial of that degree.
    assert 1 - area(driver) == pytest.approx(cut, rel=2e-4)
    switch.click()
    driver.settled()
    assert not driver.session.scene.solver.curved
    assert 1 - area(driver) < 0.97 * cut
    assert driver.window.actions_by_id["undo"].text() == "&Undo straight faces"
    driver.press("Ctrl+Z")
    driver.settled()
    assert switch.isChecked()
    assert 1 - area(driver) == pytest.approx(cut, rel=2e-4)
    assert read_back(driver) == driver.session.scene


def test_the_switch_names_its_cost_and_a_mesh_file_has_none(driver):
    switch = driver.window.mesh_panel.curved
    assert "time step" in switch.toolTip()
    assert switch.accessibleName() == "Faces"
    scene = set_curved(driver.session.scene, False).scene
    assert not scene.solver.curved
    driver.window.mesh_panel.show_scene(replace(scene, outline=None, mesh_file=Path("a.msh")))
    assert not switch.isEnabled()
    assert "straight" in switch.toolTip()


def test_tool_pages_are_as_high_as_they_need_and_nothing_else_moves(driver):
    driver.window.resize(1200, 900)
    gallery, column = driver.window.gallery, {}
    for tool in ("ping", "source", "draw", "select", "ping"):
        driver.bench.toolbox.choose(tool)
        for _ in range(5):
            driver.application.processEvents()
        panel = driver.window.tool_panel
        assert panel.height() == panel.sizeHint().height() or panel.hasHeightForWidth()
        panels = (driver.window.field_panel, driver.window.mesh_panel)
        column[tool] = (panel.y(), panel.height(), *(p.geometry() for p in panels), gallery.y())
    assert column["ping"][1] < column["draw"][1] < column["source"][1]
    assert column["ping"][4] < column["source"][4]
    assert len({where[0] for where in column.values()}) == 1
    assert column["ping"][2:4] == column["source"][2:4]


def test_scenes_stay_where_they_are_when_a_tool_page_needs_room(driver):
    driver.window.resize(1200, 900)
    gallery = driver.window.gallery
    if gallery.count() == 0:
        pytest.skip("no scenes on the shelf")

    def shown(tool: str) -> int:
        driver.bench.toolbox.choose(tool)
        for _ in range(5):
            driver.application.processEvents()
        return gallery.y() + gallery.visualItemRect(gallery.item(8)).y()

    shown("ping")
    assert shown("source") == shown("ping") == shown("draw")
