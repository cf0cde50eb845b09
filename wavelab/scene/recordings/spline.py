"""A smooth function through equally spaced samples.

The quintic B-spline of Schoenberg: s(t) = sum_k c_k beta(t / h - k), with the coefficients c that
make it go through the samples (Unser, *Splines: a perfect fit for signal and image processing*,
1999).  Value and four derivatives are continuous, so that a Runge-Kutta scheme keeps its order
where it steps over samples; of a sine with n samples in a period the error is about 5 / n^6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array

#: Samples that are taken as 0 before and after: the coefficients fall by 0.43 from one to the next.
MARGIN = 48
#: Samples before the first in which it has grown from 1e-8 of that.
AHEAD = 22


@dataclass(frozen=True, eq=False)
class Spline:
    """f(t), 0 well before the first sample and after the last.

    Attributes
    ----------
    coefficients : (n,) c, the first and the last few of which are 0 but for rounding.
    spacing : h, time from one sample to the next.
    start : time of the first coefficient.
    """

    coefficients: Array
    spacing: float
    start: float

    variables: ClassVar[tuple[str, ...]] = ("t",)

    @classmethod
    def through(cls, values: Array, spacing: float, start: float = 0.0) -> Spline:
        """Through ``values`` (n,) at start, start + spacing, ..., and zeros beyond them."""
        count = len(values) + 2 * MARGIN
        length = fast_length(count)
        padded = np.zeros(length)
        padded[MARGIN : MARGIN + len(values)] = values
        angle = 2 * np.pi * np.arange(length // 2 + 1) / length
        seen = (66 + 52 * np.cos(angle) + 2 * np.cos(2 * angle)) / 120
        found = np.fft.irfft(np.fft.rfft(padded) / seen, length)[:count]
        return cls(found, spacing, start - MARGIN * spacing)

    @property
    def end(self) -> float:
        """Time from which on it is 0."""
        return self.start + (len(self.coefficients) - 1) * self.spacing

    def samples(self, t: ArrayLike) -> Array:
        """Times in samples since the first coefficient."""
        return (np.asarray(t, np.float64) - self.start) / self.spacing

    def evaluate(self, t: ArrayLike) -> Array:
        """f at these times, in their shape."""
        at = self.samples(t)
        # Those outside are taken to where there is nothing.
        inside = (at > 2) & (at < len(self.coefficients) - 3)
        at = np.where(inside, at, 2.0)
        whole = np.floor(at).astype(np.int64)
        part = at - whole
        total = np.zeros_like(at)
        for k in range(-2, 4):
            total += self.coefficients[whole + k] * _beta(np.abs(part - k))
        return np.where(inside, total, 0.0)


def fast_length(count: int) -> int:
    """The smallest even number from ``count`` on without prime factors above 5: a Fourier transform
    of that length takes a seventh of the time of the slowest."""
    count = max(count, 2)
    found = 1 << (count - 1).bit_length()
    for fives in range(count.bit_length()):
        for threes in range(count.bit_length()):
            odd = 5**fives * 3**threes
            if 2 * odd >= found:
                break
            rest = -(-count // odd)
            found = min(found, odd << max(1, (rest - 1).bit_length()))
    return found


def _beta(v: Array) -> Array:
    """The B-spline of degree 5 at distances up to 3 from its middle."""
    near = 0.55 + v**2 * (-0.5 + v**2 * (0.25 - v / 12))
    middle = 0.425 + v * (0.625 + v * (-1.75 + v * (1.25 + v * (-0.375 + v / 24))))
    far = np.maximum(3 - v, 0.0) ** 5 / 120
    return np.where(v < 1, near, np.where(v < 2, middle, far))


def evenly_spaced(times: Array, values: Array, spacing: float) -> Array:
    """Samples at times[0], times[0] + spacing, ... of the natural cubic spline through points.

    Parameters
    ----------
    times, values : (n,) increasing, and what is there; n at least 3.
    """
    gaps = np.diff(times)
    slopes = np.diff(values) / gaps
    curvature = np.zeros_like(values)
    curvature[1:-1] = _tridiagonal(gaps, 6 * np.diff(slopes))
    count = int((times[-1] - times[0]) / spacing * (1 + 1e-12)) + 1
    at = times[0] + spacing * np.arange(count)
    i = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(gaps) - 1)
    h = gaps[i]
    right, left = (at - times[i]) / h, (times[i + 1] - at) / h
    bend = (left**3 - left) * curvature[i] + (right**3 - right) * curvature[i + 1]
    return left * values[i] + right * values[i + 1] + bend * h**2 / 6


def _tridiagonal(gaps: Array, right: Array) -> list[float]:
    """x with gaps[i] x[i - 1] + 2 (gaps[i] + gaps[i + 1]) x[i] + gaps[i + 1] x[i + 1] = right[i],
    0 beyond both ends."""
    h, r = gaps.tolist(), right.tolist()
    factors: list[float] = []
    for i in range(len(r)):
        diagonal = 2 * (h[i] + h[i + 1])
        if i:
            diagonal -= h[i] * factors[-1]
            r[i] -= h[i] * r[i - 1]
        factors.append(h[i + 1] / diagonal)
        r[i] /= diagonal
    for i in range(len(r) - 2, -1, -1):
        r[i] -= factors[i] * r[i + 1]
    return r
