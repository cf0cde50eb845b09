"""The time step doctor: what limits the step, why, and what would help.

Every remedy is a whole scene, so that its gain can be measured before anyone decides for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wavelab.meshing.job import MeshJob
from wavelab.numerics.time.clusters import Clusters
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.time.local_stepping import equivalent_step, local_clusters
from wavelab.physics.time.step_limits import step_limits
from wavelab.physics.time.time_step import stable_step
from wavelab.scene.editing.geometry_repair import (
    coarsen_small_ellipses,
    merge_close_vertices,
    step_locally,
)
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.units import Scale, Written
from wavelab.simulation.studies.slow_elements import can_step_locally
from wavelab.simulation.studies.troubles import Trouble, find_troubles

#: Vertices closer than this part of the element size may be merged.
MERGE = 0.25
#: How much larger "larger elements" are.
LARGER = 1.25
#: Gain below which a remedy is not worth while.
WORTH_WHILE = 1.05


@dataclass(frozen=True)
class Remedy:
    """``label`` as an edit is called, ``effect`` on the scene in a sentence, the new ``scene``, and
    ``gains``, what gets larger."""

    label: str
    effect: str
    scene: Scene
    gains: str = "the step"


@dataclass(frozen=True)
class Diagnosis:
    """What limits the step of one problem.

    ``without`` maps a part of the elements to (how many, how many times longer the step would be).
    ``conduction`` is how many times longer it would be if nothing conducted.
    ``equivalent`` is ``dt``, or with local time stepping the step at which global ones would take
    as much work.
    """

    dt: float
    equivalent: float
    elements: int
    without: dict[float, tuple[int, float]]
    troubles: tuple[Trouble, ...]
    remedies: tuple[Remedy, ...]
    clusters: Clusters | None = None
    conduction: float = 1.0

    def sentence(self) -> str:
        """The finding in one sentence."""
        if self.clusters is not None and self.clusters.n_levels > 1:
            return (
                f"Small elements alone take shorter steps, down to 1/{self.clusters.ticks} of it: "
                f"{self.clusters.gain:.3g} times fewer updates than if all did."
            )
        if not self.troubles:
            return (
                "No element stands out: the whole mesh sets the step, and only larger elements or "
                "a lower order lengthen it."
            )
        part, (count, gain) = max(self.without.items(), key=lambda item: item[1][1] / item[1][0])
        some = "1 element limits" if count == 1 else f"{count} elements limit"
        return (
            f"{some} the step: without {'it' if count == 1 else 'them'} ({part:.1%} of all) it "
            f"would be {gain:.2g} times as long."
        )

    def report(self, scale: Scale | None = None) -> str:
        """For people, several lines."""
        dt = Written(scale, "{:.4g}".format).time(self.dt)
        lines = [f"time step {dt}: {self.sentence()}"]
        if self.conduction > WORTH_WHILE:
            lines.append(f"  if nothing conducted: {self.conduction:.2f} times as long")
        for part, (count, gain) in self.without.items():
            lines.append(f"  without the fastest {part:.1%} ({count:,}): {gain:.2f} times as long")
        for trouble in self.troubles:
            x, y = trouble.center
            lines.append(
                f"  near ({x:.4g}, {y:.4g}), {trouble.elements} elements, "
                f"{trouble.slowdown:.1f} times too fast: {trouble.reason}"
            )
        lines += [f"  remedy: {remedy.effect}" for remedy in self.remedies]
        return "\n".join(lines)

    def summary(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "dt": self.dt,
            "without": {str(part): gain for part, (_, gain) in self.without.items()},
            "troubles": [
                {"x": t.center[0], "y": t.center[1], "elements": t.elements, "reason": t.reason}
                for t in self.troubles
            ],
        }


def diagnose(problem: Problem) -> Diagnosis:
    """Find what limits the time step of a problem, and remedies."""
    clusters = problem.scheme if isinstance(problem.scheme, Clusters) else None
    scheme = None if isinstance(problem.scheme, Clusters) else problem.scheme
    limits = step_limits(problem.operator, scheme, problem.auxiliary_equations)
    scene = problem.scene
    local = _stepping_locally(problem)
    troubles = find_troubles(problem.discretization, limits, scene)
    return Diagnosis(
        problem.dt_max,
        _equivalent(problem),
        problem.discretization.n_elements,
        {part: (count, limits.gain(part)) for part, (count, _) in limits.without.items()},
        troubles,
        (*local, *remedies(scene)),
        clusters,
        _conduction(problem, limits.step) if scheme is not None else 1.0,
    )


def _conduction(problem: Problem, step: float) -> float:
    """How many times longer than ``step`` it would be without conductivities."""
    operator = problem.operator
    if not operator.sigma.any() or not isinstance(problem.scheme, LowStorageScheme):
        return 1.0
    insulating = replace(operator, sigma=np.zeros_like(operator.sigma))
    without = stable_step(
        insulating, scheme=problem.scheme, auxiliary_equations=problem.auxiliary_equations
    )
    return without / step


def _equivalent(problem: Problem) -> float:
    if isinstance(problem.scheme, Clusters):
        return equivalent_step(
            problem.operator, problem.scheme, problem.dt_max, problem.auxiliary_equations
        )
    return problem.dt_max


def _stepping_locally(problem: Problem) -> tuple[Remedy, ...]:
    """The remedy that leaves the mesh alone, where it works and saves something."""
    scene = step_locally(problem.scene)
    if scene is None or not can_step_locally(scene, problem.operator):
        return ()
    clusters, step = local_clusters(problem.operator, problem.auxiliary_equations)
    step *= scene.solver.safety
    equivalent = equivalent_step(problem.operator, clusters, step, problem.auxiliary_equations)
    if equivalent < WORTH_WHILE * problem.dt_max:
        return ()
    few = clusters.counts[0]
    return (
        Remedy(
            "Step locally",
            f"let small elements alone take short steps, the smallest {few:,} of them "
            f"{clusters.ticks} where others take one",
            scene,
            "less work",
        ),
    )


def remedies(scene: Scene) -> tuple[Remedy, ...]:
    """Everything that can be tried on a scene."""
    if scene.mesh_file is not None:
        return ()
    found = []
    size = scene.solver.element_size
    merged = merge_close_vertices(scene, MERGE * size)
    if merged is not None:
        found.append(
            Remedy(
                "Merge close vertices",
                f"merge vertices closer than {MERGE * size:.3g}, which moves the outline by at "
                f"most {merged[1]:.2g}",
                merged[0],
            )
        )
    coarser = coarsen_small_ellipses(scene)
    if coarser is not None:
        found.append(
            Remedy(
                "Coarsen small ellipses",
                "give ellipses smaller than the elements fewer chords, of the same area",
                coarser,
            )
        )
    if merged is not None and coarser is not None:
        both = coarsen_small_ellipses(merged[0])
        if both is not None:
            found.append(
                Remedy("Merge and coarsen", "merge those vertices and coarsen those ellipses", both)
            )
    larger = float(f"{LARGER * size:.2g}")
    found.append(
        Remedy(
            "Larger elements",
            f"elements of {larger:g} in place of {size:g}, which resolve less",
            replace(scene, solver=replace(scene.solver, element_size=larger)),
        )
    )
    return tuple(found)


def step_with(remedy: Remedy, *, cancelled: Callable[[], bool] = lambda: False) -> float | None:
    """The time step that a remedy gives, by meshing it; None if cancelled.  See
    ``Diagnosis.equivalent``.

    Raises
    ------
    WavelabError : the scene cannot be meshed that way.
    """
    mesh = MeshJob(remedy.scene).run_unless(cancelled)
    return (
        None if mesh is None or cancelled() else _equivalent(discretize_scene(remedy.scene, mesh))
    )
