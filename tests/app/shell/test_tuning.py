"""Looking for faster kernels behind the window: on unless somebody does not want it, and gone with
the window."""

from __future__ import annotations

import pytest

from wavelab import paths
from wavelab.app.base.settings import load_preferences, preferences_path
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.simulation.tuning import tuning
from wavelab.simulation.tuning.compiling import Compiler


def test_it_is_wanted_until_it_is_switched_off(start, small_scene):
    first = start(small_scene, tune=None)
    action = first.window.actions_by_id["tune"]
    assert action.isChecked()
    action.trigger()
    first.close()
    assert not load_preferences(preferences_path()).tune
    second = start(small_scene, tune=None)
    assert not second.window.actions_by_id["tune"].isChecked()
    second.close()
    # The command line says it for a window and not for all to come.
    third = start(small_scene, tune=True)
    assert third.window.actions_by_id["tune"].isChecked()
    third.close()
    assert not load_preferences(preferences_path()).tune


@pytest.mark.parametrize("end", ["close", "switch off"])
def test_the_child_ends_with_the_window_and_when_it_is_switched_off(
    start, small_scene, tmp_path, monkeypatch, end
):
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(tuning, "SETTLED_SECONDS", 0.0)
    asked: set[KernelConfig] = set()
    monkeypatch.setattr(Compiler, "compile", noted(asked))
    driver = start(small_scene, backend="opencl", tune=True)
    driver.until(lambda: asked)
    if end == "switch off":
        driver.window.actions_by_id["tune"].trigger()
        driver.until(lambda: not driver.program.runner.run.tuning)
        driver.next_frame()
    driver.close()


def noted(asked: set[KernelConfig]):
    """A compiler's method that also notes what it is asked for."""
    method = Compiler.compile

    def compile_and_note(self, shape):
        asked.add(shape)
        method(self, shape)

    return compile_and_note
