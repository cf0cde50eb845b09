"""A run of the window says when its wave has died away, if its scene asks for that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulation.conftest import driven
from tests.simulation.solver.test_runner import drained, tell
from wavelab.scene.model.scene import Material
from wavelab.scene.waveforms import Ricker
from wavelab.simulation.messages.events import Notice
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.commands import Load, TakeSteps
from wavelab.simulation.solver.runner import Runner


@pytest.mark.parametrize("decayed", [0.0, 1e-2])
def test_it_is_told_once(decayed, make_numpy, make_problem):
    scene = driven()
    source = replace(scene.sources[0], waveform=Ricker(2.0, 0.5))
    solver = replace(scene.solver, until=50.0, decayed=decayed)
    lossy = Material(sigma=2.0)
    scene = replace(scene, sources=(source,), background=lossy, solver=solver)
    runner = Runner(RunnerSettings(), make=make_numpy)
    tell(runner, Load(make_problem(scene), generation=1))
    told = []
    for _ in range(60):
        tell(runner, TakeSteps(10))
        runner.turn()
        told += [e.text for e in drained(runner.events) if isinstance(e, Notice)]
    runner.close()
    told = [text for text in told if "has died away" in text]
    assert len(told) == bool(decayed)
    assert not decayed or 0.5 < float(told[0].split("t = ")[1].split(":")[0]) < 50
