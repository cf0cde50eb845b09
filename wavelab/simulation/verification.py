"""Does the error fall as fast as the theory says?  Shipped scenes with exact solutions, refined.

An upwind discontinuous Galerkin method of order N converges as h^(N+1) for smooth solutions
(HW 4.5 and 6.6).  Every case starts from an unstructured mesh, which is then refined by cutting
each triangle into four, so that h halves exactly while the shapes of the elements stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh import Mesh
from wavelab.numerics.refine import refine
from wavelab.physics.exact import field_errors
from wavelab.physics.problem import pose
from wavelab.scene.scene import Scene
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.steppers import make_stepper

#: Shipped scenes whose exact solution is smooth in every element and whose walls are straight.
SCENES = (
    "cavity_1_1",
    "cavity_2_3",
    "cavity_magnetic",
    "cavity_lossy",
    "periodic_wave",
    "half_dielectric",
    "graded_cavity",
    "changing_cavity",
)
ORDERS = (1, 2, 3, 4, 5, 6)
REFINEMENTS = 3

#: Element size of the coarsest mesh for each order, in parts of the scene's own: fine enough that
#: the error falls regularly, coarse enough that the finest mesh is not at rounding error.
_COARSEST = {1: 1.2, 2: 1.6, 3: 2.0, 4: 2.5, 5: 3.0, 6: 3.5}
_COARSEST_BEYOND = 4.0
#: Fraction of the stable time step: keeps the error in time well below the one in space.
_SAFETY = 0.5
#: Order of the Runge-Kutta method.
_TIME_ORDER = 4
#: What a measured rate may lack of N + 1.
_SLACK = 0.3


@dataclass(frozen=True)
class Measurement:
    """One run.

    Attributes
    ----------
    h : edge of the equilateral triangle of the mean element area.
    error : sqrt of the integral of the squared error, over all fields that the scene has an exact
        formula for, at the end time.
    rate : log2 of the quotient of the error before and this one; None for the coarsest.
    """

    elements: int
    h: float
    dt: float
    steps: int
    error: float
    rate: float | None


@dataclass(frozen=True)
class Convergence:
    """A scene at one order: ``rate`` is the slope of log error over log h on all meshes."""

    scene: str
    order: int
    measurements: tuple[Measurement, ...]
    rate: float
    required: float

    @property
    def ok(self) -> bool:
        return self.rate >= self.required


def verify(
    scenes: Sequence[tuple[str, Scene]],
    orders: Sequence[int] = ORDERS,
    *,
    backend: str = "auto",
    device: str | None = None,
) -> Iterator[Convergence]:
    """Measure the convergence of each scene at each order, in double precision.

    Parameters
    ----------
    scenes : names and scenes; each with an exact solution.

    Raises
    ------
    WavelabError : from meshing, posing or the device.
    """
    for name, scene in scenes:
        meshes: dict[float, Mesh] = {}
        for order in orders:
            size = _COARSEST.get(order, _COARSEST_BEYOND) * scene.solver.element_size
            if size not in meshes:
                meshes[size] = mesh_scene(scene, size)
            runs = _refine_and_run(scene, meshes[size], order, backend, device)
            slope = np.polyfit(
                np.log([run.h for run in runs]), np.log([run.error for run in runs]), 1
            )[0]
            yield Convergence(name, order, tuple(runs), float(slope), order + 1 - _SLACK)


def _refine_and_run(
    scene: Scene, mesh: Mesh, order: int, backend: str, device: str | None
) -> list[Measurement]:
    scene = replace(scene, solver=replace(scene.solver, safety=1.0, precision="double"))
    runs: list[Measurement] = []
    for level in range(REFINEMENTS):
        if level:
            mesh = refine(mesh)
        problem = pose(scene, mesh, order=order)
        if not level:
            coarsest_step = problem.dt_max
        # Beyond N = 3 the stable step shrinks more slowly than the error in space: a fourth-order
        # method must shorten it by 2^((N+1)/4) for its own error to fall as fast.
        accurate = coarsest_step * 2 ** (-level * (order + 1) / _TIME_ORDER)
        until = scene.solver.until
        n_steps = math.ceil(until / (_SAFETY * min(problem.dt_max, accurate)))
        stepper = make_stepper(
            problem.operator,
            dt=until / n_steps,
            scheme=problem.scheme,
            backend=backend,
            device=device,
            precision="double",
        )
        try:
            simulation = Simulation(problem, stepper)
            simulation.advance(n_steps)
            errors = field_errors(problem, stepper.fields(), simulation.time)
        finally:
            stepper.close()
        error = math.sqrt(sum(e.l2**2 for e in errors.values()))
        rate = math.log2(runs[-1].error / error) if runs else None
        runs.append(
            Measurement(mesh.n_elements, _mean_size(mesh), until / n_steps, n_steps, error, rate)
        )
    return runs


def _mean_size(mesh: Mesh) -> float:
    return math.sqrt(4 / math.sqrt(3) * float(mesh.signed_areas().mean()))
