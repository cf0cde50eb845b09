"""A mesh dealt out to ranks: what each computes, and what it is told by others.

Elements meet only through what they publish at their faces.  So a rank has elements of its own,
and beside them a halo, the elements of others behind its borders, of which nothing is computed:
what those publish is written where the own ones look for it.

A rank's elements lie in this order, the curved ones last as everywhere:

    straight ones with neighbours on other ranks | other straight ones | the halo | curved ones

so that the second kind can be computed while the halo is on its way.  Curved ones come last in the
halo, too.  Where fields are complex both copies of an element are on one rank, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.connectivity import Connectivity
from wavelab.numerics.mesh.partitioning import partitioned
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations

#: What elements cost, in tenths of a straight one: curved ones, and for each field or variable
#: that auxiliary equations advance there (docs/ranks.md says what was measured).
_STRAIGHT, _CURVED, _VARIABLE = 10, 150, 1

#: Elements and their faces, (n,) each.
FaceList = tuple[Indices, Indices]


@dataclass(frozen=True, eq=False)
class Subdomain:
    """What one rank has of a mesh.

    Attributes
    ----------
    elements : (n_local,) which element of the mesh each of its own is, the halo among them.
    n_border, n_straight, n_halo : how many are straight with neighbours elsewhere, straight at
        all, and in the halo.
    sends, receives : by rank, faces of own elements that it is told of, and of the halo that it
        tells of; in the same order on both sides.
    """

    rank: int
    elements: Indices
    n_border: int
    n_straight: int
    n_halo: int
    sends: Mapping[int, FaceList]
    receives: Mapping[int, FaceList]

    @property
    def halo(self) -> slice:
        """Where the halo is among its elements."""
        return slice(self.n_straight, self.n_straight + self.n_halo)

    @property
    def own(self) -> Mask:
        """(n_local,) which are its own."""
        own = np.ones(len(self.elements), dtype=bool)
        own[self.halo] = False
        return own

    @property
    def origin(self) -> Indices:
        """(n_local,) as ``elements``, but -1 in the halo."""
        return np.where(self.own, self.elements, -1)

    @property
    def mine(self) -> Indices:
        """(n_own,) which elements of the mesh are its own, in its order."""
        return self.elements[self.own]

    def place(self, n_elements: int) -> Indices:
        """(n_elements,) where each element of the mesh is here, -1 for those of others."""
        place = np.full(n_elements, -1, np.int64)
        place[self.mine] = np.flatnonzero(self.own)
        return place


def subdomains(
    d: Discretization,
    equations: Sequence[AuxiliaryEquations],
    n_ranks: int,
    clusters: Clusters | None = None,
) -> list[Subdomain]:
    """A mesh dealt out by what its elements cost.

    Parameters
    ----------
    clusters : with local time stepping, where borders had better lie between slow elements: what
        fast ones say is exchanged at each of their steps.

    Raises
    ------
    WavelabError : there are fewer elements than ranks.
    """
    seen, cost = d.seen, d.real_part(costs(d, equations, clusters))
    centers = seen.mesh.vertices[seen.mesh.triangles].mean(axis=1)
    steps = None if clusters is None else d.real_part(clusters.ticks >> clusters.levels)
    owner = partitioned(seen.connectivity.neighbor_element, cost, centers, n_ranks, steps)
    owner = np.repeat(owner, d.copies)
    return [subdomain_of(d, owner, rank) for rank in range(n_ranks)]


def costs(
    d: Discretization,
    equations: Sequence[AuxiliaryEquations],
    clusters: Clusters | None = None,
) -> Indices:
    """(n_elements,) of a step, in whole numbers; with local time stepping of a macro step, in which
    each cluster takes twice as many steps as the next slower one."""
    cost = np.full(d.n_elements, _STRAIGHT)
    cost[d.first_curved :] = _CURVED
    for e in equations:
        cost[e.elements] += _VARIABLE * (len(e.driven) + len(e.variables))
    if clusters is not None:
        cost *= clusters.ticks >> clusters.levels
    return cost


def subdomain_of(d: Discretization, owner: Indices, rank: int) -> Subdomain:
    """What a rank has.

    Parameters
    ----------
    d : of the mesh, or of a part that has the rank's own elements and all their neighbours, in the
        order of the whole.
    owner : (n_elements,) whose each element is.
    """
    c, mine = d.connectivity, owner == rank
    cut = mine[:, None] & (owner[c.neighbor_element] != rank)
    halo = np.unique(c.neighbor_element[cut])
    own = np.flatnonzero(mine)
    straight, curved = np.split(own, [np.searchsorted(own, d.first_curved)])
    at_border = cut[straight].any(axis=1)
    border = straight[at_border]
    elements = np.concatenate([border, straight[~at_border], halo, curved])
    local = np.full(d.n_elements, -1, np.int64)
    local[elements] = np.arange(len(elements))
    element, face = np.nonzero(cut)
    sends, receives = {}, {}
    for other in np.unique(owner[halo]).tolist():
        met = owner[c.neighbor_element[element, face]] == other
        sends[other] = local[element[met]], face[met]
        receives[other] = _behind(c, element[met], face[met], local)
    return Subdomain(rank, elements, len(border), len(straight), len(halo), sends, receives)


def _behind(c: Connectivity, element: Indices, face: Indices, local: Indices) -> FaceList:
    """The faces of the neighbours, in the order in which these find them."""
    there, there_face = c.neighbor_element[element, face], c.neighbor_face[element, face]
    order = np.lexsort((there_face, there))
    return local[there[order]], there_face[order].astype(np.int64)
