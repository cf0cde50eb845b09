"""Comparison with the exact solution that a scene states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.physics.materials.displacement import integral_of
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.physics.problem import Problem
from wavelab.scene.systems import system_of


@dataclass(frozen=True)
class FieldError:
    """Error of one field: l2 = sqrt(integral of the square), max over the quadrature points."""

    l2: float
    max: float


def field_errors(problem: Problem, fields: Fields, time: float) -> dict[str, FieldError]:
    """Error of every field that the scene has an exact formula for, by the solver's names and that
    of the integral of the scalar; of complex fields that of their real parts.

    Computed at the points of a quadrature of degree 2N + 4 and not at the nodes, where errors can
    be accidentally small.  The layers of open walls are left out.

    Raises
    ------
    FormulaError : the exact formula has no finite value somewhere.
    """
    exact = problem.scene.exact
    if exact is None:
        return {}
    d = problem.discretization
    q = d.quadrature(2 * d.order + 4)
    errors = {}
    counted = ~problem.in_layers & d.is_seen
    nodal = {name: (getattr(exact, name), getattr(fields, name)) for name in FIELD_NAMES}
    integral = system_of(problem.scene).integral
    values = integral_of(problem.auxiliary_equations, fields)
    if integral is not None and values is not None:
        nodal[integral.key] = getattr(exact, integral.key), values
    for name, (formula, found) in nodal.items():
        if formula is None:
            continue
        difference = found @ q.to_points.T - formula.evaluate(x=q.x, y=q.y, t=time)
        difference = difference[counted]
        square = float(np.sum(difference**2 * q.weights[counted]))
        errors[name] = FieldError(np.sqrt(square), float(np.abs(difference).max(initial=0.0)))
    return errors
