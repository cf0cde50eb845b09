"""What the probes recorded, as a CSV file (RFC 4180) any spreadsheet reads."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavelab.atomic import whole_file

SUFFIXES = (".csv",)


def write_traces(
    path: str | os.PathLike[str], names: Sequence[str], times: ArrayLike, values: ArrayLike
) -> None:
    """One row per time: a column "time" and one column per probe.

    Numbers are written with as many digits as it takes to read the same double back.

    Parameters
    ----------
    names : one per probe, the header of its column.
    times : (n_times,).
    values : (n_times, n_probes) field at the probes.

    Raises
    ------
    OutputError : the file cannot be written there.
    ValueError : the shapes do not fit.
    """
    times = np.asarray(times, dtype=np.float64)
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (times.size, len(names)) or times.ndim != 1:
        raise ValueError(
            f"{len(names)} probes and times {times.shape} do not fit values {values.shape}"
        )
    with (
        whole_file(path, SUFFIXES) as partial,
        partial.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(["time", *names])
        writer.writerows(np.column_stack([times, values]).tolist())
