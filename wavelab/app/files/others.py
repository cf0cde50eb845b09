"""Whether somebody else has changed a file since it was read or written here."""

from __future__ import annotations

import hashlib
from pathlib import Path

from wavelab.reading import read_plain_file, real_path


class Others:
    """Remembers what was in the files that this window knows.

    By their content and not by their times, which clocks and copies set as they like.
    """

    def __init__(self) -> None:
        self._known: dict[Path, bytes] = {}

    def seen(self, path: Path | None) -> None:
        """The window knows what is in the file now."""
        if path is not None:
            self._known[real_path(path)] = _digest(path)

    def changed(self, path: Path) -> bool:
        """Whether there is something else in it; False if it is gone, or was never known."""
        now, known = _digest(path), self._known.get(real_path(path))
        return bool(now and known) and now != known


def _digest(path: Path) -> bytes:
    """Of what is in a file; empty if there is none that can be read."""
    try:
        return hashlib.sha256(read_plain_file(path)).digest()
    except OSError:
        return b""
