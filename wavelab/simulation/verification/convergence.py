"""Does the error fall as fast as the theory says?  Scenes with exact solutions, refined.

An upwind discontinuous Galerkin method of order N converges as h^(N+1) for smooth solutions
(HW 4.5 and 6.6).  Every case starts from an unstructured mesh, which is then refined by cutting
each triangle into four, so that h halves exactly while the shapes of the elements stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from wavelab.meshing.job import mesh_scene
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.refine import refine
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.physics.exact import field_errors
from wavelab.physics.operator.fields import Fields
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.verification.case import Measure, Reading, Where
from wavelab.simulation.verification.running import discretized, running

REFINEMENTS = 3

#: Element size of the coarsest mesh for each order, in parts of the scene's own: fine enough that
#: the error falls regularly, coarse enough that the finest mesh is not at rounding error.
_COARSEST = {1: 1.2, 2: 1.6, 3: 2.0, 4: 2.5, 5: 3.0, 6: 3.5}
_COARSEST_BEYOND = 4.0
#: Fraction of the stable time step: keeps the error in time well below the one in space.
_SAFETY = 0.5
#: What a measured rate may lack of N + 1.
_SLACK = 0.3

Error = Callable[[Simulation], float]
#: Points with attributes x, y (any arrays of one shape), time -> fields there.
Exact = Callable[[Any, float], Fields]


@dataclass(frozen=True)
class Measurement:
    """One run.

    Attributes
    ----------
    h : edge of the equilateral triangle of the mean element area.
    rate : log2 of the quotient of the error before and this one; None for the coarsest.
    """

    h: float
    error: float
    rate: float | None


@dataclass(frozen=True)
class Convergence:
    """A scene at one order: ``rate`` is the slope of log error over log h on all meshes."""

    order: int
    measurements: tuple[Measurement, ...]
    rate: float
    required: float

    @property
    def reading(self) -> Reading:
        finest = self.measurements[-1]
        return Reading(finest.h, finest.error, self.rate, self.required)


def error_of_fields(simulation: Simulation, exact: Exact | None = None) -> float:
    """sqrt of the integral of the squared error now, over all fields with an exact formula."""
    problem, fields = simulation.problem, simulation.stepper.fields()
    if exact is None:
        errors = field_errors(problem, fields, simulation.time)
        return math.sqrt(sum(e.l2**2 for e in errors.values()))
    d = problem.discretization
    q = d.quadrature(2 * d.order + 4)
    right = exact(q, simulation.time)
    off = (getattr(fields, n) @ q.to_points.T - getattr(right, n) for n in ("hx", "hy", "ez"))
    return math.sqrt(sum(float(np.sum(values**2 * q.weights)) for values in off))


def converge(
    scene: Scene,
    order: int,
    where: Where,
    *,
    exact: Exact | None = None,
    error: Error | None = None,
    refinements: int = REFINEMENTS,
    slack: float = _SLACK,
) -> Convergence:
    """Measure how fast an error falls, in double precision.

    Parameters
    ----------
    exact : the fields at points x, y and a time, to begin with and to compare with; None for the
        formulas of the scene.
    error : of a simulation at its end; None for the L2 norm over all fields.
    slack : what the rate may lack of N + 1.

    Raises
    ------
    WavelabError : from meshing, discretizing or the device.
    """
    error = error or partial(error_of_fields, exact=exact)
    mesh = _meshed(scene, _COARSEST.get(order, _COARSEST_BEYOND))
    runs: list[Measurement] = []
    for level in range(refinements):
        mesh = refine(mesh) if level else mesh
        problem = discretized(scene, order, mesh, safety=1.0)
        if exact is not None:
            problem = replace(problem, initial=exact(problem.discretization, 0.0))
        if not level:
            coarsest_step = problem.dt_max
        # Beyond N = 3 the stable step shrinks more slowly than the error in space: a fourth-order
        # scheme must shorten it by 2^((N+1)/4) for its own error to fall as fast.
        in_time = (
            problem.scheme.order if isinstance(problem.scheme, LowStorageScheme) else order + 1
        )
        accurate = coarsest_step * 2 ** (-level * (order + 1) / in_time)
        n_steps = math.ceil(scene.solver.until / (_SAFETY * min(problem.dt_max, accurate)))
        with running(problem, where, n_steps) as simulation:
            simulation.advance(n_steps)
            found = error(simulation)
        rate = math.log2(runs[-1].error / found) if runs else None
        runs.append(Measurement(mesh.mean_edge(), found, rate))
    slope = np.polyfit(np.log([run.h for run in runs]), np.log([run.error for run in runs]), 1)[0]
    return Convergence(order, tuple(runs), float(slope), order + 1 - slack)


def converging(scene: Callable[[], Scene], **how: object) -> Measure:
    """The rate of a scene as what a case measures; see :func:`converge`."""
    return lambda order, where: converge(scene(), order, where, **how).reading  # type: ignore[arg-type]


@cache
def _meshed(scene: Scene, parts: float) -> Mesh:
    return mesh_scene(scene, parts * scene.solver.element_size)
