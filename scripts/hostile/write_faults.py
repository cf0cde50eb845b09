"""Let every k-th call of the system fail, for every file that the program writes.

Opening, writing, synchronising and renaming fail in turn, each with a full disk, an input/output
error and a refused permission, while an older file is replaced by a newer one.  The older one has
to stay as it was (or the newer one to be whole, where nothing of it was lost), the reason has to be
told, and nothing may be left beside it.

Files that are written by libraries of their own (HDF5, FFmpeg), which do not ask Python, are given
a disk that is full after so many bytes: --disk mounts a small one, which takes root.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.hostile.files import KINDS, Kind
from scripts.hostile.tally import Tally, options
from wavelab.app.session.autosave import Autosave
from wavelab.errors import OutputError

CODES = (errno.ENOSPC, errno.EIO, errno.EACCES)
#: Numbers in the older and the newer file.
OLD, NEW = 3, 7


class Faults:
    """Fails one call of the system that concerns a folder.

    Attributes
    ----------
    calls : counted up to now.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self.calls, self._at, self._code = 0, -1, 0

    def arm(self, at: int, code: int) -> None:
        """Have the call of that number fail."""
        self.calls, self._at, self._code = 0, at, code

    def passed(self, path: Any) -> None:
        """A call concerns a path or an open file."""
        if isinstance(path, int):
            try:
                path = os.readlink(f"/proc/self/fd/{path}")
            except OSError:
                return
        if not str(path).startswith(self._folder):
            return
        self.calls += 1
        if self.calls - 1 == self._at:
            raise OSError(self._code, os.strerror(self._code), str(path))

    @contextmanager
    def around(self) -> Iterator[None]:
        """Stands before ``os`` and the files of Python in the block."""
        kept = {name: getattr(os, name) for name in ("open", "fsync", "replace", "write")}
        opened = io.open

        def before(name: str) -> Callable[..., Any]:
            def call(first: Any, *args: Any, **kwargs: Any) -> Any:
                self.passed(first)
                return kept[name](first, *args, **kwargs)

            return call

        def open_(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            if set(mode) & set("wax+"):
                self.passed(file)
                made = opened(file, mode, *args, **kwargs)
                return _Writing(made, lambda: self.passed(file))
            return opened(file, mode, *args, **kwargs)

        for name in kept:
            setattr(os, name, before(name))
        io.open = builtins.open = open_  # type: ignore[assignment]
        try:
            yield
        finally:
            for name, function in kept.items():
                setattr(os, name, function)
            io.open = builtins.open = opened


class _Writing:
    """A file whose writing, and whose closing, may fail."""

    def __init__(self, file: Any, passed: Callable[[], None]) -> None:
        self._file, self._passed = file, passed

    def write(self, data: Any) -> Any:
        self._passed()
        return self._file.write(data)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def close(self) -> None:
        self._file.close()
        self._passed()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def written(kind: Kind, path: Path, number: int) -> str:
    """Write a file; what is told of it, "" if all went well."""
    if kind.name.startswith("unsaved-"):
        kept = Autosave(path.parent)
        kept.path = path
        from scripts.hostile.files import scene_of

        error = kept.keep(scene_of(number))
        kept.close()
        return str(error) if error is not None else ""
    try:
        kind.write(path, number)
    except OutputError as error:
        return str(error)
    return ""


def looked_at(kind: Kind, path: Path, beside: set[str], told: str, failed: bool) -> Iterator[str]:
    """What is wrong after a call has failed."""
    try:
        number = kind.read(path)
    except Exception as error:
        yield f"{path.name} is broken: {type(error).__name__}: {error}"
        return
    if number not in (OLD, NEW):
        yield f"{path.name} holds {number}"
    if failed and number == OLD and not (told or kind.silent):
        yield f"{path.name}: nothing is told"
    # A table that is gone on with is read first.
    reasons = ("cannot be written", "not kept", "cannot be read: ")
    if told and not any(reason in told for reason in reasons):
        yield f"{path.name}: it is told that {told}"
    more = {p.name for p in path.parent.iterdir()} - beside
    if more:
        yield f"{path.name}: {sorted(more)} is left"


def fail_each(every: int, tally: Tally) -> None:
    """One of ``every`` calls of each kind of file, with each reason."""
    for kind in KINDS:
        with tempfile.TemporaryDirectory(prefix="faults-") as base:
            folder = Path(base).resolve() / "wavelab"
            folder.mkdir()
            path, faults = folder / kind.name, Faults(folder)
            written(kind, path, OLD)
            with faults.around():
                faults.arm(-1, 0)
                written(kind, path, NEW)
                calls = faults.calls
            beside = {p.name for p in folder.iterdir()}
            for at in range(0, calls, every):
                for code in CODES:
                    written(kind, path, OLD)
                    faults.arm(at, code)
                    try:
                        with faults.around():
                            told = written(kind, path, NEW)
                    except Exception as error:
                        told = f"DEFECT {type(error).__name__}: {error}"
                    tally.add(kind.name, looked_at(kind, path, beside, told, faults.calls > at))


def fill_disk(tally: Tally) -> None:
    """Every file on a disk of 1 MiB on which there are only some bytes left."""
    with tempfile.TemporaryDirectory(prefix="disk-") as place:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], check=True)
        try:
            folder = Path(place).resolve() / "wavelab"
            folder.mkdir()
            for kind in KINDS:
                for room in range(5):
                    _on_full_disk(kind, folder, room, tally)
        finally:
            subprocess.run(["umount", "-l", place], check=True)


def _on_full_disk(kind: Kind, folder: Path, pages: int, tally: Tally) -> None:
    path, filler = folder / kind.name, folder / "filler"
    written(kind, path, OLD)
    beside = {p.name for p in folder.iterdir()} | {"filler"}
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - 4096 * pages))
    try:
        told = written(kind, path, NEW)
    except Exception as error:
        told = f"DEFECT {type(error).__name__}: {error}"
    filler.unlink()
    tally.add(f"{kind.name} on a full disk", looked_at(kind, path, beside, told, True))
    for each in folder.iterdir():
        each.unlink()


def main() -> int:
    parser = options(__doc__, every=1)
    parser.add_argument("--disk", action="store_true", help="fill a small disk, too (as root)")
    arguments = parser.parse_args()
    tally = Tally()
    fail_each(arguments.every, tally)
    if arguments.disk:
        fill_disk(tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
