"""The modes of a problem in a band, straight from its equations.

Where the mesh is small enough, what is next to the middle of the band among the eigenvalues of the
semi-discrete equations, those of media and layers included, is found by Arnoldi's method for their
resolvent (:mod:`wavelab.physics.modes.resolvent`), and no step is taken in time.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from wavelab.arrays import Complex
from wavelab.errors import SceneError
from wavelab.numerics.spectra.arnoldi import eigenpairs_near
from wavelab.physics.modes.dispersive_modes import modes_of
from wavelab.physics.modes.modes import (
    Mode,
    loses_nothing,
    mode_estimate,
    ritz_modes,
    scheme_decay,
)
from wavelab.physics.modes.resolvent import (
    ElementMatrices,
    Resolvent,
    numbers_kept,
    suits,
    touch_twice,
)
from wavelab.physics.problem import Problem
from wavelab.simulation.studies.modes.ringing import Ringing

#: Bytes that the factors may take, modes in reach, and vectors at once: as many modes may share a
#: frequency.
_MOST_BYTES, _MOST_NEAR, _AT_ONCE = 2**30, 200, 4
#: Steps, and more for each kind of wave: what hardly oscillates is in the way.
_MORE = 30
#: A band is looked through in parts, of which the ends are not further apart than this factor: then
#: what hardly oscillates, of which there is much, is far away.
_WIDEST = 1.7
#: The middle of a band is no eigenvalue, but may be one of a cavity.
_OFF_MIDDLE = 1.00271
#: And so may be a frequency between two parts, as sqrt(1/2) between 1/2 and 1: a mode just there
#: would be on either side by rounding, or on none.
_OFF_END = 1.000613
#: Decay over angular frequency up to which modes are looked for: that of the lowest quality where
#: something is lost, and else what the scheme loses in those that it resolves.
_DECAYING, _RESOLVED = 0.25, 0.03
#: With less upwinding what the elements do not resolve rings among the modes and loses nothing.
LEAST_UPWINDING = 0.1


def solved_modes(
    problem: Problem, ringing: Ringing, band: tuple[float, float]
) -> list[Mode] | None:
    """Those in the band, by frequency; None where this way is not for the problem.

    Parameters
    ----------
    ringing : is told what is done, and asked whether to go on.

    Raises
    ------
    StudyCancelledError : as it says.
    """
    operator = problem.operator
    if operator.upwinding < LEAST_UPWINDING or not suits(operator):
        return None
    if 16 * numbers_kept(operator) > _MOST_BYTES:
        return None
    estimate = mode_estimate(operator)
    parts = math.ceil(math.log(band[1] / band[0]) / math.log(_WIDEST))
    ends = np.geomspace(*band, parts + 1)
    ends[1:-1] *= _OFF_END
    circles = [_circle(problem, *part) for part in pairwise(ends.tolist())]
    near = [estimate.count(f + r) - estimate.count(max(f - r, 0.0)) for f, _, r in circles]
    if max(near) > _MOST_NEAR:
        return None
    ringing.tell("Factoring the equations")
    matrices = ElementMatrices.of(operator, ringing.pause)
    pairs: list[tuple[complex, Complex]] = []
    for (low, high), (_, shift, radius), expected in zip(
        pairwise(ends.tolist()), circles, near, strict=True
    ):
        ringing.tell_more(0.3, "Looking for modes")
        resolvent = Resolvent(operator, matrices, problem.acting, shift, ringing.pause)
        found = eigenpairs_near(
            resolvent.solve,
            resolvent.size,
            shift,
            2 * np.pi * radius,
            at_once=_AT_ONCE,
            most=_AT_ONCE * math.ceil(expected + _MORE * len(operator.slownesses)),
            pause=ringing.pause,
        )
        if found is None:
            return None
        pairs += [
            (complex(value), fields)
            for value, fields in zip(found.values, resolvent.fields(found.vectors), strict=True)
            if low <= -value.imag / (2 * np.pi) <= high
            and scheme_decay(operator, fields) < _RESOLVED * abs(value)
        ]
    if not pairs:
        return []
    if not problem.acting:
        return ritz_modes(operator, np.array([fields for _, fields in pairs]), pause=ringing.pause)
    return modes_of(operator, problem.acting, pairs)


def _circle(problem: Problem, low: float, high: float) -> tuple[float, complex, float]:
    """Middle frequency, middle and radius / 2 pi of a circle that has the modes of a band in it."""
    lossless = loses_nothing(problem.operator) and not problem.acting
    middle = _OFF_MIDDLE * (low + high) / 2
    decaying = _RESOLVED if lossless else _DECAYING
    # With losses modes lie on one side of the axis alone.
    shift = -middle * (1j if lossless else decaying / 2 + 1j)
    corners = [-f * (1j + part) for f in (low, high) for part in (0.0, decaying)]
    return middle, 2 * np.pi * shift, max(abs(corner - shift) for corner in corners)


def not_solved(problem: Problem, local: bool) -> SceneError:
    """Why modes that are always solved for, those of elastic waves, are not found.

    Parameters
    ----------
    local : whether what media add is constant on every element.
    """
    if problem.operator.phases is not None:
        return SceneError(
            "periodic walls have phases, and resonances of elastic waves are not found with these",
            where=problem.scene.where,
            remedy="Find its bands instead (wavelab bands, or Run > Band structure).",
        )
    if touch_twice(problem.operator):
        return SceneError(
            "two elements touch each other on two sides, through glued edges, and resonances of "
            "elastic waves are not found with these",
            where=problem.scene.where,
            remedy="Use smaller elements, or another element_size where the edges meet.",
        )
    return SceneError(
        "the modes of this scene are not found",
        where=problem.scene.where,
        remedy="Those of elastic waves are solved for at once: use larger elements or a lower "
        "order, look in a narrower band, and have an upwinding of "
        f"{LEAST_UPWINDING:g} or more."
        if local
        else "A medium that is a formula loses or lies in the layer of an open wall: leave the "
        "quality factors out, and let the wall be absorbing.",
    )
