"""Powers that a stepper can sample at nearly every step: what walls take, the work of sources with
a fixed profile and of waves that come in, and what conductors, open walls and dispersive media
take.

All are what :func:`wavelab.physics.power.power.powers` gives, and written anew here, so that each
checks the other.  A wall's power is a sum of squares once the traces are multiplied by the
transpose of the Cholesky factor of the mass matrix of the face, what a wave brings follows from the
traces at its faces (:mod:`wavelab.physics.power.incident_power`), and the work of a source is its
waveform times a sum over nodes, so the weights of the sampled points
(:class:`wavelab.physics.monitors.probe_points.ProbePoints`) do all of it but a few products.  What
acts on whole elements is summed up where the fields are; a conductor is a auxiliary equation that
has no auxiliary variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import Faces
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.maxwell_tm import MaxwellTM, taking_walls
from wavelab.physics.operator.operator import Operator
from wavelab.physics.power.incident_power import (
    IncidentPower,
    face_mass,
    remembered_points,
    trace_points,
)
from wavelab.physics.power.power_terms import Term
from wavelab.physics.power.sampled_elastic_power import ElasticSampledPowers
from wavelab.physics.power.work_points import work_points
from wavelab.physics.sources.source_terms import NodalSourceTerm, SourceTerm


@dataclass(frozen=True)
class SampledPowers:
    """What is to be sampled, and how powers follow from it.

    Attributes
    ----------
    sampling : the points are first three of each face node of the walls that take something: parts
    of
        H that Hx and Hy have, and Ez, one kind after the other; then one of each element of each
        source term; then those of ``incident``.  The losses are those of the problem's auxiliary
        equations, and of conductors.
    impedance, reflection : (n_faces, 1) of these walls.
    source_terms : those with a fixed profile, and how many points each has.
    incident : what waves do that come in; None without any.
    """

    sampling: Sampling
    impedance: Array
    reflection: Array
    nodes_per_face: int
    source_terms: tuple[tuple[NodalSourceTerm, int], ...]
    incident: IncidentPower | None

    @classmethod
    def of(
        cls,
        operator: Operator,
        source_terms: Sequence[SourceTerm] = (),
        auxiliary_equations: Sequence[AuxiliaryEquations] = (),
    ) -> SampledPowers | ElasticSampledPowers:
        """Of the walls, sources and media of a problem."""
        if isinstance(operator, ElasticPSV):
            return ElasticSampledPowers.of(operator, source_terms, auxiliary_equations)
        assert isinstance(operator, MaxwellTM)
        d = operator.discretization
        faces = np.nonzero(taking_walls(operator))
        nodal = [term for term in source_terms if isinstance(term, NodalSourceTerm)]
        at_source_terms = [work_points(operator, term) for term in nodal]
        incident = IncidentPower.of(operator, source_terms)
        at_walls = remembered_points(d, faces, _points_at)
        return cls(
            Sampling(
                joined([at_walls, *at_source_terms, *([incident.points] if incident else [])]),
                (*auxiliary_equations, *_conductors(operator)),
            ),
            operator.impedance[faces[0], None],
            operator.reflection[faces][:, None],
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
        n_faces = len(self.impedance)
        end = 3 * n_faces * self.nodes_per_face
        if n_faces:
            shape = (len(times), 3, n_faces, self.nodes_per_face)
            of_hx, of_hy, e = np.moveaxis(samples[:, :end].reshape(shape), 1, 0)
            zh = self.impedance * (of_hx + of_hy)
            into, out = (e - zh) / 2, (e + zh) / 2
            missed = out - self.reflection * into
            weights = ((1 - self.reflection**2) / self.impedance)[:, 0]
            result[:, Term.WALL] = np.einsum("tfi,tfi,f->t", into, into, weights)
            weights = 1 / self.impedance[:, 0]
            result[:, Term.UPWIND] = np.einsum("tfi,tfi,f->t", missed, missed, weights)
        for source_term, count in self.source_terms:
            work = samples[:, end : end + count].sum(axis=1)
            result[:, Term.SOURCE] += work * np.asarray(source_term.waveform(times))
            end += count
        if self.incident is not None:
            count = len(self.incident.points)
            brought, _, at_walls = self.incident.table(times, samples[:, end : end + count])
            result[:, Term.SOURCE] += brought
            result[:, Term.UPWIND] += at_walls
            end += count
        for losses, lost in zip(self.sampling.losses, samples[:, end:].T, strict=True):
            result[:, Term.WALL if losses.kind == "open" else Term.JOULE] += lost
        return result


def _points_at(d: Discretization, faces: Faces) -> ProbePoints:
    """At the nodes of walls, so that squares of what is sampled sum up to integrals."""
    factor = np.linalg.cholesky(face_mass(d, faces)).swapaxes(1, 2)
    return trace_points(d, faces, factor)


def _conductors(operator: MaxwellTM) -> list[AuxiliaryEquations]:
    """As auxiliary equations, one or none."""
    lossy = np.flatnonzero(operator.sigma)
    if not len(lossy):
        return []
    fading = (operator.sigma / operator.epsilon)[lossy, None]
    fading = np.broadcast_to(fading, (len(lossy), operator.discretization.nodes_per_element))
    return [AuxiliaryEquations.written(lossy, {"fading": fading}, {"ez": "-fading * ez"})]
