"""Tables of measured n and k."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import SceneError
from wavelab.reading import read_plain_file

_LARGEST_FILE = 4_000_000
#: Fewer say nothing of a resonance; more only take their time.
_FEWEST, _MOST = 3, 2000
_REMEDY = (
    "A row has a wavelength, n and k, parted by commas, semicolons, tabs or spaces; or there are "
    "two tables, each below its header: wl,n and wl,k."
)


@dataclass(frozen=True, eq=False)
class IndexTable:
    """Attributes
    ----------
    wavelength : (n,) ascending, as in the file.
    n, k : (n,) refractive index and extinction.
    """

    wavelength: Array
    n: Array
    k: Array


def read_index_table(path: Path) -> IndexTable:
    """The table in a CSV file, in three columns, or as two tables of n and of k one after the
    other; without k nothing is lost.

    Raises
    ------
    SceneError : the file cannot be read, or is no such table; names the line.
    """
    where = str(path)
    try:
        content = read_plain_file(path, _LARGEST_FILE + 1)
    except OSError as error:
        raise SceneError(f"cannot be read: {error.strerror}", where=where) from None
    if len(content) > _LARGEST_FILE:
        raise SceneError(f"is larger than {_LARGEST_FILE / 1e6:g} MB", where=where)
    blocks: list[list[list[float]]] = [[]]
    for number, line in enumerate(content.decode("utf-8-sig", "replace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        row = _row(line)
        if row is None:
            if blocks[-1]:
                blocks.append([])
            continue
        if blocks[-1] and len(row) != len(blocks[-1][0]):
            raise SceneError(
                f"line {number} has {len(row)} numbers, the one before {len(blocks[-1][0])}",
                where=where,
                remedy=_REMEDY,
            )
        blocks[-1].append(row)
    widths = [len(block[0]) for block in blocks if block]
    if widths not in ([2], [3], [2, 2]):
        raise SceneError("is no table of n and k", where=where, remedy=_REMEDY)
    tables = [_sorted(np.array(block), where) for block in blocks if block]
    first = tables[0]
    if first.shape[1] == 3:
        return IndexTable(*first.T)
    k = np.interp(first[:, 0], *tables[1].T[:2]) if len(tables) > 1 else np.zeros(len(first))
    return IndexTable(first[:, 0], first[:, 1], k)


def _row(line: str) -> list[float] | None:
    """The numbers of a line; None of one that has something else."""
    cells = re.split(r"[;,\t]|\s+", line.strip().strip(",;"))
    try:
        return [float(cell) for cell in cells if cell]
    except ValueError:
        return None


def _sorted(table: Array, where: str) -> Array:
    table = table[np.argsort(table[:, 0], kind="stable")]
    problem = ""
    if not np.isfinite(table).all():
        problem = "has a number that is not finite"
    elif (table[:, 0] <= 0).any():
        problem = "has a wavelength that is not greater than 0"
    elif (np.diff(table[:, 0]) == 0).any():
        problem = "has a wavelength twice"
    elif (table[:, 1:] < 0).any():
        problem = "has a negative n or k"
    elif not _FEWEST <= len(table) <= _MOST:
        problem = f"has {len(table)} rows; {_FEWEST} to {_MOST} can be fitted"
    elif not table[:, 1:].any():
        problem = "has nothing but zeros"
    if problem:
        raise SceneError(problem, where=where, remedy=_REMEDY)
    return table
