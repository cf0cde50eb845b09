"""Take numbers out of a file, text or binary, and say where when they are not there.

Both kinds have ``integers(count, size)`` (``size`` in bytes, which only binary files care about),
``reals(count)``, and ``error(message)`` for an exception that names the place read last.
"""

from __future__ import annotations

import re
import warnings
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError

#: Whether the bytes of a number go from low to high, or from high to low.
ByteOrder = Literal["<", ">"]

#: Texts longer than this are converted at once.
_LONG = 2000
#: By byte: white space as ``bytes.split`` has it, and what whole numbers between it are made of.
_IS_SPACE, _IN_WHOLE = (
    np.isin(np.arange(256), list(some)) for some in (b" \t\n\r\v\f", b" \t\n\r\v\f+-0123456789")
)
_FORTRAN_EXPONENT = re.compile(rb"(?<=[0-9.])[Dd](?=[+-]?[0-9])")
#: NumPy takes them for the sign of the next whole number.
_LONE_SIGNS = {sign: [sign + bytes([space]) for space in b" \t\n\r\v\f"] for sign in (b"+", b"-")}


class TextNumbers:
    """White-space separated numbers in a part of a text file.

    All are converted at once where that goes well; otherwise, and for short texts, word by word,
    which tells what is wrong.

    Parameters
    ----------
    text : what to read; first_line : number of its first line in the file, from 1.
    where : name of the file.
    """

    def __init__(self, text: bytes, first_line: int, where: str) -> None:
        # Fortran writes exponents of double precision with a D.
        text = _FORTRAN_EXPONENT.sub(b"e", text)
        self._text = text
        self._values = _at_once(text) if len(text) > _LONG else None
        self._words = text.split() if self._values is None else []
        self._first_line = first_line
        self._where = where
        self._next = 0
        self._starts: Indices | None = None  # of the words in the text

    @property
    def position(self) -> int:
        """How many numbers have been read."""
        return self._next

    @property
    def left(self) -> int:
        """How many numbers are left."""
        return self._total - self._next

    @property
    def _total(self) -> int:
        return len(self._words) if self._values is None else len(self._values)

    def line(self, token: int) -> int:
        """Number of the line that a token stands in."""
        return self._first_line + self._find(token)[0]

    def error(self, message: str, token: int | None = None) -> MeshError:
        """An exception that names the line of a token, by default of the last one read."""
        at = max(self._next - 1, 0) if token is None else token
        return MeshError(message, where=f"{self._where}, line {self.line(at)}")

    def integers(self, count: int, size: int = 4) -> Indices:
        """The next ``count`` whole numbers."""
        start = self._take(count)
        if self._values is not None:
            found = self._values[start : self._next]
            if found.dtype == np.int64:
                return found.copy()
            if (np.abs(found) < 2**53).all() and self._are_whole(start, self._next):
                return found.astype(np.int64)
            self._values, self._words = None, self._text.split()
        taken = self._words[start : self._next]
        try:
            return np.array(taken, dtype="S").astype(np.int64) if taken else np.zeros(0, np.int64)
        except (ValueError, OverflowError):
            raise self._blame(taken, start, int, "a whole number") from None

    def reals(self, count: int) -> Array:
        """The next ``count`` numbers."""
        start = self._take(count)
        if self._values is not None:
            return self._values[start : self._next].astype(np.float64)
        taken = self._words[start : self._next]
        try:
            return np.array(taken, dtype="S").astype(np.float64) if taken else np.zeros(0)
        except ValueError:
            raise self._blame(taken, start, float, "a number") from None

    def finish(self, announced: str) -> None:
        """Refuse more than was announced.

        Raises
        ------
        MeshError : there is more.
        """
        if self.left:
            raise self.error(f"there is more than the {announced} announced", token=self._next)

    def rest_of_line(self) -> int:
        """How many numbers are left in the line of the last one read."""
        return self._find(max(self._next - 1, 0))[1]

    def _find(self, token: int) -> tuple[int, int]:
        """Index of the line that a token stands in, and how many follow it there."""
        index, begin = 0, 0
        while True:
            end = self._text.find(b"\n", begin)
            count = len(self._text[begin : end if end >= 0 else None].split())
            if token < count:
                return index, count - token - 1
            if end < 0:
                return index, 0
            token, index, begin = token - count, index + 1, end + 1

    def _take(self, count: int) -> int:
        """Go on by ``count`` numbers; where they begin."""
        if count < 0:
            raise self.error(f"a count of {count} makes no sense")
        if count > self.left:
            raise self.error(
                f"the file ends early, or a count is too high: {count} more numbers are needed, "
                f"{self.left} are left",
                token=self._total - 1,
            )
        self._next += count
        return self._next - count

    def _are_whole(self, start: int, end: int) -> bool:
        """Whether some numbers are written as whole ones."""
        text = np.frombuffer(self._text, np.uint8)
        if self._starts is None:
            filled = ~_IS_SPACE[text]
            filled[1:] &= ~filled[:-1]
            self._starts = np.append(np.flatnonzero(filled), len(text))
        return bool(_IN_WHOLE[text[self._starts[start] : self._starts[end]]].all())

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


def _at_once(text: bytes) -> NDArray | None:
    """All numbers in a text, whole numbers if all are; None if there is anything else in it."""
    for kind in (np.int64, np.float64):
        with warnings.catch_warnings():
            # What NumPy calls deprecated is to end at what is no number, which is what is asked.
            warnings.simplefilter("error", DeprecationWarning)
            try:
                found = np.fromstring(text, dtype=kind, sep=" ")
            except (DeprecationWarning, ValueError):
                continue
        limits = np.iinfo(np.int64)
        if kind is np.int64 and _has_lone_sign(text):
            return None
        if kind is np.float64 or not np.isin((limits.min, limits.max), found).any():
            return found
        # Too large for an integer, or nearly.
        return None
    return None


def _has_lone_sign(text: bytes) -> bool:
    return text.endswith((b"+", b"-")) or any(
        sign in text and any(lone in text for lone in ends) for sign, ends in _LONE_SIGNS.items()
    )


class BinaryNumbers:
    """Numbers in a binary file from ``offset`` on."""

    def __init__(self, data: bytes, offset: int, where: str, order: ByteOrder = "<") -> None:
        self._data = data
        self._where = where
        self._order = order
        self.offset = offset

    def error(self, message: str) -> MeshError:
        """An exception that names the place read last."""
        return MeshError(message, where=f"{self._where}, byte {self.offset}")

    def integers(self, count: int, size: int = 4) -> Indices:
        """The next ``count`` integers of ``size`` bytes."""
        return self.records(count, np.dtype(f"i{size}")).astype(np.int64)

    def reals(self, count: int) -> Array:
        """The next ``count`` double-precision numbers."""
        return self.records(count, np.dtype("f8")).astype(np.float64)

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return len(self._data) - self.offset

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


def whole(values: Array, numbers: TextNumbers | BinaryNumbers) -> Indices:
    """Node numbers that were read along with coordinates, as integers."""
    if not (np.abs(values) < 2**53).all() or (values != np.rint(values)).any():
        raise numbers.error("a node number is not a whole number")
    return values.astype(np.int64)


def name_of(raw: bytes) -> str:
    """A name in a mesh file: UTF-8, and else what files from before it are written in."""
    try:
        return raw.decode().strip()
    except UnicodeDecodeError:
        return raw.decode("latin-1").strip()
