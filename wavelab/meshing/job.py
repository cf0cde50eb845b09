"""Meshing in a child process that may crash, hang or eat memory without harm."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from wavelab.errors import MeshError, WavelabError
from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing, drawing_of
from wavelab.meshing.graph.notices import notice
from wavelab.meshing.mesh_names import check_names
from wavelab.meshing.meshing_child import (
    SIMPLER,
    KeptChild,
    MeshingChild,
    nothing_kept,
    overtime,
    took_too_long,
)
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.triangulation.running import Running
from wavelab.meshing.worker import COUNTS_OWN_TIME, Answer, Task
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.scene.model.scene import Scene

#: How often :meth:`MeshJob.run_unless` asks: short against the second a new domain may take.
_LOOK_SECONDS = 0.01


class MeshJob:
    """One mesh, made by a child process.

    Use it from one thread: start and wait, or :meth:`run_unless`.  The child is gone, or has been
    given back to ``kept``, when these have returned or raised; it is gone when :meth:`cancel` has
    returned before it was done, and when this process ends in whatever way.

    Parameters
    ----------
    kept : has the child, and gets it back when it has answered; None for one that only this job
        has.
    running : a scene with its mesh, of which as much may stay as can.
    further : makes more of the mesh in the child; a value that can be pickled, as what it makes.

    Attributes
    ----------
    notices : what the user should hear about a mesh that came out right; complete with the mesh.
    made : what ``further`` has made of the mesh; complete with it.
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
        *,
        kept: KeptChild | None = None,
        running: tuple[Scene, Mesh] | None = None,
        further: Callable[[Mesh], Any] | None = None,
    ) -> None:
        self._kept = kept or nothing_kept()
        self._child: MeshingChild | None = None  #: while it works for this job
        self.limits = limits or MeshLimits()
        self.notices: tuple[str, ...] = ()
        self._scene = scene if isinstance(scene, Scene) else None
        self.made: Any = None
        self._task = Task(_subject(scene, element_size), self.limits, _running(running), further)
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
            if self._child is not None:
                self._child.process.kill()

    # Everything below runs in the watcher's thread.

    def _watch(self) -> None:
        try:
            self._outcome = self._accept(self._answer())
        except WavelabError as error:
            self._outcome = error
        except Exception as error:
            self._outcome = MeshError(f"the mesh process could not be used: {error}")

    def _answer(self) -> Answer:
        """
        Raises
        ------
        MeshError : the child died, or was ended.
        """
        while True:
            with self._lock:
                self._check_wanted()
                child = self._child = self._kept.take()
                self.process = child.process
            reused = child.used
            try:
                answer = self._done_by(child)
            except BaseException:  # a task that cannot be sent, say: nobody else would end it
                child.end()
                raise
            with self._lock:
                self._child = None
                wanted = not self._ended_by
            if answer is not None and wanted:
                self._kept.give_back(child, answer)
                return answer
            child.end()
            if answer is not None:
                return answer
            self._check_wanted()
            # One that has waited may have died of anything, and a part may be harder than the
            # whole; else it is the geometry.
            if took_too_long(child) or not (reused or self._task.running):
                raise child.death(self.limits)
            self._task = replace(self._task, running=None)

    def _done_by(self, child: MeshingChild) -> Answer | None:
        timer = threading.Timer(self.limits.seconds, self._end, [overtime(self.limits)])
        timer.daemon = True
        if not COUNTS_OWN_TIME:
            timer.start()
        try:
            return child.do(self._task)
        finally:
            timer.cancel()

    def _check_wanted(self) -> None:
        if self._ended_by:
            remedy = SIMPLER if "longer" in self._ended_by else ""
            raise MeshError(self._ended_by, remedy=remedy)

    def _accept(self, answer: Answer) -> Mesh:
        if answer.defect:
            error = MeshError(
                "the mesher failed: " + answer.defect.strip().splitlines()[-1],
                remedy="Please report this, with the scene.",
            )
            error.add_note(answer.defect)
            raise error
        if answer.error is not None:
            raise answer.error
        mesh = answer.mesh
        assert mesh is not None
        self.notices, self.made = answer.notices, answer.made
        if self._scene is not None:
            self.notices += check_names(self._scene, mesh)
            if not self._scene.solver.curved:
                mesh = mesh.straight()  # a file of a mesh has its own mind about that
        return mesh


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


def _running(running: tuple[Scene, Mesh] | None) -> Running | None:
    if running is None or running[0].outline is None:
        return None
    return Running(drawing_of(running[0]), running[1])


def _subject(
    scene: Scene | PlanarDrawing, element_size: float | None
) -> Drawing | PlanarDrawing | Path:
    if isinstance(scene, PlanarDrawing):
        return scene.resized(element_size)
    if scene.mesh_file is None:
        return drawing_of(scene, element_size)
    return scene.mesh_file
