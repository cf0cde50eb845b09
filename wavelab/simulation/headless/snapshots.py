"""Snapshots of a headless run: one at its end, or a numbered series in regular times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from wavelab.atomic import check_target
from wavelab.errors import WavelabError
from wavelab.output.files import field_files, vtu
from wavelab.simulation.core.frame_clock import FrameClock
from wavelab.simulation.core.simulation import Simulation
from wavelab.timeline import Timeline

#: Of a series.
MOST_FILES = 100_000


def check_snapshots(path: Path | None, every: float | None, until: float) -> None:
    """Look for what would go wrong only after the run has begun.

    Raises
    ------
    WavelabError : the file cannot be written, or the series has no name or no end.
    """
    if path is None:
        if every is not None:
            raise WavelabError(
                f"a snapshot every {every:g} has no file to go to",
                remedy="Name it: --snapshot wave.vtu makes wave_00000.vtu, wave_00001.vtu ...",
            )
        return
    check_target(path, field_files.SUFFIXES)
    if every is None:
        return
    if not (math.isfinite(every) and every > 0):
        raise WavelabError(
            f"the time between two snapshots is {every}", remedy="It must be a positive number."
        )
    if until / every > MOST_FILES:
        raise WavelabError(
            f"a snapshot every {every:g} makes {until / every:.2g} files",
            where=str(path),
            remedy=f"Take {until / MOST_FILES:.2g} or more from one to the next.",
        )
    for file in (_numbered(path, 0), _collection(path)):
        if file is not None:
            check_target(file, (file.suffix,))


@dataclass(frozen=True)
class SeriesMark:
    """How far a series had come, and its times and files."""

    taken: int
    files: tuple[tuple[float, Path], ...]


class SnapshotSeries:
    """Files ``NAME_00000.vtu`` and so on, at the steps nearest to their times; the first
    :meth:`record` shows the beginning.  Beside .vtu files stands ``NAME.pvd``, which names them
    with their times: it is written anew with each, so that what is there of a run can be opened at
    any moment.

    Parameters
    ----------
    path : says directory, name and kind of the files.
    every : simulated time between two.

    Raises
    ------
    OutputError : from :meth:`record`, when a file cannot be written.
    """

    def __init__(
        self, path: Path, every: float, simulation: Simulation, timeline: Timeline
    ) -> None:
        self._path = path
        self._timeline = timeline
        self._clock = FrameClock(simulation.time, every)
        self.files: list[tuple[float, Path]] = []

    def mark(self) -> SeriesMark:
        """For :meth:`go_to`."""
        return SeriesMark(self._clock.taken, tuple(self.files))

    def go_to(self, mark: SeriesMark) -> None:
        """The run is where it was at a mark."""
        self._clock.taken, self.files = mark.taken, list(mark.files)

    def steps_until_due(self, simulation: Simulation) -> int:
        """Steps that may be taken before the next file."""
        return self._clock.steps_until(simulation.time, simulation.dt)

    def record(self, simulation: Simulation) -> None:
        """Write a file if one is due now; one, where steps are longer than the time between."""
        due = self._clock.due(simulation.time, simulation.dt)
        if not due:
            return
        self._clock.take(due)
        file = _numbered(self._path, len(self.files))
        write_snapshot(file, simulation, self._timeline)
        self.files.append((simulation.time, file))
        collection = _collection(self._path)
        if collection is not None:
            vtu.write_pvd(collection, self.files)

    def written(self) -> list[Path]:
        """What to open: the collection, or the files."""
        collection = _collection(self._path)
        return [collection] if collection is not None else [file for _, file in self.files]


def write_snapshot(path: Path, simulation: Simulation, timeline: Timeline) -> None:
    """The field now."""
    with timeline.span("write snapshot"):
        fields = simulation.stepper.fields()
        field_files.write_fields(path, simulation.problem, fields, simulation.time)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}_{number:05d}{path.suffix}")


def _collection(path: Path) -> Path | None:
    return path.with_suffix(".pvd") if path.suffix.lower() in vtu.SUFFIXES else None
