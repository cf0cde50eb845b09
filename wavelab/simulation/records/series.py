"""Numbers over time, collected while a simulation runs."""

from __future__ import annotations

from collections import deque

import numpy as np

from wavelab.arrays import Array


class Series:
    """Rows over time.

    Parameters
    ----------
    columns : numbers in a row.
    most : numbers that are kept, those of the newest rows; None for all.
    """

    def __init__(self, columns: int, most: int | None = None) -> None:
        self.columns, self._most = columns, most
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._chunks: deque[tuple[Array, Array]] = deque()
        self._size = 0

    def append(self, times: Array, values: Array) -> None:
        """Add (m,) times and (m, columns) values."""
        if not values.size:
            return
        self._chunks.append((times, values.copy()))
        self._size += values.size
        while self._most is not None and self._size > self._most and len(self._chunks) > 1:
            self._size -= self._chunks.popleft()[1].size

    def rows(self, newest: int | None = None) -> tuple[Array, Array]:
        """Times (n,) and values (n, columns): all, or those in the batches that hold the last so
        many."""
        chunks: deque[tuple[Array, Array]] = deque()
        found = 0
        for chunk in reversed(self._chunks):
            if newest is not None and found >= newest:
                break
            chunks.appendleft(chunk)
            found += len(chunk[0])
        if not chunks:
            return np.zeros(0), np.zeros((0, self.columns))
        times, values = (np.concatenate(part) for part in zip(*chunks, strict=True))
        return times, values
