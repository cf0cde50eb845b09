"""Figures of a headless run: its field, and what its monitors and probes have recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.sampling import PixelSampler
from wavelab.output.figures.color_scale import ColorScale
from wavelab.output.figures.field_figure import FieldFigure, ShownField
from wavelab.output.figures.figure import Figure, write_figure
from wavelab.output.figures.style import Style
from wavelab.output.palette import palette_on
from wavelab.output.scene_drawing import draw_scene
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Written
from wavelab.scene.model.view import View
from wavelab.scene.systems import system_of
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.view.quantities import ERROR_DECADES, decibels_of, names_of, title_of
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.batch_pictures import extent_in, picture_size
from wavelab.simulation.movies.movie_recorder import AutoLimit
from wavelab.simulation.records.monitor_charts import charts_of, probe_chart
from wavelab.simulation.records.monitor_tables import file_part
from wavelab.simulation.views.arrows import arrows, points_in_picture
from wavelab.simulation.views.views import fixed_limit, shown_decades, view

#: Of arrows along the longer side, as in a picture of so many pixels.
_ARROW_PIXELS = 1280


def field_figure(
    simulation: Simulation, look: View, style: Style, *, same_palette: bool = False
) -> FieldFigure:
    """The field now; flat, for a relief has no axes.

    Full colour is that of a picture of the usual size, whatever that of the figure is.

    Parameters
    ----------
    same_palette : whether a usual palette stays, though it is that of another ground.
    """
    problem, scene = simulation.problem, simulation.problem.scene
    system, scale = system_of(scene), scale_of(scene)
    d = problem.discretization.seen
    look = replace(look, relief=None)
    values = view(simulation, look.quantity)
    size = picture_size(problem, look, None)
    extent = extent_in(problem, look, *size)
    limit = fixed_limit(look.quantity, look.limit)
    if limit is None:
        limit = AutoLimit().follow(PixelSampler(d, extent, *size).sample(values))
    of_error = look.quantity == "error"
    colors = ColorScale(
        title_of(look.quantity, system),
        look.palette if same_palette else palette_on(style.ground, look.palette),
        limit,
        round(ERROR_DECADES) if of_error else shown_decades(look.quantity, look.decades),
        decibels_of(look.quantity, system),
        of_error,
    )
    drawn = None
    if look.arrows != "none":
        there = arrows(simulation, look.arrows, points_in_picture(d, extent, _ARROW_PIXELS))
        drawn = there, AutoLimit().longest(there)
    part = np.array(look.part) if look.part else np.array(problem.discretization.bounds())
    wide, high = (part[1] - part[0]).tolist()
    keys = {key: name for name, key in names_of(system).items()}
    field = ShownField(
        d,
        values,
        keys.get(look.quantity, look.quantity),
        colors,
        partial(extent_in, problem, look),
        (wide, high),
        scale,
        draw_scene(scene, d),
        drawn,
        scene.title,
        f"t = {Written(scale, '{:.4g}'.format).time(simulation.time)}",
    )
    return FieldFigure(field, style)


def write_field_figure(
    simulation: Simulation, options: BatchOptions, notify: Callable[[str], None]
) -> None:
    """Write the field now, in each of the formats that were asked for."""
    look = simulation.problem.scene.view
    if look.relief is not None:
        notify("a figure has axes, so it shows the field flat and not as a relief")
    style = options.figure_style or Style()
    made = field_figure(simulation, look, style, same_palette=options.palette is not None)
    for path in options.figure:
        _write(path, made, notify)


def write_plots(
    path: Path,
    simulation: Simulation,
    measured: Sequence[MonitorResult],
    probed: tuple[Sequence[str], Array, Array],
    options: BatchOptions,
    notify: Callable[[str], None],
) -> list[Path]:
    """Write a figure of the probes, and of whatever each monitor has to plot: with "run.pdf" those
    of "out 1" are "run_out_1.pdf" and "run_out_1_spectrum.pdf".

    Returns
    -------
    The files.
    """
    scene, style = simulation.problem.scene, options.figure_style or Style()
    taken: list[Path] = []
    for name, chart in plots_of(scene, measured, probed, style):
        taken.append(_free(path, file_part(name), taken))
        _write(taken[-1], chart, notify)
    return taken


def plots_of(
    scene: Scene,
    measured: Sequence[MonitorResult],
    probed: tuple[Sequence[str], Array, Array],
    style: Style,
) -> Iterator[tuple[str, Figure]]:
    """Figures by name: "probes", and of whatever each monitor has to plot.

    Parameters
    ----------
    probed : names of the probes, times (n,) and values (n, p).
    """
    names, times, values = probed
    if names and len(times) > 1:
        yield "probes", probe_chart(scene, names, times, values, style)
    for monitor, result in zip(scene.monitors, measured, strict=True):
        for ending, chart in charts_of(monitor, result, scene, style):
            yield f"{monitor.name}{ending}", chart


def _write(path: Path, figure: Figure, notify: Callable[[str], None]) -> None:
    told = write_figure(path, figure)
    if told:
        notify(f"{path.name}: {told}")


def _free(path: Path, name: str, taken: Sequence[Path]) -> Path:
    """A file beside ``path`` that none of those taken is."""
    names = {other.name.casefold() for other in taken}
    numbers = ("", *(f"-{i}" for i in range(2, len(taken) + 3)))
    files = (f"{path.stem}_{name}{number}{path.suffix}" for number in numbers)
    return path.with_name(next(file for file in files if file.casefold() not in names))
