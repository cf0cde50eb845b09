"""A permittivity measured at some frequencies as a sum of poles.

    epsilon(w) = e + free charges + sum over j of s_j w_j^2 / (w_j^2 - w^2 + i g_j w)

with all of e - 1, s_j, w_j, g_j positive, so that whatever comes of it is causal and takes energy
at every frequency.  The logarithms of these numbers are found by the method of Levenberg and
Marquardt from a start with one pole, to which others are added where the misfit is largest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex

_MOST_ROUNDS = 200
#: Relative fall of the misfit in a round after which nothing more comes of it.
_SETTLED = 1e-7
#: Logarithms that leave this range stand for numbers without effect, or without end.
_LARGEST_LOGARITHM = 30.0
#: e - 1 at the least when a pole is added.
_FRESH = 0.3
_MOST_DAMPING, _LEAST = 1e12, 1e-12
#: Where a new resonance may begin, in quantiles of the frequencies, and how wide, in parts of its
#: own.
_PLACES, _WIDTHS = (0.2, 0.5, 0.8), (0.05, 0.5)


@dataclass(frozen=True)
class PoleFit:
    """What was found.

    Attributes
    ----------
    epsilon : e.
    free : plasma frequency in cycles and damping (1 / time) of free charges; None without any.
    bound : for each resonance its frequency in cycles, strength and damping (1 / time).
    error : root mean square of |fit - data| / |data|.
    """

    epsilon: float
    free: tuple[float, float] | None
    bound: tuple[tuple[float, float, float], ...]
    error: float

    def __call__(self, frequency: Array) -> Complex:
        """(n,) epsilon at frequencies in cycles."""
        w = 2 * math.pi * np.asarray(frequency, np.float64)
        found = np.full(w.shape, self.epsilon, np.complex128)
        if self.free is not None:
            plasma, damping = self.free
            found -= (2 * math.pi * plasma) ** 2 / (w * w - 1j * damping * w)
        for resonance, strength, damping in self.bound:
            square = (2 * math.pi * resonance) ** 2
            found += strength * square / (square - w * w + 1j * damping * w)
        return found


def fit_poles(
    frequency: Array, epsilon: Complex, most: int = 6, tolerance: float = 0.01
) -> PoleFit:
    """The fit with the fewest poles whose error is below the tolerance, or else the best.

    Parameters
    ----------
    frequency : (n,) cycles per unit of time, ascending, > 0.
    epsilon : (n,) of fields that go as exp(i w t), not 0.
    most : poles at most; free charges count as one.
    """
    scale = float(np.sqrt(frequency[0] * frequency[-1]))
    x = frequency / scale
    metal = epsilon[0].real < 0
    found: list[PoleFit] = []
    start = [math.log(max(epsilon[-1].real - 1, 0.1))]
    start += [math.log(math.sqrt(max(1 - epsilon[0].real, 1.0)) * x[0]), 0.0] if metal else []
    numbers, error = _refined(x, epsilon, np.array(start), metal)
    found.append(_fit_of(numbers, metal, scale, error))
    while error > tolerance and metal + len(found[-1].bound) < most:
        numbers, error = _with_another(x, epsilon, numbers, metal)
        found.append(_fit_of(numbers, metal, scale, error))
    return next((fit for fit in found if fit.error <= tolerance), min(found, key=lambda f: f.error))


def _values(x: Array, numbers: Array, metal: bool) -> tuple[Complex, Complex]:
    """(n,) epsilon at frequencies x, with damping in cycles, and (n, p) how it changes with each of
    the logarithms."""
    e, *rest = np.exp(np.clip(numbers, -_LARGEST_LOGARITHM, _LARGEST_LOGARITHM))
    found = np.full(x.shape, 1 + e, np.complex128)
    slopes = [np.full(x.shape, e, np.complex128)]
    if metal:
        plasma, damping, *rest = rest
        over = x * x - 1j * damping * x
        charges = -(plasma**2) / over
        found += charges
        slopes += [2 * charges, charges * 1j * damping * x / over]
    for i in range(0, len(rest), 3):
        resonance, strength, damping = rest[i : i + 3]
        over = resonance**2 - x * x + 1j * damping * x
        pole = strength * resonance**2 / over
        found += pole
        slopes += [2 * pole * (1 - resonance**2 / over), pole, -pole * 1j * damping * x / over]
    return found, np.stack(slopes, axis=1)


def _misfit(x: Array, epsilon: Complex, numbers: Array, metal: bool) -> tuple[Array, Array]:
    """(2 n,) real and imaginary part of what is wrong, in parts of the size, and (2 n, p) how that
    changes."""
    found, slopes = _values(x, numbers, metal)
    size = np.abs(epsilon)
    off, turned = (found - epsilon) / size, slopes / size[:, None]
    return np.concatenate([off.real, off.imag]), np.concatenate([turned.real, turned.imag])


def _refined(x: Array, epsilon: Complex, numbers: Array, metal: bool) -> tuple[Array, float]:
    """The numbers after Levenberg's and Marquardt's rounds, and the error."""
    damping = 1e-2
    off, jacobian = _misfit(x, epsilon, numbers, metal)
    square = float(off @ off)
    for _ in range(_MOST_ROUNDS):
        normal, slope = jacobian.T @ jacobian, jacobian.T @ off
        size = np.diag(normal) + _LEAST * (1 + float(np.trace(normal)))
        while damping < _MOST_DAMPING:
            # Numbers without effect leave the equations singular.
            way, *_ = np.linalg.lstsq(normal + damping * np.diag(size), slope, rcond=None)
            tried = numbers - way
            now, turned = _misfit(x, epsilon, tried, metal)
            if float(now @ now) < square:
                break
            damping *= 4
        else:
            break
        fall = 1 - float(now @ now) / square
        numbers, off, jacobian, damping = tried, now, turned, damping / 5
        square = float(now @ now)
        if fall < _SETTLED:
            break
    return numbers, math.sqrt(square / len(x))


def _with_another(x: Array, epsilon: Complex, numbers: Array, metal: bool) -> tuple[Array, float]:
    """The best with one resonance more, which begins where the misfit is largest or elsewhere."""
    off = np.abs(epsilon - _values(x, numbers, metal)[0]) / np.abs(epsilon)
    places = [x[int(np.argmax(off))], *np.quantile(x, _PLACES), 2 * x[-1]]
    strength = max(float(off.max()), _LEAST)
    # What has all but vanished while poles were missing would stay so.
    known = [max(numbers[0], math.log(_FRESH)), *numbers[1:]]
    tries = [
        _refined(x, epsilon, np.array([*known, *np.log([at, strength, width * at])]), metal)
        for at in places
        for width in _WIDTHS
    ]
    return min(tries, key=lambda found: found[1])


def _fit_of(numbers: Array, metal: bool, scale: float, error: float) -> PoleFit:
    e, *rest = np.exp(np.clip(numbers, -_LARGEST_LOGARITHM, _LARGEST_LOGARITHM)).tolist()
    free = None
    if metal:
        plasma, damping, *rest = rest
        free = plasma * scale, 2 * math.pi * damping * scale
    bound = tuple(
        (rest[i] * scale, rest[i + 1], 2 * math.pi * rest[i + 2] * scale)
        for i in range(0, len(rest), 3)
    )
    return PoleFit(1 + e, free, bound, error)
