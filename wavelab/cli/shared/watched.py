"""A rank in a process of its own, watched by the one that the launcher has started.

A process that is killed cannot say so, and a launcher then ends all others at once.  So each rank
is a child of a small process that only waits for it, tells what has ended it, and ends in turn; the
launcher does the rest.
"""

from __future__ import annotations

import os
import platform
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from wavelab.cli.shared.output import say
from wavelab.ctrl_c import ENDING

#: Seconds that the ranks of a machine may end after each other, and between two looks.
_MOST_APART, _LOOK = 10.0, 0.01


def watched(work: Callable[[], int], rank: int) -> int:
    """Do the work of a rank, in a child where there is fork; the exit status.

    Before anything is loaded that has threads.  Signals that ask for an end are passed on to the
    child, which ends if this process does.

    Parameters
    ----------
    work : gives the exit status.
    """
    if not hasattr(os, "fork"):
        return work()
    launcher = os.getppid()
    watching, watcher = os.pipe()
    if (child := os.fork()) == 0:
        os.close(watcher)
        _end_with(watching)
        return work()
    os.close(watching)

    def pass_on(number: int, frame: FrameType | None) -> None:
        os.kill(child, number)

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, pass_on)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 0:
        _part_quietly(launcher)
    if code >= 0:
        return code
    say(f"error: {_told(rank, child, -code)}")
    return 128 - code


def _told(rank: int, process: int, number: int) -> str:
    name = signal.Signals(number).name
    if name == "SIGKILL":
        why = "Somebody did that, or there was too little memory."
    else:
        why = "A driver or a library has crashed."
    return (
        f"rank {rank}, process {process} on {platform.node()}, was ended by {name}. {why} "
        "A run with --checkpoint goes on from its last checkpoint with --resume."
    )


def _end_with(watching: int) -> None:
    """End this process when the other end of a pipe is closed.

    The kernel sends SIGIO then, which ends a process by default.  In a group of its own it hears
    the signals of launchers and terminals once, from its parent.
    """
    if sys.platform != "win32":
        import fcntl
        import select

        os.setpgid(0, 0)
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(watching, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(watching, fcntl.F_GETFL)
        fcntl.fcntl(watching, fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([watching], [], [], 0)[0]:
            os._exit(1)  # it has ended meanwhile


def _part_quietly(launcher: int) -> None:
    """Keep the connection to MPICH's launcher open, in a process that nobody waits for, until all
    ranks of this machine have ended.

    That launcher kills all that it has started when the first connection is closed, and so those
    that are about to end well a moment later.
    """
    if sys.platform != "win32" and "PMI_FD" in os.environ and os.fork() == 0:
        os.setsid()
        for stream in range(3):
            os.close(stream)
        until = time.monotonic() + _MOST_APART
        while _has_children(launcher) and time.monotonic() < until:
            time.sleep(_LOOK)
        os._exit(0)


def _has_children(process: int) -> bool:
    """Whether children of a process run; those that have ended and not been asked how do not."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return False
    for child in children:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            return True
    return False
