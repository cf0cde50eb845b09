"""How soon a change shows: from an edit of a running scene to a frame of the changed wave.

The solver's thread runs as in the window, at the scene's own speed and with somebody who asks for
frames; the time is that of the revised problem, its way to the stepper, the steps that were under
way, and the first frame after it; where an obstacle moves, that of the mesh around it as well.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from wavelab.benchmark.changes import CHANGES, Change
from wavelab.errors import WavelabError
from wavelab.meshing.job import MeshJob, mesh_scene
from wavelab.meshing.meshing_child import KeptChild
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.remeshing import Remeshing
from wavelab.physics.revision import can_be_revised, revised
from wavelab.scene.model.scene import Scene
from wavelab.simulation.messages.events import Failed, LoadFailed
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.solver.commands import AwaitLoad, Load, Play
from wavelab.simulation.solver.runner import Runner, RunnerSettings
from wavelab.simulation.solver.solver_thread import SolverThread

#: Changes of each kind, after one that may have to compile, and wall time between two.
_CHANGES, _BETWEEN = 6, 0.05
#: Wall time after which a frame that does not come is given up.
_PATIENCE = 60.0
_LOOK = 0.0005


@dataclass(frozen=True)
class LiveChange:
    """One kind of change.

    Attributes
    ----------
    scenes, changes : how many had it, and how many were timed.
    median_ms, worst_ms : from edit to frame.
    worst_in : the scene of the worst.
    """

    kind: str
    scenes: int
    changes: int
    median_ms: float
    worst_ms: float
    worst_in: str


def measure_live(
    scenes: dict[str, Scene],
    kinds: Iterable[str] = CHANGES,
    *,
    device: str | None = None,
    notify: Callable[[str], None],
) -> list[LiveChange]:
    """Change each scene in every way it can be, again and again.

    Parameters
    ----------
    scenes : by name.
    kinds : of ``CHANGES``.
    notify : told which scene runs.

    Raises
    ------
    WavelabError : no such device, or a scene cannot run.
    """
    took: dict[str, list[tuple[float, str]]] = {kind: [] for kind in kinds}
    for name, scene in scenes.items():
        notify(name)
        with _Window(scene, RunnerSettings("opencl", device)).open() as window:
            for kind, times in took.items():
                times += [(seconds, name) for seconds in _times(window, scene, CHANGES[kind])]
    return [_summary(kind, times) for kind, times in took.items() if times]


def _summary(kind: str, times: list[tuple[float, str]]) -> LiveChange:
    worst, where = max(times)
    return LiveChange(
        kind=kind,
        scenes=len({name for _, name in times}),
        changes=len(times),
        median_ms=1e3 * statistics.median(seconds for seconds, _ in times),
        worst_ms=1e3 * worst,
        worst_in=where,
    )


def _times(window: _Window, scene: Scene, change: Change) -> list[float]:
    """Of the changes that the scene allows, but for the first."""
    found: list[float] = []
    for n in range(1, _CHANGES + 2):
        changed = change(scene, n)
        if changed is None or changed == scene or not can_be_revised(scene, changed):
            return []
        with suppress(WavelabError):  # it is not for this scene: a layer that reaches a source
            found.append(window.change(changed))
            gc.collect()  # as the window does while nothing else is to be done
            time.sleep(_BETWEEN)
    return found[1:]


class _Window:
    """Looks at a problem that runs."""

    def __init__(self, scene: Scene, settings: RunnerSettings) -> None:
        self._mesh = mesh_scene(scene)
        self._problem, self._generation = discretize_scene(scene, self._mesh), 0
        self._child = KeptChild()
        self._runner = Runner(settings)
        self._thread = SolverThread(self._runner)

    @contextmanager
    def open(self) -> Iterator[_Window]:
        """With the wave running."""
        self._thread.start()
        try:
            self._load(self._problem, keep=False)
            self._runner.commands.put(Play())
            gc.disable()
            gc.freeze()
            yield self
        finally:
            gc.unfreeze()
            gc.enable()
            self._child.close()
            self._thread.stop()
            self._thread.join(_PATIENCE)

    def change(self, scene: Scene) -> float:
        """Seconds until a frame shows the scene.

        Raises
        ------
        WavelabError : it cannot be.
        """
        began = time.perf_counter()
        before = self._problem
        if scene.holes == before.scene.holes:
            self._runner.commands.put(AwaitLoad())
            self._problem = revised(before, scene)
            self._load(self._problem)
            return time.perf_counter() - began
        running, further = (before.scene, self._mesh), Remeshing(before, scene)
        job = MeshJob(scene, kept=self._child, running=running, further=further)
        self._mesh = job.start().wait()
        self._problem, carrying = further.received(job.made)
        self._load(self._problem, carrying=carrying)
        return time.perf_counter() - began

    def _load(self, problem: Problem, keep: bool = True, carrying: Carrying | None = None) -> None:
        self._generation += 1
        self._runner.commands.put(Load(problem, self._generation, keep, carrying))
        end = time.perf_counter() + _PATIENCE
        while not self._shown(self._frame()):
            if time.perf_counter() > end:
                raise WavelabError("no frame came", remedy="Try again on an idle machine.")
            time.sleep(_LOOK)

    def _frame(self) -> Frame | None:
        while not self._runner.events.empty():
            event = self._runner.events.get()
            if isinstance(event, LoadFailed | Failed):
                raise event.error
        self._runner.mailbox.request()
        return self._runner.mailbox.take()

    def _shown(self, frame: Frame | None) -> bool:
        return frame is not None and frame.generation == self._generation
