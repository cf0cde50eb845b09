"""Which way to step is cheapest: work per unit of simulated time.

Beside the Runge-Kutta schemes stand steps of the elements' order, the same for all ("ader") and
those of local time stepping ("local").

A longer stable step is no gain where it makes time stepping less accurate than the elements.  So
every scheme is charged for its error: with the largest step, or a shorter one if that is cheaper,
and on elements so much smaller that the error is that of the elements alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wavelab.benchmark.local_steps import in_clusters
from wavelab.benchmark.stages import Notify, conducting_room, device_and_mesh, room_fields
from wavelab.benchmark.timing import side_by_side
from wavelab.benchmark.versus.galerkin import SAFETY, relative_error
from wavelab.benchmark.versus.modes import StandingWave, cavity
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.time.clusters import Clusters
from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.opencl.local_time.local_stepper import LocalOpenCLStepper
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.physics.notices.resolution import POINTS_FOR_1_PERCENT
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.stepper import TimeScheme
from wavelab.physics.time.local_stepping import local_clusters, stable_rates
from wavelab.physics.time.time_step import stable_step

#: Mode (m, m - 1) of the unit square that is followed at each order: so many wavelengths that the
#: mesh has some tens of elements and more.
_MODES = {1: 3, 2: 3, 3: 5, 4: 5, 5: 6, 6: 8, 7: 8, 8: 8}
#: Periods that a wave is followed for.
PERIODS = 10
#: What the mesh is made for: about 1 % error, and elements half as large.
REFINEMENTS = (1.0, 2.0)
#: Mean edge over longest edge of the elements that points per wavelength are counted on.
_EDGE = 0.8
#: The step is shortened by this until that no longer pays.
_SHORTER = 0.8
#: Step that leaves the error of the elements alone, as a part of the largest stable one of the
#: scheme that is the most accurate.
_TINY, _ACCURATE = 0.4, "upw2012"
#: What everything is compared with.
BASE = "ck54"


@dataclass(frozen=True)
class SchemeCost:
    """One scheme at one order on one mesh.

    Attributes
    ----------
    precision : of the timing.
    elements : of the mesh that errors are measured on.
    n_stages : right-hand sides in a step; with local time stepping of the mean element.
    stable_step : largest stable one, in simulated time.
    stages_per_time : right-hand sides per unit of simulated time, at 0.9 of that step.
    seconds_per_time : wall time per unit of simulated time, at 0.9 of the largest stable step on
        the larger mesh that is timed.
    space_error : relative error after ten periods that is left when the step is tiny.
    error : that at 0.9 of the largest stable step.
    cost : right-hand sides per unit of simulated time at equal error, relative to Carpenter &
        Kennedy's.  Stages of all schemes take the same time but for those that read or write no
        residual, so it is the wall time, free of what else the machine does.
    step_share : the part of the largest stable step at which that is reached.
    """

    device: str
    precision: str
    order: int
    upwinding: float
    elements: int
    stepper: str
    n_stages: float
    stable_step: float
    stages_per_time: float
    seconds_per_time: float
    space_error: float
    error: float
    cost: float
    step_share: float


def measure_schemes(
    orders: Sequence[int],
    *,
    upwinding: float = 1.0,
    elements: int | None = None,
    precision: str = "single",
    device: str | None = None,
    notify: Notify = lambda text: None,
) -> Iterator[list[SchemeCost]]:
    """All schemes at each order: a list for each mesh that errors are measured on.

    Parameters
    ----------
    elements : of the mesh that is timed, about; None takes what suits the device.
    precision : of the timing; errors are measured in double precision.

    Raises
    ------
    WavelabError : no such device, or it fails.
    """
    chosen, timed = device_and_mesh(device, "double", elements)
    for order in orders:
        notify(f"order {order}: wall time")
        operator, _, _ = conducting_room(timed, order)
        with ExitStack() as stack:
            steppers = {}
            for method in _methods(replace(operator, upwinding=upwinding)):
                stepper = method.stepper(SAFETY * method.step, precision, chosen)
                stack.enter_context(closing(stepper))
                stepper.set_fields(room_fields(method.operator.discretization))
                steppers[method.name] = stepper
            seconds = side_by_side(list(steppers.values()))
            per_time = {
                name: took / stepper.dt
                for (name, stepper), took in zip(steppers.items(), seconds, strict=True)
            }
        for refinement in REFINEMENTS:
            notify(f"order {order}: errors, elements of 1/{refinement:g}")
            yield _costs(order, upwinding, refinement, precision, per_time, chosen)


@dataclass(frozen=True)
class _Method:
    """A way to step.

    Attributes
    ----------
    operator : with its elements in the order that the scheme needs.
    step : largest stable one.
    per_step : right-hand sides that an element evaluates in a step, on the average.
    """

    name: str
    operator: MaxwellTM
    scheme: TimeScheme
    step: float
    per_step: float

    def stepper(self, dt: float, precision: str, device: Any) -> OpenCLStepper:
        """On a device."""
        if isinstance(self.scheme, Clusters):
            return LocalOpenCLStepper(
                self.operator, dt=dt, clusters=self.scheme, precision=precision, device=device
            )
        return OpenCLStepper(
            self.operator, dt=dt, scheme=self.scheme, precision=precision, device=device
        )


def _methods(operator: MaxwellTM) -> list[_Method]:
    """All that an operator with the same media everywhere can be stepped by."""
    d = operator.discretization
    found = [
        _Method(name, operator, scheme, stable_step(operator, scheme=scheme), scheme.n_stages)
        for name, scheme in SCHEMES.items()
    ]
    if operator.upwinding == 1:
        alike = Clusters(np.zeros(d.n_elements, np.int32))
        found.append(
            _Method("ader", operator, alike, 1 / float(stable_rates(operator).max()), d.order + 1)
        )
        clusters, step = local_clusters(operator)
        per_step = clusters.updates * (d.order + 1) / d.n_elements
        found.append(_Method("local", *in_clusters(operator, clusters), step, per_step))
    return found


def _costs(
    order: int,
    upwinding: float,
    refinement: float,
    precision: str,
    per_time: dict[str, float],
    device: Any,
) -> list[SchemeCost]:
    m = _MODES[min(order, max(_MODES))]
    mode = cavity(m, m - 1)
    operator = _problem(mode, order, upwinding, refinement).operator
    methods = _methods(operator)
    accurate = next(m for m in methods if m.name == _ACCURATE)
    space = _error(accurate, mode, _TINY * accurate.step, device)
    found = []
    for method in methods:
        share = best_share = SAFETY
        first = error = _error(method, mode, share * method.step, device)
        best = _at_equal_error(method.per_step / (share * method.step), error / space, order)
        # Once the error is that of the elements, a shorter step cannot pay.
        while error > 1.02 * space:
            share *= _SHORTER
            error = _error(method, mode, share * method.step, device)
            cost = _at_equal_error(method.per_step / (share * method.step), error / space, order)
            if cost >= best:
                break
            best, best_share = cost, share
        found.append(
            SchemeCost(
                device=device.name.strip(),
                precision=precision,
                order=order,
                upwinding=upwinding,
                elements=operator.discretization.n_elements,
                stepper=method.name,
                n_stages=method.per_step,
                stable_step=method.step,
                stages_per_time=method.per_step / (SAFETY * method.step),
                seconds_per_time=per_time[method.name],
                space_error=space,
                error=first,
                cost=best,
                step_share=best_share,
            )
        )
    base = next(c.cost for c in found if c.stepper == BASE)
    return [replace(c, cost=c.cost / base) for c in found]


def _at_equal_error(per_time: float, excess: float, order: int) -> float:
    """Work per unit of time when smaller elements make up for an error that is ``excess``
    times that of the elements: it falls as h^(N+1), and elements times steps grow as h^-3."""
    return per_time * max(excess, 1.0) ** (3 / (order + 1))


def _problem(mode: StandingWave, order: int, upwinding: float, refinement: float) -> Problem:
    wavelength = 2 * math.pi / mode.omega
    points = POINTS_FOR_1_PERCENT[min(order, max(POINTS_FOR_1_PERCENT))]
    scene = mode.scene(_EDGE * wavelength * (order + 1) / (points * refinement), SAFETY)
    scene = replace(scene, solver=replace(scene.solver, upwinding=upwinding))
    return discretize_scene(scene, mesh_scene(scene), order=order)


def _error(method: _Method, mode: StandingWave, longest: float, device: Any) -> float:
    """Relative error after ten periods, with the longest step up to ``longest`` that fits."""
    d, until = method.operator.discretization, PERIODS * mode.period
    n_steps = math.ceil(until / longest)
    with closing(method.stepper(until / n_steps, "double", device)) as stepper:
        stepper.set_fields(mode.fields(d.x, d.y, 0.0))
        stepper.advance(n_steps)
        return relative_error(mode, d, stepper.fields(), until)
