"""Pings by hand: where, how high and how wide."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from PyQt5.QtTest import QTest

from tests.app.conftest import strength
from wavelab.app.base.qt import Qt
from wavelab.app.controllers.toolbox import PING_SIZE
from wavelab.app.edits.domain_edits import draw_domain
from wavelab.app.session.presenter import ping_height
from wavelab.app.tools.tool import HOLD_INTERVAL
from wavelab.scene.model.shapes import Rectangle


def test_a_click_rings_the_field_where_it_points(driver):
    driver.press("Space")
    driver.until(lambda: not driver.bench.presenter.frame.playing)
    assert strength(driver) == 0.0
    driver.canvas.set_marks_visible(False)
    before = driver.canvas.grab_rgb().astype(int)
    # Connected before: a paused wave is drawn once, perhaps as soon as it is there.
    drawn = []
    driver.canvas.drawn.connect(lambda: drawn.append(strength(driver)))
    driver.click(0.3, 0.7)
    driver.until(lambda: max(drawn, default=0.0) > 0.5)
    changed = np.abs(driver.canvas.grab_rgb().astype(int) - before).sum(axis=2) > 30
    rows, columns = np.nonzero(changed)
    ratio = driver.canvas.devicePixelRatioF()
    x, y = driver.canvas.view.to_scene((columns.mean() / ratio, rows.mean() / ratio))
    assert (x, y) == pytest.approx((0.3, 0.7), abs=0.03)


def test_shift_and_x_turn_the_sign(driver):
    driver.press("Space")
    driver.click(0.5, 0.5, modifier=Qt.ShiftModifier)
    driver.until(lambda: driver.bench.presenter.frame.values.min() < -0.5)
    driver.press("Ctrl+R")
    driver.until(lambda: strength(driver) == 0.0)
    driver.press("X")
    assert driver.window.tool_panel.minus.isChecked()
    driver.click(0.5, 0.5)
    driver.until(lambda: driver.bench.presenter.frame.values.min() < -0.5)


def test_a_ping_is_as_high_as_the_range_on_show_and_goes_on_while_held(driver):
    driver.bench.views.show(driver.bench.views.state.with_limit(4.0))
    driver.next_frame()
    place = driver.place(0.5, 0.5)
    QTest.mousePress(driver.canvas, Qt.LeftButton, pos=place)
    driver.until(lambda: len(driver.pings()) >= 3)
    QTest.mouseRelease(driver.canvas, Qt.LeftButton, pos=place)
    given = driver.pings()
    assert {ping.amplitude for ping in given} == {4.0}
    later = time.monotonic() + 3 * HOLD_INTERVAL
    driver.until(lambda: time.monotonic() > later)
    assert driver.pings() == given


@pytest.mark.parametrize(
    ("quantity", "limit", "height"),
    [
        ("ez", 3.0, 3.0),
        ("ez", 1e-3, 1.0),
        ("h", 2.0, 2.0),
        ("energy", 8.0, 4.0),
        ("error", 6.0, 1.0),
    ],
)
def test_a_ping_reaches_full_colour_and_never_less_than_one(quantity, limit, height):
    assert ping_height(quantity, limit) == pytest.approx(height)


def test_the_ping_radius_goes_with_the_domain_until_it_is_chosen(driver):
    radius = driver.window.tool_panel.radius
    # In the small box the nodes are what it must reach, in a large one it is to be seen.
    mesh = driver.session.running.mesh
    assert radius.value == pytest.approx(mesh.mean_edge() / 2, rel=0.05)
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (8, 8))))
    driver.settled()
    assert radius.value == pytest.approx(PING_SIZE * math.hypot(8, 8), rel=0.05)
    driver.press("]")
    chosen = radius.value
    driver.bench.editor.apply(draw_domain(driver.session.scene, Rectangle((0, 0), (1, 1))))
    driver.settled()
    assert radius.value == chosen
