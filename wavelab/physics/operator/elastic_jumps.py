"""What the flux of elastic waves takes between elements and at walls, and what walls take.

With the velocity v and the traction s of each of the two waves that travel across a face, the one
along its normal and the one along its tangent,

    upwind = sum over inner faces    a int ([v]^2 Z- Z+ + [s]^2) / (Z- + Z+)
           + sum over outer faces    a int Z (m - R p)^2
    wall   = sum over outer faces    a int Z (1 - R^2) p^2

where p = (v - s / Z) / 2 runs into a wall and m = (v + s / Z) / 2 comes out of it: the balance of
:mod:`wavelab.physics.power.power` for each, with v for Ez and s for H.  What follows from the
operator alone is found once, and every inner face is seen from one of its sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import (
    Faces,
    edge_mass,
    face_squares,
    point_normals,
    to_points,
)
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.elastic_flux import face_upwinding, face_weights
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.jumps import turned_faces


@dataclass(frozen=True)
class _Side:
    """Values on one side of some faces, point by point as seen from the first side.

    Attributes
    ----------
    nodes : (n, nodes_per_face) flat indices.
    to_points : (n, nodes_per_face, nodes_per_face) from nodes to the points of bent faces; None
        where these are the nodes.
    """

    nodes: NDArray[np.intp]
    to_points: Array | None

    def values(self, nodal: Array) -> Array:
        """(n, nodes_per_face) of a nodal field."""
        found = nodal.take(self.nodes)
        if self.to_points is None:
            return found
        return (self.to_points @ found[:, :, None])[:, :, 0]


@dataclass(frozen=True)
class _Phased:
    """A side whose complex field gets a phase on its way across a glued edge.

    Attributes
    ----------
    side : where the field of the same part, real or imaginary, is.
    other : where that of the other part is.
    cosine, sine : (n, 1) what the two are multiplied with.
    """

    side: _Side
    other: _Side
    cosine: Array
    sine: Array

    def values(self, nodal: Array) -> Array:
        """(n, nodes_per_face) of a nodal field."""
        return self.cosine * self.side.values(nodal) + self.sine * self.other.values(nodal)


@dataclass(frozen=True)
class _Squares:
    """Integrals of squares over some faces.

    Attributes
    ----------
    factor : Cholesky factor of the mass matrix of a straight face; None where some are bent.
    lengths : (n,) half of each length, of straight faces.
    """

    discretization: Discretization
    faces: Faces
    factor: Array | None
    lengths: Array

    def __call__(self, values: Array) -> Array:
        """(n,) from (n, nodes_per_face)."""
        if self.factor is None:
            return face_squares(self.discretization, values, self.faces, at_points=True)
        scaled = values @ self.factor
        return np.einsum("fi,fi->f", scaled, scaled) * self.lengths


@dataclass(frozen=True)
class _Group:
    """Faces that are all straight, or may be bent.

    Attributes
    ----------
    faces : numbers of the elements and of their faces.
    normal_x, normal_y : (n, nodes_per_face) or (n, 1).
    beyond : the same of the other side, where that is turned, as at glued edges that are no
        parallels; None where it is one face.
    """

    faces: Faces
    here: _Side
    across: _Side | _Phased | None
    normal_x: Array
    normal_y: Array
    squares: _Squares
    beyond: tuple[Array, Array] | None = None

    def states(self, fields: Fields) -> tuple[Array, Array]:
        """(2, n, nodes_per_face) velocity and traction, along the normal and along the tangent,
        (-ny, nx); of two sides, their differences."""
        here, across = self.here, self.across
        parts = [here.values(u) for u in fields.arrays]
        if across is not None and self.beyond is not None:
            velocity, traction = _along(parts, self.normal_x, self.normal_y)
            v, t = _along([across.values(u) for u in fields.arrays], *self.beyond)
            return velocity + v, traction - t
        if across is not None:
            for part, u in zip(parts, fields.arrays, strict=True):
                part -= across.values(u)
        return _along(parts, self.normal_x, self.normal_y)


def _along(parts: Sequence[Array], nx: Array, ny: Array) -> tuple[Array, Array]:
    """(2, n, nodes_per_face) velocity and traction along a normal and its tangent."""
    vx, vy, sxx, syy, sxy = parts
    tx, ty = sxx * nx + sxy * ny, sxy * nx + syy * ny
    return (
        np.stack([nx * vx + ny * vy, nx * vy - ny * vx]),
        np.stack([nx * tx + ny * ty, nx * ty - ny * tx]),
    )


@dataclass(frozen=True)
class ElasticFaces:
    """All faces of a problem."""

    operator: ElasticPSV

    def loss(self, fields: Fields) -> float:
        """Power that the flux takes, ``upwind``."""
        return self._between(fields) + self._at_walls(fields)[1]

    def wall_loss(self, fields: Fields) -> float:
        """Power that the walls take, ``wall``."""
        return self._at_walls(fields)[0]

    def _between(self, fields: Fields) -> float:
        total = 0.0
        for group, of_velocity, of_traction in self._inner:
            velocity, traction = group.states(fields)
            for i in range(2):
                total += float(group.squares(velocity[i]) @ of_velocity[:, i])
                total += float(group.squares(traction[i]) @ of_traction[:, i])
        return total

    def _at_walls(self, fields: Fields) -> tuple[float, float]:
        """What they take, and what the flux does."""
        wall = upwind = 0.0
        for group, z, r, share in self._outer:
            velocity, traction = group.states(fields)
            for i in range(2):
                v = z[:, i, None] * velocity[i]
                into, out = (v - traction[i]) / 2, (v + traction[i]) / 2
                taken = group.squares(into) * (1 - r[:, i] ** 2)
                wall += float(share[:, i] @ taken)
                upwind += float(share[:, i] @ group.squares(out - r[:, i, None] * into))
        return wall, upwind

    @cached_property
    def _upwinding(self) -> Array:
        return face_upwinding(self.operator)

    @cached_property
    def _inner(self) -> list[tuple[_Group, Array, Array]]:
        """Groups, with (n, 2) weights of the squares of the jumps of velocity and of traction."""
        c, z = self.operator.discretization.connectivity, self.operator.impedances
        number = np.arange(c.neighbor_element.size).reshape(c.neighbor_element.shape)
        once = ~c.is_boundary & (number < 3 * c.neighbor_element + c.neighbor_face)
        weights = self._upwinding * face_weights(self.operator)
        found = []
        for group in self._grouped(np.nonzero(once)):
            element, face = group.faces
            both = z[element] * z[c.neighbor_element[element, face]]
            found.append((group, weights[element, face] * both, weights[element, face]))
        return found

    @cached_property
    def _outer(self) -> list[tuple[_Group, Array, Array, Array]]:
        """Groups, with (n, 2) impedances, reflections, and weights of the squares."""
        found = []
        for group in self._grouped(
            np.nonzero(self.operator.discretization.connectivity.is_boundary)
        ):
            element, face = group.faces
            z, r = self.operator.impedances[element], self.operator.reflection[element, face]
            # Of Z times what travels, so that a fluid, which has no wave along the wall, needs no
            # division.
            share = np.where(z > 0, self._upwinding[element, face] / np.where(z > 0, z, 1.0), 0.0)
            found.append((group, z, r, share))
        return found

    def _grouped(self, faces: Faces) -> list[_Group]:
        """The straight ones, those of curved elements, and those that are turned, where there are
        any."""
        d = self.operator.discretization
        c, first = d.connectivity, d.n_elements if d.curved is None else d.curved.first
        bent = np.maximum(faces[0], c.neighbor_element[faces]) >= first
        turned = ~c.is_boundary[faces] & turned_faces(d, faces)
        return [
            self._group((faces[0][here], faces[1][here]), of_bent, of_turned)
            for of_bent, of_turned in product((False, True), repeat=2)
            if (here := (bent == of_bent) & (turned == of_turned)).any()
        ]

    def _group(self, faces: Faces, bent: bool, turned: bool) -> _Group:
        d = self.operator.discretization
        g, c = d.geometry, d.connectivity
        factor = None
        if not bent:
            factor = np.asarray(np.linalg.cholesky(edge_mass(d)), dtype=np.float64)
        lengths = (g.face_scale * g.jacobian[:, None])[faces]  # half: the reference edge has 2
        normal_x, normal_y = (n[faces] for n in point_normals(d))
        across: _Side | _Phased | None = None
        if not c.is_boundary[faces].any():
            across = self._across(faces, bent)
        beyond = None
        if turned:
            there = c.neighbor_element[faces], c.neighbor_face[faces]
            x, y = point_normals(d)
            beyond = x[there][:, ::-1], y[there][:, ::-1]
        return _Group(
            faces, _side(d, faces, bent), across, normal_x, normal_y,
            _Squares(d, faces, factor, lengths), beyond,
        )  # fmt: skip

    def _across(self, faces: Faces, bent: bool) -> _Side | _Phased:
        d, phases = self.operator.discretization, self.operator.phases
        c = d.connectivity
        there = c.neighbor_element[faces], c.neighbor_face[faces]
        side = _side(d, there, bent, backwards=True)
        if phases is None:
            return side
        # The imaginary part of an element comes right after its real part.
        other = _side(d, (there[0] ^ 1, there[1]), bent, backwards=True)
        sign = np.where(d.is_seen, -1.0, 1.0)[faces[0]]
        turn = phases[faces]
        return _Phased(side, other, np.cos(turn)[:, None], (sign * np.sin(turn))[:, None])


def _side(d: Discretization, faces: Faces, bent: bool, *, backwards: bool = False) -> _Side:
    """The side of an element; ``backwards`` as its neighbour there counts the points."""
    element, face = faces
    nodes = element[:, None] * d.nodes_per_element + d.element.face_nodes[face]
    way = slice(None, None, -1 if backwards else 1)
    if not bent:
        return _Side(nodes[:, way], None)
    return _Side(nodes, to_points(d, faces)[:, way])
