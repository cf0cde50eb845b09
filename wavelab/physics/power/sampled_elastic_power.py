"""The same of elastic waves: what walls take, the work of sources, and what layers and media take.

It is what :func:`wavelab.physics.power.elastic_power.elastic_powers` gives, written anew here, so
that each checks the other.  Each of the two waves that run into a wall is a sum of velocities and
stresses with the normal, so the five fields are sampled and put together later: on a straight face
the sums of their values that make a square integral a sum of squares, on an arc, where each point
has its own normal, the values at points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import Faces, point_normals, to_points
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.power.elastic_incident import ElasticIncident
from wavelab.physics.power.incident_power import face_mass, points_on_faces, remembered_points
from wavelab.physics.power.power_terms import Term
from wavelab.physics.power.work_points import work_points
from wavelab.physics.sources.source_terms import NodalSourceTerm, SourceTerm


@dataclass(frozen=True)
class ElasticSampledPowers:
    """What is to be sampled, and how powers follow from it.

    Attributes
    ----------
    sampling : the points are first those of each field on the walls that take something,
        nodes_per_face a face, one field after the other; then those of each source term, and
        where waves come in.
    normals : (2, n_faces, nodes_per_face or 1) there, outward.
    impedances : (n_faces, 2) of the waves along the normal and the tangent.
    absorptions : (n_faces, 2) what the wall takes of what each brings; 0 of a wave that a fluid
        does not have.
    source_terms : and how many points each has.
    incident : waves that come in through walls; None without any.
    """

    sampling: Sampling
    normals: Array
    impedances: Array
    absorptions: Array
    nodes_per_face: int
    source_terms: tuple[tuple[NodalSourceTerm, int], ...]
    incident: ElasticIncident | None

    @classmethod
    def of(
        cls,
        operator: ElasticPSV,
        source_terms: Sequence[SourceTerm] = (),
        auxiliary_equations: Sequence[AuxiliaryEquations] = (),
    ) -> ElasticSampledPowers:
        """Of the walls, sources, layers and media of a problem."""
        d, z = operator.discretization, operator.impedances[:, None, :]
        there = np.broadcast_to(z > 0, operator.reflection.shape)
        absorption = np.where(there, 1 - operator.reflection**2, 0.0)
        taking = d.connectivity.is_boundary & (absorption > 0).any(axis=2)
        faces = np.nonzero(taking)
        at_walls = remembered_points(d, faces, _points_at)
        nodal = [term for term in source_terms if isinstance(term, NodalSourceTerm)]
        at_source_terms = [work_points(operator, term) for term in nodal]
        incident = ElasticIncident.of(operator, source_terms)
        where_they_enter = [] if incident is None else [incident.points]
        return cls(
            Sampling(
                joined(
                    [*map(at_walls.of, operator.fields.names), *at_source_terms, *where_they_enter]
                ),
                tuple(auxiliary_equations),
            ),
            np.array([normal[faces] for normal in point_normals(d)]),
            operator.impedances[faces[0]],
            absorption[faces],
            d.element.nodes_per_face,
            tuple(zip(nodal, map(len, at_source_terms), strict=True)),
            incident,
        )

    def table(self, times: Array, samples: Array) -> Array:
        """(n, n_terms) powers at some times, by :class:`wavelab.physics.power.power_terms.Term`.

        Parameters
        ----------
        samples : (n, n_values) of ``sampling``.
        """
        result = np.zeros((len(times), len(Term)))
        n_faces = len(self.impedances)
        end = 5 * n_faces * self.nodes_per_face
        if n_faces:
            traces = samples[:, :end].reshape(len(times), 5, n_faces, self.nodes_per_face)
            vx, vy, sxx, syy, sxy = np.moveaxis(traces, 1, 0)
            nx, ny = self.normals
            tx, ty = sxx * nx + sxy * ny, sxy * nx + syy * ny
            for i, (along_x, along_y) in enumerate(((nx, ny), (-ny, nx))):
                z, taken = self.impedances[:, i], self.absorptions[:, i]
                velocity, traction = along_x * vx + along_y * vy, along_x * tx + along_y * ty
                into = (z[:, None] * velocity - traction) / 2
                weights = np.divide(taken, z, out=np.zeros_like(z), where=z > 0)
                result[:, Term.WALL] += np.einsum("tfi,tfi,f->t", into, into, weights)
        for source_term, count in self.source_terms:
            work = samples[:, end : end + count].sum(axis=1)
            result[:, Term.SOURCE] += work * np.asarray(source_term.waveform(times))
            end += count
        if self.incident is not None:
            count = len(self.incident.points)
            brought, _ = self.incident.table(times, samples[:, end : end + count])
            result[:, Term.SOURCE] += brought
            end += count
        for losses, lost in zip(self.sampling.losses, samples[:, end:].T, strict=True):
            result[:, Term.WALL if losses.kind == "open" else Term.JOULE] += lost
        return result


def _points_at(d: Discretization, faces: Faces) -> ProbePoints:
    """At the points of walls, so that squares of what is sampled sum up to integrals."""
    factor = np.linalg.cholesky(face_mass(d, faces, at_points=True)).swapaxes(1, 2)
    return points_on_faces(d, faces, factor @ to_points(d, faces))
