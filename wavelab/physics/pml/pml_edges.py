"""Where the layers behind open walls lie, and how they stretch space.

An open wall absorbs in a layer inside the domain, along the edge.  The layer is a perfectly matched
one: the equations are those of vacuum or a medium in complex coordinates (Chew & Weedon, *A 3D
perfectly matched medium from modified Maxwell's equations with stretched coordinates*, 1994)

    x~ = x + v(x) / (i w),

with a displacement v that is 0 in the interior.  For v the gradient of a convex function this damps
waves in every direction and stays stable: the Jacobian I + S / (i w) has a symmetric S >= 0.  Here
that function is a sum over straight edges, of the depth beyond each, or one of the depth beyond an
ellipse:

    straight   v = F(d) n,    S = a(d) n n'                       d the depth, n the normal
    ellipse    v = F(d) n,    S = a(d) n n' + F(d) / rho t t'     rho the radius of curvature there

with a = dF/dd.  In the corner of a rectangle this is the classical layer with both profiles, on a
circle that of Teixeira & Chew (*Systematic derivation of anisotropic PML absorbing media in
cylindrical and spherical coordinates*, 1997); polygons of any angles need no special treatment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wavelab.arrays import Array

#: The profile a(d) grows with this power of the depth.
POWER = 2


class Stretch(NamedTuple):
    """At some points: displacement v and S = grad v, symmetric.

    Attributes
    ----------
    v_x, v_y, s_xx, s_xy, s_yy : of one shape; v is a speed, S a rate.
    """

    v_x: Array
    v_y: Array
    s_xx: Array
    s_xy: Array
    s_yy: Array

    def scaled(self, factor: float) -> Stretch:
        """``factor`` times as strong."""
        return Stretch(*(factor * part for part in self))

    def principal(self) -> tuple[Array, Array, Array, Array]:
        """a >= b >= 0, the eigenvalues of S, and the direction n_x, n_y of the first."""
        mean, half = (self.s_xx + self.s_yy) / 2, (self.s_xx - self.s_yy) / 2
        radius = np.hypot(half, self.s_xy)
        angle = np.arctan2(self.s_xy, half) / 2
        b = mean - radius
        # Where one edge acts alone, b is 0 but for rounding.
        b = np.where(b > 1e-12 * mean, b, 0.0)
        return mean + radius, b, np.cos(angle), np.sin(angle)


@dataclass(frozen=True)
class StraightSide:
    """A straight edge: points with normal . x = offset, the domain where it is less."""

    normal: tuple[float, float]
    offset: float
    thickness: float

    def depth(self, x: Array, y: Array) -> Array:
        """How deep in the layer a point is: 0 at its beginning, ``thickness`` at the edge."""
        return self.normal[0] * x + self.normal[1] * y - (self.offset - self.thickness)

    def stretch(self, x: Array, y: Array) -> Stretch:
        """For F(thickness) = 1; 0 outside the layer."""
        (n_x, n_y), d = self.normal, self.depth(x, y)
        total, rate = _profile(d, self.thickness)
        return Stretch(total * n_x, total * n_y, rate * n_x**2, rate * n_x * n_y, rate * n_y**2)


@dataclass(frozen=True)
class EllipticSide:
    """The rim of an ellipse with half axes ``radii``, turned by ``angle`` (radians)."""

    center: tuple[float, float]
    radii: tuple[float, float]
    angle: float
    thickness: float

    def depth(self, x: Array, y: Array) -> Array:
        return self.thickness - self._foot(x, y)[0]

    def stretch(self, x: Array, y: Array) -> Stretch:
        distance, n_x, n_y, radius = self._foot(x, y)
        d = self.thickness - distance
        total, rate = _profile(d, self.thickness)
        # The curve through the point at the same distance from the rim.
        inside = d > 0
        along = np.where(inside, total / np.where(inside, radius - distance, 1.0), 0.0)
        return Stretch(
            total * n_x,
            total * n_y,
            rate * n_x**2 + along * n_y**2,
            (rate - along) * n_x * n_y,
            rate * n_y**2 + along * n_x**2,
        )

    def _foot(self, x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
        """Distance to the rim, negative outside, and normal and radius of curvature there."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        dx, dy = x - self.center[0], y - self.center[1]
        u, v = cos * dx + sin * dy, cos * dy - sin * dx
        a, b = self.radii
        # Newton for the angle t of the nearest point (a cos t, b sin t), from where the point lies;
        # it converges for points nearer to the rim than to the evolute.
        t = np.arctan2(a * v, b * u)
        for _ in range(30):
            c, s = np.cos(t), np.sin(t)
            # Half the derivative of the squared distance, and the next one.
            slope = (a * c - u) * (-a * s) + (b * s - v) * b * c
            curve = (a * s) ** 2 + (b * c) ** 2 - (a * c - u) * a * c - (b * s - v) * b * s
            t = t - slope / np.maximum(curve, 1e-3 * min(a, b) ** 2)
        c, s = np.cos(t), np.sin(t)
        length = np.hypot(b * c, a * s)
        m_u, m_v = b * c / length, a * s / length
        distance = (a * c - u) * m_u + (b * s - v) * m_v
        return distance, cos * m_u - sin * m_v, sin * m_u + cos * m_v, length**3 / (a * b)


#: An open wall or a part of one, as a place for a layer.
Side = StraightSide | EllipticSide


def _profile(d: Array, thickness: float) -> tuple[Array, Array]:
    """F and its derivative a: F = (d / thickness)^(POWER + 1)."""
    u = np.maximum(d, 0.0) / thickness
    return u ** (POWER + 1), (POWER + 1) / thickness * u**POWER


def balanced(sides: Sequence[Side], x: Array, y: Array, n_x: Array, n_y: Array) -> list[float]:
    """Strength of each side, so that together they displace by 1 at the edges.

    Where many short edges meet at flat angles, a point lies deep beyond several of them.

    Parameters
    ----------
    x, y, n_x, n_y : (n_sides,) the middle of each edge and the normal there.
    """
    weights = np.ones(len(sides))
    if len(sides) == 1:
        return [1.0]
    # What one side does at the middle of each.
    parts = [side.stretch(x, y) for side in sides]
    acts = np.array([part.v_x * n_x + part.v_y * n_y for part in parts])
    acts = np.maximum(acts, 0.0)
    for _ in range(200):
        weights /= weights @ acts
    return [float(w) for w in weights]
