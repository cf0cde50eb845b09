"""Runs that end when the wave has died away, and what monitors miss in those that end before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.linalg import norm

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse
from wavelab.scene.monitors import FluxMonitor
from wavelab.scene.sources import PointSource
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Ricker, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.decay import LOOKS, Decay
from wavelab.simulation.steppers.numpy_stepper import NumpyStepper

#: A disc that holds the wave for some time, in a room that absorbs what leaves it.
DISC = MaterialRegion("disc", Material(epsilon=9.0), Ellipse((0.4, 0.5), (0.22, 0.22)))
RING = ((0.75, 0.2), (0.75, 0.8))
SCENE = Scene(
    "Ringing",
    Solver(0.25, order=2, until=6.0),
    materials=(DISC,),
    walls=(AbsorbingWall(("domain",)),),
    sources=(PointSource("pulse", (0.35, 0.5), 0.08, 1.0, Ricker(1.0, 1.2)),),
    monitors=(FluxMonitor("flux", RING, frequencies=(0.8, 1.0, 1.2)),),
)


def run(scene=SCENE, told=None, **options):
    notify = (lambda text: None) if told is None else told.append
    return run_batch(scene, BatchOptions(backend="numpy", progress=False, **options), notify=notify)


@pytest.mark.parametrize("until", [6.0, 8.0])
def test_what_is_foretold_is_what_comes(until):
    scene = replace(SCENE, solver=replace(SCENE.solver, until=until))
    problem = discretize_scene(scene, mesh_scene(scene))
    n_steps = problem.steps_to_end()
    simulation = Simulation(problem, NumpyStepper(problem.operator, dt=until / n_steps))
    decay = Decay(simulation, n_steps)
    while simulation.steps < n_steps - n_steps % LOOKS:
        simulation.advance(decay.steps_until_due())
        decay.record()
    (has,) = (simulation.sums_of(monitor) for monitor in problem.monitors)
    simulation.advance(6 * n_steps)
    (all_of_it,) = (simulation.sums_of(monitor) for monitor in problem.monitors)
    came = norm(all_of_it.values - has.values, axis=1) / norm(has.values, axis=1)
    assert came.max() > 0.02
    # Modes that nearly coincide are hardly told apart in so short a time.
    ratio = decay.to_come()["flux"] / came
    assert (ratio > 1 / 3).all()
    assert (ratio < 3).all()


def test_who_does_what_is_advised_misses_nothing_in_the_end():
    """The fall slows down while quick modes die away, so it may take more than one try."""
    until, missing = 6.0, np.inf
    for _ in range(6):
        told: list[str] = []
        summary = run(told=told, until=until)
        advice = [text for text in told if "still to come" in text]
        if not advice:
            break
        assert advice[0].startswith('monitor "flux" has not got all of the wave')
        assert max(summary["monitors"]["flux"]["to_come"]) < missing
        missing = max(summary["monitors"]["flux"]["to_come"])
        until = float(advice[0].split("t = ")[1])
    assert until > 6.0
    assert not advice


@pytest.mark.parametrize("part", [1e-2, 1e-6])
def test_a_run_ends_when_the_wave_has_died_away(part):
    summary = run(until=100.0, decayed=part)
    assert 2.4 < summary["time"] < 60
    assert summary["energy"]["final"] < part * summary["energy"]["largest"]
    again = run(until=100.0, decayed=part)
    assert again["steps"] == summary["steps"]
    shorter = run(until=100.0, decayed=10 * part)
    assert shorter["steps"] < summary["steps"]


def test_what_never_ends_is_refused_with_a_remedy():
    source = replace(SCENE.sources[0], waveform=Sine(1.0))
    with pytest.raises(SceneError, match="goes on to the end") as error:
        run(replace(SCENE, sources=(source,)), decayed=1e-6)
    assert error.value.remedy
    monitor = replace(SCENE.monitors[0], window="hann")
    with pytest.raises(SceneError, match="Hann window") as error:
        run(replace(SCENE, monitors=(monitor,)), decayed=1e-6)
    assert error.value.remedy


def test_a_wave_that_goes_on_has_nothing_to_come():
    source = replace(SCENE.sources[0], waveform=Sine(1.0))
    told: list[str] = []
    summary = run(replace(SCENE, sources=(source,)), told)
    assert "to_come" not in summary["monitors"]["flux"]
    assert not any("still to come" in text for text in told)
