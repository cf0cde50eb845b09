"""The exact mode of a bent strip of glass: what its bend takes from a wave for an angle.

A mode that goes round a circle is E(r) exp(i nu phi - i w t), with

    (r d/dr)^2 E + k^2 epsilon(r) r^2 E = nu^2 E,

E and dE/dr continuous and outgoing far away.  nu is complex: the wave loses exp(-2 Im(nu) angle) of
its power to what leaves on the outer side, where it would have to be faster than light.  The
equation is solved by Chebyshev collocation on pieces, the outermost of which runs into the complex
plane, where an outgoing wave decays (W. P. Chew and W. H. Weedon, Microwave and Optical Technology
Letters 7, 599, 1994).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Degree on each piece; width of the piece of air outside, and of that in the complex plane, in
#: wavelengths, and how steeply this one turns away.
_DEGREE, _AIR, _LAYER, _STEEP = 40, 1.0, 2.0, 3.0


def azimuthal_number(
    radius: float, width: float, epsilon: float, frequency: float = 1.0
) -> complex:
    """nu of the mode that loses least, of a strip in air.

    Parameters
    ----------
    radius : of its middle line, more than half its width.
    """
    k = 2 * math.pi * frequency
    inner, outer, far = (
        radius - width / 2,
        radius + width / 2,
        radius + width / 2 + _AIR / frequency,
    )
    pieces = [
        (max(0.02 * radius, inner - 1.2 / frequency), inner, 1.0),
        (inner, outer, epsilon),
        (outer, far, 1.0),
        (far, far + _LAYER / frequency, 1.0),
    ]
    n = _DEGREE + 1
    matrix = np.zeros((4 * n, 4 * n), complex)
    kept = np.eye(4 * n, dtype=complex)
    slopes = []
    for number, (start, end, of_piece) in enumerate(pieces):
        x, slope = _chebyshev(start, end)
        depth = (x - start) * (number == 3)
        turned = 1j * _STEEP * depth / (end - start)
        r = x + turned * depth
        slope = slope / (1 + 2 * turned)[:, None]
        here = slice(number * n, (number + 1) * n)
        step = r[:, None] * slope
        matrix[here, here] = step @ step + np.diag(k**2 * of_piece * r**2)
        slopes.append(slope)
    for number in range(3):
        end, start = number * n, (number + 2) * n - 1  # points run from the end of a piece
        matrix[[end, start]] = kept[[end, start]] = 0
        matrix[end, [end, start]] = 1, -1
        matrix[start, number * n : (number + 1) * n] = slopes[number][0]
        matrix[start, (number + 1) * n : (number + 2) * n] = -slopes[number + 1][-1]
    for edge in (n - 1, 3 * n):
        matrix[edge] = kept[edge] = 0
        matrix[edge, edge] = 1
    # Of the guided wave on a straight strip nu would be between k r and k r sqrt(epsilon).
    shift = (k * radius) ** 2 * (1 + epsilon) / 2
    inverse = np.linalg.eigvals(np.linalg.solve(matrix - shift * kept, kept))
    squares = shift + 1 / inverse[np.abs(inverse) > 1e-12]
    numbers = np.sqrt(squares)
    numbers = np.where(numbers.imag < 0, -numbers, numbers)
    guided = numbers[(numbers.real > k * radius) & (numbers.real < k * outer * math.sqrt(epsilon))]
    return complex(guided[np.argmin(guided.imag)])


def _chebyshev(start: float, end: float) -> tuple[Array, Array]:
    """Points from the end to the start, and the derivative there (L. N. Trefethen, Spectral Methods
    in MATLAB, chapter 6)."""
    j = np.arange(_DEGREE + 1)
    x = np.cos(np.pi * j / _DEGREE)
    weight = np.where((j == 0) | (j == _DEGREE), 2.0, 1.0) * (-1.0) ** j
    apart = x[:, None] - x + np.eye(_DEGREE + 1)
    slope = weight[:, None] / weight / apart
    slope -= np.diag(slope.sum(axis=1))
    return (start + end) / 2 + (end - start) / 2 * x, 2 * slope / (end - start)
