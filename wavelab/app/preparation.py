"""From a scene to a problem the solver can run, without holding up the window.

Meshing runs in a child process (see ``wavelab.meshing.job``); building the operators runs in a
thread here.  One ``Preparation`` serves one scene and is thrown away when a newer one starts.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from wavelab.app.readout import PointReader
from wavelab.meshing.job import MeshJob
from wavelab.numerics.mesh import Mesh
from wavelab.physics.problem import Problem, pose
from wavelab.scene.scene import Scene
from wavelab.timeline import NO_TIMELINE, Timeline

#: How often the thread looks after the child, in seconds: short against the second a new domain
#: may take, long against the time a look costs.
POLL_INTERVAL = 0.01


@dataclass(frozen=True)
class Prepared:
    """A scene with its mesh, the problem posed on it, and what the mesher has to say.

    ``reader`` gives the field under the pointer.
    """

    generation: int
    scene: Scene
    mesh: Mesh
    problem: Problem
    reader: PointReader
    notices: tuple[str, ...] = ()


class Preparation:
    """Mesh and pose one scene in the background.

    Parameters
    ----------
    scene : what to prepare.
    generation : number that goes with the result.
    mesh : the mesh of an earlier preparation, if the scene still has the same geometry.
    timeline : gets what the thread does.
    """

    def __init__(
        self,
        scene: Scene,
        generation: int,
        mesh: Mesh | None = None,
        *,
        timeline: Timeline = NO_TIMELINE,
    ) -> None:
        self.scene = scene
        self.generation = generation
        self.stage = "Meshing" if mesh is None else "Building operators"
        self.started = time.monotonic()
        self._mesh = mesh
        self._timeline = timeline
        self._notices: tuple[str, ...] = ()
        self._cancelled = threading.Event()
        self._result: Prepared | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(
            target=self._work, name=f"preparation {generation}", daemon=True
        )

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Give up soon; the result, if there still is one, must not be used."""
        self._cancelled.set()

    def join(self, timeout: float) -> bool:
        """Wait for the thread and its child to end; False if they did not in time."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def result(self) -> Prepared | None:
        """What came out, once ``done``; None if it was cancelled.

        Raises
        ------
        WavelabError : the scene cannot be meshed or posed; anything else is a defect.
        """
        if self._cancelled.is_set():
            return None
        if self._error is not None:
            raise self._error
        return self._result

    def _work(self) -> None:
        try:
            mesh = self._mesh
            if mesh is None:
                with self._timeline.span("mesh"):
                    mesh = self._meshed()
            if mesh is None or self._cancelled.is_set():
                return
            self.stage = "Building operators"
            with self._timeline.span("build operators"):
                problem = pose(self.scene, mesh)
                reader = PointReader(problem.discretization)
            self._result = Prepared(
                self.generation,
                self.scene,
                mesh,
                problem,
                reader,
                (*self._notices, *problem.notices),
            )
        except Exception as error:  # handed to whoever asks for the result
            self._error = error

    def _meshed(self) -> Mesh | None:
        job = MeshJob(self.scene)
        try:
            job.start()
            while True:
                mesh = job.poll()
                if mesh is not None or self._cancelled.wait(POLL_INTERVAL):
                    self._notices = job.notices
                    return mesh
        finally:
            job.cancel()
