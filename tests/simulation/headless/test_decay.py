"""Runs that end when the wave has died away, and what monitors miss in those that end before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.linalg import norm

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse
from wavelab.scene.monitors import FluxMonitor
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import Ricker, Sine
from wavelab.scene.waveforms.formula_waveform import FormulaWaveform
from wavelab.simulation.core.silence import silent_from
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.decay import KEPT, Decay
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
    while simulation.steps < n_steps - n_steps % (2 * KEPT):
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


@pytest.mark.parametrize("part", [1e-2, 1e-4])
def test_a_run_ends_when_the_wave_has_died_away(part):
    summary = run(until=100.0, decayed=part)
    assert 2.4 < summary["time"] < 60
    assert summary["energy"]["final"] < part * summary["energy"]["largest"]
    again = run(until=100.0, decayed=part)
    assert again["steps"] == summary["steps"]
    shorter = run(until=100.0, decayed=10 * part)
    assert shorter["steps"] < summary["steps"]


def test_a_run_that_may_go_on_for_ever_knows_what_it_misses():
    """However much later it might have ended."""
    told: list[str] = []
    summary = run(told=told, until=3000.0, decayed=1e-3)
    assert summary["time"] < 60
    assert 1e-4 < max(summary["monitors"]["flux"]["to_come"]) < 0.3
    assert any("still to come" in text for text in told)


def test_a_run_that_ends_before_the_wave_is_gone_says_so():
    told: list[str] = []
    summary = run(told=told, until=8.0, decayed=1e-6)
    (text,) = (text for text in told if "has not died away" in text)
    assert summary["time"] == pytest.approx(8.0)
    foretold = float(text.split("at t = ")[2])
    later: list[str] = []
    found = run(told=later, until=500.0, decayed=1e-6)["time"]
    assert 0.4 < foretold / found < 1.5  # slower modes are left over
    assert not any("died away" in text for text in later)


def test_what_is_told_does_not_depend_on_the_units():
    """In seconds a run of a millisecond was to last until t = 1, and of a map of water in SI units
    only what was to come of the pressure counted."""

    def found(c, density):
        length = 6.0 / c
        scene = parse_scene(
            f"""title = "A box of sound"
physics = "sound"
background = {{ speed = {c!r}, density = {density!r} }}
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[[walls]]
edges = ["domain.left"]
kind = "impedance"
impedance = {0.2 * c * density!r}
[initial]
pressure = "exp(-((x - 0.3)^2 + (y - 0.6)^2)/0.02)"
[[monitors]]
name = "map"
kind = "field"
frequencies = [{0.5 * c!r}, {0.8 * c!r}]
[[monitors]]
name = "gate"
kind = "flux"
vertices = [[0.2, 0.2], [0.2, 0.8]]
frequencies = [{0.5 * c!r}]
[solver]
element_size = 0.4
order = 2
until = {length!r}
decayed = 1e-9
"""
        )
        told: list[str] = []
        summary = run(scene, told)
        times = [float(text.split("t = ")[-1]) / length for text in told if "still" in text]
        parts = [m["to_come"] for m in summary["monitors"].values()]
        return times, np.concatenate(parts)

    times, parts = found(1.0, 1.0)
    assert len(times) == 3
    assert all(1.0 < time < 20.0 for time in times)
    for c, density in ((1480.0, 1000.0), (1e-4, 1e-3)):
        others, other_parts = found(c, density)
        assert others == pytest.approx(times, rel=0.15)  # two digits
        assert other_parts == pytest.approx(parts, rel=1e-3)


def test_a_wave_that_is_still_there_is_never_passed_over_in_silence():
    """Neither where sources fall silent too late to say more, nor where the wave stays."""
    told: list[str] = []
    run(told=told, until=3.5)
    (text,) = (text for text in told if "has not got all" in text)
    assert "the sources are silent from t = " in text
    told.clear()
    run(told=told, until=float(text.split("go on to t = ")[1].split()[0]))
    assert any("still to come" in text for text in told)
    told.clear()
    solver = replace(SCENE.solver, upwinding=0.0)
    run(replace(SCENE, walls=(), solver=solver), told, until=9.0)
    (text,) = (text for text in told if "has not got all" in text)
    assert "depend on when the run ends" in text


@pytest.mark.parametrize("until", [6.0, 1e4])
def test_when_sources_fall_silent_does_not_depend_on_how_long_is_looked(until):
    waves = [Ricker(40.0, 1.2), FormulaWaveform(Formula.parse("exp(-900*(t-1.5)^2)", ("t",)))]
    for wave, silent in zip(waves, (1.2, 1.5), strict=True):
        source = replace(SCENE.sources[0], waveform=wave)
        scene = replace(SCENE, sources=(source,), solver=replace(SCENE.solver, until=until))
        problem = discretize_scene(scene, mesh_scene(scene))
        assert silent_from(problem) == pytest.approx(silent, abs=0.15)


def test_until_may_be_a_word():
    text = """[domain]
shape = "rectangle"
lower = [0, 0]
upper = [3, 4]
[solver]
element_size = 1
until = "decayed"
"""
    solver = parse_scene(text).solver
    assert (solver.until, solver.decayed) == (1500.0, 1e-6)
    assert parse_scene(text + "decayed = 0.01").solver.decayed == 0.01
    scene = parse_scene(text)
    assert parse_scene(dump_scene(scene)).solver == scene.solver
    with pytest.raises(SceneError, match="until is a text"):
        parse_scene(text.replace("decayed", "12"))
    with pytest.raises(SceneError, match="until is no number"):
        parse_scene(text.replace("decayed", "gone"))
    meshed = '[domain]\nmesh = "a.msh"\n[solver]\nuntil = "decayed"\n'
    with pytest.raises(SceneError, match="only the mesh file knows") as error:
        parse_scene(meshed)
    assert error.value.remedy


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
