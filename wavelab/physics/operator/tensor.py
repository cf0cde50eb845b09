"""A permeability that depends on the direction of H: a symmetric tensor M, B = M H.

The operator has a constant mu there, the geometric mean of the principal values, with which it
computes the rates of B / mu.  Those of H follow by T = mu M^-1, a matrix for all the medium:

    dH/dt = M^-1 curl = T (curl / mu).

Nothing else changes: what a face passes on is Ez and the part of H along it, the flux conserves or
loses energy for any positive impedances of the two sides, as in graded media
(:mod:`wavelab.physics.operator.media`), and B . H takes the place of mu H^2.  A wave that runs
along n sees 1 / (t M^-1 t) in place of mu, t the direction across n; that the flux has the mean
instead costs no order of accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from wavelab.arrays import Array, Indices


@dataclass(frozen=True, eq=False)
class Tensor:
    """mu on the elements of one medium.

    Attributes
    ----------
    elements : (n,) ascending.
    axes : the principal values, > 0; the first is along ``angle``, radians counterclockwise from x.
    """

    elements: Indices
    axes: tuple[float, float]
    angle: float

    @property
    def reference(self) -> float:
        """mu of the operator there."""
        return math.sqrt(self.axes[0] * self.axes[1])

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest mu that waves see."""
        return min(self.axes), max(self.axes)

    @cached_property
    def matrix(self) -> Array:
        """(2, 2) M."""
        return self._with(self.axes)

    @cached_property
    def share(self) -> Array:
        """(2, 2) T = mu M^-1, of determinant 1."""
        mu = self.reference
        return self._with([mu / value for value in self.axes])

    def _with(self, values: Sequence[float]) -> Array:
        """(2, 2) the symmetric matrix of these values along the axes."""
        mean, half = (values[0] + values[1]) / 2, (values[0] - values[1]) / 2
        c, s = half * math.cos(2 * self.angle), half * math.sin(2 * self.angle)
        return np.array([[mean + c, s], [s, mean - c]])

    def towards(self, x: Array, y: Array) -> Array:
        """mu that waves see which run along unit vectors (x, y)."""
        across = np.stack([-np.asarray(y), np.asarray(x)])
        squares = np.einsum("i...,ij,j...->...", across, self.share, across)
        return np.asarray(self.reference / squares)

    def restricted(self, place: Indices) -> Tensor:
        """For a part of the mesh, as :meth:`.profile.Profile.restricted`."""
        found = place[self.elements]
        return replace(self, elements=np.sort(found[found >= 0]))


def turned(matrix: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """The vectors (x, y) times a (2, 2) matrix."""
    return matrix[0, 0] * x + matrix[0, 1] * y, matrix[1, 0] * x + matrix[1, 1] * y
