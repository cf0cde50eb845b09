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
        self._later: deque[tuple[Array, Array]] = deque()  # after the place gone back to
        self._size = 0
        self._count = 0

    def append(self, times: Array, values: Array) -> None:
        """Add (m,) times and (m, columns) values; after :meth:`go_to` in place of as many of the
        rows that were there."""
        if not values.size:
            return
        left = len(times)
        while self._later and left:
            later, of = self._later.popleft()
            if len(later) > left:
                self._later.appendleft((later[left:], of[left:]))
            left -= min(left, len(later))
        self._add(times, values.copy())

    def _add(self, times: Array, values: Array) -> None:
        self._chunks.append((times, values))
        self._size += values.size
        self._count += len(times)
        while self._most is not None and self._size - self._chunks[0][1].size >= self._most:
            self._size -= self._chunks.popleft()[1].size

    @property
    def count(self) -> int:
        """Rows that were ever added, for :meth:`go_to`."""
        return self._count

    def resume(self, count: int, times: Array, values: Array) -> None:
        """Be as another one was that had this :attr:`count` and these :meth:`rows`."""
        self.clear()
        self.append(times, values)
        self._count = count

    def go_to(self, count: int) -> None:
        """Back to where :attr:`count` was this, or forward again; what comes later is kept until
        :meth:`forget_later`."""
        while self._count > count and self._chunks:
            times, values = self._chunks.pop()
            self._count -= len(times)
            self._size -= values.size
            first = max(0, count - self._count)
            self._later.appendleft((times[first:], values[first:]))
            if first:
                self._add(times[:first], values[:first])
        while self._count < count and self._later:
            times, values = self._later.popleft()
            here = count - self._count
            if here < len(times):
                self._later.appendleft((times[here:], values[here:]))
            self._add(times[:here], values[:here])
        self._count = count  # also where the oldest were dropped meanwhile

    def forget_later(self) -> None:
        """What came after this place does not come any more."""
        self._later.clear()

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
        if self._most is not None:
            # As many whatever the batches were in which they came.
            first = max(0, len(times) - self._most // self.columns)
            times, values = times[first:], values[first:]
        return times, values
