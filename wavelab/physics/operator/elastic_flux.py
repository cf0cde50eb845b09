"""What elastic waves exchange across the faces of elements."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.traces import outside_trace, point_normals, point_trace
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.remembered import Remembered


class TwoWaves(Operator):
    """An operator with two waves, P and S, that travel across its faces."""

    @property
    @abstractmethod
    def impedances(self) -> Array:
        """(n_elements, 2) Zp and Zs."""


def numerical_flux(operator: TwoWaves, fields: Fields) -> tuple[Array, Array]:
    """v* - v- and traction* - traction- at the points of the faces, (n_elements, 3,
    nodes_per_face, 2) each, along the outward normal and the tangent (-ny, nx).

    The flux solves the Riemann problem between two media for upwinding 1 and averages for 0; a wall
    that takes something has upwinding 1 (:func:`wavelab.physics.operator.maxwell_tm.numerical_flux`
    says why).
    """
    d = operator.discretization
    velocity, traction = face_states(operator, fields)
    outside = [
        np.stack([sign * outside_trace(d, u[..., i], operator.phases) for i in range(2)], axis=-1)
        for sign, u in ((-1, velocity), (1, traction))
    ]
    wall = d.connectivity.is_boundary[:, :, None, None]
    reflection = operator.reflection[:, :, None, :]
    jump_v = np.where(wall, reflection * velocity, outside[0]) - velocity
    jump_t = np.where(wall, -reflection * traction, outside[1]) - traction
    of_v, of_both, of_t, of_jump = _factors.get(operator, None, lambda: _factors_of(operator))
    return of_v * jump_v + of_both * jump_t, of_t * jump_t + of_jump * jump_v


#: Of the jumps, in the flux.
_factors: Remembered[TwoWaves, tuple[Array, ...]] = Remembered(1)


def _factors_of(operator: TwoWaves) -> tuple[Array, ...]:
    """(n_elements, 3, 1, 2) of v and traction in v*, of traction and v in traction*."""
    z = operator.impedances[:, None, None, :]
    outside = operator.impedances[operator.discretization.connectivity.neighbor_element]
    z_outside = outside[:, :, None, :]
    weight, a = face_weights(operator)[:, :, None, :], face_upwinding(operator)[:, :, None, :]
    return weight * z_outside, weight * a, weight * z, weight * z * a * z_outside


def face_states(operator: TwoWaves, fields: Fields) -> tuple[Array, Array]:
    """Velocity and traction at the points of the faces, (n_elements, 3, nodes_per_face, 2) each,
    along the outward normal and the tangent."""
    d = operator.discretization
    nx, ny = point_normals(d)
    vx, vy, sxx, syy, sxy = (point_trace(d, u) for u in fields.arrays)
    tx, ty = sxx * nx + sxy * ny, sxy * nx + syy * ny
    return (
        np.stack([nx * vx + ny * vy, nx * vy - ny * vx], axis=-1),
        np.stack([nx * tx + ny * ty, nx * ty - ny * tx], axis=-1),
    )


def face_weights(operator: TwoWaves) -> Array:
    """(n_elements, 3, 2) 1 / (Z- + Z+) of both waves; 0 where neither side has any."""
    z = operator.impedances
    total = z[:, None] + z[operator.discretization.connectivity.neighbor_element]
    return np.where(total > 0, 1 / np.where(total > 0, total, 1.0), 0.0)


def face_upwinding(operator: TwoWaves) -> Array:
    """(n_elements, 3, 2) upwinding of each face and wave: 1 at walls that take something."""
    boundary = operator.discretization.connectivity.is_boundary[:, :, None]
    taking = boundary & (np.abs(operator.reflection) < 1)
    return np.where(taking, 1.0, operator.upwinding)


def in_plane(of: Array, nx: Array, ny: Array) -> tuple[Array, Array]:
    """The components along x and y of (..., 2) along normal and tangent."""
    return nx * of[..., 0] - ny * of[..., 1], ny * of[..., 0] + nx * of[..., 1]
