"""What a monitor measured as tables of plain columns, and as CSV files.

Every table is in long form: one row for each time, or for each frequency and direction or node, so
that it needs nothing but its header to be read.  Complex amplitudes X, which stand for
Re[X exp(-2 pi i f t)], are two columns; angles are in degrees.  ``duration`` is the weighted time
of a transform, the same in all rows: amplitudes of a pulse times duration / 2 are its transform.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.output.tables import write_table
from wavelab.scene.model.monitors import LineMonitor, Monitor
from wavelab.simulation.records.monitor_records import MonitorResult
from wavelab.simulation.records.profiles import profile

#: By what is added to the name of its file, the columns of a table.
Tables = dict[str, dict[str, NDArray]]


def tables(monitor: Monitor, result: MonitorResult) -> Tables:
    """The tables of one monitor, the one that is always there first, under "".

    ===========  =================================================================================
    line         time; of each receiver a column such as "ez at x=0.1 y=0.9";
                 "_profile", if it is drawn as one: along, x, y, the newest field, its mean
                 square, duration
    flux         time, power; "_spectrum": frequency, mean_power, duration
    energy       time, energy
    field        frequency, element, x, y, of each field its _real and _imag, duration
    intensity    element, x, y, mean_ez_squared, duration
    far_field    frequency, angle_deg, pattern_real, _imag and _abs, duration;
                 "_power": frequency, power, duration
    ===========  =================================================================================
    """
    arrays = result.arrays
    match result.kind:
        case "line":
            quantity = monitor.quantity if isinstance(monitor, LineMonitor) else ""
            places = [f"{quantity} at x={x!r} y={y!r}" for x, y in arrays["points"].tolist()]
            found: Tables = {
                "": {"time": arrays["time"]} | dict(zip(places, arrays["values"].T, strict=True))
            }
            drawn_along = isinstance(monitor, LineMonitor) and monitor.plot != "gather"
            if drawn_along and (lately := profile(result)) is not None:
                found["_profile"] = {
                    "along": lately.along,
                    "x": lately.points[:, 0],
                    "y": lately.points[:, 1],
                    quantity: lately.now,
                    f"mean_{quantity}_squared": lately.mean_square,
                    "duration": np.full(len(lately.along), lately.duration),
                }
            return found
        case "flux":
            found = {"": {"time": arrays["time"], "power": arrays["power"]}}
            if "frequency" in arrays:
                found["_spectrum"] = _with_duration(
                    result, {"frequency": arrays["frequency"], "mean_power": arrays["mean_power"]}
                )
            return found
        case "energy":
            return {"": {"time": arrays["time"], "energy": arrays["energy"]}}
        case "field" | "intensity":
            return {"": _with_duration(result, _nodes(arrays))}
        case _:
            angle, pattern = arrays["angle"], arrays["pattern"]
            return {
                "": _with_duration(
                    result,
                    {
                        "frequency": np.repeat(arrays["frequency"], len(angle)),
                        "angle_deg": np.tile(angle, len(pattern)),
                        **_complex("pattern", pattern),
                        "pattern_abs": np.abs(pattern).ravel(),
                    },
                ),
                "_power": _with_duration(
                    result, {"frequency": arrays["frequency"], "power": arrays["power"]}
                ),
            }


def write_tables(path: Path, monitor: Monitor, result: MonitorResult) -> list[Path]:
    """Write the first table of a monitor to ``path`` and any other beside it.

    Returns
    -------
    The files.

    Raises
    ------
    OutputError : a file cannot be written there.
    """
    written = []
    for ending, columns in tables(monitor, result).items():
        written.append(path.with_name(f"{path.stem}{ending}{path.suffix}"))
        write_table(written[-1], tuple(columns), tuple(columns.values()))
    return written


def write_all_tables(
    path: Path, monitors: Sequence[Monitor], results: Sequence[MonitorResult]
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
        free = _free(path, monitor.name, [file for files in written for file in files])
        written.append(write_tables(free, monitor, result))
    return written


def file_part(name: str) -> str:
    """The name of a monitor as a part of a file name that every system takes."""
    return "".join(c if c.isalnum() or c in "-." else "_" for c in name)


def _free(path: Path, name: str, taken: Sequence[Path]) -> Path:
    """A file for a monitor whose tables none of those ``taken`` has the name of."""
    stem = f"{path.stem}_{file_part(name)}"
    numbers = ("", *(f"-{i}" for i in range(2, len(taken) + 2)))
    beginnings = {other.stem.casefold() for other in taken}
    free = next(
        n
        for n in numbers
        if not any(
            f"{stem}{n}{e}".casefold() in beginnings
            for e in ("", "_spectrum", "_power", "_profile")
        )
    )
    return path.with_name(f"{stem}{free}{path.suffix}")


def _nodes(arrays: dict[str, NDArray]) -> dict[str, NDArray]:
    """A row for each frequency, if there are any, and node."""
    x = arrays["x"]
    columns = {
        "element": np.repeat(arrays["elements"], x.shape[1]),
        "x": x.ravel(),
        "y": arrays["y"].ravel(),
    }
    if "mean_square" in arrays:
        return columns | {"mean_ez_squared": arrays["mean_square"].ravel()}
    frequency = arrays["frequency"]
    found = {"frequency": np.repeat(frequency, x.size)}
    found |= {name: np.tile(values, len(frequency)) for name, values in columns.items()}
    for name in ("ez", "hx", "hy"):
        found |= _complex(name, arrays[name])
    return found


def _complex(name: str, values: NDArray) -> dict[str, NDArray]:
    return {f"{name}_real": values.real.ravel(), f"{name}_imag": values.imag.ravel()}


def _with_duration(result: MonitorResult, columns: dict[str, NDArray]) -> dict[str, NDArray]:
    rows = len(next(iter(columns.values())))
    return columns | {"duration": np.full(rows, result.numbers["duration"])}
