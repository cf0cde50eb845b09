"""Domains and obstacles that are drawn by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import strength
from wavelab.app.base.qt import Qt
from wavelab.app.edits.domain_edits import draw_domain
from wavelab.scene.model.shapes import Polygon, Rectangle
from wavelab.scene.model.view import View


def test_drawing_a_polygon_gives_a_running_wave_in_it(driver):
    driver.click(0.4, 0.4)
    driver.until(lambda: strength(driver) > 0.0)
    driver.press("D")
    driver.window.tool_panel.purposes["domain"].click()
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.6), (0.5, 0.9), (0.1, 0.6))
    for corner in corners:
        driver.click(*corner)
    time = driver.bench.presenter.frame.time
    driver.press("Return")
    assert isinstance(driver.session.scene.outline, Polygon)
    driver.settled()
    drawn = np.array(driver.session.scene.outline.vertices)
    assert drawn == pytest.approx(np.array(corners), abs=0.02)
    d = driver.session.running.problem.discretization
    assert d.mesh.signed_areas().sum() == pytest.approx(0.52, abs=0.03)
    # Time went on and the field came along.
    assert driver.bench.presenter.frame.time >= time
    assert strength(driver) > 1e-3
    time = driver.bench.presenter.frame.time
    driver.until(lambda: driver.bench.presenter.frame.time > time)
    assert driver.bench.toolbox.key == "ping"


def test_a_hole_is_cut_and_undone_and_cut_again(driver):
    driver.press("Shift+D")
    for corner in ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6), (0.4, 0.4)):
        driver.click(*corner)
    driver.settled()

    def area():
        return driver.session.running.mesh.signed_areas().sum()

    assert len(driver.session.scene.holes) == 1
    assert area() == pytest.approx(0.96, abs=0.01)
    assert driver.window.actions_by_id["undo"].text() == "&Undo add obstacle"
    driver.press("Ctrl+Z")
    driver.settled()
    assert area() == pytest.approx(1.0)
    driver.press("Ctrl+Shift+Z")
    driver.settled()
    assert area() == pytest.approx(0.96, abs=0.01)


def test_a_rectangle_dragged_inside_is_an_obstacle(driver):
    driver.press("R")
    driver.drag((0.2, 0.2), (0.8, 0.6))
    driver.settled()
    (hole,) = driver.session.scene.holes
    assert isinstance(hole.shape, Rectangle)
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.76, abs=0.02)
    assert driver.bench.toolbox.key == "rectangle"


def test_a_rectangle_dragged_beyond_the_walls_is_a_domain(driver):
    driver.press("-")
    driver.press("-")
    driver.press("R")
    driver.drag((0.2, 0.2), (0.8, 1.1))
    driver.settled()
    assert driver.session.scene.holes == ()
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.54, abs=0.03)
    assert driver.bench.toolbox.key == "ping"


def test_tab_makes_a_domain_of_what_would_be_an_obstacle(driver):
    driver.press("R")
    driver.drag((0.2, 0.2), (0.8, 0.6), release=False)
    assert "becomes an obstacle" in driver.canvas.tool.hint
    # As a key event, without taking the focus first: Tab must not leave the canvas.
    QTest.keyClick(driver.canvas, Qt.Key_Tab)
    assert driver.canvas.hasFocus()
    assert driver.window.tool_panel.purposes["domain"].isChecked()
    driver.let_go(0.8, 0.6)
    driver.settled()
    assert isinstance(driver.session.scene.outline, Rectangle)
    assert driver.session.running.mesh.signed_areas().sum() == pytest.approx(0.24, abs=0.02)
    driver.press("D")
    assert driver.bench.toolbox.purpose.wish == "automatic"
    assert driver.window.tool_panel.purposes["automatic"].isChecked()


def test_a_drawn_domain_frees_a_fixed_range(driver):
    driver.bench.views.show(driver.bench.views.state.with_limit(3.0))
    driver.session.mark_saved(replace(driver.session.scene, view=View(limit=3.0)))
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (0.5, 0.5))))
    assert driver.bench.views.state.limit is None
    assert driver.window.field_panel.automatic.isChecked()
    driver.settled()
    driver.press("Ctrl+Z")
    assert driver.bench.views.state.limit == 3.0
    driver.settled()
    driver.press("Ctrl+Shift+Z")
    assert driver.bench.views.state.limit is None
