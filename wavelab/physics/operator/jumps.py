"""What the upwind flux loses between elements and at reflecting walls, every face seen once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import (
    Faces,
    edge_mass,
    face_squares,
    inside_trace,
    outside_trace,
    tangential,
)
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, taking_walls

#: Components of the normals of two sides that add up to more are not those of one face.
_OPPOSITE = 1e-9


@dataclass(frozen=True)
class InnerFaces:
    """The faces between elements, each from one of its sides.

    Attributes
    ----------
    here, across : (n_straight, nodes_per_face) flat indices of the nodes on both sides.
    normal_x, normal_y : (n_straight, 1) of this side.
    of_e, of_h : (n_straight,) weights of the squares of the jumps of Ez and H.
    factor : Cholesky factor of the mass matrix of a face.
    bent : numbers of the faces of curved elements, and of edges that are glued and turned, on this
        side and on the other, and weights as above.
    """

    operator: MaxwellTM
    here: NDArray[np.intp]
    across: NDArray[np.intp]
    normal_x: Array
    normal_y: Array
    of_e: Array
    of_h: Array
    factor: Array
    bent: tuple[Faces, Faces, Array, Array]

    @classmethod
    def of(cls, operator: MaxwellTM) -> InnerFaces:
        """All of a problem."""
        d = operator.discretization
        c, g = d.connectivity, d.geometry
        number = np.arange(3 * d.n_elements).reshape(d.n_elements, 3)
        inner = ~c.is_boundary & (number < 3 * c.neighbor_element + c.neighbor_face)
        element, face = np.nonzero(inner)
        other, other_face = c.neighbor_element[inner], c.neighbor_face[inner]
        z, z_other = operator.impedance[element], operator.impedance[other]
        of_e = operator.upwinding / (z + z_other)
        of_h = operator.upwinding / (1 / z + 1 / z_other)
        first_bent = d.n_elements if d.curved is None else d.curved.first
        bent = np.maximum(element, other) >= first_bent
        bent |= turned_faces(d, (element, face))
        flat = ~bent
        # Half the length: the reference edge has length 2.
        half = (g.face_scale * g.jacobian[:, None])[element[flat], face[flat]]
        nodes, n = d.element.face_nodes, d.nodes_per_element
        return cls(
            operator,
            element[flat, None] * n + nodes[face[flat]],
            other[flat, None] * n + nodes[other_face[flat]][:, ::-1],
            g.normal_x[element[flat], face[flat], None],
            g.normal_y[element[flat], face[flat], None],
            of_e[flat] * half,
            of_h[flat] * half,
            np.asarray(np.linalg.cholesky(edge_mass(d)), dtype=np.float64),
            (
                (element[bent], face[bent]),
                (other[bent], other_face[bent]),
                of_e[bent],
                of_h[bent],
            ),
        )

    def loss(self, fields: Fields) -> float:
        """Power of all."""
        if self.operator.phases is not None:
            return self._loss_of_complex(fields)
        hx, hy, ez = (
            u.take(self.here) - u.take(self.across) for u in (fields.hx, fields.hy, fields.ez)
        )
        hy *= self.normal_x
        hx *= self.normal_y
        total = self._squares(ez) @ self.of_e + self._squares(hy - hx) @ self.of_h
        return float(total) + self._loss_where_bent(fields)

    def _loss_of_complex(self, fields: Fields) -> float:
        """Every face seen from both sides."""
        d, phases = self.operator.discretization, self.operator.phases
        c, z = d.connectivity, self.operator.impedance
        z_here, z_across = z[:, None], z[c.neighbor_element]
        ez = inside_trace(d, fields.ez)
        h = tangential(d, inside_trace(d, fields.hx), inside_trace(d, fields.hy))
        of_e = face_squares(d, ez - outside_trace(d, ez, phases)) / (z_here + z_across)
        of_h = face_squares(d, h + outside_trace(d, h, phases)) / (1 / z_here + 1 / z_across)
        return float(self.operator.upwinding * (of_e + of_h)[~c.is_boundary].sum() / 2)

    def _squares(self, jump: Array) -> Array:
        scaled = jump @ self.factor
        return np.einsum("fi,fi->f", scaled, scaled)

    def _loss_where_bent(self, fields: Fields) -> float:
        here, across, of_e, of_h = self.bent
        if not len(of_e):
            return 0.0
        d = self.operator.discretization
        ez, h = traces(d, fields, here)
        ez_across, h_across = (trace[:, ::-1] for trace in traces(d, fields, across))
        loss = face_squares(d, ez - ez_across, here) @ of_e
        return float(loss + face_squares(d, h + h_across, here) @ of_h)


def turned_faces(d: Discretization, faces: Faces) -> Mask:
    """(n,) whether the other side of a face lies in another direction, as at glued edges that are
    no parallels: what is a vector has other components there."""
    g, c = d.geometry, d.connectivity
    there = c.neighbor_element[faces], c.neighbor_face[faces]
    apart = [np.abs(n[faces] + n[there]) for n in (g.normal_x, g.normal_y)]
    return np.asarray(np.maximum(*apart) > _OPPOSITE)


@dataclass(frozen=True)
class ReflectingWalls:
    """Walls that take nothing, |R| = 1.

    Attributes
    ----------
    faces : numbers of elements and of their faces.
    impedance, reflection : (n, 1); weights : (n,).
    """

    operator: MaxwellTM
    faces: Faces
    impedance: Array
    reflection: Array
    weights: Array

    @classmethod
    def of(cls, operator: MaxwellTM) -> ReflectingWalls:
        """All of a problem."""
        boundary = operator.discretization.connectivity.is_boundary
        faces = np.nonzero(boundary & ~taking_walls(operator))
        z = operator.impedance[faces[0], None]
        reflection = operator.reflection[faces][:, None]
        return cls(operator, faces, z, reflection, operator.upwinding / z[:, 0])

    def loss(self, fields: Fields) -> float:
        """Power of all: by what the fields there miss the condition of the wall."""
        d = self.operator.discretization
        ez, h = traces(d, fields, self.faces)
        zh = self.impedance * h
        missed = (ez + zh) / 2 - self.reflection * (ez - zh) / 2
        return float(face_squares(d, missed, self.faces) @ self.weights)


def traces(d: Discretization, fields: Fields, faces: Faces) -> tuple[Array, Array]:
    """(n, nodes_per_face) Ez and H at the nodes of some faces."""
    rows, nodes = faces[0][:, None], d.element.face_nodes[faces[1]]
    hx, hy, ez = (u[rows, nodes] for u in (fields.hx, fields.hy, fields.ez))
    return ez, tangential(d, hx, hy, faces)
