"""A part of an operator that costs a device as much per element, to time kernels with."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.curved_elements import CurvedElements
from wavelab.numerics.mesh.curved_map import CurvedMap
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.media import NO_MEDIA


def patch(operator: MaxwellTM, n_elements: int) -> MaxwellTM:
    """The first elements of an operator, which lie together; the cut is a wall.

    Of curved ones, which come last, there is the same share.  The operator itself if it has no
    more.
    """
    d = operator.discretization
    # The kernels that are tuned know constants only.
    if operator.media:
        operator = replace(operator, media=NO_MEDIA)
    if n_elements >= d.n_elements:
        return operator
    n_curved = -(-n_elements * (d.n_elements - d.first_curved) // d.n_elements)
    kept = np.arange(n_elements)
    kept[n_elements - n_curved :] = d.first_curved + np.arange(n_curved)
    return replace(
        operator,
        discretization=_part(d, kept, n_curved),
        epsilon=operator.epsilon[kept],
        mu=operator.mu[kept],
        sigma=operator.sigma[kept],
        reflection=operator.reflection[kept],
    )


def _part(d: Discretization, kept: np.ndarray, n_curved: int) -> Discretization:
    """Some elements, of which so many are the first curved ones."""
    number = np.full(d.n_elements, -1, dtype=d.connectivity.neighbor_element.dtype)
    number[kept] = np.arange(len(kept))
    near, face = number[d.connectivity.neighbor_element[kept]], d.connectivity.neighbor_face[kept]
    cut = near < 0
    own = np.arange(len(kept), dtype=near.dtype)[:, None]
    return replace(
        d,
        mesh=d.mesh.permuted(kept),
        connectivity=replace(
            d.connectivity,
            neighbor_element=np.where(cut, own, near),
            neighbor_face=np.where(cut, np.arange(3, dtype=face.dtype), face),
        ),
        geometry=type(d.geometry)(
            **{name: values[kept] for name, values in vars(d.geometry).items()}
        ),
        x=d.x[kept],
        y=d.y[kept],
        curved=None if d.curved is None else _first(d.curved, n_curved, len(kept) - n_curved),
    )


def _first(curved: CurvedElements, n: int, first: int) -> CurvedElements:
    """The first n, which come at another place."""
    mapping = CurvedMap(curved.mapping.corners[:n], curved.mapping.bends[:, :n])
    matrices = [getattr(curved, each.name)[:n] for each in fields(CurvedElements)[2:]]
    return CurvedElements(first, mapping, *matrices)
