"""Where the walls of a scene cut the links of a grid, and what they take there."""

from __future__ import annotations

import numpy as np
import shapely

from wavelab.arrays import Array, Indices, Mask
from wavelab.physics.problem import Problem

#: Cells by which a conductor is set back before nodes beyond it are in it.  The zeros of Ez are the
#: first nodes beyond the wall, on average about this far from it; see
#: :mod:`wavelab.benchmark.versus.finite_differences`, which has measured it.
SETBACK = 0.4
#: A node is on a wall within this part of a cell, and a wall along the grid within this of its
#: normal's larger part.
_ON_WALL, _ALONG_GRID = 1e-6, 1e-6
#: Of a reflection coefficient, from that of a conductor.
_CONDUCTS = 1e-9


class Faces:
    """The faces of the boundary, found by what is nearest."""

    def __init__(self, problem: Problem) -> None:
        operator = problem.operator
        d = operator.discretization
        elements, faces = np.nonzero(d.connectivity.is_boundary)
        nodes = d.element.face_nodes[faces]
        lines = np.stack([d.x[elements[:, None], nodes], d.y[elements[:, None], nodes]], axis=2)
        self._lines = shapely.linestrings(lines)
        self._tree = shapely.STRtree(self._lines)
        reflection = operator.reflection[elements, faces]
        self.conducts = reflection < -1 + _CONDUCTS
        # Of the surface: Ez times this goes into the wall, per length.
        within = np.where(self.conducts, 0.0, reflection)
        impedance = np.sqrt(operator.mu / operator.epsilon)[elements]
        self.conductance = (1 - within) / (1 + within) / impedance
        self.normal = np.stack(
            [np.abs(n[elements, faces]) for n in (d.geometry.normal_x, d.geometry.normal_y)], axis=1
        )

    def nearest(self, points: Array) -> tuple[Indices, Array]:
        """The number of the face that is nearest to each of some points (n, 2), and how far."""
        there = shapely.points(points)
        found = self._tree.nearest(there) if len(points) else np.zeros(0, np.int64)
        return found, shapely.distance(there, self._lines[found])


def _beside(mask: Mask) -> Mask:
    """Nodes with one of ``mask`` among their four neighbours."""
    found = np.zeros_like(mask)
    found[1:] |= mask[:-1]
    found[:-1] |= mask[1:]
    found[:, 1:] |= mask[:, :-1]
    found[:, :-1] |= mask[:, 1:]
    return found


def in_conductor(inside: Mask, points: Array, faces: Faces, cell: float) -> Mask:
    """Nodes in the domain, but so close to a conductor that they count as beyond it."""
    found = inside & _beside(~inside)
    near, distance = faces.nearest(points[found])
    found[found] = faces.conducts[near] & (distance < SETBACK * cell)
    return found


def conductors(stepped: Mask, points: Array, faces: Faces) -> Mask:
    """Nodes beside those that are stepped which are in a conductor."""
    found = ~stepped & _beside(stepped)
    near, _ = faces.nearest(points[found])
    found[found] = faces.conducts[near]
    return found


def at_walls(
    stepped: Mask, known: Mask, points: Array, faces: Faces
) -> tuple[tuple[Array, Array], Array]:
    """Share of the cell of each node, across and up, and a conductivity that stands for walls at
    the links that they cut.

    H along such a link is 0 as at a magnetic wall, and the node feels the current of the wall's
    surface.  The links that a slanted wall cuts are more than its length, so each counts as its
    part of the normal.
    """
    shares, total = (np.ones(stepped.shape), np.ones(stepped.shape)), np.zeros(stepped.shape)
    for along, share in enumerate(shares):  # x, y
        axis = 1 - along
        for shift in (-1, 1):
            cut = stepped & ~np.roll(known, shift, axis=axis)
            across = np.roll(points, shift, axis=axis)[cut]
            size = float(points[1, 1, along] - points[0, 0, along])
            near, _ = faces.nearest((points[cut] + across) / 2)
            normal = faces.normal[near, along]
            on_wall = (faces.nearest(points[cut])[1] < _ON_WALL * size) & (normal > 1 - _ALONG_GRID)
            part = np.where(on_wall, 0.5, 1.0)
            share[cut] *= part
            total[cut] += faces.conductance[near] * normal / (part * size)
    return shares, total
