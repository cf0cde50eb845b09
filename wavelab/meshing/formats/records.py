"""Tables of a mesh file in arrays: records of several lengths, and rows by their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Indices, Mask
from wavelab.meshing.formats.numbers import TextNumbers

#: So many records are looked at to see whether they are alike, and twice as many if they are.
WINDOW = 16


def alike_records(
    numbers: TextNumbers, count: int, length: Callable[[list[int], int], int], what: str
) -> Iterator[tuple[int, Indices]]:
    """Records of whole numbers, the second and third of which say how long they are.

    Files have their elements sorted by type, so there are few runs of alike ones.

    Parameters
    ----------
    count : of records, which are the rest of ``numbers``.
    length : of a record, from its first three numbers and from where it begins.
    what : the records are, for a message.

    Yields
    ------
    Where a run begins, for :meth:`TextNumbers.error`, and its records (n, length).
    """
    begin = numbers.position
    values = numbers.integers(numbers.left)
    at = done = 0
    window = WINDOW
    while done < count:
        if at + 3 > len(values):
            raise numbers.error(f"the file ends before the last of {count} {what}")
        width = length(values[at : at + 3].tolist(), begin + at)
        most = min(window, count - done, (len(values) - at) // width)
        if most < 1:
            raise numbers.error(f"the file ends before the last of {count} {what}")
        rows = values[at : at + most * width].reshape(most, width)
        run = alike(rows[:, 1:3])
        yield begin + at, rows[:run]
        at, done = at + run * width, done + run
        window = 2 * window if run == most else WINDOW
    if at < len(values):
        raise numbers.error(f"there is more than the {count} {what} announced", begin + at)


def alike(rows: NDArray) -> int:
    """How many of the first rows are the same."""
    unlike = (rows != rows[0]).any(axis=1)
    return int(np.argmax(unlike)) if unlike.any() else len(rows)


class Rows:
    """Finds rows of a table by their numbers.

    Parameters
    ----------
    tags : (n,) number of each row.
    """

    def __init__(self, tags: Indices) -> None:
        self._order: Indices | None = None
        if (tags[1:] <= tags[:-1]).any():
            self._order = np.argsort(tags, kind="stable")
            tags = tags[self._order]
        self._tags = tags

    def __len__(self) -> int:
        return len(self._tags)

    @property
    def repeated(self) -> int | None:
        """A row with a number that one before it has, too."""
        twice = np.flatnonzero(self._tags[1:] == self._tags[:-1])
        return int(self._in_table(twice[:1] + 1)[0]) if len(twice) else None

    def find(self, wanted: Indices) -> tuple[Indices, Mask]:
        """Which rows have the wanted numbers, and whether there are such; some row where not."""
        tags = self._tags
        if not len(tags):
            return np.zeros(wanted.shape, np.int64), np.zeros(wanted.shape, bool)
        if tags[-1] - tags[0] == len(tags) - 1:
            # Without gaps.
            there = (wanted >= tags[0]) & (wanted <= tags[-1])
            row = np.where(there, wanted - tags[0], 0)
        else:
            row = np.minimum(np.searchsorted(tags, wanted), len(tags) - 1)
            there = tags[row] == wanted
        return self._in_table(row), there

    def _in_table(self, row: Indices) -> Indices:
        return row if self._order is None else self._order[row]
