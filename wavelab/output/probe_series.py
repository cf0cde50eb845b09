"""What the probes recorded, as a CSV file."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavelab.output.tables import SUFFIXES, write_table

__all__ = ["SUFFIXES", "write_probe_series"]


def write_probe_series(
    path: str | os.PathLike[str], names: Sequence[str], times: ArrayLike, values: ArrayLike
) -> None:
    """One row per time: a column "time" and one column per probe.

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
    times, values = np.asarray(times), np.asarray(values)
    if values.shape != (times.size, len(names)) or times.ndim != 1:
        raise ValueError(
            f"{len(names)} probes and times {times.shape} do not fit values {values.shape}"
        )
    write_table(path, ("time", *names), (times, *values.T))
