"""A scene run again and again with other values, and what was measured each time as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavelab.ctrl_c import held_back
from wavelab.errors import SceneError
from wavelab.meshing.job import MeshJob
from wavelab.physics.problem import discretize_scene
from wavelab.pool import NoAnswer, answers
from wavelab.scene.editing.settings import check_setting, with_settings
from wavelab.scene.model.scene import Scene
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.summary import Summary, summary_of_nothing
from wavelab.simulation.sweeps.axes import Axis, Point, points
from wavelab.simulation.sweeps.table import Row, SweepTable, mark_of
from wavelab.simulation.sweeps.worker import Answer, Task

_WORKER = "wavelab.simulation.sweeps.worker"


@dataclass(frozen=True)
class Sweep:
    """What to run.

    Attributes
    ----------
    scene : with all values but those of the axes.
    axes : names of the scene and what they are set to; all combinations are run.
    """

    scene: Scene
    options: BatchOptions
    axes: tuple[Axis, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What is gone over."""
        return tuple(axis.name for axis in self.axes)

    @property
    def points(self) -> list[Point]:
        """One for each run."""
        return points(self.axes)

    @property
    def mark(self) -> str:
        """Of the scene and the options that numbers depend on."""
        return mark_of(self.options.applied(self.scene))

    def at(self, point: Point) -> Scene:
        """The scene of one run.

        Raises
        ------
        SceneError : it cannot be.
        """
        return with_settings(self.scene, zip(self.names, point, strict=True))


def first_look(sweep: Sweep, notify: Callable[[str], None]) -> Summary:
    """What a run of the scene tells, before its first step.

    Parameters
    ----------
    notify : told what a user should know of the scene.

    Raises
    ------
    WavelabError : it cannot be run, or has not what is gone over.
    """
    for name in sweep.names:
        check_setting(sweep.scene, name)
    scene = sweep.options.applied(sweep.scene)
    job = MeshJob(scene)
    problem = discretize_scene(scene, job.start().wait())
    for notice in (*job.notices, *problem.notices):
        notify(notice)
    return summary_of_nothing(problem)


def run_sweep(
    sweep: Sweep,
    measures: tuple[str, ...],
    table: SweepTable,
    jobs: int,
    told: Callable[[Row, float], None],
) -> list[Row]:
    """Run what the table lacks.

    Parameters
    ----------
    jobs : runs at a time.
    told : gets each row that was put into the table, and which part of all is there then.

    Returns
    -------
    Rows of runs that failed.

    Raises
    ------
    OutputError : the table cannot be written.
    """
    wanted = sweep.points
    missing = table.missing(wanted)
    failed: list[Row] = []
    done = len(wanted) - len(missing)

    def put(row: Row) -> None:
        nonlocal done
        with held_back():
            table.put(row)
        done += 1
        if row.error:
            failed.append(row)
        told(row, done / len(wanted))

    tasks: list[tuple[Point, Task]] = []
    for point in missing:
        try:
            tasks.append((point, Task(sweep.at(point), sweep.options, measures)))
        except SceneError as error:
            put(Row(point, error=" ".join(f"{error.message}. {error.remedy}".split())))
    for point, found in answers(_WORKER, tasks, jobs):
        answer = Answer(error=found.reason) if isinstance(found, NoAnswer) else found
        put(Row(point, answer.values, answer.error))
    return failed
