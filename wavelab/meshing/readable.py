"""Files of a mesh that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wavelab.errors import MeshError


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """
    Raises
    ------
    MeshError : for an ``OSError`` in the block.
    """
    try:
        yield
    except OSError as error:
        # Some lie in two files, of which the other one may be missing.
        where = str(error.filename or path)
        raise MeshError(f"cannot be read: {error.strerror or error}", where=where) from None
