"""How far the fields of two runs, or of a run and the exact solution, are apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of
from wavelab.physics.operator.fields import FIELD_NAMES, Fields
from wavelab.physics.problem import Problem

#: Quadrature points located at once.
_POINTS_AT_ONCE = 50_000


class StudyCancelledError(Exception):
    """Whoever asked for the study does not want it any more."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The fields at the end of a run, and what it took."""

    problem: Problem
    fields: Fields
    steps: int
    seconds: float


def _at_quadrature(result: Outcome) -> tuple[Array, Array, Array, dict[str, Array]]:
    """x, y, weights and the fields at quadrature points, (n_elements, n_points) each."""
    d = result.problem.discretization
    q = d.quadrature(2 * d.order + 2)
    fields = {name: getattr(result.fields, name) @ q.to_points.T for name in FIELD_NAMES}
    return q.x, q.y, q.weights, fields


def _relative(
    result: Outcome, weights: Array, fields: dict[str, Array], right: dict[str, Array]
) -> float:
    """Energy norm of the difference over that of what is right; NaN in ``right`` is left out, and
    so are the layers of open walls."""
    wrong = norm = 0.0
    # Of complex fields the real part.
    outside_layers = (~result.problem.in_layers & result.problem.discretization.is_seen)[:, None]
    operator = result.problem.operator
    for name, values in right.items():
        weight = weights * (operator.epsilon if name == "ez" else operator.mu)[:, None]
        known = np.isfinite(values) & outside_layers
        wrong += float(np.sum(weight[known] * (fields[name][known] - values[known]) ** 2))
        norm += float(np.sum(weight[known] * values[known] ** 2))
    return math.sqrt(wrong / norm) if norm > 0 else math.inf


def exact_error(result: Outcome, until: float) -> float:
    """Relative to the exact solution of the scene, in the fields it states."""
    exact = result.problem.scene.exact
    x, y, weights, fields = _at_quadrature(result)
    right = {
        name: np.broadcast_to(formula.evaluate(x=x, y=y, t=until), x.shape)
        for name in FIELD_NAMES
        if (formula := getattr(exact, name)) is not None
    }
    return _relative(result, weights, fields, right)


def difference(result: Outcome, reference: Outcome, cancelled: Callable[[], bool]) -> float:
    """Relative to ``reference``, on another mesh; what lies outside of that is left out.

    Raises
    ------
    StudyCancelledError : as ``cancelled`` said.
    """
    x, y, weights, fields = _at_quadrature(result)
    points = np.column_stack([x.ravel(), y.ravel()])
    right = {name: np.full(len(points), np.nan) for name in FIELD_NAMES}
    d = reference.problem.discretization
    locator, damped = locator_of(d), reference.problem.in_layers
    for first in range(0, len(points), _POINTS_AT_ONCE):
        if cancelled():
            raise StudyCancelledError
        elements, rs = locator.locate(points[first : first + _POINTS_AT_ONCE])
        inside = np.flatnonzero((elements >= 0) & ~damped[elements])
        to_points = interpolation_weights(d.element, rs[inside])
        for name in FIELD_NAMES:
            nodal = getattr(reference.fields, name)[elements[inside]]
            right[name][first + inside] = np.einsum("pn,pn->p", to_points, nodal)
    return _relative(result, weights, fields, {n: v.reshape(x.shape) for n, v in right.items()})
