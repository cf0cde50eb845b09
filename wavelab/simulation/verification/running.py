"""Running scenes for a comparison with exact answers, in double precision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.records.monitor_records import MonitorResult
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.verification.case import Where


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
    simulation = Simulation(problem, stepper)
    try:
        yield simulation
    finally:
        simulation.close()


def measured_at_end(problem: Problem, where: Where) -> MonitorResult:
    """What the only monitor of a scene has found at the scene's end."""
    with running(problem, where) as simulation:
        simulation.advance(problem.steps_to_end())
        (found,) = simulation.measured()
    return found
