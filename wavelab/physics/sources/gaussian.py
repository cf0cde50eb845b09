"""Gaussians on the mesh: what a ping adds and where a point source acts.

They are projected on the polynomials, whatever the mesh, so that they act on all waves as strongly
as they should, and the better the finer the mesh (:mod:`wavelab.numerics.fields.localized`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.glue import distance_from_line, glue_of
from wavelab.numerics.fields.localized import projected
from wavelab.remembered import Remembered

#: exp(-r^2 / 2) falls below 1e-10 at this many radii.
REACH = 6.8
#: Least radius of a bump that can be sampled, in parts of the longest edge over the order.
_LEAST_RADIUS = 0.6
#: How much finer pieces of elements are than elsewhere where a line ends.
_AT_ENDS = 16
#: Bumps of a mesh that are remembered: most of a scene stays where it is while a number is turned.
_KEPT = 64
#: Turns that differ by less are the same.
_SAME = 1e-6

_bumps: Remembered[Discretization, tuple[Indices, Array]] = Remembered(_KEPT)


def gaussian(
    discretization: Discretization, center: tuple[float, float], radius: float, amplitude: float
) -> tuple[Indices, Array]:
    """amplitude exp(-d^2 / (2 radius^2)), d being the distance from the centre, as the best fit by
    polynomials.

    Through glued edges the way may be shorter; it is the shortest that counts.

    Returns
    -------
    nodes : (n,) flat node indices k * nodes_per_element + n; empty when no element is within 6.8
        radii of the centre.
    values : (n,).
    """
    return gaussian_along(discretization, center, center, radius, amplitude)


def gaussian_along(
    discretization: Discretization,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    amplitude: float,
) -> tuple[Indices, Array]:
    """The same with d the distance from the line between two points."""
    place = start, end, radius
    nodes, values = _bumps.get(discretization, place, lambda: _projected(discretization, *place))
    return nodes.copy(), amplitude * values


def turned_gaussians(
    discretization: Discretization, center: tuple[float, float], radius: float, amplitude: float
) -> list[tuple[complex, Indices, Array]]:
    """:func:`gaussian` in parts, for what has a direction: by how much what acts there is turned on
    its way through glued edges, a complex number of absolute value 1, and nodes and values.

    Where no way turns it that is one part.
    """
    line = np.array([center], dtype=np.float64)
    motions = glue_of(discretization).images(line, REACH * radius)
    turns = np.array([motion.turn for motion in motions])
    parts, left = [], np.ones(len(turns), dtype=bool)
    while left.any():
        turn = complex(turns[left][0])
        alike = left & (np.abs(turns - turn) < _SAME)
        if alike.all():
            return [(turn, *gaussian(discretization, center, radius, amplitude))]
        bump = _Bump([motion(line) for motion in motions], radius, counted=alike)
        nodes, values = _on_mesh(discretization, bump)
        if len(nodes):
            parts.append((turn, nodes, amplitude * values))
        left &= ~alike
    return parts


def _projected(
    d: Discretization, start: tuple[float, float], end: tuple[float, float], radius: float
) -> tuple[Indices, Array]:
    """As :func:`gaussian_along`, for an amplitude of 1."""
    line = np.array([start] if start == end else [start, end], dtype=np.float64)
    lines = [motion(line) for motion in glue_of(d).images(line, REACH * radius)]
    return _on_mesh(d, _Bump(lines, radius))


def _on_mesh(d: Discretization, bump: _Bump) -> tuple[Indices, Array]:
    """Flat nodes, and the values of a bump there."""
    elements, values = projected(d, bump.values, bump.look)
    nodes = elements[:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
    return nodes.ravel(), values.ravel()


class _Bump:
    """exp(-d^2 / (2 radius^2)) around the nearest of some points (1, 2) or lines (2, 2); 0 where
    that is none of those that are counted."""

    def __init__(
        self, lines: Sequence[Array], radius: float, *, counted: Mask | None = None
    ) -> None:
        self._lines, self._radius, self._counted = lines, radius, counted

    def values(self, points: Array) -> Array:
        """At points (..., 2)."""
        away = self._distances(points)
        found = np.asarray(np.exp(-((away.min(axis=0) / self._radius) ** 2) / 2))
        if self._counted is not None:
            found *= self._counted[away.argmin(axis=0)]
        return found

    def look(self, triangles: Array) -> tuple[Array, Mask]:
        """How far it goes along the edges of triangles, and whether it reaches them: what
        :func:`projected` asks."""
        lengths = np.linalg.norm(np.roll(triangles, -1, axis=1) - triangles, axis=2)
        changes, reach = lengths / self._radius, REACH * self._radius
        away = self._distances(triangles.mean(axis=1))
        # No point of a triangle is further from its middle than two thirds of the longest edge.
        near = away.min(axis=0) < reach + lengths.max(axis=1) * (2 / 3)
        nearest = away.argmin(axis=0)
        for number, line in enumerate(self._lines):
            if len(line) > 1:
                here = np.flatnonzero(nearest == number)
                self._look_at_line(line, triangles, here, changes, near)
        return changes, near

    def _look_at_line(
        self, line: Array, triangles: Array, here: Indices, changes: Array, near: Mask
    ) -> None:
        """Correct what was said of the triangles that a line is nearest to."""
        length = float(np.linalg.norm(line[1] - line[0]))
        along = (line[1] - line[0]) / length
        part = (triangles[here] - line[0]) @ along
        side = (triangles[here] - line[0]) @ [-along[1], along[0]] / self._radius
        first, last = part.min(axis=1), part.max(axis=1)
        # Beside it the bump changes only across.
        beside = (first >= 0) & (last <= length)
        changes[here[beside]] = np.abs(np.roll(side, -1, axis=1) - side)[beside]
        near[here] &= ~beside | ((side.min(axis=1) < REACH) & (side.max(axis=1) > -REACH))
        # Where it ends the second derivative jumps.
        ends = ((first < 0) & (last > 0)) | ((first < length) & (last > length))
        changes[here[ends]] *= _AT_ENDS

    def _distances(self, points: Array) -> Array:
        """(n_lines, ...)."""
        return np.array([distance_from_line(points, line) for line in self._lines])


def least_radius(d: Discretization, elements: NDArray[np.integer]) -> float:
    """Of a bump that the nodes of some elements can sample: that is right within 1 % (root mean
    square over places, orders 2 to 6; 4 % at most)."""
    return _LEAST_RADIUS * float(d.mesh.longest_edges[elements].max()) / d.order
