"""What frames cost: steps per second with and without somebody who looks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from wavelab.benchmark.meshes import square_mesh
from wavelab.physics.problem import discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Scene, Solver
from wavelab.simulation.messages.events import Loaded, LoadFailed
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.solver.commands import Load, Pause, Play, SetQuantity
from wavelab.simulation.solver.runner import Runner, RunnerSettings

DEFAULT_ORDER = 4
DEFAULT_ELEMENTS = 10_000
#: Wall time of a turn at running alone or with frames, and how often the turns change.  Taken in
#: turns, because the speed of a machine changes from minute to minute.
_SECONDS, _TURNS = 0.5, 8
#: How long a frame is waited for before another one is asked for.
_PATIENCE = 0.1


@dataclass(frozen=True)
class FrameCost:
    """One measurement, medians over the turns.

    Attributes
    ----------
    asked, frames_per_s : frames that were asked for and that came, per second.
    steps_alone_per_s, steps_with_frames_per_s : steps per second of wall time.
    kept : quotient of the two step rates of neighbouring turns.
    frame_us : wall time that a frame takes from the steps: energy, view and read-back.
    """

    device: str
    precision: str
    order: int
    elements: int
    asked: float
    frames_per_s: float
    steps_alone_per_s: float
    steps_with_frames_per_s: float
    kept: float
    frame_us: float


def measure_frames(
    frames_per_s: float,
    *,
    elements: int = DEFAULT_ELEMENTS,
    order: int = DEFAULT_ORDER,
    precision: str = "single",
    device: str | None = None,
) -> FrameCost:
    """Run the solver's own loop at full speed, asking for frames in every other turn.

    Raises
    ------
    WavelabError : no such device, or it has not enough memory.
    """
    scene = Scene(
        "frames",
        Solver(element_size=1.0, order=order, precision=precision),
        initial=FieldFormulas(ez=Formula.parse("sin(pi*x)*sin(pi*y)", ("x", "y"))),
    )
    problem = discretize_scene(scene, square_mesh(elements))
    with _running(Load(problem, generation=0), RunnerSettings("opencl", device)) as (runner, name):
        turn = partial(_turn, runner)
        turn(0.0)  # the number of steps in a batch settles
        alone, watched = [], []
        for _ in range(_TURNS):
            alone.append(turn(0.0))
            watched.append(turn(frames_per_s))
    steps = np.array([[a[0], w[0]] for a, w in zip(alone, watched, strict=True)])
    count = np.array([w[1] for w in watched])
    kept = float(np.median(steps[:, 1] / steps[:, 0]))
    free, busy = np.median(steps, axis=0)
    frames = float(np.median(count))
    return FrameCost(
        device=name,
        precision=precision,
        order=order,
        elements=problem.discretization.n_elements,
        asked=frames_per_s,
        frames_per_s=frames,
        steps_alone_per_s=float(free),
        steps_with_frames_per_s=float(busy),
        kept=kept,
        frame_us=1e6 * (1 - kept) / frames if frames else 0.0,
    )


@contextmanager
def _running(load: Load, settings: RunnerSettings) -> Iterator[tuple[Runner, str]]:
    """A runner at full speed, and the name of its device."""
    runner = Runner(settings)
    try:
        runner.commands.put(load)
        runner.turn()
        device = ""
        while not runner.events.empty():
            event = runner.events.get()
            if isinstance(event, LoadFailed):
                raise event.error
            if isinstance(event, Loaded):
                device = event.device
        yield runner, device
    finally:
        runner.close()


def _turn(runner: Runner, frames_per_s: float) -> tuple[float, float]:
    """Steps and frames per second over a while."""
    first = _paused(runner)
    runner.commands.put(Play())
    began = now = time.perf_counter()
    due, frames = began, 0
    while now < began + _SECONDS:
        if frames_per_s and now >= due:
            runner.mailbox.request()
            due += 1 / frames_per_s
        runner.turn()
        frames += runner.mailbox.take() is not None
        now = time.perf_counter()
    steps = _paused(runner).steps - first.steps
    return steps / (now - began), frames / (now - began)


def _paused(runner: Runner) -> Frame:
    """The frame of a wave that has come to rest."""
    runner.commands.put(Pause())
    while True:
        runner.commands.put(SetQuantity("ez"))  # or there is nothing new to see
        runner.mailbox.request()
        runner.turn()
        until = time.perf_counter() + _PATIENCE
        while time.perf_counter() < until:
            frame = runner.mailbox.take()
            if frame is not None and not frame.playing:
                return frame
            time.sleep(_PATIENCE / 100)
