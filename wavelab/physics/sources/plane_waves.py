"""Plane waves, through the border of a region or through absorbing walls; see
:mod:`wavelab.physics.sources.incident`."""

from __future__ import annotations

import math

import numpy as np

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.inside import inside_and_cut
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.operator.jumps import turned_faces
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.sources.incident import SAME, medium, through
from wavelab.physics.sources.source_terms import FaceSourceTerm, Refuse, SourceTerm
from wavelab.scene.model.sending.emissions import PlaneWaveIn
from wavelab.scene.model.sending.waveform import Waveform

#: Chords along a curved border, in parts of the elements' size.
_CHORD = 1 / 4
#: Degrees that a chord turns by at most where a point of the border is looked for.
_FINE = 0.1
#: What walls may send back of a wave that is meant to pass along them.
_MISFIT = 1e-9


def plane_wave(wave: PlaneWaveIn, operator: MaxwellTM, refuse: Refuse) -> tuple[SourceTerm, ...]:
    """The source term of a plane wave.

    Raises
    ------
    SceneError : the border is not in one plain medium or meets a wall that the wave does not pass
        along, or the edges do not absorb.
    """
    turn = math.radians(wave.direction)
    # Directions along the axes are exact.
    u = np.round([math.cos(turn), math.sin(turn)], 15)
    d = operator.discretization
    if wave.shape is not None:
        edge = float(np.sqrt(d.mesh.signed_areas().mean()))
        ring = np.asarray(wave.shape.outline(_CHORD * edge)[0])
        inside, _ = inside_and_cut(d.mesh, ring)
        elements, faces = _border(operator, refuse, inside, u)
        # What feels it first is on the shape itself and not on its chords: the phase follows.
        first = float((wave.shape.outline(edge, _FINE)[0] @ u).min())
    else:
        elements, faces = through(wave.edges, operator, refuse)
        first = math.inf
    impedance, speed = medium(elements, operator, refuse)
    if wave.shape is None:
        check_glued(wave.waveform, d, refuse, u, speed)
    nodes = d.element.face_nodes[faces]
    way = u[0] * d.x[elements[:, None], nodes] + u[1] * d.y[elements[:, None], nodes]
    g = d.geometry
    along = u[0] * g.normal_x[elements, faces] + u[1] * g.normal_y[elements, faces]
    # Outside of the border the wave is taken off.
    sign = np.ones(len(elements)) if wave.shape is None else np.where(inside[elements], 1.0, -1.0)
    e = np.repeat((wave.amplitude * sign)[:, None], way.shape[1], axis=1)
    return (
        FaceSourceTerm(
            elements,
            faces,
            e,
            -along[:, None] / impedance * e,
            np.maximum(way - min(first, float(way.min())), 0.0) / speed,
            wave.waveform.function(),
        ),
    )


def _border(operator: MaxwellTM, refuse: Refuse, inside: Mask, u: Array) -> tuple[Indices, Indices]:
    """Faces between elements inside and outside, seen from both."""
    d = operator.discretization
    c = d.connectivity
    if not inside.any():
        raise refuse(
            "has no whole element inside its shape",
            "Draw the shape larger, or mesh with a smaller element size.",
        )
    differs = (inside[:, None] != inside[c.neighbor_element]) & ~c.is_boundary
    if not differs.any():
        raise refuse(
            "has all of the domain inside its shape",
            "Draw the shape smaller, or let the wave come through absorbing edges = [...].",
        )
    elements, faces = np.nonzero(differs)
    _check_periodic(d, refuse, inside, u)
    _check_ends(operator, refuse, elements, faces, u)
    return elements, faces


def _check_periodic(d: Discretization, refuse: Refuse, inside: Mask, u: Array) -> None:
    """Where the inside goes through a periodic edge the wave must be the same on both sides."""
    shift, glued, extent = _shifts(d)
    glued &= inside[:, None] | inside[d.connectivity.neighbor_element]
    _check_parallel(d, refuse, glued)
    if (np.abs(shift @ u)[glued] > SAME * extent).any():
        raise refuse(
            "goes through a periodic edge at an angle",
            "Let it run along that edge, or draw its shape so that it stays away from it.",
        )


def _shifts(d: Discretization) -> tuple[Array, Mask, float]:
    """(n_elements, 3, 2) from where each face is for its neighbour to where it is for the element,
    which of them are glued to others, and the larger extent of the mesh."""
    c = d.connectivity
    middles = d.mesh.vertices[d.mesh.triangles[:, FACE_VERTICES]].mean(axis=2)
    shift = middles - middles[c.neighbor_element, c.neighbor_face]
    extent = float(np.ptp(d.mesh.vertices, axis=0).max())
    return shift, np.abs(shift).max(axis=2) > SAME * extent, extent


def check_glued(
    waveform: Waveform, d: Discretization, refuse: Refuse, u: Array, speed: float
) -> None:
    """Across glued edges a wave through walls is the same, or a sine a whole number of periods
    later."""
    shift, glued, extent = _shifts(d)
    _check_parallel(d, refuse, glued)
    later = np.abs(shift @ u)[glued] / speed
    if period := waveform.function().period:
        periods = later / period
        wrong = np.abs(periods - np.round(periods)) > SAME
    else:
        wrong = later * speed > SAME * extent
    if wrong.any():
        raise refuse(
            "meets periodic edges at an angle, so that it is not the same at both",
            "Let it run along those edges, or be a sine of which a whole number of periods passes "
            f"from one to the other: that takes the time {float(later.max()):.6g}.",
        )


def _check_parallel(d: Discretization, refuse: Refuse, glued: Mask) -> None:
    """Across edges that are turned a plane wave goes on in another direction, whatever its phase
    is there."""
    if turned_faces(d, np.nonzero(glued)).any():
        raise refuse(
            "meets periodic edges that are no parallels, which turn it",
            "Draw all of what repeats itself, or let a point or a line send the wave.",
        )


def _check_ends(
    operator: MaxwellTM, refuse: Refuse, elements: Indices, faces: Indices, u: Array
) -> None:
    """Where the border ends at a wall, the wall must let the wave pass along it."""
    d = operator.discretization
    g, triangles = d.geometry, d.mesh.triangles
    touched = np.zeros(d.mesh.n_vertices, dtype=bool)
    touched[triangles[elements[:, None], FACE_VERTICES[faces]]] = True
    wall = d.connectivity.is_boundary & touched[triangles[:, FACE_VERTICES]].any(axis=2)
    k, f = np.nonzero(wall)
    along = u[0] * g.normal_x[k, f] + u[1] * g.normal_y[k, f]
    misfit = np.abs((1 - along) - operator.reflection[k, f] * (1 + along)) / 2
    if (misfit > _MISFIT).any():
        worst = int(np.argmax(misfit))
        x, y = d.mesh.vertices[triangles[k[worst], FACE_VERTICES[f[worst]]]].mean(axis=0)
        raise refuse(
            f"has a border that meets a wall near ({x:.4g}, {y:.4g}), which the wave does not pass "
            "along undisturbed",
            "Draw its shape at least an element away from the walls, or with all of an obstacle "
            "inside.",
        )
