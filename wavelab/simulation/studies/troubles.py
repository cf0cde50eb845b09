"""Places with elements that limit the time step, and why they are there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from wavelab.arrays import Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.physics.time.step_limits import StepLimits
from wavelab.scene.editing.close_features import CloseFeature, close_features
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point

#: Places listed at most.
MOST_TROUBLES = 8


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


def find_troubles(d: Discretization, limits: StepLimits, scene: Scene) -> tuple[Trouble, ...]:
    """The worst first, at most ``MOST_TROUBLES``; one for each reason."""
    features = close_features(scene)
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


def _clusters(d: Discretization, elements: Indices) -> list[Indices]:
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
