"""A place where compiled kernels can be kept.

PoCL offers no device, and pyopencl builds no program, where they cannot write their caches, as in a
container whose home is read-only.  Where the disk is full, PoCL's compiler aborts the program: then
OpenCL must not be used at all.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from wavelab.errors import DeviceError

_VARIABLE = "XDG_CACHE_HOME"
#: Directories below the user's cache that OpenCL writes.
_CACHES = ("pocl", "pyopencl")
#: Bytes that kernels may need: those of a scene take 1 MiB.
_ROOM = 16 << 20


def ensure_caches() -> None:
    """Move the caches of this process where they can be written, if they cannot.

    Must be called before pyopencl is imported.

    Raises
    ------
    DeviceError : there is no room for them anywhere.
    """
    named = os.environ.get(_VARIABLE)
    base = Path(named) if named else Path(os.path.expanduser("~")) / ".cache"
    if all(_writable(base / name) for name in _CACHES):
        return
    # Made anew and for this user alone: what lies there is loaded and run.
    try:
        directory = tempfile.mkdtemp(prefix="wavelab-")
    except OSError as error:
        raise _no_room(base, "a temporary directory") from error
    if not _writable(Path(directory)):
        shutil.rmtree(directory, ignore_errors=True)
        raise _no_room(base, os.path.dirname(directory))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    os.environ[_VARIABLE] = directory


def _no_room(base: Path, other: str) -> DeviceError:
    return DeviceError(
        f"compiled kernels can be kept neither in {base} nor in {other}: OpenCL needs a directory "
        f"that can be written, with {_ROOM >> 20} MiB free",
        remedy=f"Free some room on that disk, or set {_VARIABLE} or TMPDIR to a directory on "
        "another one.",
    )


def _writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return shutil.disk_usage(directory).free >= _ROOM
    except OSError:
        return False
