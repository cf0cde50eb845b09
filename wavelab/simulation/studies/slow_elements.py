"""A few small elements that make the steps of the whole mesh short, and the items beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from wavelab.errors import SceneError
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.physics.time.local_stepping import check_local_stepping
from wavelab.physics.time.time_step import element_rates
from wavelab.scene.editing.close_features import named_shapes
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point

#: How many times longer steps other elements must allow for it to be told.
SLOW = 6.0
#: Items are named whose outline is no further away than this many sides of the element.
_NEAR = 2.0


@dataclass(frozen=True)
class SlowElements:
    """Attributes
    ----------
    where : the middle of the smallest element.
    size : side of the equilateral triangle that allows the same step, to be compared with the
        element size of the scene.
    slowdown : how many times longer steps nine tenths of all elements allow.
    items : names of shapes whose outlines are there, the nearest first.
    locally : whether local time stepping would help.
    """

    where: Point
    size: float
    slowdown: float
    items: tuple[str, ...]
    locally: bool

    def sentence(self) -> str:
        """What is slow, and why."""
        x, y = self.where
        names = " and ".join(f'"{name}"' for name in self.items)
        return (
            f"The wave is slow, in steps {self.slowdown:.0f} times shorter than most elements "
            f"allow: the smallest, {self.size:.2g} at ({x:.3g}, {y:.3g})"
            f"{f' by {names}' if names else ''}, sets them for all."
        )

    def remedy(self) -> str:
        """What would help."""
        if not self.items:
            move = "use a mesh without it"
        elif len(self.items) > 1:
            move = "move them apart or let them overlap more"
        else:
            move = "move or simplify it there"
        local = ", or let small elements alone take short steps" if self.locally else ""
        return f"{move[:1].upper()}{move[1:]}{local}."


def slow_elements(problem: Problem) -> SlowElements | None:
    """What limits the steps of a problem far more than all else; None where nothing does."""
    if isinstance(problem.scheme, Clusters):
        return None
    rates = element_rates(problem.operator)
    worst = int(np.argmax(rates))
    slowdown = float(rates[worst] / np.percentile(rates, 90))
    if not slowdown > SLOW:
        return None
    mesh = problem.discretization.mesh
    corners = mesh.vertices[mesh.triangles[worst]]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    x, y = corners.mean(axis=0).tolist()
    size = 2 * math.sqrt(3) * float(mesh.inradii()[worst])
    items = _items_near(problem.scene, (x, y), _NEAR * float(sides.max()))
    locally = can_step_locally(problem.scene, problem.operator)
    return SlowElements((x, y), size, slowdown, items, locally)


def _items_near(scene: Scene, at: Point, reach: float) -> tuple[str, ...]:
    """At most two: it takes two outlines to make a gap."""
    there = shapely.Point(at)
    near = []
    for name, shape in named_shapes(scene):
        rims = [shapely.linearrings(ring) for ring, _ in shape.rings(scene.solver.element_size)]
        distance = min(float(shapely.distance(there, rim)) for rim in rims)
        if distance <= reach:
            near.append((distance, name))
    return tuple(name for _, name in sorted(near)[:2])


def can_step_locally(scene: Scene, operator: MaxwellTM) -> bool:
    """Whether local time stepping is possible."""
    try:
        check_local_stepping(scene, operator)
    except SceneError:
        return False
    return True
