"""From every moment that is kept a run goes on bit for bit as it did: fields, auxiliary variables,
what monitors have found, and pings of the hand; on every stepper, with all that acts on fields."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_kinds import BOX, made
from wavelab.arrays import Array
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import MONITORS
from wavelab.scene.poles import Debye, Drude, Lorentz
from wavelab.scene.sources.plane_wave import PlaneWave
from wavelab.scene.sources.point import PointSource
from wavelab.scene.walls import AbsorbingWall, OpenWall
from wavelab.scene.waveforms.formula_waveform import FormulaWaveform
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.solver.run import Run
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.timeline import NO_TIMELINE

pytestmark = pytest.mark.usefixtures("not_optimised")

#: Steps at once, the first time and later; a ping of the hand is given after so many of the first.
BATCHES, OTHER_BATCHES, PINGED = (1, 4, 2, 5), (2, 70), 2
TICKS = Formula.parse("1 if sin(25*t) > 0 else -0.5", ("t",))


def in_time(text: str) -> Formula:
    return Formula.parse(text, ("x", "y", "t"))


def media(**formulas: str) -> Scene:
    background = Material(**{name: in_time(text) for name, text in formulas.items()})
    return replace(BOX, background=background, walls=())


REMEMBERING = replace(
    BOX,
    walls=(OpenWall(("domain.left",), thickness=0.3), AbsorbingWall(("domain.right",))),
    materials=tuple(
        MaterialRegion(
            f"medium {i}",
            Material(poles=(pole,)),
            Rectangle((0.35 + 0.2 * i, 0.2), (0.5 + 0.2 * i, 0.8)),
        )
        for i, pole in enumerate((Drude(0.7, 0.1), Lorentz(2.5, 0.5, 0.2), Debye(0.5, 0.5)))
    ),
    sources=(made(PointSource),),
    # A far field wants a medium that is the same all around, and modes one without poles.
    monitors=tuple(
        made(MONITORS[name], name=name)
        for name in MONITORS
        if name not in ("far_field", "half_space", "modes")
    ),
    pings=(Ping(0.05, (0.7, 0.3), 0.1, 1.0),),
)
SCENES = {
    "layers, poles, waves and monitors": REMEMBERING,
    "a source that jumps": replace(
        BOX,
        sources=(made(PointSource, waveform=FormulaWaveform(TICKS)), made(PlaneWave, name="wave")),
    ),
    "media that jump": media(epsilon="(1 if t^3 < 0.0001 else 4) + 0*x", mu="2 + sign(sin(50*t))"),
    "media that swing": media(epsilon="1.5 + x + 0.2*sin(30*t)", sigma="0.3 + 0.1*y"),
    "double precision": BOX,
}


def problem_of(scene: Scene, stepper: str = "auto") -> Problem:
    precision = "double" if scene is BOX else "single"
    solver = Solver(0.25, order=2, precision=precision, until=0.5, stepper=stepper)
    scene = replace(scene, solver=solver)
    return discretize_scene(scene, mesh_scene(scene))


@pytest.fixture(scope="module", params=SCENES)
def problem(request) -> Problem:
    return problem_of(SCENES[request.param])


def run_of(problem: Problem, backend: str, variant: str | None = None) -> Run:
    """One that keeps a moment after every batch."""
    ticks = itertools.count()  # of a wall clock
    stepper = stepper_of(problem, backend=backend, variant=variant)
    run = Run(
        Simulation(problem, stepper), 1, lambda: float(next(ticks)), lambda text: None,
        budget=1 << 30,
    )  # fmt: skip
    run.pings.give_due()
    return run


def state(run: Run) -> list[Array]:
    """All that may differ: what steps go on from, and what was found."""
    found = [array for result in run.simulation.measured() for array in result.arrays.values()]
    return [*run.simulation.stepper.keep().arrays, *found]


def advance(run: Run, steps: int) -> None:
    while steps:
        batch = min(steps, run.steps_until_due())
        run.advance(batch)
        run.look_after(NO_TIMELINE, keep=True)
        steps -= batch


def check(run: Run) -> None:
    seen = {run.simulation.steps: state(run)}
    for number, batch in enumerate(BATCHES):
        advance(run, batch)
        if number == PINGED:
            assert run.pings.give_now(Ping(0.0, (0.4, 0.4), 0.15, 2.0))
        seen[run.simulation.steps] = state(run)
    log, newest = list(run.pings.log), run.simulation.steps
    moments = [run.past.before(step) for step in sorted(seen)]
    assert [moment.step for moment in moments] == sorted(seen)
    order = np.random.default_rng(1).permutation(len(moments))[:3]
    for number, other in zip(order, itertools.cycle(OTHER_BATCHES), strict=False):
        moment = moments[number]
        run.return_to(moment)
        assert (run.simulation.steps, run.simulation.time) == (moment.step, moment.time)
        same(state(run), seen[moment.step])
        left = newest - moment.step
        while left:
            advance(run, min(other, left))
            left -= min(other, left)
            if run.simulation.steps in seen:
                same(state(run), seen[run.simulation.steps])
        assert run.pings.log == log
    assert run.past.newest == newest


def same(found: list[Array], expected: list[Array]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
def test_the_future_of_every_moment_is_what_it_was(problem, backend):
    with closing(run_of(problem, backend)) as run:
        check(run)


def test_so_it_is_where_neighbours_read_the_fields():
    with closing(run_of(problem_of(SCENES["media that jump"]), "opencl", "per_node")) as run:
        check(run)


@pytest.mark.parametrize("backend", ["numpy", "opencl"])
@pytest.mark.parametrize("name", ["layers, poles, waves and monitors", "a source that jumps"])
def test_so_it_is_with_local_steps(name, backend):
    with closing(run_of(problem_of(SCENES[name], "local"), backend)) as run:
        assert run.simulation.stepper.scheme.n_levels > 1 or name != next(iter(SCENES))
        check(run)
