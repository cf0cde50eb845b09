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
#: In the name of a copy that was being written when its window was killed (wavelab.atomic).
_HALF = ".partial"


class Autosave:
    """One window's safety copy in ``directory``."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.path = directory / f"{_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:8]}.toml"
        self._lock = _lock(self.path)
        self._lock.tryLock(0)
        self._kept: Scene | None = None  #: what the file holds
        self._told = ""  #: why it could not be written

    def keep(self, scene: Scene) -> WavelabError | None:
        """Write the safety copy.

        That it cannot be written never stands in the way of work; why not is returned, once for
        each reason, until it can be again.
        """
        if scene is self._kept:
            return None  # writing takes as long as the disk does
        with contextlib.suppress(OSError):  # said below; somebody may have cleared it away
            self._directory.mkdir(parents=True, exist_ok=True)
        try:
            save_scene(scene, self.path)
        except WavelabError as error:
            told, self._told = self._told, error.message
            return None if told == error.message else _unkept(error)
        self._kept, self._told = scene, ""
        return None

    def forget(self) -> None:
        """The scene is saved, or nothing was changed."""
        with contextlib.suppress(OSError):  # a directory that lets nothing be taken out
            self.path.unlink(missing_ok=True)
        self._kept = None

    def close(self) -> None:
        """Give up the lock; a copy that is still there will be offered at the next start."""
        self._lock.unlock()

    def left_behind(self) -> tuple[Path, Scene] | None:
        """The newest readable copy of a window that is gone.

        What such windows were writing when they were killed, and their locks, are cleared away.
        """
        copies = []
        for window in {p.name.partition(".")[0] for p in self._directory.glob(f"{_PREFIX}*")}:
            path = self._directory / f"{window}.toml"
            lock = _lock(path)
            # Where no lock can be written, as on a full disk, nobody has one.
            if path == self.path or not (
                lock.tryLock(0) or lock.error() != QtCore.QLockFile.LockFailedError
            ):
                continue
            for half in self._directory.glob(f"{window}{_HALF}*"):
                with contextlib.suppress(OSError):
                    half.unlink()
            lock.unlock()
            copies.append(path)
        for path in sorted(copies, key=_age):
            with contextlib.suppress(WavelabError, OSError):
                return path, load_scene(path)
        return None


def _unkept(error: WavelabError) -> WavelabError:
    remedy = f"{error.remedy} Until then save the scene yourself, and now and then.".strip()
    message = f"your work is not kept against a crash: {error.message}"
    return WavelabError(message, where=error.where, remedy=remedy)


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
