"""A session is saved with its pings and repeated, headless and in the window."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from tqdm import tqdm

from wavelab.app.session.preparation import Preparation
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.headless.batch import run_problem
from wavelab.simulation.headless.batch_options import BatchOptions


class Unending:
    """A preparation that is never done."""

    done, text, started = False, "Meshing", 0.0
    quick, generation = False, 10**9

    def cancel(self):
        self.done = True


def test_save_with_pings(start, small_scene, tmp_path, monkeypatch):
    stuck = False
    monkeypatch.setattr(
        "wavelab.app.shell.program.Preparation",
        lambda *given, **named: Unending() if stuck else Preparation(*given, **named),
    )
    driver = start(small_scene)
    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # no thread that stays
    driver.press("Space")
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    driver.dialogs.path = tmp_path / "session.toml"
    driver.press("Ctrl+Alt+S")
    driver.until(lambda: driver.window.message.is_error)
    assert "nothing to repeat" in driver.window.message.text
    driver.click(0.3, 0.6)
    driver.press(".")
    driver.until(lambda: driver.bench.presenter.frame.steps == 1)
    driver.press("X")
    driver.click(0.6, 0.3)
    for step in (2, 3):
        driver.press(".")
        driver.until(lambda step=step: driver.bench.presenter.frame.steps == step)
    shown = driver.bench.presenter.frame
    driver.press("Ctrl+Alt+S")
    driver.until(lambda: "2 pings" in driver.window.message.text)
    scene = load_scene(tmp_path / "session.toml")
    assert [round(p.time / scene.solver.until, 6) for p in scene.pings] == [0, 0.333333]
    assert np.sign([p.amplitude for p in scene.pings]).tolist() == [1, -1]
    assert scene.pings[0].position == pytest.approx((0.3, 0.6), abs=0.01)
    # Headless the same field, in the window too.
    options = BatchOptions(backend="numpy", progress=False, snapshot=tmp_path / "a.h5")
    problem = discretize_scene(scene, driver.session.running.mesh)
    assert run_problem(problem, options)["steps"] == 3
    with h5py.File(options.snapshot) as file:
        np.testing.assert_allclose(file["ez"], shown.values, atol=1e-6)
    assert np.abs(shown.values).max() > 0.1
    driver.press("Ctrl+O")
    driver.until(lambda: driver.session.scene.pings)
    driver.settled()
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    for step in (1, 2, 3):
        driver.press(".")
        driver.until(lambda step=step: driver.bench.presenter.frame.steps == step)
    np.testing.assert_allclose(driver.bench.presenter.frame.values, shown.values, atol=1e-6)
    driver.until(lambda: driver.window.actions_by_id["remove_pings"].isEnabled())
    # While an edit is on its way, the scene that made this field is saved.
    driver.dialogs.path = tmp_path / "meanwhile.toml"
    order, stuck = driver.session.scene.solver.order, True
    driver.window.mesh_panel.order_wished.emit(order + 1)
    driver.press("Ctrl+Alt+S")
    driver.until((tmp_path / "meanwhile.toml").exists)
    assert driver.session.scene.solver.order == order + 1
    assert load_scene(tmp_path / "meanwhile.toml").solver == scene.solver
    assert "before the edit" in driver.window.message.text
    stuck = False
    driver.session.cancel()
    # An edit that carries the field over is another matter.
    driver.window.mesh_panel.order_wished.emit(3)
    driver.settled()
    driver.press("Ctrl+Alt+S")
    driver.until(lambda: driver.window.message.is_error)
    assert "edited while the wave ran" in driver.window.message.text
    driver.window.actions_by_id["remove_pings"].trigger()
    driver.settled()
    assert driver.session.scene.pings == ()
    driver.until(lambda: not driver.window.actions_by_id["remove_pings"].isEnabled())
    driver.press("Ctrl+R")
    driver.until(lambda: driver.bench.presenter.frame.steps == 0)
    assert not driver.bench.presenter.frame.values.any()
