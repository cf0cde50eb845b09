"""Running scenes for a comparison with exact answers, in double precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

from wavelab.arrays import Array
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.verification.case import Measure, Reading, Where


def discretized(scene: Scene, order: int, mesh: Mesh | None = None, **solver: Any) -> Problem:
    """A scene on its mesh, in double precision.

    Parameters
    ----------
    mesh : None meshes the scene.
    solver : values that replace those of the scene.
    """
    changed = replace(scene.solver, order=order, precision="double", **solver)
    scene = replace(scene, solver=changed)
    return discretize_scene(scene, mesh if mesh is not None else mesh_scene(scene))


@contextmanager
def running(problem: Problem, where: Where, n_steps: int | None = None) -> Iterator[Simulation]:
    """A simulation at its start, whose steps end at the scene's end; closed afterwards.

    Parameters
    ----------
    n_steps : to the end; None for as few as are stable.
    """
    until = problem.scene.solver.until
    n_steps = n_steps or problem.steps_to_end()
    stepper = stepper_of(
        problem, dt=until / n_steps, precision="double", backend=where.backend, device=where.device
    )
    with closing(Simulation(problem, stepper)) as simulation:
        yield simulation


def run_to_end(simulation: Simulation) -> tuple[Array, Array]:
    """Times and Ez at the probes after each step."""
    return simulation.advance(round(simulation.problem.scene.solver.until / simulation.dt))


def monitored(simulation: Simulation) -> MonitorResult:
    """What the only monitor of a scene has found at the scene's end."""
    run_to_end(simulation)
    (found,) = simulation.measured()
    return found


def bounded(
    scene: Callable[[], Scene],
    error: Callable[[Simulation], float],
    largest: Mapping[int, float],
    steps: Callable[[Problem], int] = Problem.steps_to_end,
) -> Measure:
    """An error that must not exceed a bound.

    Parameters
    ----------
    error : runs a simulation from its start.
    largest : the bound for each order.
    steps : to the end.
    """

    def measure(order: int, where: Where) -> Reading:
        problem = discretized(scene(), order)
        with running(problem, where, steps(problem)) as simulation:
            off = error(simulation)
        return Reading(problem.discretization.mesh.mean_edge(), off, None, largest[order])

    return measure
