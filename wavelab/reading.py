"""Files that somebody names, to be read: whatever stands there is an answer and not a surprise."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def named_path(text: str) -> Path:
    """The path that a user typed; "~" is the home directory where there is such a user."""
    # pathlib raises for users that do not exist.
    return Path(os.path.expanduser(text))


def is_plain_file(path: Path) -> bool:
    """Whether there is a file to read, and neither a directory nor a pipe or device."""
    # pathlib raises for names that are too long.
    return os.path.isfile(path)


def real_path(path: Path) -> Path:
    """The path without symbolic links, those that go round in a circle left as they are."""
    return Path(os.path.realpath(path))


def read_plain_file(path: Path, most: int = -1) -> bytes:
    """The content of a file, or the first ``most`` bytes of it.

    Raises
    ------
    OSError : it cannot be read, or is no plain file. A pipe would be waited for, and a device may
        have no end.
    """
    if "\0" in str(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or device and no plain file", str(path))
        return file.read(most)


def _open_at_once(path: str, flags: int) -> int:
    """Without waiting for somebody who writes into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
