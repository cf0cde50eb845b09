"""What monitors measured as CSV files of plain columns.

Every table is in long form: one row for each time, or for each frequency and direction or node, so
that it needs nothing but its header to be read.  Complex amplitudes X, which stand for
Re[X exp(-2 pi i f t)], are two columns; angles are in degrees.  ``duration`` is the weighted time
of a transform, the same in all rows: amplitudes of a pulse times duration / 2 are its transform.
Which columns there are is said by ``tables`` of each kind of monitor.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wavelab.output.files.tables import write_table
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.monitors import Monitor
from wavelab.scene.systems import System


def write_tables(path: Path, monitor: Monitor, result: MonitorResult, system: System) -> list[Path]:
    """Write the first table of a monitor to ``path`` and any other beside it, with the names that
    its system gives to fields.

    Returns
    -------
    The files.

    Raises
    ------
    OutputError : a file cannot be written there.
    """
    written = []
    for ending, columns in monitor.tables(result).items():
        written.append(path.with_name(f"{path.stem}{ending}{path.suffix}"))
        write_table(written[-1], tuple(system.named(columns)), tuple(columns.values()))
    return written


def write_all_tables(
    path: Path, monitors: Sequence[Monitor], results: Sequence[MonitorResult], system: System
) -> list[list[Path]]:
    """Write the tables of all monitors: with "run.csv" that of "out 1" is "run_out_1.csv".

    Returns
    -------
    The files of each monitor.

    Raises
    ------
    OutputError : a file cannot be written there.
    """
    written: list[list[Path]] = []
    for monitor, result in zip(monitors, results, strict=True):
        taken = [file for files in written for file in files]
        free = _free(path, monitor.name, tuple(monitor.tables(result)), taken)
        written.append(write_tables(free, monitor, result, system))
    return written


def file_part(name: str) -> str:
    """The name of a monitor as a part of a file name that every system takes."""
    return "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def _free(path: Path, name: str, endings: Sequence[str], taken: Sequence[Path]) -> Path:
    """A file for a monitor whose tables, with these endings, none of those ``taken`` has the name
    of."""
    stem = f"{path.stem}_{file_part(name)}"
    numbers = ("", *(f"-{i}" for i in range(2, len(taken) + 2)))
    beginnings = {other.stem.casefold() for other in taken}
    free = next(
        n for n in numbers if not any(f"{stem}{n}{e}".casefold() in beginnings for e in endings)
    )
    return path.with_name(f"{stem}{free}{path.suffix}")
