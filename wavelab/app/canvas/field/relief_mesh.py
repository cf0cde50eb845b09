"""The triangles of the height view: elements cut up finely, what closes gaps, walls at the rim."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.elements.simplex_basis import gradient_vandermonde, vandermonde
from wavelab.numerics.elements.subdivision import subtriangles
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.mesh import FACE_VERTICES, edge_keys

Floats = NDArray[np.float32]
Indices = NDArray[np.int32]

#: Large elements are cut into more triangles than they have between their nodes, so that hills are
#: round: into so many in all, but not into more than the square of ``MOST_CUTS`` each.
TRIANGLES, MOST_CUTS = 120_000, 24
#: What a vertex belongs to.
SURFACE, WALL_TOP, WALL_BOTTOM = range(3)


@dataclass(frozen=True, eq=False)
class ReliefMesh:
    """What is drawn of one discretization, whatever the values are.

    Each element has the same points.  Vertices are all points of all elements, and those at the rim
    twice more.

    Attributes
    ----------
    positions : (n_vertices, 2) relative to the middle of the domain, in units of half its size.
    element, point : (n_vertices,) where a vertex takes its value from.
    kind : (n_vertices,) ``SURFACE``, ``WALL_TOP`` or ``WALL_BOTTOM``.
    metric : (n_vertices, 4) dr/dx, dr/dy, ds/dx, ds/dy in these units.
    triangles : (n_triangles, 3) vertex numbers.
    basis : (n_points, nodes_per_element, 3), what each nodal value gives to the value at a point
        and to its derivatives by r and by s.
    reach : from the middle of the domain to the corners of the box around it.
    """

    positions: Floats
    element: Indices
    point: Indices
    kind: Indices
    metric: Floats
    triangles: Indices
    basis: Floats
    reach: float

    @classmethod
    def of(cls, discretization: Discretization) -> ReliefMesh:
        d = discretization
        cuts = cuts_per_side(d.n_elements, d.order)
        r, s, on_faces = lattice(cuts)
        n = len(r)
        by_r, by_s = gradient_vandermonde(d.order, r, s)
        modes = np.stack([vandermonde(d.order, r, s), by_r, by_s])
        basis = np.moveaxis(modes @ d.element.inverse_vandermonde, 0, -1)
        low, high = d.bounds()
        unit = float((high - low).max()) / 2
        positions = np.empty((d.n_elements, n, 2), np.float32)
        for axis, (place, middle) in enumerate(zip((d.x, d.y), (low + high) / 2, strict=True)):
            positions[..., axis] = ((place - middle) / unit) @ basis[..., 0].T
        metric = _metric(d, basis, unit)

        rim, here, there = _faces(d)
        on_rim = _on_faces(rim, on_faces, n)
        element, point = np.divmod(on_rim.ravel(), n)
        n_surface, n_rim = n * d.n_elements, on_rim.size
        top = np.arange(n_surface, n_surface + n_rim, dtype=np.int32).reshape(on_rim.shape)
        first = n * np.arange(d.n_elements, dtype=np.int32)
        # The other element runs through a face in the opposite direction.
        beyond = _on_faces(there, on_faces, n)[:, ::-1]
        triangles = [
            (first[:, None, None] + subtriangles(cuts)).reshape(-1, 3),
            _between(_on_faces(here, on_faces, n), beyond),
            _between(top, top + np.int32(n_rim)),
        ]
        return cls(
            positions=_with_walls(positions.reshape(-1, 2), positions[element, point]),
            element=_with_walls(np.repeat(np.arange(d.n_elements, dtype=np.int32), n), element),
            point=_with_walls(np.tile(np.arange(n, dtype=np.int32), d.n_elements), point),
            kind=np.repeat(
                np.array([SURFACE, WALL_TOP, WALL_BOTTOM], np.int32), [n_surface, n_rim, n_rim]
            ),
            metric=_with_walls(metric.reshape(-1, 4), metric[element, point]),
            triangles=np.concatenate(triangles),
            basis=basis.astype(np.float32),
            reach=math.hypot(*(high - low)) / 2 / unit,
        )


def cuts_per_side(n_elements: int, order: int) -> int:
    """Into how many parts the sides of elements are cut, at least as many as between the nodes."""
    return max(order, min(math.isqrt(TRIANGLES // n_elements), MOST_CUTS))


def lattice(cuts: int) -> tuple[Array, Array, Indices]:
    """Equally spaced points of the reference triangle, in rows of ascending s.

    Returns
    -------
    r, s : (n_points,).
    on_faces : (3, cuts + 1) points on each face, counterclockwise.
    """
    lengths = np.arange(cuts + 1, 0, -1)
    ends = np.cumsum(lengths) - 1
    starts = ends - lengths + 1
    row = np.repeat(np.arange(cuts + 1), lengths)
    column = np.arange(len(row)) - starts[row]
    on_faces = np.stack([np.arange(cuts + 1), ends, starts[::-1]]).astype(np.int32)
    return 2 * column / cuts - 1.0, 2 * row / cuts - 1.0, on_faces


def _faces(d: Discretization) -> tuple[Indices, Indices, Indices]:
    """Numbers 3 * element + face of those with nothing beyond them, periodic ones among them, and
    of both sides of each of the others, once."""
    keys = edge_keys(d.mesh.triangles[:, FACE_VERTICES].reshape(-1, 2), d.mesh.n_vertices)
    neighbor = (3 * d.connectivity.neighbor_element + d.connectivity.neighbor_face).reshape(-1)
    number = np.arange(len(keys), dtype=np.int32)
    shared = (neighbor != number) & (keys[neighbor] == keys)
    once = shared & (number < neighbor)
    return number[~shared], number[once], neighbor[once]


def _on_faces(faces: Indices, on_faces: Indices, n_points: int) -> Indices:
    """(n_faces, cuts + 1) vertices of the surface."""
    element, face = np.divmod(faces, 3)
    return n_points * element[:, None] + on_faces[face]


def _between(one: Indices, other: Indices) -> Indices:
    """(n_triangles, 3) triangles between pairs of lines, (n_lines, n_points) vertices each."""
    a, b, c, d = one[:, :-1], one[:, 1:], other[:, 1:], other[:, :-1]
    return np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)


def _with_walls(surface: NDArray, rim: NDArray) -> NDArray:
    return np.concatenate([surface, rim, rim])


def _metric(d: Discretization, basis: Array, unit: float) -> Floats:
    """(n_elements, n_points, 4): dr/dx, dr/dy, ds/dx, ds/dy."""
    g = d.geometry
    straight = unit * np.stack([g.dr_dx, g.dr_dy, g.ds_dx, g.ds_dy], axis=1)
    metric = np.repeat(straight.astype(np.float32)[:, None], len(basis), axis=1)
    bent = slice(d.first_curved, None)
    x_r, x_s, y_r, y_s = (
        place[bent] @ basis[..., by].T / unit for place in (d.x, d.y) for by in (1, 2)
    )
    jacobian = x_r * y_s - x_s * y_r
    metric[bent] = np.stack([y_s, -x_s, -y_r, x_r], axis=-1) / jacobian[..., None]
    return metric
