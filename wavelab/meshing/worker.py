"""The child process of a mesh job: ``python -m wavelab.meshing.worker``.

It receives a :class:`Task` on standard input, sends an :class:`Answer` to standard output, and
waits for the next.  Standard input stays open for as long as the parent lives and wants answers.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavelab.child import receive, send
from wavelab.errors import GeometryError, WavelabError
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.triangulation.running import Running
from wavelab.numerics.mesh.mesh import Mesh

#: Whatever libraries print goes to a file; beyond this size it is thrown away.
_OUTPUT_BYTES = 1 << 20

#: Whether the child can limit its processor time, which other programs do not lengthen; where it
#: cannot, its parent looks at the clock.
COUNTS_OWN_TIME = sys.platform != "win32"


@dataclass(frozen=True)
class Task:
    """What to mesh, or a mesh file to read.

    Attributes
    ----------
    running : a mesh that may stay for the most part.
    further : makes more of the mesh here, with an interpreter of its own; it and what it makes can
        be pickled.
    """

    subject: Drawing | PlanarDrawing | Path
    limits: MeshLimits
    running: Running | None = None
    further: Callable[[Mesh], Any] | None = None


@dataclass(frozen=True)
class Answer:
    """A mesh and what was made of it, an error of the user's, or a defect (a traceback); and all
    warnings."""

    mesh: Mesh | None = None
    error: WavelabError | None = None
    defect: str = ""
    notices: tuple[str, ...] = ()
    made: Any = None


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    # Triangle prints to standard output.
    os.dup2(2, 1)
    _ignore_input()
    with answers:
        while True:
            try:
                task: Task = receive(sys.stdin.buffer)
            except EOFError:
                sys.exit(0)  # the parent went away, or wants no more
            _die_with_parent()
            _limit(task.limits)
            answer = work(task)
            _stop_the_clock()
            _ignore_input()
            send(answers, answer)
            _get_ready()


def _get_ready() -> None:
    """Load what the problem of a dragged shape needs, while nobody waits: it takes longer than the
    mesh."""
    import wavelab.physics.remeshing  # noqa: F401

    gc.freeze()  # it would go through all of that again and again


def work(task: Task) -> Answer:
    """Do the task; no exception leaves this function."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mesh, made, error, defect = None, None, None, ""
        try:
            mesh = _mesh(task)
            made = None if task.further is None else task.further(mesh)
        except WavelabError as raised:
            error = raised
        except MemoryError:
            error = GeometryError(
                f"meshing takes more than {task.limits.memory_bytes / 2**30:.1f} GiB of memory",
                remedy="Choose a larger element size.",
            )
        except Exception:
            defect = traceback.format_exc()
    notices = tuple(dict.fromkeys(str(w.message) for w in caught))
    return Answer(mesh, error, defect, notices, made)


def _mesh(task: Task) -> Mesh:
    # Imported here: readers are not needed to mesh a drawing, which should start fast.
    if isinstance(task.subject, Path):
        from wavelab.meshing.formats import read_mesh

        return read_mesh(task.subject)
    from wavelab.meshing.triangulation.mesher import mesh_drawing

    if task.running is not None and isinstance(task.subject, Drawing):
        from wavelab.meshing.triangulation.remeshing import remeshed

        if (mesh := remeshed(task.subject, task.running)) is not None:
            return mesh
    return mesh_drawing(task.subject, task.limits)


def _die_with_parent() -> None:
    """End when the parent closes our standard input, even in the midst of Triangle.

    The kernel sends SIGIO when the other end of the pipe is closed, and SIGIO ends a process by
    default; no thread of ours could, since Triangle holds the interpreter lock.  It is also sent
    when another task is written, which the parent does only after the answer.  On Windows the child
    ends when it reads the next task.
    """
    if sys.platform != "win32":
        import fcntl
        import select

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([0], [], [], 0)[0]:
            # It was closed before the signal was armed: the only thing left to read is its end.
            os._exit(1)


def _ignore_input() -> None:
    """Until there is a task again, reading tells when the parent has gone."""
    if sys.platform != "win32":
        signal.signal(signal.SIGIO, signal.SIG_IGN)


def _stop_the_clock() -> None:
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, 0)


def _limit(limits: MeshLimits) -> None:
    if sys.platform != "win32":
        import resource

        # It ends a process by default, and counts the time for which this one computes.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        for what, limit in (
            (resource.RLIMIT_AS, limits.memory_bytes),
            (resource.RLIMIT_FSIZE, _OUTPUT_BYTES),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(what)[1]
            if hard == resource.RLIM_INFINITY or limit < hard:
                with suppress(ValueError, OSError):  # macOS does not limit addresses
                    resource.setrlimit(what, (limit, hard))


if __name__ == "__main__":
    # Under its own name, so that pickles name wavelab.meshing.worker and not __main__.
    from wavelab.meshing.worker import main as run

    run()
