"""The field of a pulsed point source in open space, by the Hankel function."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.scene.bessel import besselj

Array = NDArray[np.float64]

#: Abramowitz & Stegun, *Handbook of Mathematical Functions*, 9.4.2 and 9.4.3.
_SMALL = (0.36746691, 0.60559366, -0.74350384, 0.25300117, -0.04261214, 0.00427916, -0.00024846)
_MODULUS = (
    0.79788456, -0.00000077, -0.00552740, -0.00009512, 0.00137237, -0.00072805, 0.00014476
)  # fmt: skip
_PHASE = (
    -0.78539816, -0.04166397, -0.00003954, 0.00262573, -0.00054125, -0.00029333, 0.00013558
)  # fmt: skip


def bessel_y0(x: Array) -> Array:
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
