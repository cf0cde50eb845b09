"""Waves that come in through faces: plane waves and guided modes.

The flux across a face is linear in the state outside of it, (Ez+, H+) with H = nx Hy - ny Hx.  A
wave that is known there, (Ei, Hi), comes in by adding it to that state (HW 6.6; the form of Taflove
& Hagness, *Computational Electrodynamics*, ch. 5, for finite differences):

    border of a region    inside is the total field, outside the scattered one.  What an inner
                          element sees of its outer neighbour lacks (Ei, Hi), which is added; what
                          the outer one sees has (Ei, Hi) too much, which is taken off.
    absorbing wall        the state outside is (Ei, Hi) in place of nothing.

Nothing is approximated: the exact incident wave solves the discrete problem up to the error of the
scheme, whatever faces the border is made of.  So the border runs along element faces, inside of the
shape that was drawn, and the mesh need not follow it.

A plane wave in the direction u has Z H = -(n.u) Ez.  At a wall it splits into what runs into the
wall, p = (Ez - Z H)/2 = (1 + n.u)/2 Ez, and what comes out, m = (1 - n.u)/2 Ez; a wall with m = R p
lets it be.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import SceneError
from wavelab.numerics.connectivity import face_selection
from wavelab.numerics.discretization import Discretization
from wavelab.numerics.inside import inside_and_cut
from wavelab.numerics.mesh import FACE_VERTICES
from wavelab.physics.drives import Drive, FaceDrive
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.waveforms import carrier, waveform_function
from wavelab.scene.scene import Scene
from wavelab.scene.sources import GuidedMode, PlaneWave

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

#: Chords along a curved border, in parts of the elements' size.
_CHORD = 1 / 4
#: Directions and positions that differ by less than this are the same.
_SAME = 1e-6
#: What walls may send back of a wave that is meant to pass along them.
_MISFIT = 1e-9


def plane_wave(source: PlaneWave, operator: MaxwellTM, scene: Scene) -> tuple[Drive, ...]:
    """The drive of a plane wave.

    Raises
    ------
    SceneError : the border is not in one plain medium or meets a wall that the wave does not pass
        along, or the edges do not absorb.
    """
    turn = math.radians(source.direction)
    # Directions along the axes are exact.
    u = np.round([math.cos(turn), math.sin(turn)], 15)
    d = operator.discretization
    if source.shape is not None:
        edge = float(np.sqrt(d.mesh.signed_areas().mean()))
        ring = np.asarray(source.shape.outline(_CHORD * edge)[0])
        inside, _ = inside_and_cut(d.mesh, ring)
        elements, faces = _border(source, operator, scene, inside, u)
        first = float((ring @ u).min())
    else:
        elements, faces = _through(source, operator, scene, source.edges)
        first = math.inf
    impedance, speed = _medium(source, operator, scene, elements)
    nodes = d.element.face_nodes[faces]
    way = u[0] * d.x[elements[:, None], nodes] + u[1] * d.y[elements[:, None], nodes]
    g = d.geometry
    along = u[0] * g.normal_x[elements, faces] + u[1] * g.normal_y[elements, faces]
    # Outside of the border the wave is taken off.
    sign = np.ones(len(elements)) if source.shape is None else np.where(inside[elements], 1.0, -1.0)
    e = np.repeat((source.amplitude * sign)[:, None], way.shape[1], axis=1)
    return (
        FaceDrive(
            elements,
            faces,
            e,
            -along[:, None] / impedance * e,
            np.maximum(way - min(first, float(way.min())), 0.0) / speed,
            waveform_function(source.waveform),
        ),
    )


def guided_mode(source: GuidedMode, operator: MaxwellTM, scene: Scene) -> tuple[Drive, ...]:
    """The drive of a mode between parallel walls.

    Between walls w apart the mode runs with the wave number b along the guide, b^2 = k^2 - q^2,
    q = mode pi / w, and Z H = (b / k) Ez at the wall that it comes out of.  That is right at the
    frequency it is made for; another one f' comes in with (1 + b/k) / (1 + b'/k') of the amplitude.

    Raises
    ------
    SceneError : the edge does not absorb, is not straight, is not between walls of the right kind
        or not in one plain medium, or the frequency is too low.
    """
    d = operator.discretization
    elements, faces = _through(source, operator, scene, (source.edge,))
    impedance, speed = _medium(source, operator, scene, elements)
    ends = d.mesh.vertices[d.mesh.triangles[elements[:, None], FACE_VERTICES[faces]]]
    g = d.geometry
    normal = np.array([g.normal_x[elements[0], faces[0]], g.normal_y[elements[0], faces[0]]])
    tangent = np.array([-normal[1], normal[0]])  # the domain is on its left
    across, along = ends @ normal, ends @ tangent
    start, width = float(along.min()), float(np.ptp(along))
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum()
    if np.ptp(across) > _SAME * width or abs(lengths - width) > _SAME * width:
        raise _refused(
            source,
            scene,
            f'comes through "{source.edge}", which is not one straight edge',
            'Name one side, such as "domain.left".',
        )
    _check_sides(source, operator, scene, elements, faces, tangent)
    wave_number = 2 * math.pi * carrier(source) / speed
    transverse = source.mode * math.pi / width
    if wave_number <= transverse:
        cutoff = transverse * speed / (2 * math.pi)
        raise _refused(
            source,
            scene,
            f"has the frequency {carrier(source):g}, which mode {source.mode} does not carry",
            f"In a guide of width {width:.4g} it needs more than {cutoff:.4g}.",
        )
    nodes = d.element.face_nodes[faces]
    rows = elements[:, None]
    s = tangent[0] * d.x[rows, nodes] + tangent[1] * d.y[rows, nodes] - start
    profile = (np.sin if source.sides == "conductor" else np.cos)(transverse * s)
    e = source.amplitude * profile
    cosine = math.sqrt(wave_number**2 - transverse**2) / wave_number
    return (
        FaceDrive(
            elements,
            faces,
            e,
            cosine / impedance * e,
            np.zeros((len(elements), 1)),
            waveform_function(source.waveform),
        ),
    )


def _border(
    source: PlaneWave, operator: MaxwellTM, scene: Scene, inside: NDArray[np.bool_], u: Array
) -> tuple[Indices, Indices]:
    """Faces between elements inside and outside, seen from both."""
    d = operator.discretization
    c = d.connectivity
    if not inside.any():
        raise _refused(
            source,
            scene,
            "has no whole element inside its shape",
            "Draw the shape larger, or mesh with a smaller element size.",
        )
    differs = (inside[:, None] != inside[c.neighbor_element]) & ~c.is_boundary
    if not differs.any():
        raise _refused(
            source,
            scene,
            "has all of the domain inside its shape",
            "Draw the shape smaller, or let the wave come through absorbing edges = [...].",
        )
    elements, faces = np.nonzero(differs)
    _check_periodic(source, d, scene, inside, u)
    _check_ends(source, operator, scene, elements, faces, u)
    return elements, faces


def _check_periodic(
    source: PlaneWave, d: Discretization, scene: Scene, inside: NDArray[np.bool_], u: Array
) -> None:
    """Where the inside goes through a periodic edge the wave must be the same on both sides."""
    c = d.connectivity
    middles = d.mesh.vertices[d.mesh.triangles[:, FACE_VERTICES]].mean(axis=2)
    shift = middles - middles[c.neighbor_element, c.neighbor_face]
    size = np.abs(shift).max(axis=2)
    extent = float(np.abs(np.ptp(d.mesh.vertices, axis=0)).max())
    glued = (size > _SAME * extent) & (inside[:, None] | inside[c.neighbor_element])
    if (np.abs(shift @ u)[glued] > _SAME * extent).any():
        raise _refused(
            source,
            scene,
            "goes through a periodic edge at an angle",
            "Let it run along that edge, or draw its shape so that it stays away from it.",
        )


def _check_ends(
    source: PlaneWave,
    operator: MaxwellTM,
    scene: Scene,
    elements: Indices,
    faces: Indices,
    u: Array,
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
        raise _refused(
            source,
            scene,
            f"has a border that meets a wall near ({x:.4g}, {y:.4g}), which the wave does not pass "
            "along undisturbed",
            "Draw its shape at least an element away from the walls, or with all of an obstacle "
            "inside.",
        )


def _through(
    source: PlaneWave | GuidedMode, operator: MaxwellTM, scene: Scene, edges: tuple[str, ...]
) -> tuple[Indices, Indices]:
    """The faces of absorbing edges."""
    d = operator.discretization
    chosen = np.zeros((d.n_elements, 3), dtype=bool)
    for edge in edges:
        of_edge = face_selection(d.mesh, (edge,)) & d.connectivity.is_boundary
        if not of_edge.any():
            raise _refused(
                source,
                scene,
                f'comes through "{edge}", where the mesh has no wall',
                f"The mesh has: {', '.join(sorted(d.mesh.face_names)) or 'no names'}; periodic "
                "edges are no walls.",
            )
        if (operator.reflection[of_edge] != 0).any():
            raise _refused(
                source,
                scene,
                f'comes through "{edge}", which does not absorb',
                'Add [[walls]] with that edge and kind = "absorbing".',
            )
        chosen |= of_edge
    elements, faces = np.nonzero(chosen)
    return elements, faces


def _medium(
    source: PlaneWave | GuidedMode, operator: MaxwellTM, scene: Scene, elements: Indices
) -> tuple[float, float]:
    """Impedance and speed, the same on all these elements.

    Raises
    ------
    SceneError : they are not, or a medium there loses energy, is a formula, or has a curved edge.
    """
    d = operator.discretization

    def where(wrong: NDArray[np.bool_]) -> str:
        element = elements[int(np.argmax(wrong))]
        return f"near ({d.x[element].mean():.4g}, {d.y[element].mean():.4g})"

    constants = np.column_stack([operator.epsilon[elements], operator.mu[elements]])
    other = (constants != constants[0]).any(axis=1)
    special = operator.sigma[elements] != 0
    if operator.media is not None:
        for profile in operator.media.profiles:
            special |= np.isin(elements, profile.elements)
    remedy = "Draw its shape, or choose edges, where there is one lossless medium of constant "
    remedy += "epsilon and mu: the wave is known only there."
    if special.any():
        problem = f"comes in through a lossy or varying medium {where(special)}"
        raise _refused(source, scene, problem, remedy)
    if other.any():
        raise _refused(source, scene, f"comes in through two media, one {where(other)}", remedy)
    curved = elements >= d.first_curved
    if curved.any():
        raise _refused(
            source,
            scene,
            f"comes in through an element with a curved edge {where(curved)}",
            "Keep its border an element away from curved edges; walls that waves come through are "
            "straight.",
        )
    epsilon, mu = constants[0]
    return math.sqrt(mu / epsilon), 1 / math.sqrt(mu * epsilon)


def _check_sides(
    source: GuidedMode,
    operator: MaxwellTM,
    scene: Scene,
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
    needed = -1.0 if source.sides == "conductor" else 1.0
    kinds = operator.reflection[k, f] != needed
    if len(k) < 2 or (straight < 1 - _SAME).any() or kinds.any():
        walls = {"conductor": "conductors", "magnetic": "magnetic walls"}[source.sides]
        raise _refused(
            source,
            scene,
            f'comes through "{source.edge}", beside which there are not two parallel {walls}',
            'Make the guide straight there, or set sides = "magnetic" or "conductor" as they are.',
        )


def _refused(source: PlaneWave | GuidedMode, scene: Scene, problem: str, remedy: str) -> SceneError:
    return SceneError(
        f'source "{source.name}" {problem}',
        where=scene.where,
        remedy=remedy,
    )
