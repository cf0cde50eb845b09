"""An obstacle, an edge of the domain or a medium that is dragged: the mesh follows the hand."""

from __future__ import annotations

import numpy as np
import pytest

from wavelab.app.edits.domain_edits import add_material, cut_hole
from wavelab.scene.model.shapes import Ellipse, Rectangle

HOLE = Rectangle((0.4, 0.4), (0.6, 0.6))


@pytest.fixture
def walled(driver):
    """A window with a wave and with an obstacle in the middle, which is chosen."""
    driver.click(0.5, 0.75)
    driver.bench.editor.attempt(cut_hole, HOLE)
    driver.settled()
    driver.press("V")
    driver.click(0.4, 0.5)
    driver.settled()
    return driver


def simulation(driver):
    return driver.program.runner.run.simulation


def hole_in_mesh(driver) -> tuple[float, float]:
    """Where the vertices of the obstacle's faces have their middle."""
    mesh = simulation(driver).problem.discretization.mesh
    numbers = [i for i, name in enumerate(mesh.face_names) if not name.startswith("domain")]
    element, face = np.nonzero(np.isin(mesh.face_tags, numbers))
    corners = mesh.vertices[np.unique(mesh.triangles[element, face])]
    return tuple((corners.min(axis=0) + corners.max(axis=0)) / 2)


def follows(driver, x: float, y: float) -> None:
    driver.until(lambda: hole_in_mesh(driver) == pytest.approx((x, y), abs=0.02))


def test_the_mesh_follows_before_the_button_is_let_go_and_undo_is_one_step(walled):
    driver = walled
    before, steps = driver.session.scene, len(driver.session.history.past)
    mesh = driver.session.running.mesh
    time, since = simulation(driver).time, driver.program.runner.run.account.since
    driver.drag((0.5, 0.5), (0.55, 0.5), release=False)
    follows(driver, 0.55, 0.5)
    driver.pull(0.65, 0.45)
    follows(driver, 0.65, 0.45)
    assert len(driver.session.history.past) == steps
    assert driver.session.running.makeshift
    driver.until(lambda: simulation(driver).time > time)
    account = driver.program.runner.run.account
    assert account.since == since, "the account goes on"
    driver.until(lambda: "Other mesh" in driver.window.ledger_panel.texts())
    driver.let_go(0.65, 0.45)
    driver.settled()
    # What stays is the mesh that the scene would get if it were opened.
    assert not driver.session.running.makeshift
    assert driver.session.running.problem.reckoned_from is None
    follows(driver, 0.65, 0.45)
    assert len(driver.session.history.past) == steps + 1
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene == before
    np.testing.assert_array_equal(driver.session.running.mesh.vertices, mesh.vertices)
    driver.press("Ctrl+Y")
    follows(driver, 0.65, 0.45)


def test_given_up_or_refused_it_is_as_it_was(walled):
    driver = walled
    before, steps = driver.session.scene, len(driver.session.history.past)
    driver.drag((0.5, 0.5), (0.6, 0.5), release=False)
    follows(driver, 0.6, 0.5)
    driver.pull(1.8, 0.5)  # outside
    driver.settled()
    follows(driver, 0.6, 0.5)
    assert "Not so" in driver.canvas.tool.hint
    driver.let_go(1.8, 0.5)
    driver.settled()
    assert driver.session.scene == before
    follows(driver, 0.5, 0.5)
    driver.drag((0.5, 0.5), (0.6, 0.5), release=False)
    follows(driver, 0.6, 0.5)
    driver.press("Esc")
    driver.settled()
    follows(driver, 0.5, 0.5)
    driver.let_go(0.6, 0.5)
    driver.settled()
    assert driver.session.scene == before
    assert len(driver.session.history.past) == steps
    assert not driver.session.running.makeshift


def test_several_at_once_and_a_medium_follow_too(walled):
    driver = walled
    driver.bench.editor.attempt(add_material, Ellipse((0.2, 0.2), (0.1, 0.1)))
    driver.settled()
    driver.bench.selection.choose_all([("holes", 0), ("materials", 0)])
    steps = len(driver.session.history.past)
    driver.drag((0.41, 0.5), (0.51, 0.6), release=False)
    follows(driver, 0.6, 0.6)
    driver.let_go(0.51, 0.6)
    driver.settled()
    (medium,) = driver.session.scene.materials
    assert medium.shape.center == pytest.approx((0.3, 0.3), abs=0.02)
    assert len(driver.session.history.past) == steps + 1


def test_a_corner_of_the_domain_takes_its_walls_along(driver):
    driver.press("V")
    driver.click(0.0, 0.3)
    driver.settled()
    energy = driver.session.running.mesh.signed_areas().sum()
    driver.drag((1.0, 1.0), (1.1, 1.2), release=False)
    driver.until(lambda: driver.session.running.mesh.signed_areas().sum() > energy + 0.05)
    driver.let_go(1.1, 1.2)
    driver.settled()
    assert driver.session.scene.outline.bounds()[1] == pytest.approx((1.1, 1.2), abs=0.02)
