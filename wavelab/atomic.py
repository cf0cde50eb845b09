"""Files that are either whole or absent.

A file grows under a name of its own beside the target ("wave.partial.mp4" for "wave.mp4") and takes
the target's name in one step once it is complete.  The partial name keeps the suffix, so that what
a killed program leaves behind opens with a double click, and is never one that exists already, so
that nothing left behind is overwritten.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from wavelab.errors import OutputError


def check_target(path: str | os.PathLike[str], suffixes: tuple[str, ...]) -> Path:
    """The real path of a file that is to be written.

    Parameters
    ----------
    path : file named by the user; symbolic links are followed, "~" is the home directory.
    suffixes : file name endings that are allowed, lower case, with the dot.

    Raises
    ------
    OutputError : the ending is missing or another one, the directory does not exist or is not
        writable, or there is something of that name that is not a plain file.
    """
    # Functions of os.path, because those of pathlib raise for names that are too long.
    target = Path(os.path.expanduser(path))
    if "\0" in str(target):
        raise OutputError("has a zero byte in its name", where=repr(str(target)))
    if os.path.isdir(target):
        raise OutputError(
            "is a directory",
            where=str(target),
            remedy=f"Name a file in it, for example {target / ('wave' + suffixes[0])}.",
        )
    if target.suffix.lower() not in suffixes:
        has = f"the ending {target.suffix!r}" if target.suffix else "no ending"
        raise OutputError(
            f"has {has}, but the ending says how to write the file",
            where=str(target),
            remedy=f"Use {' or '.join(suffixes)}: {target.with_suffix(suffixes[0])}.",
        )
    target = Path(os.path.realpath(target))
    if not os.path.isdir(target.parent):
        raise OutputError(
            f"there is no directory {target.parent}",
            where=str(target),
            remedy="Make it first, or choose another place.",
        )
    if not os.access(target.parent, os.W_OK):
        raise explain(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), target)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OutputError(
            "is a device or pipe; only plain files can be replaced",
            where=str(target),
            remedy="Choose another name.",
        )
    return target


def check_different(paths: Iterable[str | os.PathLike[str] | None]) -> None:
    """Refuse to write two things into one file.

    Raises
    ------
    OutputError : names the file.
    """
    seen = set()
    for path in paths:
        if path is None:
            continue
        target = os.path.realpath(os.path.expanduser(path))
        if target in seen:
            raise OutputError(
                "is to hold two things, of which one would be lost",
                where=str(path),
                remedy="Give each a name of its own.",
            )
        seen.add(target)


class EachFile:
    """Files written one after another, of which one that cannot be written costs no other.

    Attributes
    ----------
    errors : of those that could not be written.
    """

    def __init__(self) -> None:
        self.errors: list[OutputError] = []

    @contextmanager
    def written(self) -> Iterator[None]:
        """Keeps an OutputError of the block for later."""
        try:
            yield
        except OutputError as error:
            self.errors.append(error)

    def finish(self) -> None:
        """Say what went wrong.

        Raises
        ------
        OutputError : one for all files.
        """
        if self.errors:
            first, *others = self.errors
            more = [f"{error.where}: {error.message}." for error in others]
            remedy = " ".join([first.remedy, *more])
            raise OutputError(first.message, where=first.where, remedy=remedy)


def reserve_partial(target: Path) -> Path:
    """Create an empty file beside ``target`` under a name nothing else has.

    Raises
    ------
    OutputError : the directory is not writable, or the disk is full.
    """
    for attempt in count(1):
        number = "" if attempt == 1 else f"-{attempt}"
        partial = target.with_name(f"{target.stem}.partial{number}{target.suffix}")
        try:
            # The usual mode, so that the user's umask decides who may read the finished file.
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            continue
        except OSError as error:
            raise explain(error, target) from error
        return partial
    raise AssertionError("count() ended")


def finish(partial: Path, target: Path) -> None:
    """Give a complete file its name.

    Raises
    ------
    OutputError : the data did not reach the disk or the name cannot be taken; ``partial`` is gone,
        as after any other exception.
    """
    try:
        # Some file systems report a full disk only here, and a rename must not outrun its data.
        descriptor = os.open(partial, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(partial, target)
    except BaseException as error:  # Ctrl-C comes here too: disks take their time
        discard(partial)
        if isinstance(error, OSError):
            raise explain(error, target) from error
        raise


def discard(partial: Path) -> None:
    """Remove a file that will not be finished, if its directory still lets it be removed."""
    with suppress(OSError):  # what went wrong before is said, and not this
        partial.unlink()


def explain(error: Exception, target: Path) -> OutputError:
    """An ``OSError`` (or another error with an ``errno``) in words a user can act on."""
    code = getattr(error, "errno", None) or 0
    remedies = {
        errno.ENOSPC: "Free some space on this disk, or choose another one.",
        errno.EDQUOT: "Your quota on this disk is used up: free some space, or choose another one.",
        errno.EFBIG: "The file is larger than this disk or your limits allow.",
        errno.EACCES: f"Make {target.parent} writable, or choose another directory.",
        errno.EPERM: f"Make {target.parent} writable, or choose another directory.",
        errno.EROFS: "This disk is read-only: choose another one.",
        errno.ENAMETOOLONG: "Choose a shorter name.",
    }
    reason = os.strerror(code) if code in errno.errorcode else str(error)
    remedy = remedies.get(code, "Choose another name or directory.")
    return OutputError(f"cannot be written: {reason}", where=str(target), remedy=remedy)


@contextmanager
def whole_file(path: str | os.PathLike[str], suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Gives the partial file to write to, and renames it when the block ends without an error.

    Raises
    ------
    OutputError : as :func:`check_target`; also for any ``OSError`` in the block.
    """
    target = check_target(path, suffixes)
    partial = reserve_partial(target)
    try:
        yield partial
    except BaseException as error:
        discard(partial)
        if isinstance(error, OSError):
            raise explain(error, target) from error
        raise
    finish(partial, target)
