"""Drivers do not outlive a fork: what they were at work on is there in the child, but not the
threads that would finish it, so that it waits for them without an end."""

from __future__ import annotations

import os

from wavelab.errors import WavelabError

#: The process whose drivers are at work; 0 as long as none are.
_process = 0


def check_not_forked(process: int) -> None:
    """Refuse to go on with what another process has begun.

    Parameters
    ----------
    process : in which OpenCL was used.

    Raises
    ------
    WavelabError : it is not this one.
    """
    if process != os.getpid():
        raise WavelabError(
            "this process is a fork of one that has used OpenCL, whose drivers do not work in it",
            remedy='Start processes with multiprocessing.get_context("spawn"), compute with '
            'backend = "numpy" in this one, or let wavelab.sweep start them.',
        )


def use_drivers() -> None:
    """To be called before anything is asked of them.

    Raises
    ------
    WavelabError : this process is a fork of one that has.
    """
    global _process
    if _process:
        check_not_forked(_process)
    _process = os.getpid()
