"""``wavelab sweep``: a scene with other values, run after run, and what was measured as a table."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from wavelab.arrays import Array
from wavelab.atomic import check_target
from wavelab.cli.shared.arguments import (
    add_ending,
    add_file,
    add_jobs,
    add_scene,
    add_solver_options,
    scene_named,
)
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, say, wrote
from wavelab.cli.shared.study import progress
from wavelab.errors import WavelabError
from wavelab.output import picture
from wavelab.output.line_plot import Curve, write_line_plot
from wavelab.scene.editing.settings import dimension_of_setting
from wavelab.scene.model.units import TIME, Scale
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.sweeps.axes import Axis, axis, number
from wavelab.simulation.sweeps.measures import TIMES, check_measures, numbers_of, unit_of
from wavelab.simulation.sweeps.sweep import Sweep, first_look, run_sweep
from wavelab.simulation.sweeps.table import Row, SweepTable, held_table

DESCRIPTION = """\
Run a scene with other values of a parameter, or of anything else that --set can name, and write
what was measured into a table: a row for each run, in child processes, some at a time.

What can be measured are single numbers of monitors (out.mean_power, out.mean_power.2 at the second
of several frequencies, out.power.max), the largest |Ez| of a probe (its name), the energy at the
end, and what else wavelab run --json tells in one number; without --measure all of it is listed.

Rows are on the disk as soon as they are known.  The same command again computes what is missing:
the rest after Ctrl-C, runs that failed, values in between.  A run that fails is a row with an
error, and ends the command with status 1.

  wavelab sweep double_slit --over d=0.4:1.6:13 --measure "first minimum" -o slits.csv --plot d.png
  wavelab sweep bragg_mirror --over n=1,1.5,2 --over solver.order=3,4 --jobs 2 \\
      --measure upper.mean_power --measure upper.energy -o mirror.csv
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--over",
        type=_axis,
        action="append",
        required=True,
        metavar="NAME=RANGE",
        help="what to go over: START:END:COUNT with both ends, or A,B,C; of several all "
        "combinations are run",
    )
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="NAME[.KEY]",
        help="a number of each run; can be repeated (without: they are listed)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the table (.csv)"
    )
    add_file(parser, "--plot", "curves of what was measured over one --over (.png)")
    half = max(1, (os.cpu_count() or 1) // 2)
    add_jobs(parser, "runs", half, "half as many as there are processors")
    add_ending(parser)
    parser.add_argument(
        "--long", action="store_true", help="run even if one will take more than 30 days"
    )
    add_solver_options(parser)


def _axis(text: str) -> Axis:
    try:
        return axis(text)
    except WavelabError as error:
        raise argparse.ArgumentTypeError(f"{error.message}\n  {error.remedy}") from None


def _execute(arguments: argparse.Namespace) -> int:
    options = BatchOptions(
        **{
            name: getattr(arguments, name)
            for name in BatchOptions.__dataclass_fields__
            if hasattr(arguments, name)
        },
        progress=False,
    )
    scene = scene_named(arguments.scene, arguments.settings)
    sweep = Sweep(scene, options, tuple(arguments.over))
    sweep.points  # noqa: B018  # before anything is meshed
    measures = tuple(arguments.measure)
    check_target(arguments.output, (".csv",))
    if arguments.plot is not None:
        _check_plot(arguments.plot, sweep)
    with held_table(arguments.output):
        return _swept(sweep, measures, arguments)


def _swept(sweep: Sweep, measures: tuple[str, ...], arguments: argparse.Namespace) -> int:
    summary = first_look(sweep, note)
    check_measures(measures, numbers_of(summary))
    table = SweepTable(arguments.output, sweep.names, measures, sweep.mark)
    count, known = len(sweep.points), len(sweep.points) - len(table.missing(sweep.points))
    if known:
        note(f"{known} of {count} runs are in {table.path.name} already")
    with progress() as tell:

        def told(row: Row, part: float) -> None:
            tell(part, f"{round(part * count)} of {count} runs")

        failed = run_sweep(sweep, measures, table, arguments.jobs, told)
    for row in failed[:3]:
        values = ", ".join(f"{n} = {v}" for n, v in zip(sweep.names, row.point, strict=True))
        say(f"error: {values}: {row.error}")
    if failed:
        say(f"{len(failed)} of {count} runs failed; the table says why")
    if arguments.plot is not None:
        units = {name: unit_of(name, summary) for name in measures}
        _write_plot(arguments.plot, sweep, table, units)
    wrote(table.path, arguments.plot)
    return 1 if failed else 0


def _check_plot(path: Path, sweep: Sweep) -> None:
    check_target(path, picture.SUFFIXES)
    if len(sweep.axes) != 1:
        raise WavelabError(
            "a plot has one --over",
            where=str(path),
            remedy="Leave --plot out, and draw what you need of the table.",
        )
    words = [value for value in sweep.axes[0].values if number(value) is None]
    if words:
        raise WavelabError(
            f"{words[0]!r} has no place on the axis of a plot",
            where=str(path),
            remedy="Leave --plot out, or go over numbers.",
        )


def _write_plot(path: Path, sweep: Sweep, table: SweepTable, units: dict[str, str]) -> None:
    rows = [row for row in table.rows() if not row.error]
    x = np.array([float(row.point[0]) for row in rows])
    columns = np.array([row.values for row in rows]).reshape(len(rows), len(units)).T
    scale = scale_of(sweep.scene)
    curves = []
    for (measure, unit), column in zip(units.items(), columns, strict=True):
        shown, unit = _shown(column, TIME if measure in TIMES else "", scale, unit)
        curves.append(Curve(_with_unit(measure, unit), shown))
    (name,) = sweep.names
    known = {p.name: _with_unit(p.title, p.unit) for p in sweep.scene.parameters}
    x, unit = _shown(x, dimension_of_setting(sweep.scene, name), scale)
    across = known.get(name, _with_unit(name, unit))
    write_line_plot(path, x, curves, across, curves[0].label if len(curves) == 1 else "")


def _shown(
    values: Array, dimension: str, scale: Scale | None, otherwise: str = ""
) -> tuple[Array, str]:
    """Numbers in a unit of the scene, and what that is."""
    far = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    unit = scale.unit(dimension, far) if scale is not None and dimension else None
    return (values, otherwise) if unit is None else (unit.factor * values, unit.name)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


COMMAND = Command("sweep", "run a scene with many values", DESCRIPTION, _arguments, _execute)
