"""Files that one process at a time holds, until it ends in whatever way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def locked(file: IO[bytes], *, wait: bool) -> bool:
    """Take an open file until it is closed; False if another process, or another opening of it in
    this one, has it and nobody ``wait``\\ s.  True also where the file system has no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)  # of which a byte is locked
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextmanager
def alone_with(target: Path) -> Iterator[bool]:
    """Whether no other process has said the same of a file, which need not be there.

    What is locked is a small file beside it, ``.NAME.lock``, since the file itself is another one
    after each time that it is written whole.  It goes when the block ends; one that a killed
    process left behind is free.

    Raises
    ------
    OSError : there can be no file beside it.
    """
    path = target.with_name(f".{target.name}.lock")
    while True:
        with path.open("ab") as file:
            mine = locked(file, wait=False)
            if mine and not _is_there(path, file):
                continue  # it went between the two lines above: another one has that name
            try:
                yield mine
            finally:
                if mine:
                    with suppress(OSError):  # Windows removes no open file
                        path.unlink()
            return


def _is_there(path: Path, file: IO[bytes]) -> bool:
    """Whether the open file is still the one of that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False
