"""Values on the two sides of every face."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization

Array = NDArray[np.float64]


def inside_trace(discretization: Discretization, values: Array) -> Array:
    """Nodal values on the faces: (n_elements, nodes) -> (n_elements, 3, nodes_per_face)."""
    return values[:, discretization.element.face_nodes]


def outside_trace(discretization: Discretization, trace: Array) -> Array:
    """What the neighbour publishes on each face, node by node; a boundary face sees its own.

    Parameters
    ----------
    trace : (n_elements, 3, nodes_per_face), as :func:`inside_trace` gives.
    """
    c = discretization.connectivity
    across = trace[c.neighbor_element, c.neighbor_face][:, :, ::-1]
    return np.where(c.is_boundary[:, :, None], trace, across)
