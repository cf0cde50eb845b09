"""What plane P and S waves that come in through walls bring, from the traces at those walls alone.

It is :mod:`wavelab.physics.power.incident_power` for the two waves that travel across a face: the
work of what is added to the flux on what is inside, int f_v . t + f_t . v, and what the losses at
those walls are misread by, because the wave makes up for a part of what they seem to miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import Faces
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import ElasticFields, Fields
from wavelab.physics.power.incident_power import (
    entering,
    face_mass,
    points_on_faces,
    remembered_points,
)
from wavelab.physics.sources.added_flux import added_elastic_flux
from wavelab.physics.sources.source_terms import FaceSourceTerm, SourceTerm


@dataclass(frozen=True, eq=False)
class ElasticIncident:
    """What is to be sampled, and how powers follow from it.

    Attributes
    ----------
    source_terms : the waves, and the rows of ``faces`` that each comes in through.
    faces : walls, each once.
    mass : (n_faces, nodes_per_face, nodes_per_face).
    points : the fields at the nodes of each face, one field after the other.
    """

    operator: ElasticPSV
    source_terms: tuple[tuple[FaceSourceTerm, Indices], ...]
    faces: Faces
    mass: Array
    points: ProbePoints

    @classmethod
    def of(cls, operator: ElasticPSV, source_terms: Sequence[SourceTerm]) -> ElasticIncident | None:
        """Of the waves among some source terms; None without any."""
        incident, faces = entering(source_terms)
        if not incident:
            return None
        d = operator.discretization
        return cls(
            operator,
            incident,
            faces,
            face_mass(d, faces),
            remembered_points(d, faces, _points_at),
        )

    def table(self, times: Array, samples: Array) -> tuple[Array, Array]:
        """(n,) each: what the waves bring, and what this adds to the losses at walls, mostly
        something negative.

        Parameters
        ----------
        samples : (n, n_values) of ``points``.
        """
        g = self.operator.discretization.geometry
        nx, ny = (normal[self.faces][:, None] for normal in (g.normal_x, g.normal_y))
        n_fp = self.mass.shape[1]
        vx, vy, sxx, syy, sxy = np.moveaxis(samples.reshape(len(times), 5, -1, n_fp), 1, 0)
        tx, ty = sxx * nx + sxy * ny, sxy * nx + syy * ny
        inside_v = np.stack([nx * vx + ny * vy, nx * vy - ny * vx], axis=-1)
        inside_t = np.stack([nx * tx + ny * ty, nx * ty - ny * tx], axis=-1)
        added_v, added_t = np.zeros_like(inside_v), np.zeros_like(inside_t)
        for source_term, rows in self.source_terms:
            velocity, traction = source_term.values(times[:, None, None])
            added_v[:, rows] += velocity
            added_t[:, rows] += traction
        flux_v, flux_t = added_elastic_flux(
            self.operator, self.faces[0], self.faces[1], added_v, added_t
        )
        brought = self._product(flux_v, inside_t) + self._product(flux_t, inside_v)
        # These walls absorb: nothing comes out of them but what is added.
        z = self.operator.impedances[self.faces[0]][:, None]
        out, made_up = (z * inside_v + inside_t) / 2, (z * added_v + added_t) / 2
        share = np.divide(1.0, z[:, 0], out=np.zeros_like(z[:, 0]), where=z[:, 0] > 0)
        at_walls = (self._product(made_up - 2 * out, made_up) * share).sum(axis=(1, 2))
        return brought.sum(axis=(1, 2)) + at_walls, at_walls

    def misread(self, fields: Fields, time: float) -> float:
        """What the waves add to the losses, for these fields at this time."""
        samples = self.points.sample(fields)[None]
        return float(self.table(np.array([time]), samples)[1][0])

    def _product(self, one: Array, other: Array) -> Array:
        """(n, n_faces, 2) integrals over the faces, along normal and tangent."""
        return np.einsum("tfic,fij,tfjc->tfc", one, self.mass, other, optimize=True)


def _points_at(d: Discretization, faces: Faces) -> ProbePoints:
    n_fp = d.element.nodes_per_face
    at_nodes = points_on_faces(d, faces, np.broadcast_to(np.eye(n_fp), (len(faces[0]), n_fp, n_fp)))
    return joined([at_nodes.of(name) for name in ElasticFields.names])
