"""Gaussians on the mesh, through glued edges where waves have a phase too.

With the phases of a Bloch wave of wavevector k what acts at a place acts in every other cell too,
at a lattice vector t from there with the factor exp(i k.t): on the real part of complex fields and
on the imaginary part.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.fields.glue import glue_of
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.gaussian import REACH, gaussian_along, turned_gaussians

#: Radians by which phases of one wave differ from rounding alone, and lengths that do, in parts of
#: the largest.
_SAME = 1e-6


def bump(
    operator: Operator,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    amplitude: float,
) -> tuple[Indices, Array]:
    """Nodes and values of amplitude exp(-d^2 / (2 radius^2)), d being the distance from the line
    between two points, as of :func:`wavelab.physics.sources.gaussian.gaussian_along`.

    Where the phases are those of no wave it ends at the glued edges.
    """
    d = operator.discretization
    k = wavevector(operator)
    if k is None:
        return gaussian_along(d, start, end, radius, amplitude)
    line, total = np.array([start, end]), np.zeros(d.x.size)
    for motion in glue_of(d.seen).images(line, REACH * radius):
        one, other = map(tuple, motion(line).tolist())
        turn = float(k @ [motion.shift.real, motion.shift.imag])
        nodes, values = gaussian_along(d, one, other, radius, amplitude)
        total[nodes] += np.cos(turn) * values
        # The imaginary part of an element comes right after its real part.
        total[nodes + d.nodes_per_element] += np.sin(turn) * values
    found = np.flatnonzero(total)
    return found, total[found]


def turned_bumps(
    operator: Operator, at: tuple[float, float], radius: float, amplitude: float
) -> list[tuple[complex, Indices, Array]]:
    """:func:`bump` around a point in parts, for what has a direction: by how much what acts there
    is turned, a complex number of absolute value 1, as where glued edges are, and nodes and
    values."""
    if operator.phases is not None:  # turned edges with phases end it
        return [(1.0, *bump(operator, at, at, radius, amplitude))]
    return turned_gaussians(operator.discretization, at, radius, amplitude)


def wavevector(operator: Operator) -> Array | None:
    """(2,) k of the Bloch waves that have the phases of an operator, in radians per length; None
    where there are none, or the phases are those of no wave, as where glued edges are turned."""
    if operator.phases is None:
        return None
    d, c = operator.discretization.seen, operator.discretization.seen.connectivity
    if any(abs(edge.motion.turn - 1) > _SAME for edge in glue_of(d).edges):
        return None
    middles = d.mesh.vertices[d.mesh.triangles[:, FACE_VERTICES]].mean(axis=2)
    shift = middles - middles[c.neighbor_element, c.neighbor_face]
    size = float(np.abs(shift).max())
    element, face = np.nonzero(np.abs(shift).max(axis=2) > _SAME * size)
    if not len(element):
        return None
    shifts, phases = shift[element, face], operator.phases[:: operator.discretization.copies]
    turns = phases[element, face]
    across = np.abs(shifts[0, 0] * shifts[:, 1] - shifts[0, 1] * shifts[:, 0])
    chosen = [0, int(across.argmax())] if across.max() > _SAME * size**2 else [0]
    k = np.asarray(np.linalg.pinv(shifts[chosen]) @ turns[chosen])
    wrong = shifts @ k - turns
    wrong -= 2 * np.pi * np.rint(wrong / (2 * np.pi))
    return k if np.abs(wrong).max() < 1e-4 else None


def told(position: tuple[float, float]) -> str:
    """A place, in words."""
    return f"({position[0]:g}, {position[1]:g})"
