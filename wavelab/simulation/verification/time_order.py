"""The order of a Runge-Kutta scheme, on the equations that it is used for, with a source."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from wavelab.numerics.time.runge_kutta import SCHEMES, LowStorageScheme
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem
from wavelab.physics.time.time_step import stable_step
from wavelab.simulation.verification.case import Measure, Reading, Where
from wavelab.simulation.verification.running import discretized, running
from wavelab.simulation.verification.scenes import driven_cavity

#: Parts of the largest stable step; of high orders shorter ones would leave rounding alone.
_STEPS, _STEPS_OF_HIGH_ORDER = (0.8, 0.4, 0.2), (0.9, 0.6, 0.4)
#: What the measured order may lack.
_SLACK = 0.3
#: Element size, and the scheme and how many steps of a part of its stable step make the error in
#: time nothing.
_SIZE, _REFERENCE, _PART = 0.5, "upw2012", 0.1


def time_order(scheme: LowStorageScheme) -> Measure:
    """The error against the same elements with far shorter steps falls as dt^order."""

    def measure(order: int, where: Where) -> Reading:
        exact = _reference(order, where)
        problem = _problem(order)
        errors, steps = [], []
        for part in _STEPS_OF_HIGH_ORDER if scheme.linear else _STEPS:
            fields, dt = _run(problem, scheme, part, where)
            errors.append(_distance(fields, exact))
            steps.append(dt)
        rate = float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
        return Reading(steps[-1], errors[-1], rate, scheme.order - _SLACK)

    return measure


@cache
def _problem(order: int) -> Problem:
    return discretized(replace(driven_cavity()), order, element_size=_SIZE)


@cache
def _reference(order: int, where: Where) -> Fields:
    return _run(_problem(order), SCHEMES[_REFERENCE], _PART, where)[0]


def _run(
    problem: Problem, scheme: LowStorageScheme, part: float, where: Where
) -> tuple[Fields, float]:
    """Fields at the end, and the time step."""
    longest = part * stable_step(problem.operator, scheme=scheme)
    n_steps = math.ceil(problem.scene.solver.until / longest)
    with running(replace(problem, scheme=scheme), where, n_steps) as simulation:
        simulation.advance(n_steps)
        return simulation.stepper.fields(), simulation.dt


def _distance(one: Fields, other: Fields) -> float:
    """Root of the mean square of the nodal differences."""
    return math.sqrt(
        sum(float(np.mean((getattr(one, f) - getattr(other, f)) ** 2)) for f in ("hx", "hy", "ez"))
    )
