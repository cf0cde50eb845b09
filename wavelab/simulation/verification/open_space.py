"""The fields of pulsed point sources in open space, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.scene.formulas.bessel import besselj

#: Abramowitz & Stegun, *Handbook of Mathematical Functions*, 9.4.2 and 9.4.3.
_SMALL = (0.36746691, 0.60559366, -0.74350384, 0.25300117, -0.04261214, 0.00427916, -0.00024846)
_MODULUS = (
    0.79788456, -0.00000077, -0.00552740, -0.00009512, 0.00137237, -0.00072805, 0.00014476
)  # fmt: skip
_PHASE = (
    -0.78539816, -0.04166397, -0.00003954, 0.00262573, -0.00054125, -0.00029333, 0.00013558
)  # fmt: skip


def bessel_y0(x: NDArray[np.floating]) -> Array:
    """Y_0(x) for x > 0, to 1e-7."""
    near = np.minimum(x, 3.0)
    small = 2 / np.pi * np.log(near / 2) * besselj(0, near)
    small = small + np.polyval(_SMALL[::-1], (near / 3) ** 2)
    u = 3 / np.maximum(x, 3.0)
    angle = np.maximum(x, 3.0) + np.polyval(_PHASE[::-1], u)
    large = np.polyval(_MODULUS[::-1], u) * np.sin(angle) / np.sqrt(np.maximum(x, 3.0))
    return np.where(x < 3, small, large)


def ricker_in_open_space(
    distance: float, times: Array, *, frequency: float, delay: float, radius: float
) -> Array:
    """Ez at some distance from a point source with a Gaussian profile and a Ricker wavelet.

    From dEz/dt = curl H - J: (d^2/dt^2 - Laplace) Ez = -dJ/dt, so for exp(i w t) Ez is
    -w/4 J H_0^(2)(w r), times 2 pi radius^2 exp(-w^2 radius^2 / 2), the transform of the profile.
    """
    n = 4096
    step = 16 / frequency / n * 4
    omega = 2 * np.pi * np.fft.rfftfreq(n, step)[1:]
    u = omega / (2 * np.pi * frequency)
    # Transform of the wavelet: 2 / (sqrt(pi) f) u^2 exp(-u^2).
    amplitude = 2 / np.sqrt(np.pi) / frequency * u**2 * np.exp(-(u**2))
    amplitude = amplitude * np.exp(-1j * omega * delay)
    # Nothing is left of the wavelet there, and the series above ends.
    used = (u < 6) & (omega * distance < 1000)
    green = np.zeros(len(omega), complex)
    kr = omega[used] * distance
    green[used] = -omega[used] / 4 * (besselj(0, kr) - 1j * bessel_y0(kr))
    profile = 2 * np.pi * radius**2 * np.exp(-((omega * radius) ** 2) / 2)
    spectrum = amplitude * profile * green
    # A sum over the frequencies, so that any times will do.
    weight = (omega[1] - omega[0]) / np.pi
    return weight * np.real(np.exp(1j * np.outer(times, omega)) @ spectrum)


def radiated_pulse(
    points: Array,
    position: Sequence[float],
    *,
    since: float,
    radius: float,
    width: float,
    velocity: tuple[float, float] = (0.0, 0.0),
) -> Array:
    """Ez of a unit current with a Gaussian profile and a Gaussian pulse, once the pulse is over.

    In the whole plane

        E(x, t) = -1/(2 pi)^2 int d^2k e^(ik.x) G(k) int cos(k (t - t')) e^(-ik.s(t')) f(t') dt'

    which is the pulse convolved with the Green's function H(t - r) / (2 pi sqrt(t^2 - r^2)) of the
    wave equation, written by wave number.  Here s is the source's position, at rest or in steady
    motion, and G = 2 pi r0^2 e^(-k^2 r0^2/2) its profile; the inner integral is Gaussian too.

    Parameters
    ----------
    points : (n, 2).
    position : of the source in the middle of its pulse, ``since`` ago.
    radius, width : standard deviations of profile and pulse.
    """
    at_rest = velocity == (0.0, 0.0)
    # Gauss's rule in k: the trapezoidal one would miss the kink at k = 0.
    nodes, weights = np.polynomial.legendre.leggauss(400)
    largest = 9 / math.hypot(radius, width if at_rest else 0.0)
    k, dk = largest / 2 * (1 + nodes)[:, None], largest / 2 * weights[:, None]
    angle = np.arange(256) * 2 * np.pi / 256
    kx, ky = k * np.cos(angle), k * np.sin(angle)
    profile = 2 * np.pi * radius**2 * np.exp(-(k**2) * radius**2 / 2)
    shift = kx * velocity[0] + ky * velocity[1]
    inner = sum(
        0.5 * np.exp(sign * 1j * k * since - ((shift + sign * k) * width) ** 2 / 2)
        for sign in (1, -1)
    )
    weight = profile * inner * k * dk * width * math.sqrt(2 * np.pi)
    step = angle[1] / (2 * np.pi) ** 2
    x, y = (np.asarray(points) - position).T
    return np.array(
        [
            -step * float((weight * np.exp(1j * (kx * a + ky * b))).real.sum())
            for a, b in zip(x, y, strict=True)
        ]
    )
