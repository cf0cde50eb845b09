"""Meshing and running for a study that goes on beside the wave and may be given up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from wavelab.errors import DeviceError
from wavelab.meshing.job import MeshJob
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems import system_of
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.studies.comparison import StudyCancelledError

T = TypeVar("T")

#: Wall time between two looks at whether to go on.
_CHUNK_SECONDS = 0.1


def mesh_of(scene: Scene, cancelled: Callable[[], bool], size: float | None = None) -> Mesh:
    """The mesh of a scene.

    Parameters
    ----------
    size : of the elements, None for the scene's own.

    Raises
    ------
    WavelabError : it cannot be meshed.
    StudyCancelledError : as ``cancelled`` said.
    """
    mesh = MeshJob(scene, size).run_unless(cancelled)
    if mesh is None:
        raise StudyCancelledError
    return mesh


def double_stepper(problem: Problem, dt: float, backend: str, device: str | None) -> Stepper:
    """A stepper in double precision: on NumPy where a device has none, for in single precision a
    study would find its own rounding.

    Raises
    ------
    DeviceError : even NumPy fails.
    """
    try:
        return stepper_of(problem, dt=dt, precision="double", backend=backend, device=device)
    except DeviceError:
        if backend == "numpy":
            raise
        return stepper_of(problem, dt=dt, backend="numpy")


def in_chunks(
    advance: Callable[[int], T],
    n_steps: int,
    cancelled: Callable[[], bool],
    advanced: Callable[[float], None],
) -> list[T]:
    """What ``advance(steps)`` returns for as many steps at once as keep a study responsive.

    Parameters
    ----------
    advance : takes some steps and waits until they are taken.
    advanced : told after each call which part of ``n_steps`` is done.

    Raises
    ------
    StudyCancelledError : as ``cancelled`` said.
    """
    found: list[T] = []
    done, chunk = 0, 1
    while done < n_steps:
        if cancelled():
            raise StudyCancelledError
        began = time.perf_counter()
        steps = min(chunk, n_steps - done)
        found.append(advance(steps))
        took = time.perf_counter() - began
        done += steps
        chunk = max(1, min(2 * chunk, round(chunk * _CHUNK_SECONDS / max(took, 1e-6))))
        advanced(done / n_steps)
    return found


def silent(scene: Scene) -> Scene:
    """Without sources, initial fields and what measures them, in double precision."""
    return replace(
        scene,
        sources=(),
        probes=(),
        monitors=(),
        initial=system_of(scene).fields(),
        imaginary=None,
        exact=None,
        view=replace(scene.view, quantity="ez"),
        solver=replace(scene.solver, precision="double", stepper="auto"),
    )
