"""Child processes that mesh, one task after another, and one that is kept between jobs.

Python and its libraries take longer to start than a mesh of some thousand elements to be made, so
whoever meshes again and again keeps a child that has proved itself.
"""

from __future__ import annotations

import pickle
import signal
import sys
import threading
from contextlib import suppress
from typing import IO

from wavelab.child import receive, send, started
from wavelab.errors import MeshError
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.worker import COUNTS_OWN_TIME, Answer, Task

WORKER = "wavelab.meshing.worker"
SIMPLER = "Choose a larger element size or a simpler shape."
#: A child that has made more elements than this holds memory that nobody needs any more.
_MOST_KEPT = 100_000


class MeshingChild:
    """One process, and the file of what it prints.

    Attributes
    ----------
    process : the child.
    used : whether it has answered before.

    Raises
    ------
    OSError : it cannot be started.
    """

    def __init__(self) -> None:
        self.used = False
        self._last_words = ""
        self.process, self._printed = started(WORKER)

    def do(self, task: Task) -> Answer | None:
        """Have it do a task, and wait; None if it died."""
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            send(process.stdin, task)
        # If it died before it had read all, its exit status says more.  Its end of the pipe
        # closes when it dies, so this cannot hang for a dead child.
        answer = _received(process.stdout)
        if answer is not None:
            self.used = True
            # Both processes write at one place of the file.
            self._printed.seek(0)
            self._printed.truncate()
        return answer

    def end(self) -> None:
        """Kill it; does nothing if it has ended."""
        process = self.process
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stdin):
            with suppress(OSError):  # unsent bytes for a child that is gone
                if stream is not None:
                    stream.close()
        if not self._printed.closed:
            with self._printed:
                self._printed.seek(0)
                self._last_words = self._printed.read().decode(errors="replace")

    def death(self, limits: MeshLimits) -> MeshError:
        """What to say about it when it has ended without an answer."""
        return _death(self.process.returncode, self._last_words, limits)


class KeptChild:
    """At most one child that waits for the next job; shared by threads.

    Until one is asked for there is none, and none is left after :meth:`close`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: MeshingChild | None = None
        self._closed = False

    def take(self) -> MeshingChild:
        """The one that waits, or another.

        Raises
        ------
        OSError : it cannot be started.
        """
        with self._lock:
            child, self._child = self._child, None
        if child is not None and child.process.poll() is None:
            return child
        if child is not None:
            child.end()
        return MeshingChild()

    def give_back(self, child: MeshingChild, answer: Answer) -> None:
        """Keep one that has answered, or end it where it is not worth that."""
        large = answer.mesh is not None and answer.mesh.n_elements > _MOST_KEPT
        with self._lock:
            if self._closed or large or answer.defect or self._child is not None:
                surplus = child
            else:
                self._child = child
                return
        surplus.end()

    def close(self) -> None:
        """End it, and keep no other."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.end()


def nothing_kept() -> KeptChild:
    """For a single mesh: its child ends with the job."""
    kept = KeptChild()
    kept.close()
    return kept


def overtime(limits: MeshLimits) -> str:
    """What to say of a child that took too long."""
    of_processor = " of processor time" if COUNTS_OWN_TIME else ""
    return f"meshing took longer than {limits.seconds:g} s{of_processor} and was stopped"


def took_too_long(child: MeshingChild) -> bool:
    """Whether it ended because it computed for longer than it may."""
    return _out_of_time(child.process.returncode)


def _out_of_time(status: int) -> bool:
    return sys.platform != "win32" and status == -signal.SIGPROF


def _received(stream: IO[bytes]) -> Answer | None:
    try:
        answer: Answer = receive(stream)
    except (EOFError, pickle.UnpicklingError):
        return None
    return answer


def _death(status: int, printed: str, limits: MeshLimits) -> MeshError:
    last = printed.strip().splitlines()[-1:]
    said = last[0].strip() if last else ""
    if "memory" in said.lower():
        return MeshError(
            f"meshing takes more than {limits.memory_bytes / 2**30:.1f} GiB of memory",
            remedy="Choose a larger element size.",
        )
    if _out_of_time(status):
        return MeshError(overtime(limits), remedy=SIMPLER)
    if status < 0:
        try:
            how = f"crashed ({signal.Signals(-status).name})"
        except ValueError:
            how = f"was killed by signal {-status}"
    else:
        how = f"gave up with status {status}"
    return MeshError(
        f"the mesher {how} on this geometry" + (f": {said}" if said else ""),
        remedy="Move vertices that nearly touch, or choose another element size.",
    )
