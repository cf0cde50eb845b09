"""A cavity filled with a dispersive medium."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wavelab.arrays import Complex
from wavelab.scene.model.shapes import Point
from wavelab.scene.poles import Debye, Drude, Lorentz, Pole
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.scenes import rectangle, stepped_locally

#: Wave number squared of the mode sin(pi x) sin(pi y).
WAVE_NUMBER_SQUARED = 2 * math.pi**2


def characteristic(epsilon: float, poles: Sequence[Pole]) -> tuple[np.poly1d, np.poly1d]:
    """Polynomials in s: the denominator of the Laplace transform of the mode's amplitude, whose
    roots are the resonances of the cavity, and the numerator, for Ez = 1 and nothing else at first.

    s epsilon(s) E + k^2 / s E = epsilon(infinity).
    """
    above, below = np.poly1d([epsilon]), np.poly1d([1.0])
    for pole in poles:
        p, q = _ratio(pole)
        above, below = above * q + p * below, below * q
    denominator = np.poly1d([1, 0, 0]) * above + WAVE_NUMBER_SQUARED * below
    return denominator, epsilon * np.poly1d([1, 0]) * below


def cavity_response(epsilon: float, poles: Sequence[Pole]) -> tuple[Complex, Complex]:
    """Complex resonances r and weights w: the amplitude is the sum of w exp(r t)."""
    denominator, numerator = characteristic(epsilon, poles)
    # Free charges without losses put the same root at 0 above and below the line.
    roots = denominator.roots[np.abs(denominator.roots) > 1e-6]
    return roots, numerator(roots) / denominator.deriv()(roots)


def _ratio(pole: Pole) -> tuple[np.poly1d, np.poly1d]:
    """What a pole adds to epsilon, as a ratio of polynomials of s = i w."""
    match pole:
        case Drude(frequency, damping):
            return np.poly1d([(2 * np.pi * frequency) ** 2]), np.poly1d([1, damping, 0])
        case Lorentz(frequency, strength, damping):
            square = (2 * np.pi * frequency) ** 2
            return np.poly1d([strength * square]), np.poly1d([1, damping, square])
        case Debye(strength, relaxation):
            return np.poly1d([strength]), np.poly1d([relaxation, 1])
    raise TypeError(f"no ratio is known of {pole}")


_EPSILON = 1.5
_POLES = (Drude(0.4, 0.3), Lorentz(0.8, 0.5, 0.1), Debye(0.7, 0.2))


def dispersive(*, magnetic: bool = False, speck: Point | None = None) -> Measure:
    """The rate with which Ez approaches the sum over the resonances.

    Parameters
    ----------
    magnetic : whether mu has the poles, and it is H that begins at 1, between magnetic walls: with
        Ez and H in each other's place the equations of the mode are the same.
    speck : where a few elements are small, see :func:`stepped_locally`; None for nowhere.
    """
    amplitude = "+".join(
        f"({w.real!r}*cos({r.imag!r}*t) - {w.imag!r}*sin({r.imag!r}*t))*exp({r.real!r}*t)"
        for r, w in zip(*(v.tolist() for v in cavity_response(_EPSILON, _POLES)), strict=True)
    )
    cavity = _MAGNETIC_CAVITY if magnetic else _CAVITY
    tables = cavity.format(value=_EPSILON, amplitude=amplitude, poles=_POLES_TABLE)
    return converging(lambda: stepped_locally(rectangle(tables, size=0.12, until=1), speck))


_POLES_TABLE = """[
    { kind = "drude", frequency = 0.4, damping = 0.3 },
    { kind = "lorentz", frequency = 0.8, strength = 0.5, damping = 0.1 },
    { kind = "debye", strength = 0.7, relaxation = 0.2 },
]"""
_CAVITY = """
[background]
epsilon = {value}
poles = {poles}
[initial]
ez = "sin(pi*x)*sin(pi*y)"
[exact]
ez = "sin(pi*x)*sin(pi*y)*({amplitude})"
"""
_MAGNETIC_CAVITY = """
[background]
mu = {value}
magnetic_poles = {poles}
[[walls]]
edges = ["domain"]
kind = "magnetic"
[initial]
hx = "cos(pi*x)*sin(pi*y)"
hy = "-sin(pi*x)*cos(pi*y)"
[exact]
hx = "cos(pi*x)*sin(pi*y)*({amplitude})"
hy = "-sin(pi*x)*cos(pi*y)*({amplitude})"
"""
