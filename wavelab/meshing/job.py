"""Meshing in a child process that may crash, hang or eat memory without harm."""

from __future__ import annotations

import pickle
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO

from wavelab.child import receive, send, spawn
from wavelab.errors import MeshError, WavelabError
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing, drawing_of
from wavelab.meshing.graph.notices import notice
from wavelab.meshing.mesh_names import check_names
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.worker import COUNTS_OWN_TIME, Answer, Task
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene

#: How often :meth:`MeshJob.run_unless` asks: short against the second a new domain may take.
_LOOK_SECONDS = 0.01
_SIMPLER = "Choose a larger element size or a simpler shape."


class MeshJob:
    """One mesh, made by one child process.

    Use it from one thread: start and wait, or :meth:`run_unless`.  The child is gone when these
    have returned or raised, when :meth:`cancel` has returned, and when this process ends in
    whatever way.

    Attributes
    ----------
    notices : what the user should hear about a mesh that came out right; complete with the mesh.
    process : the child, once there is one.

    Raises
    ------
    GeometryError : from the constructor, for an element size or a shape that is no number.
    """

    def __init__(
        self,
        scene: Scene | PlanarDrawing,
        element_size: float | None = None,
        limits: MeshLimits | None = None,
    ) -> None:
        self.limits = limits or MeshLimits()
        self.notices: tuple[str, ...] = ()
        self._scene = scene if isinstance(scene, Scene) else None
        self._task = Task(_subject(scene, element_size), self.limits)
        self.process: subprocess.Popen[bytes] | None = None
        self._watcher = threading.Thread(target=self._watch, name="mesh job", daemon=True)
        self._lock = threading.Lock()
        self._ended_by = ""
        self._outcome: Mesh | WavelabError | None = None

    def start(self) -> MeshJob:
        """Start the child; returns at once."""
        self._watcher.start()
        return self

    def wait(self) -> Mesh:
        """The mesh, as soon as it is there; cancels the job on Ctrl-C.

        Raises
        ------
        GeometryError, MeshError : why there is none.
        """
        try:
            self._watcher.join()
        except KeyboardInterrupt:
            self.cancel()
            raise
        return self._result()

    def run_unless(self, cancelled: Callable[[], bool]) -> Mesh | None:
        """Start, and wait for the mesh; None as soon as ``cancelled``, asked again and again, says
        so.

        Raises
        ------
        GeometryError, MeshError : why there is none.
        """
        try:
            self.start()
            while self._watcher.is_alive():
                if cancelled():
                    return None
                self._watcher.join(_LOOK_SECONDS)
            return self._result()
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Kill the child; from now on :meth:`wait` raises.  Does nothing if it has ended."""
        self._end("meshing was cancelled")
        if self._watcher.is_alive():
            self._watcher.join()

    def _result(self) -> Mesh:
        if isinstance(self._outcome, Mesh):
            return self._outcome
        if self._outcome is None:
            raise RuntimeError("the mesh job was not started")
        raise self._outcome

    def _end(self, reason: str) -> None:
        with self._lock:
            self._ended_by = self._ended_by or reason
            if self.process is not None and self.process.poll() is None:
                self.process.kill()

    # Everything below runs in the watcher's thread.

    def _watch(self) -> None:
        try:
            self._outcome = self._run()
        except WavelabError as error:
            self._outcome = error
        except Exception as error:
            self._outcome = MeshError(f"the mesh process could not be used: {error}")

    def _run(self) -> Mesh:
        with tempfile.TemporaryFile() as printed:
            with self._lock:
                if self._ended_by:
                    raise MeshError(self._ended_by)
                process = self.process = spawn("wavelab.meshing.worker", printed)
            timer = threading.Timer(self.limits.seconds, self._end, [_overtime(self.limits)])
            timer.daemon = True
            if not COUNTS_OWN_TIME:
                timer.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                with suppress(BrokenPipeError):
                    send(process.stdin, self._task)
                # If it died before it had read all, its exit status says more.  Its end of the pipe
                # closes when it dies, so this cannot hang for a dead child.
                answer = _received(process.stdout)
                process.stdout.close()
            finally:
                timer.cancel()
                process.kill()
                process.wait()
                with suppress(OSError):  # unsent bytes for a child that is gone
                    if process.stdin is not None:
                        process.stdin.close()
            return self._accept(answer, process.returncode, printed)

    def _accept(self, answer: Answer | None, status: int, printed: BinaryIO) -> Mesh:
        if answer is None:
            if self._ended_by:
                raise MeshError(
                    self._ended_by, remedy=_SIMPLER if "longer" in self._ended_by else ""
                )
            raise _death(status, printed, self.limits)
        if answer.defect:
            error = MeshError(
                "the mesher failed: " + answer.defect.strip().splitlines()[-1],
                remedy="Please report this, with the scene.",
            )
            error.add_note(answer.defect)
            raise error
        if answer.error is not None:
            raise answer.error
        assert answer.mesh is not None
        self.notices = answer.notices
        if self._scene is not None:
            self.notices += check_names(self._scene, answer.mesh)
        return answer.mesh


def mesh_scene(
    scene: Scene | PlanarDrawing,
    element_size: float | None = None,
    limits: MeshLimits | None = None,
) -> Mesh:
    """The mesh of a scene; blocks until it is made.

    Raises
    ------
    GeometryError, MeshError, SceneError : why there is none.

    Warns
    -----
    MeshWarning : for every notice of the job.
    """
    job = MeshJob(scene, element_size, limits)
    mesh = job.start().wait()
    for text in job.notices:
        notice(text)
    return mesh


def _subject(
    scene: Scene | PlanarDrawing, element_size: float | None
) -> Drawing | PlanarDrawing | Path:
    if isinstance(scene, PlanarDrawing):
        return scene.resized(element_size)
    if scene.mesh_file is None:
        return drawing_of(scene, element_size)
    return scene.mesh_file


def _received(stream: IO[bytes]) -> Answer | None:
    try:
        answer: Answer = receive(stream)
    except (EOFError, pickle.UnpicklingError):
        return None
    return answer


def _overtime(limits: MeshLimits) -> str:
    of_processor = " of processor time" if COUNTS_OWN_TIME else ""
    return f"meshing took longer than {limits.seconds:g} s{of_processor} and was stopped"


def _death(status: int, printed: BinaryIO, limits: MeshLimits) -> MeshError:
    """What to say about a child that ended without an answer."""
    printed.seek(0)
    last = printed.read().decode(errors="replace").strip().splitlines()[-1:]
    said = last[0].strip() if last else ""
    if "memory" in said.lower():
        return MeshError(
            f"meshing takes more than {limits.memory_bytes / 2**30:.1f} GiB of memory",
            remedy="Choose a larger element size.",
        )
    if COUNTS_OWN_TIME and status == -signal.SIGPROF:
        return MeshError(_overtime(limits), remedy=_SIMPLER)
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
