"""A rank's own part of a mesh that no rank holds all of, until it has a stepper.

The first rank asks for what it has to see itself, an excerpt of the mesh; the media and the walls
of all other elements are known to their own rank alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.meshing.parts.part_files import PartIndex, read_part
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.numerics.mesh.mesh_part import Excerpt, MeshPart
from wavelab.numerics.mesh.polygon import inside_polygon
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.operator.operator import Operator
from wavelab.physics.pml.pml_edges import Side
from wavelab.physics.semi_discrete import operator_of
from wavelab.physics.subdomains.partition import Subdomain, subdomain_of
from wavelab.physics.subdomains.restriction import operator_on
from wavelab.physics.time.crowding import growth_of, spread_once
from wavelab.physics.time.time_step import element_rates, largest
from wavelab.physics.walls.walls import discretized, with_edges_of
from wavelab.ranks.communicator import Communicator
from wavelab.scene.model.scene import Scene

#: Edges of elements around a place that are seen, too: what acts there reaches a little further.
_AROUND = 3


@dataclass(frozen=True)
class Place:
    """Something to be seen.

    Attributes
    ----------
    points : (n, 2) of a line, or of one point.
    reach : distance from it up to which elements are seen, and a few more.
    closed : whether the line is a ring.
    filled : whether what is inside of it is seen.
    """

    points: Array
    reach: float = 0.0
    closed: bool = False
    filled: bool = False


@dataclass(frozen=True)
class Ranked:
    """Some elements by a value, the largest first: values and numbers, (n,) each."""

    values: Array
    numbers: Indices

    @classmethod
    def first(cls, found: Sequence[Ranked], count: int) -> Indices:
        """Numbers of the largest of all; of those that are alike the first in the mesh."""
        values = np.concatenate([each.values for each in found])
        numbers = np.concatenate([each.numbers for each in found])
        return numbers[np.lexsort((numbers, -values))[:count]]


class RankPart:
    """The part of one rank, with the operator of a scene on it.

    Elements are told by their numbers in the discretized mesh, in which the curved ones come last:
    these have the number of elements of the mesh added.

    Parameters
    ----------
    scene : whose walls and media are those of the part.

    Raises
    ------
    MeshError : the part cannot be read.
    """

    def __init__(
        self, communicator: Communicator, directory: Path, index: PartIndex, scene: Scene
    ) -> None:
        self._communicator = communicator
        part = read_part(directory, index, communicator.rank)
        if not scene.solver.curved:
            part = replace(part, mesh=part.mesh.straight())
        d = discretized(scene, part.mesh, in_order=True)
        curved = part.mesh.has_curved_face() if d.curved is not None else np.zeros(len(part.owner))
        order = np.argsort(curved, kind="stable")
        numbers = part.numbers + np.where(curved, part.out_of, 0)
        self._part: MeshPart = replace(
            part, mesh=d.mesh, numbers=numbers[order], owner=part.owner[order]
        )
        self._scene = scene
        self._operator: Operator = operator_of(with_edges_of(scene, d.mesh), d)
        self._rates = element_rates(self._operator)
        owner = self._part.owner.astype(np.int64)
        self._subdomain: Subdomain = subdomain_of(d, owner, part.rank)
        self._own: Mask = self._part.owner == part.rank
        self._seen = np.zeros(d.n_elements, dtype=bool)
        self._growth = self._amount = np.zeros(0)
        self._to = {r: self._met(faces[0]) for r, faces in self._subdomain.sends.items()}
        self._from = {r: self._met(faces[0]) for r, faces in self._subdomain.receives.items()}

    def _met(self, local: Indices) -> Indices:
        return np.unique(self._subdomain.elements[local])

    def does(self, name: str, arguments: Sequence[Any]) -> Any:
        """What a method gives."""
        return getattr(self, name)(*arguments)

    def fastest(self) -> float:
        """Largest of the rates at which waves cross the elements."""
        return float(self._rates[self._own].max())

    def crossed_fastest(self, count: int) -> Ranked:
        """The elements that waves cross fastest."""
        return self._ranked(self._rates, count)

    def decaying_fastest(self, count: int) -> Ranked:
        """Those in which the medium itself takes the fields away."""
        decay = self._operator.decay
        return self._ranked(np.where(decay > 0, decay, -np.inf), count)

    def begin_crowding(self, fastest: float) -> None:
        """Begin what :func:`wavelab.physics.time.crowding.crowding` does on a mesh."""
        self._growth = growth_of(self._rates, fastest)
        self._amount = np.ones(len(self._rates))

    def crowd(self, scale: float) -> float:
        """One step of it, with the numbers divided by ``scale`` before; the largest number then."""
        self._amount /= scale
        self._from_others(self._amount)
        neighbors = self._operator.discretization.connectivity.neighbor_element
        self._amount = spread_once(self._amount, self._growth, neighbors)
        return float(self._amount[self._own].max())

    def most_crowded(self, count: int, scale: float) -> Ranked:
        """Where the numbers are largest."""
        return self._ranked(self._amount / scale, count)

    def excerpt_around(self, numbers: Indices, rings: int) -> Excerpt:
        """The own elements among those with some numbers and rings of neighbours around these."""
        return self._excerpt(self._grown(numbers, rings))

    def see(self, numbers: Indices, rings: int) -> None:
        """Let these be seen."""
        self._seen |= self._grown(numbers, rings)

    def borders(self) -> Excerpt:
        """The own elements at the boundary of the mesh, which are seen, too."""
        boundary = self._operator.discretization.connectivity.is_boundary.any(axis=1) & self._own
        self._seen |= boundary
        return self._excerpt(boundary)

    def see_places(self, places: Sequence[Place], sides: Sequence[Side]) -> None:
        """Let be seen what lies at places and in layers along sides, and of each region what is
        largest and smallest in it, and what conducts so well that it has a medium of its own."""
        d = self._operator.discretization
        mesh = d.mesh
        for place in places:
            self._seen |= _near(mesh, place)
        deep = np.zeros(d.n_elements, dtype=bool)
        for side in sides:
            deep |= side.depth(d.x, d.y).max(axis=1) > 0
        self._seen |= self._grown_from(deep, _AROUND)
        for region in np.unique(mesh.regions[self._own]):
            there = np.flatnonzero(self._own & (mesh.regions == region))
            for sizes in (mesh.longest_edges, -mesh.inradii()):
                self._seen[there[np.argmax(sizes[there])]] = True
        if isinstance(self._operator, MaxwellTM):
            for raised in (self._operator.raised, self._operator.raised_mu):
                if raised is not None:
                    self._seen |= raised > 1

    def excerpt(self) -> Excerpt:
        """The own elements that are seen."""
        return self._excerpt(self._seen)

    def finished(self) -> tuple[Operator, Subdomain, Indices]:
        """The operator of the rank, what it has of the mesh, and where in its own order those
        elements are that are seen."""
        place = np.full(len(self._own), -1, np.int64)
        place[self._subdomain.elements] = np.arange(len(self._own))
        seen = place[np.flatnonzero(self._seen & self._own)]
        return operator_on(self._operator, self._subdomain), self._subdomain, seen

    def _ranked(self, values: Array, count: int) -> Ranked:
        own = np.flatnonzero(self._own)
        found = own[largest(values[own], count)]
        return Ranked(values[found], self._part.numbers[found])

    def _excerpt(self, chosen: Mask) -> Excerpt:
        return self._part.only(np.flatnonzero(chosen & self._own))

    def _grown(self, numbers: Indices, rings: int) -> Mask:
        return self._grown_from(np.isin(self._part.numbers, numbers), rings)

    def _grown_from(self, chosen: Mask, rings: int) -> Mask:
        """These with rings of neighbours, on all ranks together."""
        neighbors = self._operator.discretization.connectivity.neighbor_element
        found = chosen.astype(np.float64)
        for _ in range(rings):
            self._from_others(found)
            found = np.maximum(found, found[neighbors].max(axis=1))
        return found > 0

    def _from_others(self, values: Array) -> None:
        """Values of the halo as those have them that compute it."""
        incoming = {rank: np.empty(len(elements)) for rank, elements in self._from.items()}
        outgoing = {rank: values[elements] for rank, elements in self._to.items()}
        self._communicator.exchange(outgoing, incoming).wait()
        for rank, elements in self._from.items():
            values[elements] = incoming[rank]


def _near(mesh: Mesh, place: Place) -> Mask:
    """(n_elements,) those near a place."""
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    points: NDArray[np.float64] = np.asarray(place.points, np.float64).reshape(-1, 2)
    if place.closed:
        points = np.concatenate([points, points[:1]])
    # The same point twice is no line.
    line = shapely.points(points[0]) if len(points) == 1 else shapely.linestrings(points)
    limit = place.reach + _AROUND * mesh.longest_edges
    low, high = points.min(axis=0), points.max(axis=0)
    chosen = ((middles >= low - limit[:, None]) & (middles <= high + limit[:, None])).all(axis=1)
    rows = np.flatnonzero(chosen)
    near = shapely.distance(shapely.points(middles[rows]), line) <= limit[rows]
    if place.filled:
        near |= inside_polygon(place.points, middles[rows])
    chosen[rows] = near
    return chosen
