"""A mesh that is exchanged under a running wave: what goes on, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_meshes import with_named_sides
from tests.simulation.conftest import driven, square
from tests.simulation.solver.test_runner import look, tell
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.monitors import MONITORS
from wavelab.scene.walls import OpenWall
from wavelab.simulation.solver.commands import Load, Play, SetSpeed, TakeSteps
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.steppers import make_stepper

SCENE = replace(
    driven(),
    walls=(OpenWall(("domain.left",), thickness=0.25),),
    monitors=(MONITORS["flux"]("through", vertices=((0.4, 0.2), (0.4, 0.8)), frequencies=(0.7,)),),
)


def nudged(mesh: Mesh) -> Mesh:
    """One vertex elsewhere."""
    vertices = mesh.vertices.copy()
    vertices[np.argmin(np.abs(vertices - (0.75, 0.25)).sum(axis=1))] += 0.02
    return replace(mesh, vertices=vertices)


def without_a_corner(mesh: Mesh) -> Mesh:
    """As if an obstacle had been put there."""
    kept = mesh.vertices[mesh.triangles].mean(axis=1).sum(axis=1) < 1.6
    used, numbers = np.unique(mesh.triangles[kept], return_inverse=True)
    part = mesh.permuted(np.flatnonzero(kept))
    triangles = numbers.reshape(-1, 3).astype(np.int32)
    return replace(part, vertices=mesh.vertices[used], triangles=triangles)


@pytest.fixture
def run() -> Iterator[tuple[Runner, Problem, Mesh]]:
    """A runner after 60 steps, its problem and its mesh."""
    mesh = with_named_sides(square(8))
    problem = discretize_scene(SCENE, mesh)
    runner = Runner(make=lambda *a, **k: make_stepper(*a, **k | {"backend": "numpy"}))
    tell(runner, Load(problem, 1))
    steps(runner, 60)
    yield runner, problem, mesh
    runner.close()


def steps(runner: Runner, count: int) -> None:
    runner.turn()
    end = runner.run.simulation.steps + count
    tell(runner, TakeSteps(count))
    while runner.run.simulation.steps < end:
        runner.turn()


def test_elements_that_stay_keep_fields_and_memory_bit_for_bit(run):
    runner, problem, mesh = run
    before = runner.run.simulation.state()
    new = discretize_scene(SCENE, nudged(mesh))
    carrying = Carrying(problem.discretization, new.discretization)
    assert 0 < new.discretization.n_elements - len(carrying.kept) < 10
    tell(runner, Load(new, 2, keep_field=True, carrying=carrying))
    runner.turn()
    after = runner.run.simulation.state()
    assert (after.time, after.steps) == (before.time, before.steps)
    numbers = {place.tobytes(): i for i, place in enumerate(problem.discretization.x)}
    for name in ("hx", "hy", "ez"):
        old, now = getattr(before.fields, name), getattr(after.fields, name)
        for element in carrying.kept:
            was = numbers[new.discretization.x[element].tobytes()]
            np.testing.assert_array_equal(now[element], old[was])
    # The layer remembers.
    (memory,), (was,) = after.fields.auxiliary, before.fields.auxiliary
    assert np.abs(was).max() > 0
    np.testing.assert_array_equal(np.sort(memory.ravel()), np.sort(was.ravel()))


def test_traces_series_clock_and_ledger_go_on_and_say_what_the_way_cost(run):
    runner, _, mesh = run
    frame = look(runner)
    series, energy = frame.probes.series, runner.run.account.stored
    through = runner.run.simulation.measured()[0].arrays["time"]
    tell(runner, Load(discretize_scene(SCENE, nudged(mesh)), 2, keep_field=True))
    runner.turn()
    account = runner.run.account
    assert account.since == 0
    assert account.parametric == 0
    assert account.stored == pytest.approx(energy + account.carried, rel=1e-12)
    assert 0 < -account.carried < 1e-3 * energy
    steps(runner, 20)
    later = look(runner)
    assert later.probes.series == series
    assert later.time > frame.time
    assert len(runner.run.simulation.measured()[0].arrays["time"]) == len(through) + 20
    runner.run.book()
    account = runner.run.account
    assert abs(account.residual) < 0.01 * account.turnover
    # An obstacle takes what it covers, and nothing else.
    old = runner.run.simulation
    element_energy, corners = old.element_energy(), old.problem.discretization.mesh
    covered = corners.vertices[corners.triangles].mean(axis=1).sum(axis=1) >= 1.6
    tell(runner, Load(discretize_scene(SCENE, without_a_corner(nudged(mesh))), 3, keep_field=True))
    runner.turn()
    lost = account.carried - runner.run.account.carried
    assert lost == pytest.approx(element_energy[covered].sum(), rel=1e-9)


def test_the_same_mesh_made_anew_changes_nothing(run):
    runner, _, mesh = run
    energy = runner.run.simulation.element_energy().sum()
    shuffled = mesh.permuted(np.random.default_rng(0).permutation(mesh.n_elements))
    tell(runner, Load(discretize_scene(SCENE, shuffled), 2, keep_field=True))
    runner.turn()
    assert abs(runner.run.account.carried) < 1e-12 * energy


def test_the_wave_keeps_its_speed_however_often_the_mesh_changes():
    now = 0.0
    mesh = with_named_sides(square(8))
    problems = [discretize_scene(SCENE, m) for m in (mesh, nudged(mesh))]
    runner = Runner(
        make=lambda *a, **k: make_stepper(*a, **k | {"backend": "numpy"}), clock=lambda: now
    )
    tell(runner, Load(problems[0], 1), SetSpeed(1.0), Play())
    runner.turn()
    for turn in range(1, 61):
        if turn % 2 == 0:
            tell(runner, Load(problems[turn // 2 % 2], turn, keep_field=True))
        now += 0.02
        runner.turn()
    assert runner.run.simulation.time == pytest.approx(now, rel=0.1)
    runner.close()
