"""How well the mesh carries the wave: an error estimate per element, points per wavelength.

The estimate looks at the coefficients of the orthonormal basis.  Those of a resolved field fall
exponentially with the degree, and what the next degrees would have is extrapolated from how they
fall (Mavriplis, *A posteriori error estimators for adaptive spectral element techniques*, 1989).
A single small coefficient, as odd and even fields have, must not feign resolution: the decay is
made monotonic first (the skyline of Kloeckner, Warburton & Hesthaven, *Viscous shock capturing in
a time-explicit discontinuous Galerkin method*, 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.elements.simplex_basis import modes
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.index_factor import index_factor
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.operator import Operator
from wavelab.scene.view.quantities import ERROR_DECADES, ERROR_FLOOR

#: The decay is fitted to this many of the highest degrees.
_FITTED = 4
#: Slowest decay from one degree to the next that is extrapolated; beyond, nothing is resolved.
_SLOWEST = 0.9

#: Order -> points per wavelength that keep the error of a plane wave after ten periods below 1 %
#: and below 10 %.  Measured; docs/accuracy.md has the table and the command.
POINTS_FOR_1_PERCENT = {1: 30.3, 2: 10.6, 3: 7.1, 4: 5.8, 5: 5.7, 6: 5.4, 7: 5.0, 8: 4.5}
POINTS_FOR_10_PERCENT = {1: 13.3, 2: 6.9, 3: 4.9, 4: 4.7, 5: 4.1, 6: 3.9, 7: 3.7, 8: 2.8}


def shells(operator: Operator, fields: Fields) -> Array:
    """(n_elements, order + 1) energy in the modes of each total degree, per area.

    Their sum is the mean energy density of the element.
    """
    element = operator.discretization.element
    degree = np.array([i + j for i, j in modes(element.order)])
    to_modes = element.inverse_vandermonde.T
    density = np.zeros(fields.shape)
    for name, weight in operator.norm.items():
        density += weight[:, None] * (getattr(fields, name) @ to_modes) ** 2
    # The reference triangle has area 2, which cancels the 1/2 of the energy but for one half.
    in_shell = (degree[:, None] == np.arange(element.order + 1)) / 4
    return density @ in_shell


def error_estimate(operator: Operator, fields: Fields) -> Array:
    """(n_elements,) estimated error of the fields on each element, in parts of the strongest.

    It is the square root of the energy per area that the degrees above the order would have, over
    that of the element with most energy per area; 0 where the whole field is 0.
    """
    found = shells(operator, fields)
    total = found.sum(axis=1)
    strongest = float(total.max(initial=0.0))
    if not strongest > 0:
        return np.zeros(len(found))
    amplitude = np.sqrt(found / strongest)
    skyline = _skyline(amplitude)
    order = skyline.shape[1] - 1
    first = max(0, order + 1 - _FITTED)
    degrees = np.arange(first, order + 1) - order
    with np.errstate(divide="ignore"):
        logarithm = np.log(np.maximum(skyline[:, first:], 1e-30))
    centred = degrees - degrees.mean()
    slope = logarithm @ centred / (centred @ centred)
    decay = np.minimum(np.exp(slope), _SLOWEST)
    last = np.exp(logarithm.mean(axis=1) - slope * degrees.mean())
    beyond = np.minimum(last, skyline[:, first]) * decay / np.sqrt(1 - decay**2)
    return np.minimum(beyond, np.sqrt(total / strongest))


def _skyline(amplitude: Array) -> Array:
    """Every degree at least as strong as the higher ones."""
    raised = amplitude.copy()
    if raised.shape[1] > 1:
        # Of a field that is even or odd the last degree alone may vanish.
        raised[:, -1] = np.maximum(raised[:, -1], 1e-6 * raised[:, -2])
    return np.maximum.accumulate(raised[:, ::-1], axis=1)[:, ::-1]


def error_decades(operator: Operator, fields: Fields) -> NDArray[np.float32]:
    """The estimate as it is shown: (n_elements, nodes_per_element), constant on each element,
    decades above ``ERROR_FLOOR`` from 0 to ``ERROR_DECADES``."""
    estimate = np.maximum(error_estimate(operator, fields), ERROR_FLOOR)
    decades = np.clip(np.log10(estimate / ERROR_FLOOR), 0.0, ERROR_DECADES)
    return np.repeat(decades.astype(np.float32)[:, None], fields.ez.shape[1], axis=1)


@dataclass(frozen=True)
class Resolution:
    """Where a frequency is carried worst: nodes per wavelength, wavelength, element."""

    points: float
    wavelength: float
    element: int


def points_per_wavelength(
    operator: Operator, frequency: float, auxiliary_equations: Sequence[AuxiliaryEquations] = ()
) -> Resolution:
    """Of a wave of ``frequency`` on the element that is coarsest for its medium.

    An element of order N has N + 1 points along its longest edge.

    Parameters
    ----------
    auxiliary_equations : of dispersive media, among others.  Where a wave dies away in one, the
    length
        over which it does counts, times 2 pi.
    """
    points, wavelength = points_in_elements(operator, frequency, auxiliary_equations)
    worst = int(np.argmin(points))
    return Resolution(float(points[worst]), float(wavelength[worst]), worst)


def points_in_elements(
    operator: Operator, frequency: float, auxiliary_equations: Sequence[AuxiliaryEquations] = ()
) -> tuple[Array, Array]:
    """(n_elements,) points per wavelength and wavelength in each element, counted the same way."""
    order = operator.discretization.order
    speed = operator.slowest.copy()
    if operator.slowed is not None:
        speed *= np.sqrt(operator.slowed)
    for medium in (e for e in auxiliary_equations if e.kind == "medium"):
        speed[medium.elements] /= np.sqrt(np.abs(index_factor(operator, medium, frequency)))
    wavelength = speed / frequency
    return wavelength * (order + 1) / operator.discretization.mesh.longest_edges, wavelength


def judgement(order: int, points: float) -> str:
    """ "good", "rough" or "too coarse" for that many points per wavelength."""
    measured = min(order, max(POINTS_FOR_1_PERCENT))
    if points >= POINTS_FOR_1_PERCENT[measured]:
        return "good"
    return "rough" if points >= POINTS_FOR_10_PERCENT[measured] else "too coarse"
