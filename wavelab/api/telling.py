"""What is said on the way: notices as warnings, and how far something has come."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TextIO

from wavelab.simulation.headless.study_progress import Tell, study_progress

if TYPE_CHECKING:
    from tqdm import tqdm


class Notice(UserWarning):
    """Something to know of an experiment that is none the less computed."""


def warn(text: str) -> None:
    """Say it as a :class:`Notice`, at the line of the program that has asked for something."""
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("wavelab."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, Notice, stacklevel=depth)


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in shell.config


def bars(progress: bool | None) -> dict[str, Any]:
    """How progress is shown: as a widget in a notebook, as a bar in a terminal, and elsewhere by
    lines of a log now and then.

    Parameters
    ----------
    progress : True or False where it is wished or not; None looks who watches.
    """
    if progress is not False and in_notebook():
        from tqdm.auto import tqdm as make_bar

        return {"bar": True, "make_bar": make_bar}
    return {"bar": progress, "make_bar": _plain_bar}


def log_of(progress: bool | None) -> TextIO | None:
    """Where lines go, if nobody sees a bar and none was refused."""
    watched = progress is not None or in_notebook() or sys.stderr.isatty()
    return None if watched else sys.stderr


def study(progress: bool | None, notify: Callable[[str], None]) -> AbstractContextManager[Tell]:
    """Of something that tells which part of it is done."""
    return study_progress(notify=notify, say=_say, **bars(progress))


def _plain_bar(**how: Any) -> tqdm:
    from tqdm import tqdm

    return tqdm(**how)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
