"""What a headless run writes of its monitors: all of it as HDF5 or CSV, a line as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import WavelabError
from wavelab.output import picture
from wavelab.output.files import measurements, tables
from wavelab.output.palette import colorize, palette_fit, surroundings
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.measuring.plots import Gather
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of
from wavelab.simulation.records.monitor_tables import write_all_tables

#: Files of monitors: one for all, or one for each table.
SUFFIXES = (*measurements.SUFFIXES, *tables.SUFFIXES)

#: Size of a gather, and the part of all samples that stay below full colour: arrivals differ by
#: orders of magnitude, and the first must not drown the others.
_SIZE = (960, 720)
_BELOW_FULL_COLOUR = 0.92


def check_monitors(scene: Scene, monitors: Path | None, gather: Path | None) -> None:
    """Refuse files that would hold nothing.

    Raises
    ------
    WavelabError : says which.
    """
    if monitors is not None and not scene.monitors:
        raise WavelabError(
            "the scene has no monitors to write",
            where=str(monitors),
            remedy='Add a [[monitors]] table, such as kind = "flux", to the scene.',
        )
    if gather is not None and not any(Gather() in m.plots for m in scene.monitors):
        raise WavelabError(
            "the scene has no line of receivers to make a gather of",
            where=str(gather),
            remedy='Add a [[monitors]] table with kind = "line" and vertices to the scene.',
        )


def too_late(scene: Scene) -> list[str]:
    """What is to be said of monitors that begin, or whose window ends, after the end of the run."""
    until = scene.solver.until
    told = []
    for monitor in scene.monitors:
        begin, end = getattr(monitor, "begin", 0.0), getattr(monitor, "end", None)
        if begin >= until:
            told.append(
                f'monitor "{monitor.name}" measures nothing: it begins at {begin:g}, and the run '
                f"ends at {until:g}"
            )
        elif getattr(monitor, "window", "none") == "hann" and end is not None and end > until:
            told.append(
                f'the Hann window of monitor "{monitor.name}" goes on to {end:g} and is cut off at '
                f"{until:g}, the end of the run: frequencies leak into one another"
            )
    return told


def write_monitors(
    results: Sequence[MonitorResult], scene: Scene, time: float, path: Path
) -> list[list[Path]]:
    """Write all that was measured.

    Returns
    -------
    The files that each monitor has to itself.
    """
    system = system_of(scene)
    if path.suffix.lower() in tables.SUFFIXES:
        return write_all_tables(path, scene.monitors, results, system)
    results = [replace(result, arrays=system.named(result.arrays)) for result in results]
    measurements.write_measurements(path, results, scene, time)
    return [[] for _ in results]


def write_gather(results: Sequence[MonitorResult], scene: Scene, path: Path) -> None:
    """Write a picture of what the first line of receivers recorded."""
    line = next(i for i, monitor in enumerate(scene.monitors) if Gather() in monitor.plots)
    values = results[line].arrays["values"]
    image, limit = gather_pixels(values, *_SIZE), gather_limit(values)
    # Of velocity or the like, which has a sign, whatever the view shows.
    palette = palette_fit(scene.view.palette, signed=True)
    picture.write_png(path, colorize(image, palette, limit, surroundings(palette)))


def gather_limit(values: Array) -> float:
    """The value at full colour of a gather."""
    return (float(np.quantile(np.abs(values), _BELOW_FULL_COLOUR)) if values.size else 0.0) or 1.0


def gather_pixels(values: Array, width: int, height: int) -> NDArray[np.float32]:
    """A line monitor's values (n_times, n_points) as (height, width): receivers from left to right,
    time downwards, as seismologists draw it."""
    n_times, n_points = values.shape
    if n_times == 0:
        return np.zeros((height, width), np.float32)
    # A strip for each receiver; the values at the time of a row, linearly between two steps.
    columns = np.minimum(np.arange(width) * n_points // width, n_points - 1)
    place = np.linspace(0, n_times - 1, height)
    below = np.minimum(place.astype(int), max(0, n_times - 2))
    above = np.minimum(below + 1, n_times - 1)
    part = (place - below)[:, None]
    rows = (1 - part) * values[below] + part * values[above]
    return rows[:, columns].astype(np.float32)
