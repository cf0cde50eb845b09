"""A text file of numbers, line by line."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from wavelab.errors import MeshError
from wavelab.meshing.formats.numbers import TextNumbers

#: Lines that are read at a time.
AT_A_TIME = 1 << 18
#: The remedy where something is not streamed.
READ_WHOLE = "Part it with --whole, on a machine that can hold it."


class Lines:
    """The lines of a text file, with their numbers."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb")  # noqa: SIM115 - closed by close
        self.where, self.number = path.name, 0
        self._size = os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        self._file.close()

    def next(self) -> bytes | None:
        """The next one; None at the end."""
        line = self._file.readline()
        self.number += bool(line)
        return line or None

    def needed(self, of: str) -> bytes:
        """The next one.

        Raises
        ------
        MeshError : the file ends.
        """
        line = self.next()
        if line is None:
            raise self.error(f"the file ends within {of}")
        return line

    def integers(self, count: int, of: str) -> list[int]:
        """The first whole numbers of the next line."""
        line = self.needed(of)
        return TextNumbers(line, self.number, self.where).integers(count).tolist()

    def counts(self, count: int, of: str) -> list[int]:
        """The same where they are how many lines there are of something.

        Raises
        ------
        MeshError : there cannot be so many in the file.
        """
        found = self.integers(count, of)
        for n in found:
            self._check(n)
        return found

    def ends(self, mark: bytes, what: str) -> None:
        """Go beyond the end of what was counted.

        Raises
        ------
        MeshError : more of it is there.
        """
        while not (line := self.needed(what)).strip():
            pass
        if not line.lstrip().startswith(mark):
            raise self.error(f"there is more than the {what} announced")

    def _check(self, count: int) -> None:
        if count < 0:
            raise self.error(f"a count of {count} makes no sense")
        if count > self._size:
            raise self.error(f"the file ends early, or a count is too high: {count}")

    def blocks(self, count: int, of: str) -> Iterator[tuple[int, TextNumbers]]:
        """The numbers of so many lines, some lines at a time, and how many these are."""
        self._check(count)
        while count:
            first = self.number + 1
            found = list(itertools.islice(self._file, min(count, AT_A_TIME)))
            self.number += len(found)
            if len(found) < min(count, AT_A_TIME):
                raise self.error(f"the file ends within {of}")
            count -= len(found)
            yield len(found), TextNumbers(b"".join(found), first, self.where)

    def error(self, message: str, remedy: str = "") -> MeshError:
        """An exception that names the line."""
        return MeshError(message, where=f"{self.where}, line {max(self.number, 1)}", remedy=remedy)
