"""Powers that a stepper can sample at nearly every step: what walls take, the work of sources with
a fixed profile and of waves that come in, and what conductors, open edges and dispersive media
take.

All are what :func:`wavelab.physics.power.power.powers` gives, and written anew here, so that each
checks the other.  A wall's power is a sum of squares once the traces are multiplied by the
transpose of the Cholesky factor of the mass matrix of the face, what a wave brings follows from the
traces at its faces (:mod:`wavelab.physics.power.incident_power`), and the work of a source is its
waveform times a sum over nodes, so the weights of the sampled points
(:class:`wavelab.physics.monitors.probe_points.ProbePoints`) do all of it but a few products.  What
acts on whole elements is summed up where the fields are; a conductor is a local equation that has
no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.physics.materials.auxiliary_equations import LocalEquations
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.monitors.samples import Taps
from wavelab.physics.operator.maxwell_tm import MaxwellTM, taking_walls
from wavelab.physics.power.incident_power import IncidentPower, face_mass, trace_points
from wavelab.physics.power.power_terms import Term
from wavelab.physics.sources.source_terms import Drive, NodalDrive

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TappedPowers:
    """What is to be sampled, and how powers follow from it.

    Attributes
    ----------
    taps : the points are first three of each face node of the walls that take something: parts of
        H that Hx and Hy have, and Ez, one kind after the other; then one of each element of each
        drive; then those of ``incident``.  The losses are those of the problem's local equations,
        and of conductors.
    impedance, reflection : (n_faces, 1) of these walls.
    drives : those with a fixed profile, and how many points each has.
    incident : what waves do that come in; None without any.
    """

    taps: Taps
    impedance: Array
    reflection: Array
    nodes_per_face: int
    drives: tuple[tuple[NodalDrive, int], ...]
    incident: IncidentPower | None

    @classmethod
    def of(
        cls,
        operator: MaxwellTM,
        drives: Sequence[Drive] = (),
        local_equations: Sequence[LocalEquations] = (),
    ) -> TappedPowers:
        """Of the walls, sources and media of a problem."""
        d = operator.discretization
        faces = np.nonzero(taking_walls(operator))
        nodal = [drive for drive in drives if isinstance(drive, NodalDrive)]
        at_drives = [_work_points(operator, drive) for drive in nodal]
        incident = IncidentPower.of(operator, drives)
        factor = np.linalg.cholesky(face_mass(d, faces)).swapaxes(1, 2)
        at_walls = trace_points(d, faces, factor)
        return cls(
            Taps(
                joined([at_walls, *at_drives, *([incident.points] if incident else [])]),
                (*local_equations, *_conductors(operator)),
            ),
            operator.impedance[faces[0], None],
            operator.reflection[faces][:, None],
            d.element.nodes_per_face,
            tuple((drive, len(points)) for drive, points in zip(nodal, at_drives, strict=True)),
            incident,
        )

    def table(self, times: Array, samples: Array) -> Array:
        """(n, n_terms) powers at some times, by :class:`wavelab.physics.power.power_terms.Term`.

        Parameters
        ----------
        samples : (n, n_values) of ``taps``.
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
        for drive, count in self.drives:
            work = samples[:, end : end + count].sum(axis=1)
            result[:, Term.SOURCE] += work * np.asarray(drive.waveform(times))
            end += count
        if self.incident is not None:
            count = len(self.incident.points)
            brought, _, at_walls = self.incident.table(times, samples[:, end : end + count])
            result[:, Term.SOURCE] += brought
            result[:, Term.UPWIND] += at_walls
            end += count
        for losses, lost in zip(self.taps.losses, samples[:, end:].T, strict=True):
            result[:, Term.WALL if losses.kind == "open" else Term.JOULE] += lost
        return result


def _conductors(operator: MaxwellTM) -> list[LocalEquations]:
    """As local equations, one or none."""
    lossy = np.flatnonzero(operator.sigma)
    if not len(lossy):
        return []
    fading = (operator.sigma / operator.epsilon)[lossy, None]
    fading = np.broadcast_to(fading, (len(lossy), operator.discretization.nodes_per_element))
    return [LocalEquations.written(lossy, {"fading": fading}, {"ez": "-fading * ez"})]


def _work_points(operator: MaxwellTM, drive: NodalDrive) -> ProbePoints:
    """Points whose sum, times the waveform, is the power of a drive."""
    d = operator.discretization
    elements, profile = drive.profile(d.nodes_per_element)
    weights = d.tested(profile, elements) * operator.epsilon[elements, None]
    return ProbePoints(("",) * len(elements), elements.astype(np.int32), weights)
