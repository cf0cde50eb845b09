"""Fields that are continuous: which nodes of a mesh share a value, through glued edges too.

On both sides of a face the nodes lie at the same places, so a field is continuous there if their
values agree.  In what repeats itself, with the lattice vector t from one edge to the other that it
is glued to, a Bloch wave of wavevector k obeys u(x + t) = exp(i k.t) u(x) instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization

#: Nodes further apart than this, in parts of the size of the mesh, are at two places.
_APART = 1e-7


@dataclass(frozen=True, eq=False)
class ConformingNodes:
    """The nodes of all elements as those of one continuous field.

    Attributes
    ----------
    unknown : (n_elements, nodes_per_element) number of the value that each node has.
    count : how many values there are.
    shift : (n_elements, nodes_per_element, 2) from the place that the value belongs to, to that of
        the node: 0 but behind glued edges, where it is a lattice vector.
    """

    unknown: NDArray[np.int64]
    count: int
    shift: Array

    def phases(self, k: Array) -> NDArray[np.complex128]:
        """(n_elements, nodes_per_element) what the value is multiplied with at each node, for a
        Bloch wave of wavevector ``k`` (2,), in radians per length."""
        return np.asarray(np.exp(1j * (self.shift @ k)))


def conforming_nodes(d: Discretization) -> ConformingNodes:
    """Which nodes are one, found across all faces; nodes on both sides of a wall stay apart."""
    here, across = _meeting(d)
    label = np.arange(d.x.size)
    # Labels run from node to node around each vertex, so a few rounds are enough.
    while True:
        least = np.minimum(label[here], label[across])
        before = label.copy()
        np.minimum.at(label, here, least)
        np.minimum.at(label, across, least)
        label = label[label]
        if np.array_equal(label, before):
            break
    owners, unknown = np.unique(label, return_inverse=True)
    places = np.stack([d.x.ravel(), d.y.ravel()], axis=1)
    shift = places - places[label]
    size = float(np.ptp(places, axis=0).max())
    shift[np.abs(shift).max(axis=1) < _APART * size] = 0.0
    return ConformingNodes(unknown.reshape(d.shape), len(owners), shift.reshape(*d.shape, 2))


def _meeting(d: Discretization) -> tuple[Indices, Indices]:
    """Flat numbers of nodes that meet across a face."""
    c, nodes = d.connectivity, d.element.face_nodes
    element, face = np.nonzero(~c.is_boundary)
    other, other_face = c.neighbor_element[element, face], c.neighbor_face[element, face]
    here = element[:, None] * d.nodes_per_element + nodes[face]
    across = other[:, None].astype(np.int64) * d.nodes_per_element + nodes[other_face][:, ::-1]
    return here.ravel(), across.ravel()
