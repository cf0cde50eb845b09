"""Headless runs: a scene in, pictures, movies, probe traces, a snapshot and one summary out."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from wavelab.atomic import check_target
from wavelab.errors import WavelabError
from wavelab.meshing.job import MeshJob
from wavelab.numerics.clusters import Clusters
from wavelab.numerics.sampling import PixelSampler, fit_extent
from wavelab.output import movie, picture, snapshot, traces
from wavelab.output.palette import colorize, palette_info, surroundings
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import Problem, pose
from wavelab.physics.stepper import Stepper
from wavelab.scene.monitors import can_show, monitor_to_show
from wavelab.scene.scene import Scene
from wavelab.simulation import monitor_files
from wavelab.simulation.commands import MovieRequest
from wavelab.simulation.film import Film
from wavelab.simulation.interrupt import RunInterrupted, first_ctrl_c
from wavelab.simulation.ledger import Ledger, steps_per_look
from wavelab.simulation.pacing import BatchController
from wavelab.simulation.probe_traces import ProbeTraces
from wavelab.simulation.recorder import AutoLimit
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.steppers import make_stepper
from wavelab.simulation.views import VIEWS, fixed_limit, view
from wavelab.timeline import NO_TIMELINE, Timeline

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
    backend, device, design : see ``wavelab.simulation.steppers.make_stepper``.
    order, precision, element_size, stepper : override the scene's ``[solver]``.
    image, movie, probes, snapshot, monitors, gather : files to write.
    size : (width, height) of picture and movie in pixels; the shape of the domain by default.
    time_per_frame, fps : simulated time between two pictures of the movie, and its frame rate.
    quantity, palette, limit : override the scene's ``[view]``.
    ledger : keep the energy ledger and report it.
    progress : a bar on stderr; None shows it if stderr is a terminal.
    """

    until: float | None = None
    backend: str = "auto"
    device: str | None = None
    design: str | None = None
    order: int | None = None
    precision: str | None = None
    element_size: float | None = None
    stepper: str | None = None
    image: Path | None = None
    movie: Path | None = None
    probes: Path | None = None
    snapshot: Path | None = None
    monitors: Path | None = None
    gather: Path | None = None
    size: tuple[int, int] | None = None
    time_per_frame: float | None = None
    fps: int = 30
    quantity: str | None = None
    palette: str | None = None
    limit: float | None = None
    ledger: bool = False
    progress: bool | None = None

    def applied(self, scene: Scene) -> Scene:
        """The scene with what is overridden here."""
        solver = _replaced(
            scene.solver,
            until=self.until,
            order=self.order,
            precision=self.precision,
            element_size=self.element_size,
            stepper=self.stepper,
        )
        view = _replaced(scene.view, quantity=self.quantity, palette=self.palette, limit=self.limit)
        return replace(scene, solver=solver, view=view)


def run_batch(
    scene: Scene,
    options: BatchOptions = BatchOptions(),
    *,
    notify: Callable[[str], None] = lambda text: None,
    timeline: Timeline = NO_TIMELINE,
) -> Summary:
    """Mesh a scene and run it from time 0 to its end.

    Parameters
    ----------
    notify : told what a user should know although all goes well.
    timeline : gets everything that takes time.

    Returns
    -------
    The object that ``wavelab run --json`` prints.

    Raises
    ------
    WavelabError : anything in the scene, the options or the device that a user can put right;
        output paths are checked before anything else is done.
    RunInterrupted : Ctrl-C.
    """
    scene = options.applied(scene)
    _check(scene, options)
    with timeline.span("mesh"):
        job = MeshJob(scene).start()
        try:
            mesh = job.wait()
        finally:
            job.cancel()
    for notice in job.notices:
        notify(notice)
    with timeline.span("build operators"):
        problem = pose(scene, mesh)
    for notice in problem.notices:
        notify(notice)
    return run_problem(problem, options, notify=notify, timeline=timeline)


def run_problem(
    problem: Problem,
    options: BatchOptions = BatchOptions(),
    *,
    notify: Callable[[str], None] = lambda text: None,
    timeline: Timeline = NO_TIMELINE,
) -> Summary:
    """Run a problem, as :func:`run_batch`.

    The time step is the largest stable one that divides the time evenly, so the run ends exactly
    at ``until``; two runs on one device give the same numbers.
    """
    for text in monitor_files.too_late(problem.scene):
        notify(text)
    until = problem.scene.solver.until
    n_steps = problem.steps_to_end()
    with timeline.span("prepare the device"):
        stepper = make_stepper(
            problem.operator,
            dt=until / n_steps,
            scheme=problem.scheme,
            backend=options.backend,
            device=options.device,
            design=options.design,
            precision=problem.scene.solver.precision,
            notify=notify,
            timeline=timeline,
        )
    try:
        return _run(problem, stepper, n_steps, options, timeline)
    finally:
        stepper.close()


def _replaced(original: Any, **changes: Any) -> Any:
    return replace(original, **{k: v for k, v in changes.items() if v is not None})


def _check(scene: Scene, options: BatchOptions) -> None:
    for path, suffixes in (
        (options.image, picture.SUFFIXES),
        (options.movie, tuple(movie.FORMATS)),
        (options.probes, traces.SUFFIXES),
        (options.snapshot, snapshot.SUFFIXES),
        (options.monitors, monitor_files.SUFFIXES),
        (options.gather, picture.SUFFIXES),
    ):
        if path is not None:
            check_target(path, suffixes)
    if options.probes is not None and not scene.probes:
        raise WavelabError(
            "the scene has no probes to write",
            where=str(options.probes),
            remedy='Add a [[probes]] table with "name" and "position" to the scene.',
        )
    monitor_files.check_monitors(scene, options.monitors, options.gather)
    until = scene.solver.until
    if not (math.isfinite(until) and until > 0):
        raise WavelabError(
            f"the time to run until is {until}", remedy="It must be a positive number."
        )
    if scene.view.quantity not in VIEWS:
        raise WavelabError(
            f"there is no quantity {scene.view.quantity!r}",
            remedy=f"Use one of {', '.join(VIEWS)}.",
        )
    if not can_show(scene.view.quantity, scene.monitors):
        raise WavelabError(
            f'no monitor measures the quantity "{scene.view.quantity}"',
            where=scene.where,
            remedy=monitor_to_show(scene.view.quantity),
        )
    palette_info(scene.view.palette)


def _run(
    problem: Problem, stepper: Stepper, n_steps: int, options: BatchOptions, timeline: Timeline
) -> Summary:
    simulation = Simulation(problem, stepper)
    initial = simulation.check()
    log = ProbeTraces(problem.probes.names)
    ledger = Ledger(simulation) if options.ledger else None
    with first_ctrl_c() as interrupted, _film(simulation, options, timeline) as film:
        began = time.perf_counter()
        _advance(simulation, n_steps, film, log, ledger, interrupted, options.progress, timeline)
        final = simulation.check()
        wall = time.perf_counter() - began
    fields = stepper.fields()
    if options.image is not None:
        with timeline.span("write picture"):
            _write_picture(options.image, simulation, options)
    if options.probes is not None:
        traces.write_traces(options.probes, log.names, log.times, log.values)
    measured = simulation.measured()
    own_files = monitor_files.write_monitors(
        measured,
        problem.scene,
        simulation.time,
        monitors=options.monitors,
        gather=options.gather,
    )
    if options.snapshot is not None:
        with timeline.span("write snapshot"):
            snapshot.write_snapshot(options.snapshot, problem, fields, simulation.time)
    scene, d = problem.scene, problem.discretization
    errors = field_errors(problem, fields, simulation.time)
    summary = {
        "scene": scene.where,
        "device": stepper.device,
        "backend": stepper.backend,
        "precision": stepper.precision,
        "stepper": stepper.scheme.name,
        "order": d.order,
        "elements": d.n_elements,
        "unknowns": 3 * d.x.size,
        "dt": stepper.dt,
        "steps": simulation.steps,
        "time": simulation.time,
        "wall_s": wall,
        "energy": {"initial": initial, "final": final},
        "error": {name: asdict(error) for name, error in errors.items()} or None,
        "probes": log.summary(),
    }
    if isinstance(stepper.scheme, Clusters):
        summary["clusters"] = {
            "elements": list(stepper.scheme.counts),
            "fewer_updates": stepper.scheme.gain,
        }
    if measured:
        summary["monitors"] = {
            result.name: result.summary() | ({"files": [str(f) for f in files]} if files else {})
            for result, files in zip(measured, own_files, strict=True)
        }
    if ledger is not None:
        summary["ledger"] = ledger.account.summary()
    if interrupted.is_set():
        raise RunInterrupted(summary)
    return summary


def _advance(
    simulation: Simulation,
    n_steps: int,
    film: Film | None,
    log: ProbeTraces,
    ledger: Ledger | None,
    interrupted: threading.Event,
    progress: bool | None,
    timeline: Timeline,
) -> None:
    batches = BatchController(_BATCH_SECONDS)
    look = steps_per_look(simulation.stepper.scheme)
    with tqdm(
        total=n_steps,
        unit="step",
        file=sys.stderr,
        # tqdm's own rule for None: hidden unless the stream is a terminal.
        disable=None if progress is None else not progress,
        desc=simulation.problem.scene.title,
    ) as bar:
        while simulation.steps < n_steps and not interrupted.is_set():
            steps = min(batches.steps, n_steps - simulation.steps)
            if ledger is not None:
                # At steps that do not depend on the batches, so that no number does.
                steps = min(steps, look - simulation.steps % look)
            if film is not None:
                steps = min(steps, film.steps_until_picture(simulation))
            began = time.perf_counter()
            with timeline.span("steps", steps=steps):
                log.append(*simulation.advance(steps))
                simulation.stepper.synchronize()
            seconds = time.perf_counter() - began
            batches.measured(steps, seconds)
            timeline.count("steps/s", steps / seconds)
            if ledger is not None and (simulation.steps % look == 0 or simulation.steps == n_steps):
                with timeline.span("ledger"):
                    ledger.update(simulation)
            if film is not None:
                film.record(simulation)
            bar.update(steps)


@contextmanager
def _film(
    simulation: Simulation, options: BatchOptions, timeline: Timeline
) -> Iterator[Film | None]:
    """The movie of the run if one was asked for; finished even when the run fails, so that it
    shows how."""
    if options.movie is None:
        yield None
        return
    scene = simulation.problem.scene
    width, height = movie.even_size(*_picture_size(simulation.problem, options))
    film = Film(
        MovieRequest(
            options.movie,
            width,
            height,
            options.time_per_frame or max(scene.solver.until / _MOVIE_PICTURES, simulation.dt),
            options.fps,
            scene.view.quantity,
            scene.view.palette,
            scene.view.limit,
        ),
        simulation,
        timeline,
    )
    try:
        yield film
    finally:
        with timeline.span("finish movie"):
            film.close()


def _picture_size(problem: Problem, options: BatchOptions) -> tuple[int, int]:
    if options.size is not None:
        return options.size
    across, up = np.ptp(problem.discretization.mesh.vertices, axis=0)
    scale = _PIXELS / max(across, up)
    return max(2, round(across * scale)), max(2, round(up * scale))


def _write_picture(path: Path, simulation: Simulation, options: BatchOptions) -> None:
    problem, look = simulation.problem, simulation.problem.scene.view
    width, height = _picture_size(problem, options)
    d = problem.discretization
    sampler = PixelSampler(d, fit_extent(d, width, height), width, height)
    pixels = sampler.sample(view(simulation, look.quantity))
    limit = fixed_limit(look.quantity, look.limit) or AutoLimit().follow(pixels)
    picture.write_png(path, colorize(pixels, look.palette, limit, surroundings(look.palette)))
