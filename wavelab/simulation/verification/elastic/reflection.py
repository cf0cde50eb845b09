"""Plane P and S waves that share a wave number along a border y = 0, and what it makes of them.

All go as exp(i (kx x +- ky y - w t)).  A free edge returns two waves of each that comes, a border
of two solids sends out four; their amplitudes follow from two tractions that vanish, or from two
velocities and two tractions that are alike on both sides (Aki & Richards, *Quantitative
Seismology*, 2002, 5.2).  Amplitudes are those of the velocity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex
from wavelab.simulation.verification.elastic.media import Medium

#: Kinds of waves.
P, S = "P", "S"


@dataclass(frozen=True)
class Wave:
    """One of amplitude 1.

    Attributes
    ----------
    kind : P or S.
    way : 1 up, along y, and -1 down.
    omega : w, so large that it is no evanescent wave.
    """

    medium: Medium
    kind: str
    way: int
    kx: float
    omega: float

    @property
    def speed(self) -> float:
        return self.medium.p_speed if self.kind == P else self.medium.s_speed

    @property
    def ky(self) -> float:
        return self.way * math.sqrt((self.omega / self.speed) ** 2 - self.kx**2)

    @property
    def flow(self) -> float:
        """The power that it carries through a unit of the border, twice its mean."""
        return self.medium.density * self.speed**2 * abs(self.ky) / self.omega

    @property
    def amplitudes(self) -> Array:
        """(5,) of vx, vy, sxx, syy and sxy; S waves are turned to the left of their way."""
        lame, mu = self.medium.lame, self.medium.mu
        nx, ny = (k * self.speed / self.omega for k in (self.kx, self.ky))
        px, py = (nx, ny) if self.kind == P else (-ny, nx)
        grows = lame * (nx * px + ny * py)
        stress = grows + 2 * mu * nx * px, grows + 2 * mu * ny * py, mu * (nx * py + ny * px)
        return np.array([px, py, *(-value / self.speed for value in stress)])

    def fields(self, x: Array, y: Array, t: float) -> Complex:
        """(5, ...) at points."""
        phase = np.exp(1j * (self.kx * x + self.ky * y - self.omega * t))
        return self.amplitudes.reshape(5, *(1,) * phase.ndim) * phase


def waves(medium: Medium, way: int, kx: float, omega: float) -> tuple[Wave, Wave]:
    """P and S."""
    return Wave(medium, P, way, kx, omega), Wave(medium, S, way, kx, omega)


#: Rows of the amplitudes that a free edge makes vanish, and that both sides of a border share.
_TRACTIONS, _SHARED = [3, 4], [0, 1, 3, 4]


def at_free_edge(solid: Medium, kx: float, omega: float) -> Array:
    """(2, 2) amplitudes of the P and S waves that go down from a free edge above a solid, by those
    that come up: a column each of what comes."""
    coming, going = (
        np.column_stack([w.amplitudes[_TRACTIONS] for w in waves(solid, way, kx, omega)])
        for way in (1, -1)
    )
    return -np.linalg.solve(going, coming).astype(np.float64)


def at_border(below: Medium, above: Medium, kx: float, omega: float) -> Array:
    """(4, 4) amplitudes of what leaves a border, P and S down, then P and S up, by what comes, P
    and S from below, then P and S from above."""

    def columns(medium: Medium, way: int, sign: int) -> list[Array]:
        return [sign * w.amplitudes[_SHARED] for w in waves(medium, way, kx, omega)]

    coming = np.column_stack([*columns(below, 1, 1), *columns(above, -1, -1)])
    going = np.column_stack([*columns(below, -1, 1), *columns(above, 1, -1)])
    return -np.linalg.solve(going, coming).astype(np.float64)
