"""Integrals of nodal fields along polylines, exact for what is a polynomial on each element."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import interpolation_weights, locator_of
from wavelab.remembered import Remembered

#: Crossings closer than this, in parts of a segment, are one.
_TOGETHER = 1e-10
#: Lines on a mesh that are remembered: those of monitors stay while a number is turned.
_KEPT = 64


@dataclass(frozen=True, eq=False)
class LineQuadrature:
    """Gauss points on the parts of a polyline in the mesh; one-sided where it follows edges.

    Attributes
    ----------
    points : (n, 2).
    weights : (n,) lengths; their sum is the length inside the mesh.
    normal_x, normal_y : (n,) unit normals to the right of the way along the vertices.
    elements : (n,) int32.
    interpolation : (n, nodes_per_element) weights of the nodal values of the element.
    length : of the whole polyline, inside and outside.
    """

    points: Array
    weights: Array
    normal_x: Array
    normal_y: Array
    elements: NDArray[np.int32]
    interpolation: Array
    length: float

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def inside(self) -> float:
        """Part of the length that lies in the mesh, 0 to 1."""
        return float(self.weights.sum()) / self.length


_lines: Remembered[Discretization, LineQuadrature] = Remembered(_KEPT)


def line_quadrature(d: Discretization, vertices: Array, *, closed: bool = False) -> LineQuadrature:
    """N + 1 Gauss points between any two edges of the mesh that the line crosses.

    That is exact for products of two fields of order N (degree 2 N + 1).

    Parameters
    ----------
    vertices : (m, 2), no two neighbours alike.
    closed : whether the last vertex is joined to the first.
    """
    ends = np.asarray(vertices, dtype=np.float64)
    if closed:
        ends = np.concatenate([ends, ends[:1]])
    return _lines.get(d, ends.tobytes(), lambda: _quadrature(d, ends))


def _quadrature(d: Discretization, ends: Array) -> LineQuadrature:
    from_, to = d.mesh.vertices[_edges(d.mesh.triangles)].transpose(1, 0, 2)
    x, w = gauss_quadrature(0, 0, d.order + 1)
    points, weights, normals = [], [], []
    for start, end in itertools.pairwise(ends):
        cuts = _crossings(start, end, from_, to)
        half = np.diff(cuts)[:, None] / 2
        along = (cuts[:-1, None] + half * (1 + x)).ravel()
        length = float(np.hypot(*(end - start)))
        points.append(start + along[:, None] * (end - start))
        weights.append((half * w).ravel() * length)
        normal = np.array([end[1] - start[1], start[0] - end[0]]) / length
        normals.append(np.broadcast_to(normal, points[-1].shape))
    at, weight, normal = (np.concatenate(parts) for parts in (points, weights, normals))
    elements, rs = locator_of(d).locate(at)
    inside = elements >= 0
    return LineQuadrature(
        at[inside],
        weight[inside],
        normal[inside, 0],
        normal[inside, 1],
        elements[inside],
        interpolation_weights(d.element, rs[inside]),
        float(weight.sum()),
    )


def points_along(vertices: Array, count: int) -> tuple[Array, Array]:
    """Positions (count, 2) spread evenly over a polyline, ends included, and how far along."""
    ends = np.asarray(vertices, dtype=np.float64)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ends, axis=0).T))])
    along = np.linspace(0, lengths[-1], count) if count > 1 else np.array([lengths[-1] / 2])
    return np.column_stack([np.interp(along, lengths, ends[:, i]) for i in range(2)]), along


def _edges(triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """(n_edges, 2) vertex numbers, each edge once."""
    pairs = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(pairs, axis=0)


def _crossings(start: Array, end: Array, from_: Array, to: Array) -> Array:
    """Sorted places, 0 to 1, where a segment crosses edges; with 0 and 1."""
    way, edge, between = end - start, to - from_, from_ - start
    across = way[0] * edge[:, 1] - way[1] * edge[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (between[:, 0] * edge[:, 1] - between[:, 1] * edge[:, 0]) / across
        place = (between[:, 0] * way[1] - between[:, 1] * way[0]) / across
    slack = 1e-9
    hit = (along > 0) & (along < 1) & (place > -slack) & (place < 1 + slack)
    cuts = np.unique(np.concatenate([[0.0, 1.0], along[hit]]))
    kept = np.concatenate([[True], np.diff(cuts) > _TOGETHER])
    cuts = cuts[kept]
    cuts[-1] = 1.0
    return cuts
