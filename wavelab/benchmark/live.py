"""How soon a change shows: from an edit of a running scene to a frame of the changed wave.

The solver's thread runs as in the window, at the scene's own speed and with somebody who asks for
frames; the time is that of the revised problem, its way to the stepper, the steps that were under
way, and the first frame after it; where an obstacle moves, that of the mesh around it as well.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from wavelab.errors import WavelabError
from wavelab.meshing.job import MeshJob, mesh_scene
from wavelab.meshing.meshing_child import KeptChild
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, remeshed, revised
from wavelab.scene.editing.item_places import displaced
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Probe, Scene
from wavelab.scene.sources.point import PointSource
from wavelab.scene.walls import ImpedanceWall, OpenWall
from wavelab.scene.waveforms import Sine
from wavelab.simulation.messages.events import Failed, LoadFailed
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.solver.commands import Load, Play
from wavelab.simulation.solver.runner import Runner, RunnerSettings
from wavelab.simulation.solver.solver_thread import SolverThread

#: Changes of each kind, after one that may have to compile, and wall time between two.
_CHANGES, _BETWEEN = 6, 0.05
#: Wall time after which a frame that does not come is given up.
_PATIENCE = 60.0
_LOOK = 0.0005

#: The scene with the change of a number, for the n-th time; None where it has nothing of the kind.
Change = Callable[[Scene, int], Scene | None]


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


def _with(scene: Scene, items: str, number: int, other: object) -> Scene:
    """The scene with another item in the place of one."""
    before = getattr(scene, items)
    changed: dict[str, Any] = {items: (*before[:number], other, *before[number + 1 :])}
    return replace(scene, **changed)


def _value(item: object, field: str) -> Any:
    """Of a number of an item; None where it has none of that name (but perhaps a method)."""
    return getattr(item, field) if any(f.name == field for f in fields(item)) else None  # type: ignore[arg-type]


def _of_source(field: str, change: Callable[[Any, int], Any]) -> Change:
    """Of the first source that has the field."""

    def changed(scene: Scene, n: int) -> Scene | None:
        for i, source in enumerate(scene.sources):
            if (before := _value(source, field)) is not None:
                values: dict[str, Any] = {field: change(before, n)}
                other = replace(source, **values)
                return _with(scene, "sources", i, other)
        return None

    return changed


def _of_waveform(field: str, change: Callable[[Any, int], Any]) -> Change:
    def changed(scene: Scene, n: int) -> Scene | None:
        for i, source in enumerate(scene.sources):
            waveform = _value(source, "waveform")
            if waveform is not None and (before := _value(waveform, field)) is not None:
                values: dict[str, Any] = {field: change(before, n)}
                wave: dict[str, Any] = {"waveform": replace(waveform, **values)}
                other = replace(source, **wave)
                return _with(scene, "sources", i, other)
        return None

    return changed


def _of_background(change: Callable[[Material, int], Material]) -> Change:
    return lambda scene, n: replace(scene, background=change(scene.background, n))


def _region(scene: Scene, n: int) -> Scene | None:
    for i, region in enumerate(scene.materials):
        epsilon = region.material.epsilon
        if isinstance(epsilon, float):
            other = replace(region, material=replace(region.material, epsilon=epsilon + 0.01 * n))
            return _with(scene, "materials", i, other)
    return None


def _wall(scene: Scene, n: int) -> Scene | None:
    for i, wall in enumerate(scene.walls):
        if not (wall.glues or wall.pml):
            other = ImpedanceWall(wall.edges, 0.5 + 0.01 * n)
            return _with(scene, "walls", i, other)
    return None


def _layer(scene: Scene, n: int) -> Scene | None:
    for i, wall in enumerate(scene.walls):
        thickness = wall.layer_thickness(scene)
        if isinstance(wall, OpenWall) and thickness is not None:
            other = replace(wall, thickness=thickness * (1 + 0.002 * n))
            return _with(scene, "walls", i, other)
    return None


def _one_more(scene: Scene, n: int) -> Scene | None:
    at = _inside(scene)
    if at is None:
        return None
    source = PointSource(f"one more {n}", at, 2 * scene.solver.element_size, 1.0, Sine(1.0))
    return replace(scene, sources=(*scene.sources, source))


def _probe(scene: Scene, n: int) -> Scene | None:
    at = _inside(scene)
    return None if at is None else replace(scene, probes=(*scene.probes, Probe(f"more {n}", at)))


def _obstacle(scene: Scene, n: int) -> Scene | None:
    """The first obstacle on its way round a circle, as a hand drags it."""
    if not scene.holes or scene.outline is None:
        return None
    size = scene.solver.element_size
    by = (size * math.sin(0.3 * n), size * (1 - math.cos(0.3 * n)))
    return _with(scene, "holes", 0, displaced(scene.holes[0], by))


def _inside(scene: Scene) -> tuple[float, float] | None:
    """Where something of the scene is already."""
    for item in (*scene.sources, *scene.probes):
        if (at := _value(item, "position")) is not None:
            return at
    return None


def _shifted(at: tuple[float, float], n: int) -> tuple[float, float]:
    return at[0] + 1e-3 * n, at[1]


#: By what ``wavelab bench --live`` calls them.
CHANGES: dict[str, Change] = {
    "amplitude": _of_source("amplitude", lambda before, n: before * (1 + 0.1 * n)),
    "place": _of_source("position", _shifted),
    "direction": _of_source("direction", lambda before, n: before + 0.5 * n),
    "frequency": _of_waveform("frequency", lambda before, n: before * (1 + 0.01 * n)),
    "phase": _of_waveform("phase", lambda before, n: before + 0.1 * n),
    "waveform": _of_source("waveform", lambda before, n: Sine(1 + 0.1 * n)),
    "source more": _one_more,
    "source less": lambda scene, n: replace(scene, sources=scene.sources[1:] if n % 2 else ()),
    "probe": _probe,
    "monitor": lambda scene, n: replace(scene, monitors=scene.monitors[n % 2 :]),
    "background": _of_background(
        lambda m, n: m if not isinstance(m.epsilon, float) else replace(m, epsilon=1 + 0.01 * n)
    ),
    "material": _region,
    "conductivity": _of_background(lambda m, n: replace(m, sigma=0.01 * n)),
    "formula": _of_background(
        lambda m, n: replace(m, epsilon=Formula.parse(f"1 + 0.0{n}*x^2", ("x", "y", "t")))
    ),
    "wall": _wall,
    "layer": _layer,
    "upwinding": lambda scene, n: replace(scene, solver=replace(scene.solver, upwinding=n / 10)),
    "obstacle": _obstacle,  # the last, because it leaves another mesh
}


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
            yield self
        finally:
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
            self._problem = revised(before, scene)
            self._load(self._problem)
            return time.perf_counter() - began
        job = MeshJob(scene, kept=self._child, running=(before.scene, self._mesh))
        mesh = job.start().wait()
        self._problem, self._mesh = remeshed(before, scene, mesh), mesh
        carrying = Carrying(before.discretization, self._problem.discretization)
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
