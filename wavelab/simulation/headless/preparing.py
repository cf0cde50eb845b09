"""From a scene to what runs: its mesh, its problem, its stepper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wavelab.meshing.job import MeshJob
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.stepper import Stepper
from wavelab.physics.subdomains.partition import Subdomain
from wavelab.scene.model.scene import Scene
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.records import monitor_files
from wavelab.simulation.steppers.dealing_out import made_of_parts
from wavelab.simulation.steppers.opening import Opening
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.timeline import NO_TIMELINE, Timeline

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig


def opened_beside(scene: Scene, options: BatchOptions) -> Opening:
    """Have a device opened while the scene is meshed."""
    opening = Opening(options.backend, options.device, options.variant, scene.solver.precision)
    opening.begin()
    return opening


def mesh_in(scene: Scene, notify: Callable[[str], None], timeline: Timeline) -> Mesh:
    """The mesh of a scene, made by a child.

    Parameters
    ----------
    notify : told what a user should know of it.

    Raises
    ------
    WavelabError : there is none.
    """
    with timeline.span("mesh"):
        job = MeshJob(scene)
        mesh = job.start().wait()
    for notice in job.notices:
        notify(notice)
    return mesh


def problem_in(
    scene: Scene,
    notify: Callable[[str], None],
    timeline: Timeline = NO_TIMELINE,
    mesh: Mesh | None = None,
    opening: Opening | None = None,
) -> Problem:
    """A scene made discrete.

    Parameters
    ----------
    notify : told what a user should know of it.
    mesh : of the scene; None makes it.
    opening : tests a device while a time step is looked for, and is done in the end.

    Raises
    ------
    WavelabError : it cannot be.
    """
    mesh = mesh or mesh_in(scene, notify, timeline)
    with timeline.span("build operators"):
        problem = discretize_scene(scene, mesh, ready=None if opening is None else opening.test)
    if opening is not None:
        opening.wait()
    for notice in problem.notices:
        notify(notice)
    return problem


def stepper_to_end(
    problem: Problem,
    options: BatchOptions,
    notify: Callable[[str], None],
    timeline: Timeline = NO_TIMELINE,
    configs: Sequence[KernelConfig | None] = (),
    ranks: RankGroup | None = None,
    dealt: Sequence[Subdomain] = (),
) -> Stepper:
    """A stepper of which a whole number of steps leads to the end of the scene.

    Parameters
    ----------
    notify : told what comes too late for that, and where it runs if not where it was meant to.
    configs : of the kernels, of each rank; the best that are known unless there are as many.
    ranks : that share the mesh; None for this process alone.
    dealt : what of the excerpt each rank has, where the problem is of one.

    Raises
    ------
    DeviceError, WavelabError : it cannot be made.
    """
    for text in monitor_files.too_late(problem.scene):
        notify(text)
    until = problem.scene.solver.until
    late = sum(ping.time > until for ping in problem.scene.pings)
    if late:
        notify(f"pings after the end of the run at {until:g}: {late}")
    dt = until / problem.steps_to_end()
    with timeline.span("prepare the device"):
        if ranks is not None and dealt:
            return made_of_parts(
                problem,
                ranks,
                dealt,
                dt=dt,
                backend=options.backend,
                device=options.device,
                variant=options.variant,
                notify=notify,
            )
        return stepper_of(
            problem,
            dt=dt,
            backend=options.backend,
            device=options.device,
            variant=options.variant,
            configs=configs,
            notify=notify,
            timeline=timeline,
            ranks=ranks,
        )
