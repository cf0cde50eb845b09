"""The tables of docs/accuracy.md: python scripts/accuracy.py [points|estimate].

points : error of a plane wave after ten periods against points per wavelength, N = 1 to 8.
estimate : the error estimate per element against the error of the interpolated wave.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np

from wavelab.meshing.job import mesh_scene
from wavelab.numerics.elements.reference_element import triangle_quadrature
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.numerics.mesh.geometry import map_to_mesh
from wavelab.physics.exact import field_errors
from wavelab.physics.notices.resolution import error_estimate, points_per_wavelength
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Scene, Solver
from wavelab.scene.walls import PeriodicWall
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of

ORDERS = range(1, 9)
PERIODS = 10
FREQUENCY = math.sqrt(5)
#: exp(i (k x - w t)) with k = 2 pi (2, 1), oblique to all walls.
PHASE = "2*pi*(2*x + y) - 2*pi*sqrt(5)*t"
WALLS = (
    PeriodicWall(("domain.left", "domain.right")),
    PeriodicWall(("domain.bottom", "domain.top")),
)


def wave(size: float, order: int) -> Problem:
    """A plane wave in the periodic unit square."""

    def formulas(phase: str, variables: tuple[str, ...]) -> FieldFormulas:
        return FieldFormulas(
            hx=Formula.parse(f"sin({phase})/sqrt(5)", variables),
            hy=Formula.parse(f"-2*sin({phase})/sqrt(5)", variables),
            ez=Formula.parse(f"sin({phase})", variables),
        )

    scene = Scene(
        "plane wave",
        Solver(size, order=order, precision="double", safety=0.75),
        walls=WALLS,
        initial=formulas("2*pi*(2*x + y)", ("x", "y")),
        exact=formulas(PHASE, ("x", "y", "t")),
    )
    return discretize_scene(scene, mesh_scene(scene))


def measured(points: float, order: int) -> tuple[float, float]:
    """(points per wavelength, relative error after ten periods) on a mesh of about that many."""
    problem = wave(0.7 * (order + 1) / (points * FREQUENCY), order)
    until = PERIODS / FREQUENCY
    steps = math.ceil(until / problem.dt_max)
    stepper = stepper_of(problem, dt=until / steps)
    simulation = Simulation(problem, stepper)
    simulation.advance(steps)
    error = field_errors(problem, stepper.fields(), simulation.time)["ez"].l2
    stepper.close()
    return points_per_wavelength(problem.operator, FREQUENCY).points, error * math.sqrt(2)


def needed(order: int, levels: tuple[float, ...]) -> Iterator[tuple[list, list[float]]]:
    """Measurements from coarse to fine, then the points at which the error passes each level."""
    found: list[tuple[float, float]] = []
    points = 2.5
    while not found or (found[-1][1] > 0.5 * min(levels) and points < 80):
        found.append(measured(points, order))
        points *= 1.25
    points_found, errors = np.log(np.array(sorted(found))).T
    below = [float(np.exp(np.interp(-math.log(v), -errors, points_found))) for v in levels]
    yield found, below


def table_of_points() -> None:
    levels = (0.1, 0.01, 0.001)
    print("| N | 10 % | 1 % | 0.1 % |\n|---|---|---|---|")
    for order in ORDERS:
        for _, below in needed(order, levels):
            print(f"| {order} | " + " | ".join(f"{p:.1f}" for p in below) + " |", flush=True)


def table_of_estimates() -> None:
    print("| N | points | error of the interpolant | estimate | quotient |\n|---|---|---|---|---|")
    for order in ORDERS:
        for points in (4, 8, 16):
            problem = wave(0.7 * (order + 1) / (points * FREQUENCY), order)
            error, estimate = interpolation_error(problem)
            print(
                f"| {order} | {points} | {error:.1e} | {estimate:.1e} | {estimate / error:.2f} |",
                flush=True,
            )


def interpolation_error(problem: Problem) -> tuple[float, float]:
    """(true, estimated) root mean square error of the interpolated wave, relative to its own."""
    d, fields = problem.discretization, problem.initial
    r, s, weights = triangle_quadrature(2 * d.order + 6)
    x, y = map_to_mesh(d.mesh, r, s)
    to_points = interpolation_weights(d.element, np.column_stack([r, s]))
    square = np.zeros(d.n_elements)
    for name in ("hx", "hy", "ez"):
        exact = getattr(problem.scene.exact, name).evaluate(x=x, y=y, t=0.0)
        square += (getattr(fields, name) @ to_points.T - exact) ** 2 @ weights / 4
    areas = 2 * d.geometry.jacobian
    energy = float(d.integrate_product(fields.ez, fields.ez).sum())  # of both halves
    true = math.sqrt(float(square @ areas) / energy)
    strongest = max_density(problem)
    estimated = error_estimate(problem.operator, fields) ** 2 * strongest
    return true, math.sqrt(float(estimated @ areas) / energy)


def max_density(problem: Problem) -> float:
    from wavelab.physics.notices.resolution import shells

    return float(shells(problem.operator, problem.initial).sum(axis=1).max())


if __name__ == "__main__":
    which = sys.argv[1:] or ["points", "estimate"]
    if "points" in which:
        table_of_points()
    if "estimate" in which:
        table_of_estimates()
