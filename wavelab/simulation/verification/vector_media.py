"""Media that act on H, the vector among the fields: losses, poles of mu, a tensor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.tensor import Tensor
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import Point
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.scenes import rectangle, stepped_locally


def damped_cavity(*, speck: Point | None = None) -> Scene:
    """A standing wave in a medium that damps H: frequencies i a +- w, a = sigma / (2 mu) and
    w^2 = 2 pi^2 / (epsilon mu) - a^2.

    Parameters
    ----------
    speck : where a few elements are small, see :func:`stepped_locally`; None for nowhere.
    """
    epsilon, mu, sigma = 1.3, 1.5, 1.2
    a = sigma / (2 * mu)
    w = math.sqrt(2 * math.pi**2 / (epsilon * mu) - a**2)
    of_ez = f"exp(-{a!r}*t)*(cos({w!r}*t) + {a / w!r}*sin({w!r}*t))"
    of_h = f"{epsilon * (w**2 + a**2) / (2 * math.pi * w)!r}*exp(-{a!r}*t)*sin({w!r}*t)"
    scene = rectangle(
        f"""
        [background]
        epsilon = {epsilon}
        mu = {mu}
        magnetic_sigma = {sigma}
        [initial]
        ez = "sin(pi*x)*sin(pi*y)"
        [exact]
        hx = "-sin(pi*x)*cos(pi*y)*{of_h}"
        hy = "cos(pi*x)*sin(pi*y)*{of_h}"
        ez = "sin(pi*x)*sin(pi*y)*{of_ez}"
        """,
        size=0.12,
        until=1,
    )
    return stepped_locally(scene, speck)


def distortionless_line() -> Scene:
    """A pulse through losses that grow from place to place, those of H as those of Ez: nothing
    comes back, and Ez = -Hy = f(x - t) exp(-S), S the integral of sigma (Heaviside's line)."""
    pulse = "exp(-((x - {t} - 0.5)/0.15)^2 - x - x^2/2)"
    now = pulse.format(t="t")
    return rectangle(
        f"""
        [background]
        sigma = "1 + x"
        magnetic_sigma = "1 + x"
        [[walls]]
        edges = ["domain.bottom", "domain.top"]
        kind = "magnetic"
        [initial]
        ez = "{pulse.format(t="0")}"
        hy = "-{pulse.format(t="0")}"
        [exact]
        hx = 0
        hy = "-{now}"
        ez = "{now}"
        """,
        size=0.06,
        until=0.4,
        lower=(-0.5, 0),
        upper=(2, 0.3),
    )


def crystal(way: tuple[int, int] = (2, 1), angle: float = 25.0) -> Scene:
    """A plane wave in a crystal with the axes mu = 1 and 3: w^2 = k M k / (epsilon det M).

    Parameters
    ----------
    way : periods of the wave across and up the unit square.
    angle : of the first axis, degrees.
    """
    epsilon, axes = 1.2, (1.0, 3.0)
    tensor = Tensor(np.zeros(0, np.int64), axes, math.radians(angle))
    k = 2 * math.pi * np.array(way)
    w = math.sqrt(float(k @ tensor.matrix @ k) / (epsilon * axes[0] * axes[1]))
    hx, hy = (tensor.share @ [k[1], -k[0]] / (tensor.reference * w)).tolist()
    wave = f"cos({k[0].item()!r}*x + {k[1].item()!r}*y - {w!r}*{{t}})"
    start, now = wave.format(t="0"), wave.format(t="t")
    return rectangle(
        f"""
        [background]
        epsilon = {epsilon}
        mu_axes = [{axes[0]}, {axes[1]}]
        mu_angle = {angle}
        [[walls]]
        edges = ["domain.left", "domain.right"]
        kind = "periodic"
        [[walls]]
        edges = ["domain.bottom", "domain.top"]
        kind = "periodic"
        [initial]
        hx = "{hx!r}*{start}"
        hy = "{hy!r}*{start}"
        ez = "{start}"
        [exact]
        hx = "{hx!r}*{now}"
        hy = "{hy!r}*{now}"
        ez = "{now}"
        """,
        size=0.1,
        until=0.6,
    )


@dataclass(frozen=True)
class SurfaceWave:
    """A standing wave along the border of vacuum and a medium of free magnetic charges, mu = 1 -
    (plasma / w)^2: Ez = A(y) cos(k x) sin(w t).

    In endless space A falls as exp(-a |y|) on both sides, and k = w sqrt(mu / (1 + mu)).  Here
    conductors at -``below`` and ``above`` make exponentials hyperbolic sines.

    Attributes
    ----------
    wave_number, plasma : k, and the angular frequency of the charges.
    """

    wave_number: float
    plasma: float
    below: float
    above: float

    @property
    def frequency(self) -> float:
        """w: where Hx is the same on both sides, found by halving."""
        low, high = 1e-9, min(self.wave_number, self.plasma / math.sqrt(2)) * (1 - 1e-12)
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self._mismatch(middle) > 0 else (low, middle)
        return (low + high) / 2

    def mu(self, w: float) -> float:
        """Of the lower medium."""
        return 1 - (self.plasma / w) ** 2

    def _decays(self, w: float) -> tuple[float, float]:
        k = self.wave_number
        return math.sqrt(k**2 - w**2), math.sqrt(k**2 - w**2 * self.mu(w))

    def _mismatch(self, w: float) -> float:
        """Positive below the frequency, for mu < -1."""
        up, down = self._decays(w)
        return up / math.tanh(up * self.above) + down / math.tanh(down * self.below) / self.mu(w)

    def fields(self, points: Any, time: float) -> Fields:
        """At points of elements that lie on one side each."""
        w, k = self.frequency, self.wave_number
        up, down = self._decays(w)
        x, y = points.x, points.y
        lower = np.broadcast_to((y.mean(axis=1) < 0)[:, None], y.shape)
        depth = np.where(lower, y + self.below, self.above - y)
        decay, height = np.where(lower, down, up), np.where(lower, self.below, self.above)
        profile = np.sinh(decay * depth) / np.sinh(decay * height)
        slope = np.where(lower, 1, -1) * decay * np.cosh(decay * depth) / np.sinh(decay * height)
        by_b = np.cos(w * time) / (w * np.where(lower, self.mu(w), 1.0))
        return Fields(
            hx=slope * np.cos(k * x) * by_b,
            hy=k * profile * np.sin(k * x) * by_b,
            ez=profile * np.cos(k * x) * np.sin(w * time),
        )


def surface_wave() -> Measure:
    """The rate of half a period of a surface wave between magnetic walls."""
    wave = cache(lambda: SurfaceWave(2 * math.pi, 10.0, below=0.25, above=0.5))
    return converging(_border, exact=lambda points, time: wave().fields(points, time))


def _border() -> Scene:
    return rectangle(
        f"""
        [[materials]]
        name = "plasma"
        magnetic_poles = [{{ kind = "drude", frequency = {10 / (2 * math.pi)!r} }}]
        shape = "rectangle"
        lower = [0, -0.25]
        upper = [0.5, 0]
        [[walls]]
        edges = ["domain.left", "domain.right"]
        kind = "magnetic"
        """,
        size=0.05,
        until=0.5,
        lower=(0, -0.25),
        upper=(0.5, 0.5),
    )
