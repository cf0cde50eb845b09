"""Scattering parameters as a Touchstone file (version 1.1), which circuit simulators read.

Lines of frequency and S as real and imaginary parts; of two ports S11 S21 S12 S22, of more a row of
the matrix after the other, four numbers a line at most.  The format knows Hz: here they stand for
1 / time of the scene.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from wavelab.arrays import Array, Complex
from wavelab.atomic import whole_file

#: Numbers on a line.
_ON_A_LINE = 4


def suffix_of(count: int) -> str:
    """The ending of the file of so many ports."""
    return f".s{count}p"


def write_touchstone(
    path: str | os.PathLike[str], frequencies: Array, s: Complex, remarks: Sequence[str]
) -> None:
    """Write S.

    Parameters
    ----------
    frequencies : (n_frequencies,), ascending.
    s : (n_frequencies, n, n), from the port of the column to that of the row.
    remarks : lines at the top.

    Raises
    ------
    OutputError : the file cannot be written there, or its ending is of another number of ports.
    """
    count = s.shape[1]
    lines = [f"! {remark}" for remark in remarks] + ["# HZ S RI R 1"]
    for frequency, matrix in zip(frequencies, s, strict=True):
        rows = [matrix.T.ravel()] if count <= 2 else list(matrix)
        pieces = [row[i : i + _ON_A_LINE] for row in rows for i in range(0, len(row), _ON_A_LINE)]
        texts = [" ".join(f"{z.real:.9g} {z.imag:.9g}" for z in piece) for piece in pieces]
        lines += [f"{frequency:.9g} {texts[0]}", *(f"  {text}" for text in texts[1:])]
    with whole_file(path, (suffix_of(count),)) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
