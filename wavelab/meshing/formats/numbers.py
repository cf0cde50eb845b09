"""Take numbers out of a file, text or binary, and say where when they are not there.

Both kinds have ``integers(count, size)`` (``size`` in bytes, which only binary files care about),
``reals(count)``, and ``error(message)`` for an exception that names the place read last.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import MeshError


class TextNumbers:
    """White-space separated numbers in some lines of a text file.

    Parameters
    ----------
    lines : what to read; first_line : number of the first of them in the file, from 1.
    where : name of the file.
    comment : character that starts a comment, if any.
    """

    def __init__(
        self, lines: list[bytes], first_line: int, where: str, comment: bytes = b""
    ) -> None:
        self._lines = [line.split(comment, 1)[0] for line in lines] if comment else lines
        self._tokens = b"\n".join(self._lines).split()
        self._first_line = first_line
        self._where = where
        self._next = 0

    @property
    def position(self) -> int:
        """How many numbers have been read."""
        return self._next

    @property
    def left(self) -> int:
        """How many numbers are left."""
        return len(self._tokens) - self._next

    def line(self, token: int) -> int:
        """Number of the line that a token stands in."""
        return self._first_line + self._find(token)[0]

    def error(self, message: str, token: int | None = None) -> MeshError:
        """An exception that names the line of a token, by default of the last one read."""
        at = max(self._next - 1, 0) if token is None else token
        return MeshError(message, where=f"{self._where}, line {self.line(at)}")

    def integers(self, count: int, size: int = 4) -> NDArray[np.int64]:
        """The next ``count`` whole numbers."""
        taken, start = self._take(count), self._next - count
        try:
            return np.array(taken, dtype="S").astype(np.int64) if taken else np.zeros(0, np.int64)
        except (ValueError, OverflowError):
            raise self._blame(taken, start, int, "a whole number") from None

    def reals(self, count: int) -> NDArray[np.float64]:
        """The next ``count`` numbers."""
        taken, start = self._take(count), self._next - count
        try:
            return np.array(taken, dtype="S").astype(np.float64) if taken else np.zeros(0)
        except ValueError:
            raise self._blame(taken, start, float, "a number") from None

    def rest_of_line(self) -> int:
        """How many numbers are left in the line of the last one read."""
        return self._find(max(self._next - 1, 0))[1]

    def _find(self, token: int) -> tuple[int, int]:
        """Index of the line that a token stands in, and how many follow it there."""
        for index, line in enumerate(self._lines):
            count = len(line.split())
            if token < count:
                return index, count - token - 1
            token -= count
        return max(len(self._lines) - 1, 0), 0

    def _take(self, count: int) -> list[bytes]:
        if count < 0:
            raise self.error(f"a count of {count} makes no sense")
        if self._next + count > len(self._tokens):
            raise self.error(
                f"the file ends early, or a count is too high: {count} more numbers are needed, "
                f"{self.left} are left",
                token=len(self._tokens) - 1,
            )
        self._next += count
        return self._tokens[self._next - count : self._next]

    def _blame(self, taken: list[bytes], start: int, kind: type, what: str) -> MeshError:
        for i, word in enumerate(taken):
            try:
                value = kind(word)
                if kind is int and not -(2**63) <= value < 2**63:
                    raise ValueError
            except ValueError:
                text = word[:30].decode(errors="replace")
                return self.error(f'"{text}" is not {what}', token=start + i)
        return self.error(f"expected {what}", token=start)


class BinaryNumbers:
    """Numbers in a binary file from ``offset`` on."""

    def __init__(self, data: bytes, offset: int, where: str, order: str = "<") -> None:
        self._data = data
        self._where = where
        self._order = order
        self.offset = offset

    def error(self, message: str) -> MeshError:
        """An exception that names the place read last."""
        return MeshError(message, where=f"{self._where}, byte {self.offset}")

    def integers(self, count: int, size: int = 4) -> NDArray[np.int64]:
        """The next ``count`` integers of ``size`` bytes."""
        return self.records(count, np.dtype(f"i{size}")).astype(np.int64)

    def reals(self, count: int) -> NDArray[np.float64]:
        """The next ``count`` double-precision numbers."""
        return self.records(count, np.dtype("f8")).astype(np.float64)

    def text_integer(self) -> int:
        """An integer written as a line of text within a binary file."""
        end = self._data.find(b"\n", self.offset, self.offset + 40)
        word = self._data[self.offset : max(end, self.offset)]
        if not word.strip().isdigit():
            raise self.error("expected a count")
        self.offset = end + 1
        return int(word)

    def records(self, count: int, kind: np.dtype) -> NDArray:
        """The next ``count`` items of any fixed-size type."""
        if count < 0:
            raise self.error(f"a count of {count} makes no sense")
        kind = kind.newbyteorder(self._order)
        size = count * kind.itemsize
        if size > len(self._data) - self.offset:
            raise self.error(
                f"the file ends early, or a count is too high: {size} more bytes are needed, "
                f"{len(self._data) - self.offset} are left"
            )
        found = np.frombuffer(self._data, kind, count, self.offset)
        self.offset += size
        return found


def whole(values: NDArray[np.float64], numbers: TextNumbers | BinaryNumbers) -> NDArray[np.int64]:
    """Node numbers that were read along with coordinates, as integers."""
    if not (np.abs(values) < 2**53).all() or (values != np.rint(values)).any():
        raise numbers.error("a node number is not a whole number")
    return values.astype(np.int64)
