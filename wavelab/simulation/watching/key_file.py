"""The key that windows have to know to look at a run: a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from wavelab.errors import WavelabError
from wavelab.paths import data_directory

_LEAST = 16


def usual_key_file() -> Path:
    """The one that is made where none is named: runs and windows of one user share it."""
    return data_directory() / "watch.key"


def key_in(path: Path | None, *, make: bool) -> bytes:
    """
    Parameters
    ----------
    path : None for the usual one.
    make : whether it is made where it is not there yet.

    Raises
    ------
    WavelabError : it cannot be read or made, others can read it, or it is too short.
    """
    usual = path is None
    path = path or usual_key_file()
    try:
        if make and not path.exists():
            # Only now, and for nobody else from the first moment on.
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(32))
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise WavelabError(
                "others can read this key",
                where=str(path),
                remedy=f"Let nobody else: chmod 600 {path}.",
            )
        with path.open("rb") as file:
            key = file.read(4096).strip()
    except OSError as error:
        remedy = "Name the file with the key of the run: --key FILE."
        if usual:
            remedy = f"Copy it from where the run is, where it is {path.name}. {remedy}"
        raise WavelabError(
            f"the key cannot be read: {error.strerror}", where=str(path), remedy=remedy
        ) from error
    if len(key) < _LEAST:
        raise WavelabError(
            f"a key has {_LEAST} bytes or more, and this one {len(key)}",
            where=str(path),
            remedy="Remove the file, and a new one is made.",
        )
    return key
