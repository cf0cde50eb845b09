"""Sources in the steps of :mod:`wavelab.physics.time.ader`: as powers of time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import FaceSourceTerm, SourceTerm

#: Most points in time at which a source is looked at in a step: monomials through more are
#: badly conditioned.
MOST_SOURCE_POINTS = 6


def held_elements(source_terms: Sequence[SourceTerm], n_elements: int) -> Mask:
    """(n_elements,) those with faces that sources come in through."""
    held = np.zeros(n_elements, dtype=bool)
    for source_term in source_terms:
        if isinstance(source_term, FaceSourceTerm):
            held[source_term.elements] = True
    return held


@cache
def source_points(order: int, most: int = MOST_SOURCE_POINTS) -> tuple[Array, Array]:
    """Moments of a step, 0 .. 1, and the matrix from values there to coefficients of tau^j."""
    count = min(order + 1, most)
    points = (1 + gauss_quadrature(0, 0, count)[0]) / 2
    powers = points[:, None] ** np.arange(count)
    return points, np.linalg.inv(powers).astype(np.float64)


def source_coefficients(
    operator: MaxwellTM,
    source_terms: Sequence[SourceTerm],
    elements: Indices,
    time: float,
    dt: float,
) -> Array | None:
    """(n_points, 3, n, nodes_per_element) coefficients of what sources add to the rates of change
    of hx, hy and ez over a step.

    Parameters
    ----------
    elements : (n,) numbers.
    time : at the begin of the step.

    Returns
    -------
    None if no source acts on these elements.
    """
    d = operator.discretization
    place = np.full(d.n_elements, -1)
    place[elements] = np.arange(len(elements))
    points, to_coefficients = source_points(d.order)
    values = np.zeros((len(points), 3, len(elements), d.nodes_per_element))
    acts = False
    for source_term in source_terms:
        for row, t in zip(values, time + points * dt, strict=True):
            rates = source_term.rates(operator, float(t))
            to = place[rates.elements]
            acts |= bool((to >= 0).any())
            for total, part in zip(row, (rates.hx, rates.hy, rates.ez), strict=True):
                if part is not None:
                    total[to[to >= 0]] += part[to >= 0]
    return np.tensordot(to_coefficients, values, 1) if acts else None
