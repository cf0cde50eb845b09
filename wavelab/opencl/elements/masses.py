"""The mass matrices of some elements, curved ones among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization


def masses(d: Discretization, elements: Indices) -> tuple[Array, NDArray[np.int32], Array]:
    """(n_masses, nodes_per_element, nodes_per_element) the matrix of all straight elements and one
    for each curved one; (n,) which of them an element has; (n,) what that is multiplied with."""
    found, which = d.element.mass[None], np.zeros(len(elements), dtype=np.int32)
    scale = d.geometry.jacobian[elements]
    if d.curved is not None:
        bent = np.flatnonzero(elements >= d.curved.first)
        found = np.concatenate([found, d.curved.mass[elements[bent] - d.curved.first]])
        which[bent], scale[bent] = 1 + np.arange(len(bent)), 1.0
    return found, which, scale
