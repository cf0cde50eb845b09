"""Headless runs: a scene in, pictures, movies, probe traces, a snapshot and one summary out."""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from wavelab.errors import WavelabError
from wavelab.meshing.job import MeshJob
from wavelab.numerics.sampling import PixelSampler, fit_extent
from wavelab.output import movie, picture, snapshot, traces
from wavelab.output.atomic import check_target
from wavelab.output.palette import background, colorize, palette_info
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import Problem, pose
from wavelab.physics.stepper import QUANTITIES, Stepper
from wavelab.scene.scene import Scene
from wavelab.simulation.commands import MovieRequest
from wavelab.simulation.frame_clock import FrameClock
from wavelab.simulation.pacing import BatchController
from wavelab.simulation.recorder import AutoLimit, Recorder
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.steppers import make_stepper

Summary = dict[str, Any]

#: Longer side of pictures when no size is asked for.
_PIXELS = 1280
#: Pictures in a movie when no time per picture is asked for: ten seconds of it.
_MOVIE_PICTURES = 300
#: Wall time between looks at the progress bar and at Ctrl-C.
_BATCH_SECONDS = 0.1


@dataclass(frozen=True)
class BatchOptions:
    """What to change in a scene and what to write; None leaves it as the scene says.

    Attributes
    ----------
    until : simulated time to end at.
    backend, device : see ``wavelab.simulation.steppers.make_stepper``.
    order, precision, element_size : override the scene's ``[solver]``.
    image, movie, probes, snapshot : files to write.
    size : (width, height) of picture and movie in pixels; the shape of the domain by default.
    time_per_frame, fps : simulated time between two pictures of the movie, and its frame rate.
    quantity, palette, limit : override the scene's ``[view]``.
    progress : a bar on stderr; None shows it if stderr is a terminal.
    """

    until: float | None = None
    backend: str = "auto"
    device: str | None = None
    order: int | None = None
    precision: str | None = None
    element_size: float | None = None
    image: Path | None = None
    movie: Path | None = None
    probes: Path | None = None
    snapshot: Path | None = None
    size: tuple[int, int] | None = None
    time_per_frame: float | None = None
    fps: int = 30
    quantity: str | None = None
    palette: str | None = None
    limit: float | None = None
    progress: bool | None = None


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C ended the run early; every file is complete up to then, and so is ``summary``."""

    def __init__(self, summary: Summary) -> None:
        super().__init__("interrupted")
        self.summary = summary


def run_batch(
    scene: Scene,
    options: BatchOptions = BatchOptions(),
    *,
    notify: Callable[[str], None] | None = None,
) -> Summary:
    """Run a scene from time 0 to its end.

    The time step is the largest stable one that divides the time evenly, so the run ends exactly
    at ``until``; two runs on one device give the same numbers.

    Returns
    -------
    The object that ``wavelab run --json`` prints.

    Raises
    ------
    WavelabError : anything in the scene, the options or the device that a user can put right;
        output paths are checked before anything else is done.
    RunInterrupted : Ctrl-C.
    """
    scene = _overridden(scene, options)
    _check(scene, options)
    tell = notify or (lambda text: None)
    job = MeshJob(scene).start()
    try:
        problem = pose(scene, job.wait())
    finally:
        job.cancel()
    for notice in job.notices:
        tell(notice)
    n_steps = max(1, math.ceil(scene.solver.until / problem.dt_max * (1 - 1e-12)))
    stepper = make_stepper(
        problem.operator,
        dt=scene.solver.until / n_steps,
        backend=options.backend,
        device=options.device,
        precision=scene.solver.precision,
        notify=tell,
    )
    try:
        return _run(problem, stepper, n_steps, options)
    finally:
        stepper.close()


def _overridden(scene: Scene, options: BatchOptions) -> Scene:
    changes = {
        "until": options.until,
        "order": options.order,
        "precision": options.precision,
        "element_size": options.element_size,
    }
    solver = replace(scene.solver, **{k: v for k, v in changes.items() if v is not None})
    changes = {
        "quantity": options.quantity, "palette": options.palette, "limit": options.limit,
    }  # fmt: skip
    view = replace(scene.view, **{k: v for k, v in changes.items() if v is not None})
    return replace(scene, solver=solver, view=view)


def _check(scene: Scene, options: BatchOptions) -> None:
    targets = [
        (options.image, picture.SUFFIXES),
        (options.movie, tuple(movie.FORMATS)),
        (options.probes, traces.SUFFIXES),
        (options.snapshot, snapshot.SUFFIXES),
    ]
    for path, suffixes in targets:
        if path is not None:
            check_target(path, suffixes)
    if options.probes is not None and not scene.probes:
        raise WavelabError(
            "the scene has no probes to write",
            where=str(options.probes),
            remedy='Add a [[probes]] table with "name" and "position" to the scene.',
        )
    until = scene.solver.until
    if not (math.isfinite(until) and until > 0):
        raise WavelabError(
            f"the time to run until is {until}", remedy="It must be a positive number."
        )
    if scene.view.quantity not in QUANTITIES:
        raise WavelabError(
            f"there is no quantity {scene.view.quantity!r}",
            remedy=f"Use one of {', '.join(QUANTITIES)}.",
        )
    palette_info(scene.view.palette)


def _run(problem: Problem, stepper: Stepper, n_steps: int, options: BatchOptions) -> Summary:
    simulation = Simulation(problem, stepper)
    initial = simulation.check()
    log = _ProbeTraces(problem.probes.names)
    with _movie(simulation, options) as film, _ctrl_c() as interrupted:
        began = time.perf_counter()
        _advance(simulation, n_steps, film, log, interrupted, options.progress)
        final = simulation.check()
        wall = time.perf_counter() - began
    fields = stepper.fields()
    if options.image is not None:
        _write_picture(options.image, simulation, options)
    if options.probes is not None:
        traces.write_traces(options.probes, log.names, log.times, log.values)
    if options.snapshot is not None:
        snapshot.write_snapshot(options.snapshot, problem, fields, simulation.time)
    scene, d = problem.scene, problem.discretization
    errors = field_errors(problem, fields, simulation.time)
    summary = {
        "scene": str(scene.path) if scene.path is not None else scene.title,
        "device": stepper.device,
        "backend": stepper.backend,
        "precision": stepper.precision,
        "order": d.order,
        "elements": d.n_elements,
        "unknowns": 3 * d.x.size,
        "dt": stepper.dt,
        "steps": simulation.steps,
        "time": simulation.time,
        "wall_s": wall,
        "energy": {"initial": initial, "final": final},
        "error": {name: asdict(error) for name, error in errors.items()} or None,
        "probes": {
            name: {"t": log.times.tolist(), "ez": log.values[:, i].tolist()}
            for i, name in enumerate(log.names)
        },
    }
    if interrupted.is_set():
        raise RunInterrupted(summary)
    return summary


def _advance(
    simulation: Simulation,
    n_steps: int,
    film: _Film | None,
    log: _ProbeTraces,
    interrupted: threading.Event,
    progress: bool | None,
) -> None:
    batches = BatchController(_BATCH_SECONDS)
    # tqdm's own rule for None: hidden unless the stream is a terminal.
    bar = tqdm(
        total=n_steps,
        unit="step",
        file=sys.stderr,
        disable=None if progress is None else not progress,
        desc=simulation.problem.scene.title,
    )
    with bar:
        while simulation.steps < n_steps and not interrupted.is_set():
            steps = min(batches.steps, n_steps - simulation.steps)
            if film is not None:
                steps = min(steps, film.clock.steps_until(simulation.time, simulation.dt))
            began = time.perf_counter()
            log.append(*simulation.advance(steps))
            simulation.stepper.synchronize()
            batches.measured(steps, time.perf_counter() - began)
            if film is not None:
                film.record(simulation)
            bar.update(steps)


class _ProbeTraces:
    """All probe samples of a run."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._times: list[NDArray[np.float64]] = []
        self._values: list[NDArray[np.float64]] = []

    def append(self, times: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        if self.names:
            self._times.append(times)
            self._values.append(values)

    @property
    def times(self) -> NDArray[np.float64]:
        return np.concatenate([np.zeros(0), *self._times])

    @property
    def values(self) -> NDArray[np.float64]:
        return np.concatenate([np.zeros((0, len(self.names))), *self._values])


@dataclass(frozen=True)
class _Film:
    recorder: Recorder
    clock: FrameClock

    def record(self, simulation: Simulation) -> None:
        due = self.clock.due(simulation.time, simulation.dt)
        if due:
            values = simulation.stepper.view(self.recorder.request.quantity)
            for _ in range(due):
                self.recorder.add(values)
            self.clock.take(due)


@contextmanager
def _movie(simulation: Simulation, options: BatchOptions) -> Iterator[_Film | None]:
    """The movie of the run if one was asked for; finished even when the run fails, so that it
    shows how."""
    if options.movie is None:
        yield None
        return
    scene = simulation.problem.scene
    interval = options.time_per_frame or max(scene.solver.until / _MOVIE_PICTURES, simulation.dt)
    width, height = movie.even_size(*_picture_size(simulation.problem, options))
    request = MovieRequest(
        options.movie,
        width,
        height,
        interval,
        options.fps,
        scene.view.quantity,
        scene.view.palette,
        scene.view.limit,
    )
    film = _Film(
        Recorder(request, simulation.problem.discretization), FrameClock(simulation.time, interval)
    )
    film.record(simulation)
    try:
        yield film
    finally:
        film.recorder.close()


def _picture_size(problem: Problem, options: BatchOptions) -> tuple[int, int]:
    if options.size is not None:
        return options.size
    across, up = np.ptp(problem.discretization.mesh.vertices, axis=0)
    scale = _PIXELS / max(across, up)
    return max(2, round(across * scale)), max(2, round(up * scale))


def _write_picture(path: Path, simulation: Simulation, options: BatchOptions) -> None:
    problem, view = simulation.problem, simulation.problem.scene.view
    width, height = _picture_size(problem, options)
    d = problem.discretization
    sampler = PixelSampler(d, fit_extent(d, width, height), width, height)
    pixels = sampler.sample(simulation.stepper.view(view.quantity))
    limit = view.limit or AutoLimit().follow(pixels)
    picture.write_png(path, colorize(pixels, view.palette, limit, background(view.palette)))


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C, so that the run ends between two batches; the second one is the
    usual KeyboardInterrupt."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return
    usual = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, usual)
