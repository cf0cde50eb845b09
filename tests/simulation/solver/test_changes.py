"""Numbers that are changed while the wave runs: fields, clock, traces and accounts go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.simulation.conftest import driven
from tests.simulation.solver.test_runner import drained, look, tell
from wavelab.errors import WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import revised, settled
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Probe, Scene
from wavelab.scene.monitors import MONITORS
from wavelab.scene.sources import PlaneWave, PointSource
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.scene.walls import AbsorbingWall
from wavelab.scene.waveforms import FormulaWaveform, Sine
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.events import Loaded, LoadFailed
from wavelab.simulation.solver.commands import Load, Play, Reset, TakeSteps
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.steppers import make_stepper

SCENE = replace(
    driven(),
    walls=(AbsorbingWall(("domain.left",)),),
    monitors=(MONITORS["flux"]("through", vertices=((0.2, 0.2), (0.2, 0.8)), frequencies=(0.7,)),),
)


def stronger(problem: Problem) -> Problem:
    (source,) = problem.scene.sources
    return revised(problem, replace(problem.scene, sources=(replace(source, amplitude=5.0),)))


def denser(problem: Problem) -> Problem:
    return revised(problem, replace(problem.scene, background=Material(epsilon=1.5)))


@pytest.fixture(scope="module")
def begun() -> Problem:
    return discretize_scene(SCENE, mesh_scene(SCENE))


@pytest.fixture(params=["numpy", "opencl"])
def run(request, begun):
    """A runner at step 30 of a problem, and that."""
    problem = begun
    runner = Runner(make=lambda *a, **k: make_stepper(*a, **k | {"backend": request.param}))
    tell(runner, Load(problem, 1), TakeSteps(30))
    while runner.run is None or runner.run.simulation.steps < 30:
        runner.turn()
    look(runner)
    drained(runner.events)
    yield runner, problem
    runner.close()


def load(runner: Runner, problem: Problem, generation: int = 2) -> None:
    tell(runner, Load(problem, generation, keep_field=True))
    runner.turn()
    (event,) = drained(runner.events)
    assert event == replace(event, generation=generation, kept=True)
    assert isinstance(event, Loaded)


def steps(runner: Runner, count: int) -> None:
    end = runner.run.simulation.steps + count
    tell(runner, TakeSteps(count))
    while runner.run.simulation.steps < end:
        runner.turn()


def test_a_source_is_changed_in_the_stepper_that_runs(run):
    runner, problem = run
    stepper, before = runner.run.simulation.stepper, runner.run.simulation.state()
    load(runner, stronger(problem))
    simulation = runner.run.simulation
    assert simulation.stepper is stepper
    after = simulation.state()
    assert (after.time, after.steps) == (before.time, before.steps)
    np.testing.assert_array_equal(after.fields.ez, before.fields.ez)
    steps(runner, 20)
    # As if it had been so strong from here on.
    expected = make_stepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, backend="numpy"
    )
    expected.set_source_terms(stronger(problem).source_terms)
    expected.set_fields(before.fields)
    expected.set_clock(before.time, before.steps)
    expected.advance(20)
    scale = np.abs(expected.fields().ez).max()
    assert np.abs(simulation.state().fields.ez - expected.fields().ez).max() < 1e-5 * scale


@pytest.mark.parametrize("change", [stronger, denser])
def test_traces_accounts_and_series_go_on(run, change):
    runner, problem = run
    first = look(runner) or runner.mailbox.take()
    load(runner, change(problem))
    steps(runner, 40)
    frame = look(runner)
    times = frame.probes.times
    assert frame.probes.names == ("p",)
    assert len(times) == 40
    assert np.all(np.diff(times) > 0)
    runner.run.book()
    account = runner.run.account
    assert account.since == 0
    assert abs(account.residual) < 2e-3 * account.turnover
    recorded = runner.run.simulation.measured()[0].arrays
    series = next(values for name, values in recorded.items() if len(values) == 70)
    assert len(series) == 70, "the flux through the line is known since the start"
    assert first is None or first.probes.series == frame.probes.series


def test_what_no_source_changes_is_not_reckoned_again(run, monkeypatch):
    """The energy of the field is summed up once for a change, and is that of the field."""
    runner, problem = run
    steps(runner, 7)
    counted, of = [], type(problem.operator)
    found = of.element_energy
    monkeypatch.setattr(of, "element_energy", lambda *a: counted.append(1) or found(*a))
    load(runner, stronger(problem))
    assert len(counted) == 1
    account, state = runner.run.account, runner.run.simulation.state()
    assert account.stored == found(problem.operator, state.fields, state.time).sum()
    assert account.until == state.time


def test_a_probe_more_begins_a_new_series_and_leaves_sums_alone(run):
    runner, problem = run
    sums = runner.run.simulation.sums_of(problem.monitors[0])
    more = replace(problem.scene, probes=(*problem.scene.probes, Probe("q", (0.6, 0.6))))
    load(runner, revised(problem, more))
    monitor = runner.run.simulation.problem.monitors[0]
    assert runner.run.simulation.sums_of(monitor).duration == sums.duration > 0
    steps(runner, 5)
    frame = look(runner)
    assert frame.probes.names == ("p", "q")
    assert len(frame.probes) == 5
    assert runner.run.simulation.sums_of(monitor).duration > sums.duration


def test_sums_of_a_wave_that_is_no_more_begin_anew(run):
    runner, problem = run
    load(runner, stronger(problem))
    monitor = runner.run.simulation.problem.monitors[0]
    assert runner.run.simulation.sums_of(monitor).duration == 0


def test_a_step_that_was_reckoned_gives_way_to_the_one_that_is_found(run):
    runner, problem = run
    reckoned = denser(problem)
    load(runner, reckoned)
    assert runner.run.simulation.dt == reckoned.dt_max
    found = settled(reckoned)
    time = runner.run.simulation.time
    load(runner, found, 3)
    assert runner.run.simulation.dt == found.dt_max > reckoned.dt_max
    assert runner.run.simulation.time == time


def test_after_a_reset_sources_are_as_the_scene_says(run):
    runner, problem = run
    other = PointSource("t", (0.3, 0.3), 0.1, 1.0, Sine(0.70710678))
    scene = replace(problem.scene, sources=(*problem.scene.sources, other))
    load(runner, revised(problem, scene))
    now = runner.run.simulation
    assert now.problem.source_terms[1].waveform.origin == now.time  # it begins now
    tell(runner, Reset())
    runner.turn()
    assert now.time == 0
    assert now.problem.source_terms[1].waveform.origin == 0
    steps(runner, 10)
    expected = make_stepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, backend="numpy"
    )
    expected.set_source_terms(revised(problem, scene).source_terms)
    expected.advance(10)
    scale = np.abs(expected.fields().ez).max()
    assert np.abs(now.state().fields.ez - expected.fields().ez).max() < 1e-5 * scale


def test_what_cannot_be_changed_leaves_all_as_it_was(run, monkeypatch):
    runner, problem = run
    simulation = runner.run.simulation
    refuse = simulation.stepper.set_transforms
    calls = []

    def once(transforms):
        calls.append(1)
        if len(calls) == 1:
            raise WavelabError("not that")
        refuse(transforms)

    sums = simulation.sums_of(problem.monitors[0])
    monkeypatch.setattr(simulation.stepper, "set_transforms", once)
    tell(runner, Load(stronger(problem), 2, keep_field=True))
    runner.turn()
    (event,) = drained(runner.events)
    assert isinstance(event, LoadFailed)
    assert runner.run.generation == 1
    assert simulation.problem is problem
    assert simulation.sums_of(problem.monitors[0]).duration == sums.duration
    before = simulation.state()
    steps(runner, 5)
    assert runner.run.simulation.steps == before.steps + 5


@pytest.mark.parametrize("change", [stronger, denser])
def test_what_fails_in_the_account_leaves_the_numbers_as_they_were(run, change, monkeypatch):
    """The stepper has the other numbers by then, and has to take those from before back."""
    runner, problem = run
    simulation = runner.run.simulation
    before, sums = simulation.state(), simulation.sums_of(problem.monitors[0])

    def no_room(*given):
        raise WavelabError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(Simulation, "set_sampling", no_room)
        tell(runner, Load(change(problem), 2, keep_field=True))
        runner.turn()
    (event,) = drained(runner.events)
    assert isinstance(event, LoadFailed)
    assert runner.run.simulation is simulation
    assert simulation.said is problem
    assert simulation.dt == problem.dt_max
    assert simulation.sums_of(problem.monitors[0]).duration == sums.duration
    steps(runner, 20)
    expected = make_stepper(
        problem.operator, dt=problem.dt_max, scheme=problem.scheme, backend="numpy"
    )
    expected.set_source_terms(problem.source_terms)
    expected.set_fields(before.fields)
    expected.set_clock(before.time, before.steps)
    expected.advance(20)
    scale = np.abs(expected.fields().ez).max()
    assert np.abs(simulation.state().fields.ez - expected.fields().ez).max() < 1e-5 * scale
    assert simulation.time == pytest.approx(expected.time)
    runner.run.book()
    account = runner.run.account
    assert abs(account.residual) < 2e-3 * account.turnover


def medium_that_jumps(scene: Scene, time: float) -> Scene:
    epsilon = Formula.parse(f"(1 if t < {time} else 2) + 0.1*x", ("x", "y", "t"))
    return replace(scene, background=Material(epsilon=epsilon))


def source_that_jumps(scene: Scene, time: float) -> Scene:
    waveform = FormulaWaveform(Formula.parse(f"1 if t < {time} else 2", ("t",)))
    return replace(scene, sources=(replace(scene.sources[0], waveform=waveform),))


@pytest.mark.parametrize("jumping", [medium_that_jumps, source_that_jumps])
def test_a_jump_that_was_ahead_and_is_later_now_stops_no_clock(run, jumping):
    """The step before a jump sees no time behind it."""
    runner, problem = run
    begun = runner.run.simulation.time
    graded = Material(epsilon=Formula.parse("1.5 + 0.1*x", ("x", "y")))
    calm = replace(problem.scene, background=graded, walls=())
    second = revised(problem, jumping(calm, begun + 9.0))
    dt = second.dt_max
    first = revised(problem, jumping(calm, begun + 1.5 * dt))
    load(runner, first)
    steps(runner, 1)
    then, stepper = runner.run.simulation.time, runner.run.simulation.stepper
    assert then < begun + 1.5 * dt < then + dt
    load(runner, second, 3)
    simulation = runner.run.simulation
    assert simulation.stepper is stepper or stepper.backend == "numpy"
    steps(runner, 4)
    assert simulation.time == pytest.approx(then + 4 * simulation.dt)


def test_a_wave_goes_on_playing_through_a_hundred_changes(run):
    runner, problem = run
    tell(runner, Play())
    for number in range(100):
        problem = (stronger, denser)[number % 10 == 0](problem)
        load(runner, problem, 2 + number)
    assert runner.playback.playing
    assert runner.run.simulation.steps > 100


def test_numbers_of_formulas_are_data_and_not_compiled(begun, compiled):
    problem = begun
    runner = Runner(make=lambda *a, **k: make_stepper(*a, **k | {"backend": "opencl"}))
    tell(runner, Load(problem, 1))
    runner.turn()
    wave = PlaneWave("w", 0.0, 1.0, Sine(1.0), edges=("domain.left",))

    def medium(number: int) -> Material:
        return Material(epsilon=Formula.parse(f"2 + 0.1*sin({number}*t)*x", ("x", "y", "t")))

    changes = [
        lambda n: replace(SCENE, sources=(replace(wave, waveform=Sine(1.0 + n)),)),
        lambda n: replace(SCENE, background=medium(3 + n), walls=(), sources=()),
    ]
    for change in changes:
        tell(runner, Load(revised(problem, change(0)), 2, keep_field=True))
        runner.turn()
        before = len(compiled)
        for number in range(1, 4):
            tell(runner, Load(revised(problem, change(number)), 2 + number, keep_field=True))
            runner.turn()
        assert not [e for e in drained(runner.events) if isinstance(e, LoadFailed)]
        assert len(compiled) == before
    runner.close()


IN_LAYERS = """
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.12
order = 3
[[walls]]
edges = ["domain"]
kind = "open"
thickness = 0.2
[initial]
ez = "exp(-((x - 0.3)^2 + (y - 0.3)^2) / 0.02)"
"""


def test_a_layer_that_changes_under_a_wave_gives_it_no_energy():
    """A wave lies in layers that forget what they remember, or take it for something else, when
    they are made of other elements: then they drive it, to a hundred times its energy."""
    scene = parse_scene(IN_LAYERS)
    problem = discretize_scene(scene, mesh_scene(scene))
    runner = Runner(make=lambda *a, **k: make_stepper(*a, **k | {"backend": "numpy"}))
    tell(runner, Load(problem, 1))
    runner.turn()
    drained(runner.events)
    energies, sets = [], set()
    for n, thickness in enumerate(np.linspace(0.2, 0.3, 12)):
        walls = (replace(scene.walls[0], thickness=float(thickness)),)
        problem = revised(problem, replace(scene, walls=walls))
        sets.add(tuple(e.elements.tobytes() for e in problem.auxiliary_equations))
        load(runner, problem, n + 2)
        runner.run.advance(8)
        energies.append(runner.run.simulation.element_energy().sum())
    assert len(sets) > 2
    assert max(energies) == energies[0]
    # What is left stands still in the layers, where it was caught while they changed.
    assert energies[-1] < 0.05 * energies[0]
    runner.close()
