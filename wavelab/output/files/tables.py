"""Tables of numbers as CSV files (RFC 4180), which any spreadsheet and one line of pandas read."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavelab.atomic import whole_file

SUFFIXES = (".csv",)
#: Rows that are turned into text at a time, so that no second copy of a long table is made.
_ROWS = 4096


def write_table(
    path: str | os.PathLike[str], names: Sequence[str], columns: Sequence[ArrayLike]
) -> None:
    """A header and a row for each entry of the columns.

    Numbers are written with as many digits as it takes to read the same double back.

    Parameters
    ----------
    names : the header.
    columns : for each name (n_rows,) reals or whole numbers.

    Raises
    ------
    OutputError : the file cannot be written there.
    ValueError : the columns differ in length, or are more or less than their names.
    """
    arrays = [np.asarray(values) for values in columns]
    arrays = [a if a.dtype.kind in "iu" else a.astype(np.float64, copy=False) for a in arrays]
    shapes = {a.shape for a in arrays}
    if len(names) != len(arrays) or len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise ValueError(f"columns of shapes {shapes} do not fit {len(names)} names")
    with (
        whole_file(path, SUFFIXES) as partial,
        partial.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(names)
        for first in range(0, len(arrays[0]) if arrays else 0, _ROWS):
            rows = (a[first : first + _ROWS].tolist() for a in arrays)
            writer.writerows(zip(*rows, strict=True))
