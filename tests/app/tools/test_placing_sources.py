"""Sources that are placed, dragged and set by hand."""

from __future__ import annotations

import pytest

from tests.app.conftest import pick, strength
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.waveforms import Ricker


def test_a_source_rings_on_the_present_mesh_and_is_moved_removed_and_undone(driver):
    driver.next_frame()
    mesh, time = driver.session.running.mesh, driver.bench.presenter.frame.time
    driver.press("S")
    driver.click(0.5, 0.5)
    driver.settled()
    (source,) = driver.session.scene.sources
    assert source.position == pytest.approx((0.5, 0.5), abs=0.01)
    assert driver.session.running.mesh is mesh
    assert driver.bench.presenter.frame.time >= time > 0
    driver.until(lambda: strength(driver) > 0.0)
    driver.drag((0.5, 0.5), (0.7, 0.4))
    driver.settled()
    assert driver.session.scene.sources[0].position == pytest.approx((0.7, 0.4), abs=0.01)
    driver.click(0.7, 0.4)
    assert driver.window.property_panel.items.currentText() == "Source 1"
    assert len(driver.session.scene.sources) == 1
    driver.press("Del")
    driver.settled()
    assert driver.session.scene.sources == ()
    for _ in range(2):
        driver.press("Ctrl+Z")
        driver.settled()
    assert driver.session.scene.sources == (source,)


def test_the_settings_of_a_source_are_those_of_the_inspector(driver):
    driver.press("S")
    page = driver.window.tool_panel.source
    assert page.frequency.value == pytest.approx(1 / (6 * 0.2), rel=0.3)
    pick(page.wave, "pulse")
    page.frequency.stepBy(1)
    driver.click(0.5, 0.5)
    driver.settled()
    (source,) = driver.session.scene.sources
    assert isinstance(source.waveform, Ricker)
    assert source.waveform.frequency == page.frequency.value


def test_an_array_is_dragged_and_steered_from_the_inspector(driver):
    driver.press("S")
    page = driver.window.tool_panel.source
    assert page.own["count"].isHidden()
    pick(page.kind, "array")
    page.own["count"].setValue(4)
    page.own["direction"].setValue(-40)
    driver.drag((0.3, 0.3), (0.3, 0.7))
    driver.settled()
    (source,) = driver.session.scene.sources
    assert (source.count, source.direction) == (4, -40)
    assert source.start == pytest.approx((0.3, 0.3), abs=0.01)
    assert source.end == pytest.approx((0.3, 0.7), abs=0.01)
    driver.until(lambda: strength(driver) > 0.0)


def test_a_source_begins_now_in_the_wave_and_at_0_in_the_scene(driver):
    """So that it is heard at once after a reset, and wherever the file is opened."""
    driver.until(lambda: driver.bench.presenter.now > 2)
    driver.press("Space")
    driver.press("S")
    driver.click(0.5, 0.5)
    driver.settled()
    (source,) = driver.session.scene.sources
    assert source.waveform.delay == 0
    assert origin(driver) > 2
    now = origin(driver)
    driver.press("Ctrl+S")
    driver.until(lambda: not driver.session.modified)
    assert load_scene(driver.session.scene.path).sources == (source,)
    # Edits and undos while it runs leave it as it is.
    driver.drag((0.5, 0.5), (0.7, 0.4))
    driver.settled()
    driver.press("Ctrl+Z")
    driver.settled()
    assert origin(driver) == now
    # A reset leaves nothing to wait for.
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.time == 0)
    assert origin(driver) == 0
    for _ in range(2):  # and brings no old time back
        driver.press("Ctrl+Z")
        driver.settled()
    driver.press("Ctrl+Y")
    driver.settled()
    assert origin(driver) == 0


def origin(driver) -> float:
    """When the source of the running wave began."""
    (term,) = driver.program.runner.run.simulation.problem.source_terms
    return term.waveform.origin
