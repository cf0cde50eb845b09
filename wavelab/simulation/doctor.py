"""The time step doctor: what limits the step, why, and what would help.

Every remedy is a whole scene, so that its gain can be measured before anyone decides for it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import SceneError
from wavelab.meshing.job import MeshJob
from wavelab.numerics.clusters import Clusters
from wavelab.numerics.discretization import Discretization
from wavelab.physics.local_stepping import (
    check_local_stepping,
    equivalent_step,
    local_clusters,
)
from wavelab.physics.problem import Problem, pose
from wavelab.physics.step_limits import StepLimits, step_limits
from wavelab.scene.close_features import CloseFeature, close_features
from wavelab.scene.mending import coarsen_small_ellipses, merge_close_vertices, step_locally
from wavelab.scene.scene import Scene
from wavelab.scene.shapes import Point

#: Places listed at most.
MOST_TROUBLES = 8
#: Vertices closer than this part of the element size may be merged.
MERGE = 0.25
#: How much larger "larger elements" are.
LARGER = 1.25
#: Gain below which a remedy is not worth while.
WORTH_WHILE = 1.05
_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Trouble:
    """A place with elements that limit the step.

    Attributes
    ----------
    center, radius : a circle around them.
    elements : how many.
    slowdown : how many times longer the step of a typical element is.
    reason : why they are small.
    """

    center: Point
    radius: float
    elements: int
    slowdown: float
    reason: str


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

    def report(self) -> str:
        """For people, several lines."""
        lines = [f"time step {self.dt:.4g}: {self.sentence()}"]
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
    limits = step_limits(problem.operator, scheme, problem.local_equations)
    scene = problem.scene
    local = _stepping_locally(problem)
    troubles = _troubles(problem.discretization, limits, close_features(scene), scene)
    return Diagnosis(
        problem.dt_max,
        _equivalent(problem),
        problem.discretization.n_elements,
        {part: (count, limits.gain(part)) for part, (count, _) in limits.without.items()},
        troubles,
        (*local, *remedies(scene)),
        clusters,
    )


def _equivalent(problem: Problem) -> float:
    if isinstance(problem.scheme, Clusters):
        return equivalent_step(problem.operator, problem.scheme, problem.dt_max)
    return problem.dt_max


def _stepping_locally(problem: Problem) -> tuple[Remedy, ...]:
    """The remedy that leaves the mesh alone, where it works and saves something."""
    scene = step_locally(problem.scene)
    if scene is None:
        return ()
    try:
        check_local_stepping(scene, problem.operator)
    except SceneError:
        return ()
    clusters, step = local_clusters(problem.operator, problem.local_equations)
    step *= scene.solver.safety
    if equivalent_step(problem.operator, clusters, step) < WORTH_WHILE * problem.dt_max:
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
    job = MeshJob(remedy.scene).start()
    try:
        while (mesh := job.poll()) is None:
            if cancelled():
                return None
            time.sleep(_POLL_SECONDS)
    finally:
        job.cancel()
    return None if cancelled() else _equivalent(pose(remedy.scene, mesh))


def _troubles(
    d: Discretization, limits: StepLimits, features: list[CloseFeature], scene: Scene
) -> tuple[Trouble, ...]:
    typical = float(np.percentile(limits.rates, 90))
    troubles = []
    for cluster in _clusters(d, limits.outliers):
        corners = d.mesh.vertices[d.mesh.triangles[cluster]].reshape(-1, 2)
        low, high = corners.min(axis=0), corners.max(axis=0)
        center = tuple(((low + high) / 2).tolist())
        radius = float(np.linalg.norm(high - low)) / 2
        worst = int(cluster[np.argmax(limits.rates[cluster])])
        troubles.append(
            Trouble(
                center,
                radius,
                len(cluster),
                float(limits.rates[worst]) / typical,
                _reason(d, worst, center, radius, features, scene),
            )
        )
    troubles.sort(key=lambda t: -t.slowdown)
    # One gap makes many clusters; it is told of once, where it is worst.
    told: dict[str, Trouble] = {}
    for trouble in troubles:
        first = told.get(trouble.reason)
        told[trouble.reason] = (
            trouble if first is None else replace(first, elements=first.elements + trouble.elements)
        )
    return tuple(list(told.values())[:MOST_TROUBLES])


def _clusters(d: Discretization, elements: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Groups of elements that touch, by a common vertex."""
    group = {int(e): int(e) for e in elements}

    def root(e: int) -> int:
        while group[e] != e:
            group[e] = group[group[e]]
            e = group[e]
        return e

    at_vertex: dict[int, int] = {}
    for e in group:
        for vertex in d.mesh.triangles[e].tolist():
            group[root(e)] = root(at_vertex.setdefault(vertex, e))
    found: dict[int, list[int]] = {}
    for e in group:
        found.setdefault(root(e), []).append(e)
    return [np.array(members) for members in found.values()]


def _reason(
    d: Discretization,
    element: int,
    center: Point,
    radius: float,
    features: list[CloseFeature],
    scene: Scene,
) -> str:
    near = [f for f in features if f.distance(center) <= 2 * radius + 2 * _reach(f)]
    if near:
        return min(near, key=lambda f: (f.kind == "corner", f.size)).text
    a, b, c = d.mesh.vertices[d.mesh.triangles[element]]
    sides = sorted(float(np.linalg.norm(q - p)) for p, q in ((a, b), (b, c), (c, a)))
    cosine = (sides[1] ** 2 + sides[2] ** 2 - sides[0] ** 2) / (2 * sides[1] * sides[2])
    angle = math.degrees(math.acos(min(1.0, max(-1.0, cosine))))
    shape = "a sliver" if angle < 20 else "a small triangle"
    origin = " of the mesh file" if scene.mesh_file is not None else ""
    return f"{shape}{origin} with sides from {sides[0]:.3g} to {sides[2]:.3g}, angle {angle:.0f}°"


def _reach(feature: CloseFeature) -> float:
    return feature.size if feature.kind != "corner" else 0.0
