"""The time step: from the spectrum of the operator on the elements that limit it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.arnoldi import ritz_values
from wavelab.numerics.discretization import Discretization, discretize
from wavelab.numerics.timestep import largest_stable_step
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM, right_hand_side

#: The fastest modes live on a few small elements and decay quickly away from them, so the
#: spectrum of this many elements, with two rings of neighbours, has the outer eigenvalues of
#: the whole mesh.
_WORST_ELEMENTS = 96
_RINGS = 2
_KRYLOV_DIMENSION = 48


def element_rates(operator: MaxwellTM) -> NDArray[np.float64]:
    """(n_elements,) speed over inradius: how fast a wave crosses each element."""
    return operator.speed / operator.discretization.mesh.inradii()


def stable_step(operator: MaxwellTM) -> float:
    """Largest stable time step of the Runge-Kutta method on this mesh, before any safety factor."""
    worst = _restrict(operator, _neighborhood_of_worst(operator))
    shape = worst.discretization.shape
    size = 3 * shape[0] * shape[1]

    def apply(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        hx, hy, ez = vector.reshape(3, *shape)
        change = right_hand_side(worst, Fields(hx, hy, ez))
        return np.stack([change.hx, change.hy, change.ez]).ravel()

    return largest_stable_step(ritz_values(apply, size, _KRYLOV_DIMENSION))


def _neighborhood_of_worst(operator: MaxwellTM) -> NDArray[np.int64]:
    neighbors = operator.discretization.connectivity.neighbor_element
    rates = element_rates(operator)
    chosen = np.argsort(-rates, kind="stable")[:_WORST_ELEMENTS]
    for _ in range(_RINGS):
        chosen = np.union1d(chosen, neighbors[chosen].ravel())
    return np.sort(chosen)


def _restrict(operator: MaxwellTM, chosen: NDArray[np.int64]) -> MaxwellTM:
    """The operator on some elements alone; where they were cut off the edge absorbs."""
    whole = operator.discretization
    if len(chosen) == whole.n_elements:
        return operator
    # Elements may be reordered by discretize, so what belongs to them travels as a region number.
    part = replace(whole.mesh.permuted(chosen), regions=np.arange(len(chosen), dtype=np.int32))
    d: Discretization = discretize(part, whole.order)
    origin = chosen[d.mesh.regions]
    real_wall = whole.connectivity.is_boundary[origin]
    return MaxwellTM(
        d,
        operator.epsilon[origin],
        operator.mu[origin],
        operator.sigma[origin],
        np.where(real_wall, operator.reflection[origin], 0.0),
        operator.upwinding,
    )
