"""From a scene to a problem the solver can run, without holding up the window.

Meshing runs in a child process (see ``wavelab.meshing.job``); building the operators runs in a
thread here.  One ``Preparation`` serves one scene and is thrown away when a newer one starts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from wavelab.app.base.background import Background
from wavelab.app.session.readout import PointReader
from wavelab.meshing.graph.notices import TINY
from wavelab.meshing.job import MeshJob
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.editing.starts import NO_STARTS, Starts, started
from wavelab.scene.model.scene import Scene
from wavelab.simulation.studies.slow_elements import SlowElements, slow_elements
from wavelab.timeline import NO_TIMELINE, Timeline

#: Seconds a wave takes across the domain at the speed a scene starts with.
CROSSING_TIME = 4.0
OPERATORS = "Building operators"


@dataclass(frozen=True)
class Prepared:
    """A scene with its mesh, the problem discretized on it, and what the mesher has to say.

    ``reader`` gives the field under the pointer; ``slow`` is what makes the time step much shorter
    than it could be.
    """

    generation: int
    scene: Scene
    mesh: Mesh
    problem: Problem
    reader: PointReader
    notices: tuple[str, ...] = ()
    slow: SlowElements | None = None

    @property
    def size(self) -> float:
        """Diagonal of the box around the domain."""
        vertices = self.mesh.vertices
        return math.dist(vertices.min(axis=0), vertices.max(axis=0))

    @property
    def usual_speed(self) -> float:
        """Simulated time per second at which a wave crosses the domain in ``CROSSING_TIME``."""
        return self.size / CROSSING_TIME


class Preparation(Background[Prepared | None]):
    """Meshes and discretizes one scene; :attr:`text` says what it is at.

    Parameters
    ----------
    scene : what to prepare.
    generation : number that goes with the result.
    mesh : the mesh of an earlier preparation, if the scene still has the same geometry.
    starts : when sources came into the wave that it is to take over.
    timeline : gets what the thread does.
    changed : called in the thread when it is at something else, and when it is done.

    Attributes
    ----------
    started : when it was (``time.monotonic``).
    """

    def __init__(
        self,
        scene: Scene,
        generation: int,
        mesh: Mesh | None = None,
        starts: Starts = NO_STARTS,
        *,
        timeline: Timeline = NO_TIMELINE,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.started = time.monotonic()
        self._scene, self._generation, self._mesh = scene, generation, mesh
        self._starts = starts
        self._timeline = timeline
        super().__init__(
            f"preparation {generation}",
            lambda _: self._prepared(),
            "Meshing" if mesh is None else OPERATORS,
            changed,
        )

    def _prepared(self) -> Prepared | None:
        """
        Raises
        ------
        WavelabError : the scene cannot be meshed or discretized; anything else is a defect.
        """
        mesh = self._mesh
        notices: tuple[str, ...] = ()
        if mesh is None:
            job = MeshJob(self._scene)
            with self._timeline.span("mesh"):
                mesh = job.run_unless(self.cancelled)
            notices = job.notices
        if mesh is None or self.cancelled():
            return None
        self.tell(0.0, OPERATORS)
        with self._timeline.span("build operators"):
            problem = discretize_scene(started(self._scene, self._starts), mesh)
            reader = PointReader(problem.discretization)
        slow = slow_elements(problem)
        if slow is not None:  # which says it better than the mesher
            notices = tuple(notice for notice in notices if TINY not in notice)
        notices = (*notices, *problem.notices)
        return Prepared(self._generation, self._scene, mesh, problem, reader, notices, slow)
