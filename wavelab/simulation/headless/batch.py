"""Headless runs: a scene in, pictures, movies, probe traces, a snapshot and one summary out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from wavelab.atomic import EachFile
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.output.files.tables import write_table
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.pacing import BatchController
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.headless.batch_options import AS_IT_IS, BatchOptions, check_options
from wavelab.simulation.headless.batch_pictures import movie_of, write_picture, write_swing
from wavelab.simulation.headless.batch_records import BatchMark, BatchRecords
from wavelab.simulation.headless.checkpoints.checkpoint import Checkpoint, check_machine, dealing_of
from wavelab.simulation.headless.checkpoints.elsewhere import carry
from wavelab.simulation.headless.checkpoints.schedule import Checkpoints
from wavelab.simulation.headless.decay import Decay
from wavelab.simulation.headless.from_parts import mesh_or_problem
from wavelab.simulation.headless.interrupt import Asked, RunInterrupted, first_request
from wavelab.simulation.headless.preparing import opened_beside, problem_in, stepper_to_end
from wavelab.simulation.headless.progress import Progress
from wavelab.simulation.headless.snapshots import SnapshotSeries, write_snapshot
from wavelab.simulation.headless.summary import Summary, summary_of
from wavelab.simulation.headless.watching import watched
from wavelab.simulation.movies.film import Parts
from wavelab.simulation.pings import Pings
from wavelab.simulation.records import monitor_files, probe_sound
from wavelab.simulation.records.probe_record import ProbeRecord
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # few runs are watched
    from wavelab.simulation.watching.watch import Watch

#: Wall time between looks at the progress bar and at signals.
_BATCH_SECONDS = 0.1


def run_batch(
    scene: Scene,
    options: BatchOptions = AS_IT_IS,
    *,
    notify: Callable[[str], None] = lambda text: None,
    log: TextIO | None = None,
    timeline: Timeline = NO_TIMELINE,
    ranks: RankGroup | None = None,
    parts: Path | None = None,
) -> Summary:
    """Mesh a scene and run it from time 0 to its end.

    Parameters
    ----------
    notify : told what a user should know although all goes well.
    log : gets lines that say how far the run has come.
    timeline : gets everything that takes time.
    ranks : that share the mesh; None for this process alone.
    parts : directory with the mesh in as many parts as there are ranks.

    Returns
    -------
    What :func:`as_json` makes the object of ``wavelab run --json`` of; series are arrays.

    Raises
    ------
    WavelabError : anything in the scene, the options or the device that a user can put right;
        output paths are checked before anything else is done.
    RunInterrupted : Ctrl-C, SIGTERM or SIGHUP.
    """
    scene = options.applied(scene)
    check_options(scene, options)
    opening = None if ranks else opened_beside(scene, options)
    dealt: Sequence[Subdomain] = ()
    checkpoints = None
    found = mesh_or_problem(scene, parts, options, ranks, notify, timeline)
    if isinstance(found, Mesh):
        if options.checkpoint is not None:
            checkpoints = Checkpoints(options, scene, found, notify)
        problem = problem_in(scene, notify, timeline, found, opening)
    else:
        problem, dealt = found
    return run_problem(
        problem, options, notify=notify, log=log, timeline=timeline, checkpoints=checkpoints,
        ranks=ranks, dealt=dealt,
    )  # fmt: skip


def run_problem(
    problem: Problem,
    options: BatchOptions = AS_IT_IS,
    *,
    notify: Callable[[str], None] = lambda text: None,
    log: TextIO | None = None,
    timeline: Timeline = NO_TIMELINE,
    checkpoints: Checkpoints | None = None,
    ranks: RankGroup | None = None,
    dealt: Sequence[Subdomain] = (),
) -> Summary:
    """Run a problem, as :func:`run_batch`, or go on with it; one of an excerpt of a mesh on the
    ranks to which that is ``dealt``.

    The time step is the largest stable one that divides the time evenly, so the run ends exactly
    at ``until``; two runs on one device give the same numbers.
    """
    until, n_steps = problem.scene.solver.until, problem.steps_to_end()
    begun = checkpoints.begun if checkpoints is not None else None
    configs = begun.kernel_configs if begun is not None else ()
    stepper = stepper_to_end(problem, options, notify, timeline, configs, ranks, dealt)
    progress = Progress(
        problem.scene.title,
        n_steps,
        until,
        begun=begun.mark.moment.step if begun is not None else 0,
        bar=options.progress,
        log=log,
        notify=notify,
        long=options.long,
    )
    with closing(stepper), progress:
        if begun is not None:
            check_machine(begun, stepper)
        return _run(problem, stepper, n_steps, options, progress, notify, timeline, checkpoints)


def _run(
    problem: Problem,
    stepper: Stepper,
    n_steps: int,
    options: BatchOptions,
    progress: Progress,
    notify: Callable[[str], None],
    timeline: Timeline,
    checkpoints: Checkpoints | None,
) -> Summary:
    begun = checkpoints.begun if checkpoints is not None else None
    simulation = Simulation(problem, stepper)
    simulation.check()
    initial = float(simulation.element_energy().sum())
    log = ProbeRecord(problem.scene.probes)
    decay = Decay(simulation, n_steps)
    ledger = Ledger(simulation, closely=True) if options.ledger else None
    series, files = None, EachFile()
    parts = Parts(begun.mark.film if begun is not None else None) if checkpoints else None
    records = None
    began = time.perf_counter()
    # A movie that cannot go on ends the run, but what was computed until then is kept.
    with (
        files.written(),
        first_request() as asked,
        movie_of(simulation, options, timeline, parts=parts) as film,
    ):
        if options.snapshot is not None and options.snapshot_every is not None:
            series = SnapshotSeries(options.snapshot, options.snapshot_every, simulation, timeline)
        records = BatchRecords(
            simulation, n_steps, log, Pings(simulation, ledger), film, series, ledger, decay,
            timeline,
        )  # fmt: skip
        if begun is not None:
            records.resume(_mark_here(begun, simulation, notify))
            notify(f"the run goes on from t = {simulation.time:.6g}")
        else:
            records.begin()
        with watched(records, options, notify) as watch:
            _advance(records, asked, progress, timeline, checkpoints, watch)
    if records is not None and records.pings.missed:
        notify(f"pings that touch no element: {records.pings.missed}")
    if simulation.steps == 0:
        files.finish()
    simulation.check()
    wall = time.perf_counter() - began + (begun.wall if begun is not None else 0.0)
    for text in decay.notices():
        notify(text)
    measured = simulation.measured()
    summary = summary_of(simulation, wall, initial, log, measured, decay)
    own_files, plots = _write_files(simulation, log, measured, options, files, timeline, notify)
    files.finish()
    for result, own in zip(measured, own_files, strict=True):
        if own:
            summary["monitors"][result.name]["files"] = [str(file) for file in own]
    if plots:
        summary["plots"] = [str(file) for file in plots]
    if series is not None:
        summary["snapshots"] = [str(file) for file in series.written()]
    if ledger is not None:
        summary["ledger"] = ledger.account.summary()
    if asked.number:
        raise RunInterrupted(summary, asked.number)
    if checkpoints is not None and records is not None:
        checkpoints.finish(records)
    return summary


def _mark_here(
    begun: Checkpoint, simulation: Simulation, notify: Callable[[str], None]
) -> BatchMark:
    """Where a run goes on, as this stepper takes it."""
    if dealing_of(simulation.stepper) == begun.dealing:
        return begun.mark
    notify(
        "the mesh is dealt out otherwise than when the run began: it goes on to rounding, and not "
        "to the bit"
    )
    return carry(begun.mark, begun.carried, simulation)


def _write_files(
    simulation: Simulation,
    log: ProbeRecord,
    measured: list[MonitorResult],
    options: BatchOptions,
    files: EachFile,
    timeline: Timeline,
    notify: Callable[[str], None],
) -> tuple[list[list[Path]], list[Path]]:
    """All that is written at the end; the files that each monitor has to itself, and plots."""
    scene, plots = simulation.problem.scene, list[Path]()
    if options.image is not None:
        with files.written(), timeline.span("write picture"):
            write_picture(options.image, simulation, options)
    if options.swing is not None:
        with files.written(), timeline.span("write movie of a period"):
            write_swing(options.swing, simulation, options)
    if options.figure or options.plots:
        from wavelab.simulation.headless import figures  # of many modules
    if options.figure:
        with files.written(), timeline.span("write figure"):
            figures.write_field_figure(simulation, options, notify)
    for path in options.plots:
        with files.written(), timeline.span("write plots"):
            probed = log.names, *log.rows()
            plots += figures.write_plots(path, simulation, measured, probed, options, notify)
    if options.probes is not None:
        with files.written():
            times, values = log.rows()
            write_table(options.probes, ("time", *log.names), (times, *values.T))
    if options.wav is not None:
        with files.written():
            probe_sound.write_heard(
                options.wav, scene, log.names, *log.rows(),
                heard=options.probe, hertz=options.hertz, tone=options.tone,
            )  # fmt: skip
    own_files: list[list[Path]] = [[] for _ in measured]
    if options.monitors is not None:
        with files.written():
            own_files = monitor_files.write_monitors(
                measured, scene, simulation.time, options.monitors
            )
    if options.gather is not None:
        with files.written():
            monitor_files.write_gather(measured, scene, options.gather)
    if options.snapshot is not None and options.snapshot_every is None:
        with files.written():
            write_snapshot(options.snapshot, simulation, timeline)
    return own_files, plots


def _advance(
    records: BatchRecords,
    asked: Asked,
    progress: Progress,
    timeline: Timeline,
    checkpoints: Checkpoints | None,
    watch: Watch | None,
) -> None:
    batches = BatchController(_BATCH_SECONDS)
    while not records.ended and not asked.number:
        most = batches.steps
        if watch is not None:
            watch.turn(lambda: bool(asked.number))
            most = watch.most(most)
            if not most:
                continue  # a signal, in the midst of a pause
        began = time.perf_counter()
        steps = records.advance(most)
        seconds = time.perf_counter() - began
        batches.measured(steps, seconds)
        timeline.count("steps/s", steps / seconds)
        records.record()
        if watch is not None:
            watch.took(steps, records.sampled)
        progress.took(steps)
        if checkpoints is not None:
            with timeline.span("write checkpoint"):
                checkpoints.offer(records)
    if checkpoints is not None and asked.number:
        while not (records.settled or records.ended):
            records.advance(1)
            records.record()
        if not records.ended:
            checkpoints.write(records)
