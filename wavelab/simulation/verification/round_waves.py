"""Exact waves with round walls and borders, by Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.polynomial import Chebyshev

from wavelab.arrays import Array, Complex
from wavelab.physics.operator.fields import Fields
from wavelab.scene.formulas.bessel import besselj

Values = TypeVar("Values", Array, Complex)


@cache
def _gauss(n: int) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(n)


def bessely(order: int, x: Array) -> Array:
    """Y_order(x) for x from about 0.3 to 100; of many points interpolated between 80."""
    x = np.asarray(x, dtype=np.float64)
    if x.size < 100:
        return _bessely(order, x)
    return _interpolant(order, float(x.min()), float(x.max()))(x)


@cache
def _interpolant(order: int, low: float, high: float) -> Chebyshev:
    return Chebyshev.interpolate(lambda x: _bessely(order, x), 80, [low, high])


def _bessely(order: int, x: Array) -> Array:
    """By Schlaefli's integrals (DLMF 10.9.7)."""
    x = x[..., None]
    nodes, weights = _gauss(300)
    theta = np.pi / 2 * (1 + nodes)
    first = np.sin(x * np.sin(theta) - order * theta) @ weights / 2
    t = 4.5 * (1 + nodes)  # exp(-0.3 sinh 9) is nothing at all
    grown = np.exp(order * t - x * np.sinh(t)) + (-1) ** order * np.exp(-order * t - x * np.sinh(t))
    return first - grown @ weights * 4.5 / np.pi


def slope(function: Callable[[int, Array], Values], order: int, x: Array) -> Values:
    """Derivative of a Bessel function."""
    return (function(order - 1, x) - function(order + 1, x)) / 2 if order else -function(1, x)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Of a function that changes its sign there."""
    sign = function(low) > 0
    assert (function(high) > 0) != sign
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) > 0) == sign else (low, middle)
    return low


@dataclass(frozen=True)
class Layer:
    """Ez = (a J_m + b Y_m)(n k r) out to ``radius``, n the refractive index."""

    radius: float
    index: float
    a: float
    b: float


@dataclass(frozen=True)
class RoundMode:
    """Standing wave Ez = f(r) cos(m theta) cos(k t), mu = 1."""

    m: int
    k: float
    layers: tuple[Layer, ...]

    def fields(self, points: Any, t: float) -> Fields:
        """At points x, y, on elements that each lie in one layer: (n_elements, n_points)."""
        x, y = points.x, points.y
        r, theta = np.hypot(x, y), np.arctan2(y, x)
        # By the middle of an element: its border may reach over by its error.
        middle = r.mean(axis=1)
        ez, by_r, over_r = (np.zeros_like(r) for _ in range(3))
        inner = 0.0
        for layer in self.layers:
            here = (middle >= inner) & (middle < layer.radius)
            z = layer.index * self.k * np.maximum(r[here], 1e-12)
            f, df = layer.a * besselj(self.m, z), layer.a * slope(besselj, self.m, z)
            if layer.b:
                f, df = f + layer.b * bessely(self.m, z), df + layer.b * slope(bessely, self.m, z)
            ez[here], by_r[here] = f, layer.index * self.k * df
            over_r[here] = layer.index * self.k * f / z
            inner = layer.radius
        around = -self.m * over_r * np.sin(self.m * theta)
        along = by_r * np.cos(self.m * theta)
        ez_x = along * np.cos(theta) - around * np.sin(theta)
        ez_y = along * np.sin(theta) + around * np.cos(theta)
        turned = np.sin(self.k * t) / self.k
        return Fields(
            -ez_y * turned, ez_x * turned, ez * np.cos(self.m * theta) * np.cos(self.k * t)
        )


def disk_mode(m: int, low: float, high: float) -> RoundMode:
    """In a conducting circle of radius 1, with its wave number between two bounds."""
    k = root(lambda k: float(besselj(m, np.array(k))), low, high)
    return RoundMode(m, k, (Layer(np.inf, 1.0, 1.0, 0.0),))


def ring_mode(m: int, inner: float, low: float, high: float) -> RoundMode:
    """Between conducting circles of radius ``inner`` and 1."""

    def weights(k: float) -> tuple[float, float]:
        z = np.array(k * inner)
        return float(bessely(m, z)), -float(besselj(m, z))

    k = _zero_at_rim(m, weights, low, high)
    return RoundMode(m, k, (Layer(np.inf, 1.0, *weights(k)),))


def cored_mode(m: int, core: float, epsilon: float, low: float, high: float) -> RoundMode:
    """In a conducting circle of radius 1 with a dielectric disk of radius ``core`` in it."""
    index = np.sqrt(epsilon)

    def weights(k: float) -> tuple[float, float]:
        z, inside = np.array(k * core), np.array(index * k * core)
        f, df = float(besselj(m, inside)), float(index * slope(besselj, m, inside))
        j, dj = float(besselj(m, z)), float(slope(besselj, m, z))
        y, dy = float(bessely(m, z)), float(slope(bessely, m, z))
        wronskian = j * dy - y * dj
        return (f * dy - df * y) / wronskian, (df * j - f * dj) / wronskian

    k = _zero_at_rim(m, weights, low, high)
    return RoundMode(m, k, (Layer(core, index, 1.0, 0.0), Layer(np.inf, 1.0, *weights(k))))


def _zero_at_rim(
    m: int, weights: Callable[[float], tuple[float, float]], low: float, high: float
) -> float:
    """The k between two bounds at which a J_m(k) + b Y_m(k) is 0, with a and b of ``weights``."""

    def at_rim(k: float) -> float:
        a, b = weights(k)
        return float(a * besselj(m, np.array(k)) + b * bessely(m, np.array(k)))

    return root(at_rim, low, high)


@dataclass(frozen=True)
class Scattering:
    """The plane wave Ez = cos(k (x - t)) on a cylinder: the whole field outside, and inside if it
    is dielectric (``epsilon``; None for a conductor).

    Ez = Re e^(-ikt) sum_m i^m (J_m(kr) + s_m H_m(kr)) e^(im theta), and c_m J_m(nkr) inside, with
    s_m and c_m from the conditions at the surface.
    """

    k: float
    radius: float
    epsilon: float | None = None

    def fields(self, points: Any, t: float) -> Fields:
        x, y = points.x, points.y
        r, theta = np.hypot(x, y), np.arctan2(y, x)
        # As for the modes.
        inside = r.mean(axis=1) < self.radius
        ez, by_r, around = (np.zeros(x.shape, complex) for _ in range(3))
        z_out = self.k * r[~inside]
        index = np.sqrt(self.epsilon or 1.0)
        k_in = index * self.k
        z_in = k_in * r[inside]
        for m in range(0, 30):
            scattered, entered = self._amplitudes(m)
            phase = (1.0 if m == 0 else 2.0) * 1j**m
            f, df, over_r = (np.zeros(x.shape, complex) for _ in range(3))
            f[~inside] = besselj(m, z_out) + scattered * _hankel(m, z_out)
            df[~inside] = self.k * (slope(besselj, m, z_out) + scattered * slope(_hankel, m, z_out))
            over_r[~inside] = m * f[~inside] / r[~inside]
            if inside.any():
                f[inside] = entered * besselj(m, z_in)
                df[inside] = k_in * entered * slope(besselj, m, z_in)
                if m > 0:
                    # Not f / r, which is all rounding in the middle.
                    neighbors = besselj(m - 1, z_in) + besselj(m + 1, z_in)
                    over_r[inside] = k_in * entered * neighbors / 2
            ez += phase * f * np.cos(m * theta)
            by_r += phase * df * np.cos(m * theta)
            around -= phase * over_r * np.sin(m * theta)
            if m > 3 and abs(scattered) < 1e-15:
                break
        wave = np.exp(-1j * self.k * t)
        ez_x = by_r * np.cos(theta) - around * np.sin(theta)
        ez_y = by_r * np.sin(theta) + around * np.cos(theta)
        # -i k H = (-dEz/dy, dEz/dx)
        hx, hy = -ez_y / (-1j * self.k), ez_x / (-1j * self.k)
        return Fields(*((field * wave).real for field in (hx, hy, ez)))

    def _amplitudes(self, m: int) -> tuple[complex, complex]:
        z = np.array(self.k * self.radius)
        j, h = complex(besselj(m, z)), complex(_hankel(m, z))
        if self.epsilon is None:
            return -j / h, 0.0
        index = np.sqrt(self.epsilon)
        w = np.array(index * self.k * self.radius)
        f, df = complex(besselj(m, w)), complex(index * slope(besselj, m, w))
        dj, dh = complex(slope(besselj, m, z)), complex(slope(_hankel, m, z))
        scattered = (j * df - dj * f) / (dh * f - h * df)
        return scattered, (j + scattered * h) / f


def _hankel(order: int, x: Array) -> Complex:
    if order < 0:
        return (-1) ** order * _hankel(-order, x)
    return besselj(order, x) + 1j * bessely(order, x)
