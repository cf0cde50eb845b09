"""From a scene to a problem the solver can run, without holding up the window.

Meshing runs in a child process (see ``wavelab.meshing.job``), which also makes the problem of what
is only tried out; other operators are built in a thread here.  One ``Preparation`` serves one scene
and is thrown away when a newer one starts.

A scene that is only tried out, while something is dragged, gets a makeshift: a mesh of which all
stays that is clear of what moves, and a time step that is only reckoned.  It is prepared anew when
the hand lets go.

A scene that differs in numbers from the one that runs is prepared from that in a moment
(:mod:`wavelab.physics.revision`), its time step only reckoned; ``Settling`` finds that when nobody
has changed anything for a while.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from wavelab.app.base.loop.background import Background
from wavelab.app.base.loop.turns import Turns
from wavelab.app.session.readout import PointReader
from wavelab.meshing.graph.notices import TINY
from wavelab.meshing.job import MeshJob
from wavelab.meshing.meshing_child import KeptChild
from wavelab.numerics.fields.carrying import Carrying
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.remeshing import Remeshing
from wavelab.physics.revision import revised, settled
from wavelab.scene.model.scene import Scene
from wavelab.simulation.studies.slow_elements import SlowElements, slow_elements
from wavelab.timeline import NO_TIMELINE, Timeline

#: Seconds a wave takes across the domain at the speed a scene starts with.
CROSSING_TIME = 4.0
OPERATORS = "Building operators"
#: Seconds without an edit after which the time step is found.
SETTLED_SECONDS = 0.4
#: Of all windows of a process: one that is wanted, and one that was given up while it was at it.
_BUILDING, _SETTLING = Turns(2), Turns(1)


@dataclass(frozen=True)
class Prepared:
    """A scene with its mesh, the problem discretized on it, and what the mesher has to say.

    ``reader`` gives the field under the pointer; ``slow`` is what makes the time step much shorter
    than it could be; ``of_mesh`` are those of the notices that the mesher has given; ``makeshift``
    says whether its mesh is not to stay; ``carrying`` takes the field over that is to be kept.
    """

    generation: int
    scene: Scene
    mesh: Mesh
    problem: Problem
    reader: PointReader
    notices: tuple[str, ...] = ()
    slow: SlowElements | None = None
    of_mesh: tuple[str, ...] = ()
    makeshift: bool = False
    carrying: Carrying | None = None

    @property
    def step_is_reckoned(self) -> bool:
        """Whether the time step may be shorter than it could be."""
        return self.problem.reckoned_from is not None

    def revised(self, scene: Scene, generation: int) -> Prepared:
        """The same for a scene that differs in numbers."""
        problem = revised(self.problem, scene)
        return replace(
            self,
            generation=generation,
            scene=scene,
            problem=problem,
            notices=(*self.of_mesh, *problem.notices),
            slow=slow_elements(problem),
        )

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
    before : what runs, if the scene still has the geometry of that.
    quick : whether it differs from that in numbers alone.
    kept : what runs, if its field is to be kept.
    makeshift : whether the scene is only tried out.
    child : the one that meshes; None for one of its own.
    given : the mesh, if it is not to be made.
    timeline : gets what the thread does.
    changed : called in the thread when it is at something else, and when it is done.

    Attributes
    ----------
    started : when it was (``time.monotonic``).
    scene, generation, quick, makeshift : as given.
    """

    def __init__(
        self,
        scene: Scene,
        generation: int,
        before: Prepared | None = None,
        quick: bool = False,
        *,
        kept: Prepared | None = None,
        makeshift: bool = False,
        child: KeptChild | None = None,
        given: Mesh | None = None,
        timeline: Timeline = NO_TIMELINE,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.started = time.monotonic()
        self.scene, self.generation = scene, generation
        self.quick, self.makeshift = quick, makeshift
        self._before, self._kept = before, kept
        self._child, self._given, self._timeline = child, given, timeline
        super().__init__(
            f"preparation {generation}",
            lambda _: self._prepared(),
            "Meshing" if before is None else OPERATORS,
            changed,
        )

    def _prepared(self) -> Prepared | None:
        """
        Raises
        ------
        WavelabError : the scene cannot be meshed or discretized; anything else is a defect.
        """
        before = self._before
        if before is not None and self.quick:
            with self._timeline.span("revise operators"):
                return before.revised(self.scene, self.generation)
        mesh, notices = (before.mesh, before.of_mesh) if before is not None else (None, ())
        made = None
        if mesh is None and self._given is not None:
            mesh = self._given
        if mesh is None:
            there = self._kept if self.makeshift else None
            running = None if there is None else (there.scene, there.mesh)
            further = None if there is None else Remeshing(there.problem, self.scene)
            job = MeshJob(self.scene, kept=self._child, running=running, further=further)
            with self._timeline.span("mesh"):
                mesh = job.run_unless(self.cancelled)
            notices = job.notices
            if mesh is not None and further is not None:
                made = further.received(job.made)
        if mesh is None or self.cancelled():
            return None
        self.tell(0.0, OPERATORS)
        with _BUILDING.taken(self.cancelled) as wanted:
            return self._built(mesh, notices, made) if wanted else None

    def _built(
        self,
        mesh: Mesh,
        notices: tuple[str, ...],
        made: tuple[Problem, Carrying | None] | None,
    ) -> Prepared:
        """The problem on that mesh, unless it was made along with it."""
        with self._timeline.span("build operators"):
            problem, carrying = made or (discretize_scene(self.scene, mesh), None)
            reader = PointReader(problem.discretization.seen)
        if self._kept is not None and carrying is None:
            with self._timeline.span("project"):
                d = self._kept.problem.discretization
                carrying = Carrying(d, problem.discretization)
        # Nobody wants to hear that of what is under way.
        slow = None if self.makeshift else slow_elements(problem)
        if slow is not None:  # which says it better than the mesher
            notices = tuple(notice for notice in notices if TINY not in notice)
        told = (*notices, *problem.notices)
        return Prepared(
            self.generation,
            self.scene,
            mesh,
            problem,
            reader,
            told,
            slow,
            notices,
            self.makeshift,
            carrying,
        )


class Settling(Background[Prepared | None]):
    """Finds the time step of what has been prepared with one that is only reckoned, unless it is
    cancelled for another edit before."""

    def __init__(self, prepared: Prepared, *, changed: Callable[[], None] = lambda: None) -> None:
        self._prepared = prepared
        super().__init__("settling", lambda _: self._settled(), OPERATORS, changed)

    def _settled(self) -> Prepared | None:
        if self.cancelled_within(SETTLED_SECONDS):
            return None
        with _SETTLING.taken(self.cancelled) as wanted:
            if not wanted:
                return None
            return replace(self._prepared, problem=settled(self._prepared.problem))
