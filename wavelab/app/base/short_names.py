"""What files are called where several may have the same name."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path


def short_names(paths: Collection[Path]) -> dict[Path, str]:
    """The name of each file, with as many of its folders as no other among ``paths`` shares."""
    return {path: _end(path, paths) for path in paths}


def _end(path: Path, others: Collection[Path]) -> str:
    for n in range(1, len(path.parts)):
        end = path.parts[-n:]
        if sum(other.parts[-n:] == end for other in others) <= 1:
            return str(Path(*end))
    return str(path)
