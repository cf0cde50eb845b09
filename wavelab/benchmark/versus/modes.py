"""Standing waves that are known exactly, and the rooms they stand in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from wavelab.arrays import Array
from wavelab.physics.operator.fields import Fields
from wavelab.scene.formulas.bessel import besselj
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene


@dataclass(frozen=True)
class StandingWave:
    """A resonance of a conducting room, with Ez largest and H zero at t = 0.

    Attributes
    ----------
    omega : angular frequency.
    room : TOML of the scene's domain.
    lower, side : corner and side of the square around the room.
    half_width : y, setback -> the room reaches that far left and right of the square's middle at a
        height y above it, once every wall that is not along the axes is set back.
    profile : x, y -> Ez at t = 0 and its derivatives along x and y.
    """

    name: str
    omega: float
    room: str
    lower: float
    side: float
    half_width: Callable[[Array, float], Array]
    profile: Callable[[Array, Array], tuple[Array, Array, Array]]

    @property
    def period(self) -> float:
        return 2 * math.pi / self.omega

    def fields(self, x: Array, y: Array, t: float) -> Fields:
        """The exact fields: dHx/dt = -dEz/dy, dHy/dt = dEz/dx."""
        ez, ez_x, ez_y = self.profile(x, y)
        sine = math.sin(self.omega * t) / self.omega
        return Fields(-sine * ez_y, sine * ez_x, math.cos(self.omega * t) * ez)

    def scene(self, element_size: float, safety: float) -> Scene:
        """The empty room, to be meshed; ``safety`` is the fraction of the stable step."""
        solver = f"[solver]\nelement_size = {element_size!r}\nsafety = {safety!r}\n"
        return parse_scene(f'title = "{self.name}"\n[domain]\n{self.room}\n{solver}')


def cavity(m: int, n: int) -> StandingWave:
    """Ez = sin(m pi x) sin(n pi y) on the unit square."""
    kx, ky = m * math.pi, n * math.pi

    def profile(x: Array, y: Array) -> tuple[Array, Array, Array]:
        # x and y may be a row and a column: sines of each are taken once, not at each point.
        sx, sy = np.sin(kx * x), np.sin(ky * y)
        return sx * sy, kx * np.cos(kx * x) * sy, ky * sx * np.cos(ky * y)

    return StandingWave(
        name=f"cavity ({m},{n})",
        omega=math.hypot(kx, ky),
        room='shape = "rectangle"\nlower = [0, 0]\nupper = [1, 1]',
        lower=0.0,
        side=1.0,
        half_width=lambda y, setback: np.where(np.abs(y) < 0.5, 0.5, 0.0),
        profile=profile,
    )


#: Sixth angular mode, second zero: J_6(13.589...) = 0.
DISK_ANGULAR = 6
DISK_ZERO = 13.58929017054122
#: Points of the table of radial functions; interpolating linearly costs 1e-8.
_TABLE = 60_001


def disk() -> StandingWave:
    """Ez = J_m(j r) cos(m theta) in the unit disk, j a zero of J_m."""
    m, k = DISK_ANGULAR, DISK_ZERO

    def profile(x: Array, y: Array) -> tuple[Array, Array, Array]:
        # (d/dx +- i d/dy) J_m(kr) e^(im theta) = -+ k J_(m+-1)(kr) e^(i(m+-1) theta).
        radius, angle = np.hypot(x, y), np.arctan2(y, x)
        below, here, above = (np.interp(radius, *_radial(m + shift)) for shift in (-1, 0, 1))
        ez = here * np.cos(m * angle)
        ez_x = k / 2 * (below * np.cos((m - 1) * angle) - above * np.cos((m + 1) * angle))
        ez_y = -k / 2 * (below * np.sin((m - 1) * angle) + above * np.sin((m + 1) * angle))
        return ez, ez_x, ez_y

    return StandingWave(
        name=f"disk ({m},2)",
        omega=k,
        room='shape = "ellipse"\ncenter = [0, 0]\nradii = [1, 1]',
        lower=-1.0,
        side=2.0,
        half_width=lambda y, setback: np.sqrt(np.maximum((1 - setback) ** 2 - y**2, 0)),
        profile=profile,
    )


@cache
def _radial(order: int) -> tuple[Array, Array]:
    radius = np.linspace(0, 1, _TABLE)
    return radius, besselj(order, DISK_ZERO * radius)
