"""A window in which scenes come and go has one of them at a time."""

from __future__ import annotations

import gc
import weakref
from functools import partial

import pytest

from tests.app.conftest import SMALL_SCENE, STANDING_SCENE, Driver
from wavelab.app.tools import TOOLS

#: What is shown and done of a scene: keys, and places of the canvas.
KEYS = ("G", "F", "J", "J", "F", "G", "2", "1", "Ctrl+L", "Ctrl+L", "Ctrl+A", "Escape")
HERE, THERE = (0.3, 0.4), (0.7, 0.6)


def use(driver: Driver) -> list[weakref.ref]:
    """Whatever looks things up in what runs, and what that is."""
    for tool in TOOLS.values():
        driver.press(tool.shortcut)
        driver.hover(*HERE)
        driver.drag(HERE, (0.5, 0.5), THERE)
        driver.hover(*THERE)
        driver.press("Escape")
    for key in KEYS:
        driver.press(key)
    driver.settled()
    driver.next_frame()
    running, simulation = driver.session.running, driver.program.runner.run.simulation
    problem = running.problem
    parts = (running, problem, problem.operator, problem.discretization,
             problem.discretization.mesh, simulation, simulation.stepper)  # fmt: skip
    return [weakref.ref(part) for part in parts]


def all_gone(parts: list[weakref.ref]) -> bool:
    return all(part() is None for part in parts)


@pytest.fixture
def only_what_is_asked_for():
    """However many objects are made, garbage is looked for only where something large has gone."""
    before = gc.get_threshold()
    gc.set_threshold(10**9, 10**9, 10**9)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("only_what_is_asked_for")
@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_nothing_of_a_scene_is_kept_soon_after_another_runs(start, tmp_path, backend):
    paths = [tmp_path / "one.toml", tmp_path / "other.toml"]
    paths[0].write_text(SMALL_SCENE)
    # With another mesh, for what stays the same is taken over.
    paths[1].write_text(STANDING_SCENE.replace("element_size = 0.2", "element_size = 0.25"))
    driver = start(paths[0], backend=backend)
    for path in (paths[1], paths[0]):
        parts = use(driver)
        driver.program.autosave.forget()
        driver.bench.files.open_path(path)
        driver.settled()
        driver.next_frame()
        driver.until(partial(all_gone, parts))
