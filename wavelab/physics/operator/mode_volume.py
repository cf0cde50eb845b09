"""How much room a wave takes: the mode volume, in two dimensions an area.

    V = int eps |E|^2 dA / max (eps |E|^2),

with E the complex amplitude of the solver's scalar field, Ez of light, and eps what belongs to it
in its energy.  The largest value is that of the polynomials, and not of their nodes.  The integral
goes over the elements that are given: of a mode that radiates it grows with the domain, and the
number says something only where little lies far out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.physics.operator.flux_densities import flux_density
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import each_field

#: Elements with the largest nodal values, in which the largest value is looked for; points of a
#: lattice across one, and times that it is drawn closer round the best, by a factor.
_ELEMENTS, _ACROSS, _TIMES, _CLOSER = 16, 12, 8, 0.3


def mode_volume(
    operator: MaxwellTM, ez: Complex, elements: NDArray[np.int32] | None = None
) -> float:
    """V of amplitudes at nodes, in units of area; 0 where there is no field.

    Parameters
    ----------
    ez : (n, nodes_per_element).
    elements : (n,) of which those are; None for all.
    """
    d = operator.discretization
    chosen = np.arange(d.n_elements) if elements is None else np.asarray(elements)
    field = np.zeros((2, *d.shape))
    field[:, chosen] = ez.real, ez.imag
    densities = np.array([_density(operator, part) for part in field])
    energy = sum(
        float((part * d.apply_mass(density))[chosen].sum())
        for part, density in zip(field, densities, strict=True)
    )
    if energy <= 0:
        return 0.0
    squares = (field * densities).sum(axis=0)
    order = np.argsort(squares.max(axis=1))[::-1]
    largest = max(_largest(d, field[:, k], densities[:, k]) for k in order[:_ELEMENTS])
    return energy / largest


def _density(operator: MaxwellTM, ez: Array) -> Array:
    density = operator.epsilon[:, None] * ez
    for name, profile in each_field(operator.media):
        if name == "ez":
            density[profile.elements] = flux_density(profile, ez[profile.elements], 0.0)
    return density


def _largest(d: Discretization, field: Array, densities: Array) -> float:
    """The largest sum of products of two parts (2, nodes) each on one element."""
    steps = np.linspace(0.0, 1.0, _ACROSS + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    lattice = np.stack([u, v, 1 - u - v], axis=1)[u + v < 1 + 1e-12]
    middle, best = np.full(3, 1 / 3), 0.0
    around = lattice - middle
    for time in range(_TIMES):
        places = middle + _CLOSER**time * around
        places = places[(places > -1e-12).all(axis=1)]
        weights = interpolation_weights(d.element, 2 * places[:, :2] - 1)
        values = ((weights @ field.T) * (weights @ densities.T)).sum(axis=1)
        best = max(best, float(values.max()))
        middle = places[values.argmax()]
    return best
