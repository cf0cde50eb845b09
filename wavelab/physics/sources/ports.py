"""Modes of guides, from a line across them; see :mod:`wavelab.physics.sources.incident`.

With x along the guide and s across, a mode E(s) exp(i (beta x - w t)) has

    mu Hs = -(beta / w) Ez,     mu Hx = -(i / w) dE/ds exp(i (beta x - w t)).

It comes in through the faces that part the elements before the line from those behind it, so it
must be known at places that are not on the line, and on faces that stand askew to it: it is felt
there beta x / w later, and Hx, which is a quarter of a period behind, is sent as half the
difference of the waveform a quarter later and a quarter earlier.  So that nothing is sent before
the waveform begins, all is as many whole periods later as that takes.  This is exact at the
frequency of the mode.  At another one the profile and the velocity are others, and a part of a
pulse goes the other way or leaves the guide; the quarters are off by no more than the square of how
far it is.
"""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import SceneError
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.numerics.spectra.slab_modes import SlabModes
from wavelab.physics.materials.cross_sections import Across, line_across, values_at_points
from wavelab.physics.materials.guide_modes import cut_off, modes_of
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.source_terms import FaceSourceTerm, Refuse, SourceTerm
from wavelab.scene.model.sending.emissions import PortIn

#: A place on a border between media belongs to the medium of its element: it is looked at this much
#: of the way further to the middle of that.
_INWARDS = 1e-8
_SAME = 1e-6


def port(wave: PortIn, operator: MaxwellTM, refuse: Refuse) -> tuple[SourceTerm, ...]:
    """The source terms of a mode of a guide.

    Raises
    ------
    SceneError : what the line goes across is no guide, or holds no such mode together at its
        frequency; curved elements, periodic edges or the end of the domain are in the way.
    """
    d, omega = operator.discretization, 2 * math.pi * wave.frequency
    across, modes = _mode(wave, operator, refuse)
    cut_off(across, modes, wave.frequency, refuse)
    elements, faces, sign = _border(across, operator, refuse)
    nodes, rows = d.element.face_nodes[faces], elements[:, None]
    x, y = d.x[rows, nodes], d.y[rows, nodes]
    s, way = across.places(x, y)
    middle, _ = across.places(d.x[elements].mean(axis=1), d.y[elements].mean(axis=1))
    field, slope = modes.at((s + _INWARDS * (middle[:, None] - s)).ravel())
    e = wave.amplitude * sign[:, None] * field.reshape(s.shape)
    de_ds = wave.amplitude * sign[:, None] * slope.reshape(s.shape)
    mu = values_at_points(operator, "mu", elements, x, y)
    g, beta = d.geometry, float(modes.wave_numbers[0])
    normal = np.stack([g.normal_x[elements, faces], g.normal_y[elements, faces]])
    ahead, aside = (axis @ normal for axis in (across.normal, across.along))
    later, quarter = beta * way / omega, 1 / (4 * wave.frequency)
    # How far before the line it is felt is up to the mesh: with whole periods the phase at the line
    # is that of the waveform all the same.
    later += math.ceil((quarter - later.min()) * wave.frequency - _SAME) / wave.frequency
    behind = aside[:, None] * de_ds / (2 * omega * mu)
    f, none = wave.waveform.function(), np.zeros_like(e)
    h = -ahead[:, None] * beta / (omega * mu) * e
    terms = (
        FaceSourceTerm(elements, faces, e, h, later, f),
        FaceSourceTerm(elements, faces, none, behind, later + quarter, f),
        FaceSourceTerm(elements, faces, none, -behind, later - quarter, f),
    )
    return terms if np.abs(behind).max() > 0 else terms[:1]


def cut_off_at(wave: PortIn, operator: MaxwellTM) -> str:
    """What is to be said of its line if it is too short, or ""."""
    across, mode = _mode(wave, operator, _refused)
    return cut_off(across, mode, wave.frequency, _refused)


def _refused(problem: str, remedy: str) -> SceneError:
    return SceneError(problem, remedy=remedy)


def _mode(wave: PortIn, operator: MaxwellTM, refuse: Refuse) -> tuple[Across, SlabModes]:
    """What its line goes across, and its mode alone."""
    across = line_across(wave.start, wave.end, operator, (), refuse)
    return across, modes_of(across, wave.frequency, wave.mode, refuse).only(wave.mode)


def _border(across: Across, operator: MaxwellTM, refuse: Refuse) -> tuple[Indices, Indices, Array]:
    """Faces between elements before and behind the line, seen from both, and the sign of the wave
    for each: it is there behind the line alone, to its right."""
    d = operator.discretization
    mesh, c = d.mesh, d.connectivity
    corners = mesh.vertices[mesh.triangles]
    _, beyond = across.places(*corners.mean(axis=1).T)
    behind = beyond > 0
    middles = mesh.vertices[mesh.triangles[:, FACE_VERTICES]].mean(axis=2)
    s, _ = across.places(middles[..., 0], middles[..., 1])
    first, last = across.section.borders[[0, -1]]
    differs = (behind[:, None] != behind[c.neighbor_element]) & ~c.is_boundary
    elements, faces = np.nonzero(differs & (s > first) & (s < last))
    if not len(elements):
        raise refuse("has no edge of an element along its line", "Use smaller elements.")
    shift = (
        middles[elements, faces]
        - middles[c.neighbor_element[elements, faces], c.neighbor_face[elements, faces]]
    )
    if np.abs(shift).max() > _SAME * np.ptp(mesh.vertices, axis=0).max():
        raise refuse("lies at a periodic edge", "Let its line stay an element away from that edge.")
    if (elements >= d.first_curved).any():
        element = int(elements[np.argmax(elements)])
        raise refuse(
            "comes in through an element with a curved edge near "
            f"({d.x[element].mean():.4g}, {d.y[element].mean():.4g})",
            "Let its line cross where the guide is straight, or have straight faces alone (curved "
            "= false; in the window: Faces).",
        )
    return elements, faces, np.where(behind[elements], 1.0, -1.0)
