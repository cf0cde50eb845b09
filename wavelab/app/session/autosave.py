"""Keeps what was drawn and not saved, and finds what an earlier start left behind.

Every window has a file of its own with a lock beside it; a file whose lock can be had belongs to a
window that is gone.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from pathlib import Path

from wavelab.app.base.qt import QtCore
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import load_scene, save_scene

_PREFIX = "unsaved-"


class Autosave:
    """One window's safety copy in ``directory``."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.path = directory / f"{_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:8]}.toml"
        self._lock = _lock(self.path)
        self._lock.tryLock(0)
        self._kept: Scene | None = None  #: what the file holds

    def keep(self, scene: Scene) -> None:
        """Write the safety copy; that it cannot be written never stands in the way of work."""
        if scene is self._kept:
            return  # writing takes as long as the disk does
        with contextlib.suppress(WavelabError, OSError):
            save_scene(scene, self.path)
            self._kept = scene

    def forget(self) -> None:
        """The scene is saved, or nothing was changed."""
        with contextlib.suppress(OSError):  # a directory that lets nothing be taken out
            self.path.unlink(missing_ok=True)
        self._kept = None

    def close(self) -> None:
        """Give up the lock; a copy that is still there will be offered at the next start."""
        self._lock.unlock()

    def left_behind(self) -> tuple[Path, Scene] | None:
        """The newest readable copy of a window that is gone."""
        for path in sorted(self._directory.glob(f"{_PREFIX}*.toml"), key=_age):
            lock = _lock(path)
            if path == self.path or not lock.tryLock(0):
                continue
            lock.unlock()
            with contextlib.suppress(WavelabError, OSError):
                return path, load_scene(path)
        return None


def _age(path: Path) -> float:
    """For the newest first; a file that its window has just removed comes last."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _lock(path: Path) -> QtCore.QLockFile:
    lock = QtCore.QLockFile(str(path.with_suffix(".lock")))
    # A lock is stale when its process is gone, however old it is.
    lock.setStaleLockTime(0)
    return lock
