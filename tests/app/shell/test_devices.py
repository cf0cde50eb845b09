"""A mesh that several devices share, under a window: one device twice stands for two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.app.edits.edits import Edit
from wavelab.scene.editing.item_places import displaced
from wavelab.simulation.solver.commands import TakeSteps

SCENE = boxed(
    "Shared",
    """\
[[holes]]
name = "post"
shape = "ellipse"
center = [0.7, 0.7]
radii = [0.1, 0.1]
[[materials]]
name = "glass"
shape = "rectangle"
lower = [0.2, 0.2]
upper = [0.4, 0.4]
epsilon = 2
[[walls]]
edges = ["domain.left"]
kind = "open"
thickness = 0.2
[[sources]]
kind = "point"
name = "lamp"
position = [0.5, 0.3]
radius = 0.1
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[[probes]]
name = "p"
position = [0.4, 0.6]
[solver]
element_size = 0.15
order = 3
precision = "double"
""",
)


@pytest.fixture
def shared(start, tmp_path):
    """Starts the scene on some devices and holds it at its beginning."""
    path = tmp_path / "shared.toml"
    path.write_text(SCENE)

    def started(device: str):
        driver = start(path, backend="opencl", device=device)
        driver.press("Space")
        driver.press("Ctrl+R")
        driver.until(lambda: frame(driver).steps == 0)
        return driver

    return started


def frame(driver):
    return driver.bench.presenter.frame


def after(driver, steps: int) -> np.ndarray:
    """The field so many steps later."""
    end = frame(driver).steps + steps
    driver.session.solver.send(TakeSteps(steps))
    driver.until(lambda: frame(driver).steps == end)
    return frame(driver).values.copy()


def use(driver) -> list[np.ndarray]:
    """What is seen while all is done that a window can do to a wave."""
    seen = [after(driver, 20)]
    driver.click(0.8, 0.2)
    seen.append(after(driver, 5))
    scene = driver.session.scene
    (glass,) = scene.materials
    denser = replace(glass, material=replace(glass.material, epsilon=3.0))
    for edit in (
        Edit("glass", replace(scene, materials=(denser,))),
        Edit("post", replace(scene, holes=(displaced(scene.holes[0], (-0.05, 0.02)),))),
    ):
        driver.bench.editor.apply(edit)
        driver.until(lambda: not driver.session.busy)
        # What is kept of the past begins anew with the step that is found in the end.
        driver.until(lambda: not driver.session.running.step_is_reckoned)
        driver.settled()
        seen.append(after(driver, 10))
    now = frame(driver).steps
    for key, step in ((",", now - 1), (".", now)):
        driver.press(key)
        driver.until(lambda step=step: frame(driver).steps == step)
        seen.append(frame(driver).values.copy())
    return seen


def test_two_devices_share_the_mesh_and_show_what_one_shows(shared):
    found = []
    for device in ("0", "0,0"):
        driver = shared(device)
        seen = use(driver)
        account = driver.window.ledger_panel.account
        found.append((driver.session.loaded.device, seen, account))
        driver.close()
    (one, alone, account), (two, together, other) = found
    assert two == f"{one} on 2 ranks"
    for a, b in zip(alone, together, strict=True):
        assert np.abs(a).max() > 0.01
        np.testing.assert_allclose(b, a, atol=1e-6 * np.abs(a).max())
    assert other.stored == pytest.approx(account.stored, rel=1e-9)
    assert other.sources == pytest.approx(account.sources, rel=1e-9)
