"""What waves that come in through faces bring, from the traces at those faces alone.

It is what :func:`wavelab.physics.power.power.powers` finds in the whole field, by formulas of its
own, so that each checks the other.  The flux of a face source term is linear in what is added to
the state outside, and what it brings is the work of this flux on the traces inside, int E* H + H*
Ez, together with what the jumps at its faces are misread by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.traces import Faces, face_squares, tangential
from wavelab.physics.monitors.probe_points import ProbePoints, joined
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, face_upwinding
from wavelab.physics.sources.added_flux import added_flux
from wavelab.physics.sources.source_terms import FaceSourceTerm, SourceTerm
from wavelab.remembered import Remembered


@dataclass(frozen=True, eq=False)
class IncidentPower:
    """What is to be sampled, and how powers follow from it.

    Attributes
    ----------
    operator : whose fields they are.
    source_terms : the waves, and the rows of ``faces`` that each comes in through.
    faces : of all of them, each once; an inner one is there from both sides.
    across : (n_faces,) the row of the same face seen from the other side.
    mass : (n_faces, nodes_per_face, nodes_per_face).
    points : the parts of H that Hx and Hy have at the nodes of each face, and Ez, one kind after
        the other.
    """

    operator: MaxwellTM
    source_terms: tuple[tuple[FaceSourceTerm, Indices], ...]
    faces: tuple[Indices, Indices]
    across: Indices
    mass: Array
    points: ProbePoints

    @classmethod
    def of(cls, operator: MaxwellTM, source_terms: Sequence[SourceTerm]) -> IncidentPower | None:
        """Of the waves among some source terms; None without any."""
        incident, faces = entering(source_terms)
        if not incident:
            return None
        d, numbers = operator.discretization, 3 * faces[0] + faces[1]
        c = d.connectivity
        across = 3 * c.neighbor_element[faces].astype(np.int64) + c.neighbor_face[faces]
        return cls(
            operator,
            incident,
            faces,
            np.searchsorted(numbers, across),
            face_mass(d, faces),
            remembered_points(d, faces, trace_points),
        )

    def table(self, times: Array, samples: Array) -> tuple[Array, Array, Array]:
        """(n,) each: what the waves bring, and what this adds to the losses between elements and to
        those at walls: mostly something negative, because it makes up for a part of the jumps.

        Parameters
        ----------
        samples : (n, n_values) of ``points``.
        """
        e, h, added_e, added_h = self._traces(times, samples)
        e_flux, h_flux = added_flux(self.operator, *self.faces, added_e, added_h)
        brought = self._product(e_flux, h) + self._product(h_flux, e)
        at_faces, at_walls = self._misread(e, h, added_e, added_h)
        return brought.sum(axis=1) + at_faces + at_walls, at_faces, at_walls

    def misread(self, fields: Fields, time: float) -> float:
        """What the waves add to the losses between elements, for these fields at this time."""
        traces = self._traces(np.array([time]), self.points.sample(fields)[None])
        return float(self._misread(*traces)[0][0])

    def _traces(self, times: Array, samples: Array) -> tuple[Array, Array, Array, Array]:
        """(n, n_faces, nodes_per_face) Ez and H inside, and what the waves add to them outside."""
        n_fp = self.operator.discretization.element.nodes_per_face
        of_hx, of_hy, e = np.moveaxis(samples.reshape(len(times), 3, -1, n_fp), 1, 0)
        h = of_hx + of_hy
        added_e, added_h = np.zeros_like(e), np.zeros_like(e)
        for source_term, rows in self.source_terms:
            more_e, more_h = source_term.values(times[:, None, None])
            added_e[:, rows] += more_e
            added_h[:, rows] += more_h
        return e, h, added_e, added_h

    def _misread(self, e: Array, h: Array, added_e: Array, added_h: Array) -> tuple[Array, Array]:
        """(n,) twice: what the waves add to the losses between elements, and to those at walls."""
        operator, faces = self.operator, self.faces
        z, a = operator.impedance[faces[0]], face_upwinding(operator)[faces]
        z_across = z[self.across]

        def change(jump: Array, made_up: Array) -> Array:
            return self._product(made_up - 2 * jump, made_up)

        inner = change(e - e[:, self.across, ::-1], added_e) / (z + z_across)
        inner += change(h + h[:, self.across, ::-1], added_h) / (1 / z + 1 / z_across)
        zh, z_added_h = z[:, None] * h, z[:, None] * added_h
        missed = (e + zh) / 2 - operator.reflection[faces][:, None] * (e - zh) / 2
        outer = change(missed, (added_e + z_added_h) / 2) / z
        wall = operator.discretization.connectivity.is_boundary[faces]
        at_walls = (a * outer)[:, wall].sum(axis=1)
        # Every inner face is listed from both sides.
        at_faces = 0.5 * operator.upwinding * inner[:, ~wall].sum(axis=1)
        return at_faces, at_walls

    def _product(self, one: Array, other: Array) -> Array:
        """(n, n_faces) integrals over the faces."""
        return np.einsum("tfi,tfi->tf", (one[:, :, None] @ self.mass)[:, :, 0], other)


def entering(
    source_terms: Sequence[SourceTerm],
) -> tuple[tuple[tuple[FaceSourceTerm, Indices], ...], Faces]:
    """The waves among some source terms, each with its rows of the faces that any of them comes in
    through, and these faces, each once."""
    incident = [term for term in source_terms if isinstance(term, FaceSourceTerm)]
    listed = [3 * term.elements + term.faces for term in incident]
    numbers = np.unique(np.concatenate([np.zeros(0, np.int64), *listed]))
    rows = [np.searchsorted(numbers, those) for those in listed]
    return tuple(zip(incident, rows, strict=True)), (numbers // 3, numbers % 3)


#: By the function that makes them, and the faces: a number that is turned leaves them as they are.
_known: Remembered[Discretization, ProbePoints] = Remembered(4)


def remembered_points(
    d: Discretization, faces: Faces, make: Callable[[Discretization, Faces], ProbePoints]
) -> ProbePoints:
    """What ``make`` makes of faces, which may follow from the mesh alone."""
    key = (make, *(part.tobytes() for part in faces))
    return _known.get(d, key, lambda: make(d, faces))


def face_mass(d: Discretization, faces: Faces, *, at_points: bool = False) -> Array:
    """(n, nodes_per_face, nodes_per_face) mass matrices of some faces, bent ones too; of values at
    nodes or points, see :func:`wavelab.numerics.fields.traces.face_squares`."""
    n_fp = d.element.nodes_per_face
    one, rows = np.eye(n_fp), np.arange(n_fp)
    # By polarization: of squares of sums of two basis functions, all in one call.
    sums = one[:, None] + one[None, :]
    sums[rows, rows] = one
    n = len(faces[0])
    each = tuple(np.repeat(part, n_fp * n_fp) for part in faces)
    values = np.tile(sums.reshape(-1, n_fp), (n, 1))
    mass = face_squares(d, values, each, at_points=at_points).reshape(n, n_fp, n_fp)
    alone = np.einsum("nii->ni", mass).copy()
    mass = (mass - alone[:, :, None] - alone[:, None, :]) / 2
    mass[:, rows, rows] = alone
    return mass


def trace_points(
    d: Discretization, faces: Faces, factor: NDArray[np.floating] | None = None
) -> ProbePoints:
    """Points for -ny Hx, nx Hy and Ez at the nodes of some faces, one kind after the other.

    Parameters
    ----------
    factor : (n, nodes_per_face, nodes_per_face) that the traces of each face are multiplied by.
    """
    n, n_fp = len(faces[0]), d.element.nodes_per_face
    one = np.eye(n_fp)
    if factor is None:
        factor = np.broadcast_to(one, (n, n_fp, n_fp))
    none = np.zeros((n, n_fp))

    def along(row: Array) -> Array:
        return np.broadcast_to(row, (n, n_fp)).copy()

    of_hx = np.stack([tangential(d, along(row), none, faces) for row in one], axis=2)
    of_hy = np.stack([tangential(d, none, along(row), faces) for row in one], axis=2)
    parts = {"hx": factor @ of_hx, "hy": factor @ of_hy, "ez": factor}
    return joined([points_on_faces(d, faces, part).of(name) for name, part in parts.items()])


def points_on_faces(d: Discretization, faces: Faces, matrix: NDArray[np.floating]) -> ProbePoints:
    """Points, one of each node of some faces after the other, for what a matrix (n, nodes_per_face,
    nodes_per_face) of each face makes of a trace."""
    element, face = faces
    n, n_fp = len(element), d.element.nodes_per_face
    weights = np.zeros((n, n_fp, d.nodes_per_element))
    nodes = d.element.face_nodes[face][:, None]
    weights[np.arange(n)[:, None, None], np.arange(n_fp)[:, None], nodes] = matrix
    return ProbePoints(
        ("",) * (n * n_fp),
        np.repeat(element, n_fp).astype(np.int32),
        weights.reshape(n * n_fp, d.nodes_per_element),
    )
