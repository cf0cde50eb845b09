"""What a curved element costs beside a straight one: python -m scripts.element_costs

A square with 36 round holes, once with curved and once with straight faces, on the device that the
program takes.  Ranks share a mesh by this number (`_CURVED` in
wavelab/physics/subdomains/partition.py).
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace

from wavelab.benchmark.timing import side_by_side
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Hole, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.simulation.steppers.steppers import stepper_of

_HOLES = tuple(
    Hole(f"{i} {j}", Ellipse((0.1 + 0.16 * i, 0.1 + 0.16 * j), (0.05, 0.05)))
    for i in range(6)
    for j in range(6)
)
_SQUARE = Rectangle((0.0, 0.0), (1.0, 1.0))


def problem(order: int, *, curved: bool) -> Problem:
    """The square at one order."""
    solver = replace(Solver(0.03, order=order), curved=curved)
    scene = Scene("holes", solver, outline=_SQUARE, holes=_HOLES)
    return discretize_scene(scene, mesh_scene(scene))


def cost(order: int) -> float:
    """Of a curved element, in straight ones."""
    both = [problem(order, curved=curved) for curved in (True, False)]
    steppers = [stepper_of(p, dt=1e-6, backend="opencl") for p in both]
    with closing(steppers[0]), closing(steppers[1]):
        bent, straight = side_by_side(steppers)
    d = both[0].discretization
    assert d.n_elements == both[1].discretization.n_elements
    n_curved = d.n_elements - d.first_curved
    if not n_curved:
        return math.nan
    each = straight / d.n_elements
    return (bent - each * d.first_curved) / n_curved / each


if __name__ == "__main__":
    for n in (2, 3, 4, 6, 8):
        print(f"order {n}: {cost(n):.1f}")
