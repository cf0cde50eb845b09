"""How much room a wave takes: the mode volume, in two dimensions an area.

    V = int eps |E|^2 dA / max (eps |E|^2),

with E the complex amplitude of the solver's scalar field, Ez of light, and eps what belongs to it
in its energy; of elastic waves it is that of density |v|^2.  The largest value is that of the
polynomials, and not of their nodes.  The integral
goes over the elements that are given: of a mode that radiates it grows with the domain, and the
number says something only where little lies far out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Complex
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.physics.operator.operator import Operator

#: Elements with the largest nodal values, in which the largest value is looked for.
_ELEMENTS = 16
#: Intervals of a lattice across one, and of those round the best, the first of which is smaller by
#: a factor, as each other is than that before it; and how many there are in all.
_ACROSS, _AROUND, _CLOSER, _TIMES = 12, 6, 0.5, 14
#: An element whose best is below this part of the best of all so far cannot have the largest.
_CANNOT = 0.5


def mode_volume(
    operator: Operator, amplitudes: Complex, elements: NDArray[np.int32] | None = None
) -> float:
    """V of amplitudes at nodes, in units of area; 0 where there is no field.

    Parameters
    ----------
    amplitudes : (n_pinged, n, nodes_per_element) of the fields that a ping adds to.
    elements : (n,) of which those are; None for all.
    """
    d = operator.discretization
    chosen = np.arange(d.n_elements) if elements is None else np.asarray(elements)
    seen = np.array([operator.fields.names.index(name) for name in operator.pinged])
    parts = np.zeros((2, len(operator.fields.names), *d.shape))
    for part, values in zip(parts, (amplitudes.real, amplitudes.imag), strict=True):
        part[np.ix_(seen, chosen)] = values
    densities = np.concatenate([operator.densities(part)[seen] for part in parts])
    field = parts[:, seen].reshape(-1, *d.shape)
    energy = sum(
        float((part * d.apply_mass(density))[chosen].sum())
        for part, density in zip(field, densities, strict=True)
    )
    if energy <= 0:
        return 0.0
    squares = (field * densities).sum(axis=0)
    order = np.argsort(squares.max(axis=1))[::-1]
    among = order[:_ELEMENTS]
    return energy / _largest(d, field[:, among], densities[:, among])


def _lattice(across: int) -> Array:
    """(n, 3) barycentric coordinates."""
    steps = np.linspace(0.0, 1.0, across + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    return np.stack([u, v, 1 - u - v], axis=1)[u + v < 1 + 1e-12]


def _largest(d: Discretization, field: Array, densities: Array) -> float:
    """The largest sum of products of parts (k, n, nodes) on some elements."""
    middle = np.full((field.shape[1], 3), 1 / 3)
    best = np.zeros(len(middle))
    around = _lattice(_ACROSS) - middle[0]
    for time in range(_TIMES):
        places = middle[:, None] + around  # (n, points, 3)
        weights = interpolation_weights(d.element, 2 * places.reshape(-1, 3)[:, :2] - 1)
        weights = weights.reshape(*places.shape[:2], -1)
        parts = (np.einsum("epn,ken->kep", weights, of) for of in (field, densities))
        values = np.prod(list(parts), axis=0).sum(axis=0)
        values[(places < -1e-12).any(axis=2)] = -np.inf
        at = values.argmax(axis=1)
        rows = np.arange(len(at))
        best, middle = np.maximum(best, values[rows, at]), places[rows, at]
        kept = best > _CANNOT * best.max()
        best, middle, field, densities = (
            best[kept],
            middle[kept],
            field[:, kept],
            densities[:, kept],
        )
        around = _CLOSER * (around if time else _lattice(_AROUND) - 1 / 3)
    return float(best.max())
