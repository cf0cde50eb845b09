"""How much faster a change of numbers can have made an operator, from its numbers alone."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.operator.maxwell_tm import MaxwellTM, face_upwinding
from wavelab.physics.operator.media import Media
from wavelab.physics.operator.operator import Operator

#: A conductivity that has grown may damp this much in a step without being looked at.
_SLOW_DECAY = 0.05


def growth(before: Operator, after: Operator, dt: float) -> float:
    """By what the entries of an operator have grown at most, in the norm of the energy; infinite
    where that cannot be said of its constants.

    In the unknowns sqrt(epsilon) E and sqrt(mu) H every entry of an element is its speed over its
    size, times what its faces weigh: z / (z + z'), z' / (z + z') between impedances z and z', and
    (1 + R) / 2, (1 - R) / 2 at a wall.  What makes no entry larger leaves the step about as long as
    it was; what makes them so many times larger leaves at least that part of it.

    Parameters
    ----------
    before, after : on the same elements.
    dt : step of the one before, for what conducts.
    """
    if _same(before, after):  # other layers alone
        return 1.0
    if not (isinstance(before, MaxwellTM) and isinstance(after, MaxwellTM)):
        return np.inf
    for operator in (before, after):
        if operator.media or operator.slowed is not None or operator.held is not None:
            return np.inf
    decay, earlier = (operator.sigma / operator.epsilon for operator in (after, before))
    if ((decay > earlier) & (decay * dt > _SLOW_DECAY)).any():
        return np.inf
    speed = after.fastest / before.fastest
    pairs = zip(_face_weights(before), _face_weights(after), strict=True)
    return float(max((speed[:, None] * _ratio(old, new)).max() for old, new in pairs))


def _same(before: Operator, after: Operator) -> bool:
    """Whether all their numbers are equal, as far as they are plain numbers and arrays."""
    if type(before) is not type(after):
        return False
    assert is_dataclass(before)
    values = ((getattr(before, f.name), getattr(after, f.name)) for f in fields(before))
    return all(
        one is other
        or (isinstance(one, np.ndarray | float) and np.array_equal(one, other))
        or (isinstance(one, Media) and not (one or other))
        for one, other in values
    )


def _face_weights(operator: MaxwellTM) -> tuple[Array, Array, Array]:
    """(n_elements, 3) of the jumps of Ez and of H, and of upwinding."""
    z = operator.impedance
    outside, own = z[operator.discretization.connectivity.neighbor_element], z[:, None]
    wall = operator.discretization.connectivity.is_boundary
    reflection = np.where(wall, operator.reflection, 0.0)
    of_e = own / (own + outside) * (1 - reflection)
    of_h = outside / (own + outside) * (1 + reflection)
    return of_e, of_h, face_upwinding(operator)


def _ratio(old: Array, new: Array) -> Array:
    """By what weights have grown, 1 at least: the rest of the element is as it was."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(new <= old, 1.0, new / old)
