"""Modes between parallel walls, through absorbing ones; see
:mod:`wavelab.physics.sources.incident`."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.incident import SAME, medium, through
from wavelab.physics.sources.source_terms import FaceSourceTerm, Refuse, SourceTerm
from wavelab.scene.model.sending.emissions import GuidedModeIn


def guided_mode(
    wave: GuidedModeIn, operator: MaxwellTM, refuse: Refuse, beside: Callable[[str], str]
) -> tuple[SourceTerm, ...]:
    """The source term of a mode between parallel walls.

    Between walls w apart the mode runs with the wave number b along the guide, b^2 = k^2 - q^2,
    q = mode pi / w, and Z H = (b / k) Ez at the wall that it comes out of.  That is right at the
    frequency it is made for; another one f' comes in with (1 + b/k) / (1 + b'/k') of the amplitude.

    Parameters
    ----------
    beside : what walls of some ``sides`` are called.

    Raises
    ------
    SceneError : the edge does not absorb, is not straight, is not between walls of the right kind
        or not in one plain medium, or the frequency is too low.
    """
    d = operator.discretization
    elements, faces = through((wave.edge,), operator, refuse)
    impedance, speed = medium(elements, operator, refuse)
    ends = d.mesh.vertices[d.mesh.triangles[elements[:, None], FACE_VERTICES[faces]]]
    g = d.geometry
    normal = np.array([g.normal_x[elements[0], faces[0]], g.normal_y[elements[0], faces[0]]])
    tangent = np.array([-normal[1], normal[0]])  # the domain is on its left
    across, along = ends @ normal, ends @ tangent
    start, width = float(along.min()), float(np.ptp(along))
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum()
    if np.ptp(across) > SAME * width or abs(lengths - width) > SAME * width:
        raise refuse(
            f'comes through "{wave.edge}", which is not one straight edge',
            'Name one side, such as "domain.left".',
        )
    _check_sides(wave, operator, refuse, beside(wave.sides), elements, faces, tangent)
    wave_number = 2 * math.pi * wave.frequency / speed
    transverse = wave.mode * math.pi / width
    if wave_number <= transverse:
        cutoff = transverse * speed / (2 * math.pi)
        raise refuse(
            f"has the frequency {wave.frequency:g}, which mode {wave.mode} does not carry",
            f"In a guide of width {width:.4g} it needs more than {cutoff:.4g}.",
        )
    nodes = d.element.face_nodes[faces]
    rows = elements[:, None]
    s = tangent[0] * d.x[rows, nodes] + tangent[1] * d.y[rows, nodes] - start
    profile = (np.sin if wave.sides == "conductor" else np.cos)(transverse * s)
    e = wave.amplitude * profile
    cosine = math.sqrt(wave_number**2 - transverse**2) / wave_number
    return (
        FaceSourceTerm(
            elements,
            faces,
            e,
            cosine / impedance * e,
            np.zeros((len(elements), 1)),
            wave.waveform.function(),
        ),
    )


def _check_sides(
    wave: GuidedModeIn,
    operator: MaxwellTM,
    refuse: Refuse,
    walls: str,
    elements: Indices,
    faces: Indices,
    tangent: Array,
) -> None:
    """The walls beside the edge are perpendicular to it and of the kind of the mode."""
    d = operator.discretization
    g, triangles = d.geometry, d.mesh.triangles
    corners = triangles[elements[:, None], FACE_VERTICES[faces]]
    numbers, counts = np.unique(corners, return_counts=True)
    ends = np.zeros(d.mesh.n_vertices, dtype=bool)
    ends[numbers[counts == 1]] = True
    beside = d.connectivity.is_boundary & ends[triangles[:, FACE_VERTICES]].any(axis=2)
    beside[elements, faces] = False
    k, f = np.nonzero(beside)
    straight = np.abs(g.normal_x[k, f] * tangent[0] + g.normal_y[k, f] * tangent[1])
    needed = -1.0 if wave.sides == "conductor" else 1.0
    kinds = operator.reflection[k, f] != needed
    if len(k) < 2 or (straight < 1 - SAME).any() or kinds.any():
        raise refuse(
            f'comes through "{wave.edge}", beside which there are not two parallel {walls}',
            'Make the guide straight there, or set sides = "magnetic" or "conductor" as they are.',
        )
