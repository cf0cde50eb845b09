"""Nodal fields at arbitrary points: finding the element, interpolating, moving between meshes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.discretization import Discretization
from wavelab.numerics.mesh import Mesh
from wavelab.numerics.reference_element import ReferenceElement
from wavelab.numerics.simplex_basis import vandermonde

Array = NDArray[np.float64]

#: Points this far outside, in barycentric coordinates, still belong to an element.
_TOLERANCE = 1e-9


def interpolation_weights(element: ReferenceElement, rs: Array) -> Array:
    """Weights that turn nodal values into values at reference points (HW 6.1).

    Parameters
    ----------
    rs : (n, 2) reference coordinates.

    Returns
    -------
    (n, nodes_per_element).
    """
    if len(rs) == 0:
        return np.zeros((0, element.nodes_per_element))
    return vandermonde(element.order, rs[:, 0], rs[:, 1]) @ element.inverse_vandermonde


def reference_coordinates(mesh: Mesh, elements: NDArray[np.int32], points: Array) -> Array:
    """(n, 2) coordinates r, s of each point in its element."""
    a, b, c = (mesh.vertices[mesh.triangles[elements, i]] for i in range(3))
    ab, ac, ap = b - a, c - a, points - a
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    along_r = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / area
    along_s = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / area
    return np.column_stack([2 * along_r - 1, 2 * along_s - 1])


class Locator:
    """Finds the element that holds a point, through a grid of buckets over the mesh.

    Building costs one pass over the elements; looking up is vectorised over points.
    """

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        corners = mesh.vertices[mesh.triangles]
        self._low = mesh.vertices.min(axis=0)
        extent = np.maximum(mesh.vertices.max(axis=0) - self._low, 1e-300)
        # About one element a bucket.
        per_length = np.sqrt(mesh.n_elements / (extent[0] * extent[1]))
        self._shape = np.clip(np.ceil(extent * per_length), 1, 4096).astype(np.int64)
        self._cell = extent / self._shape
        margin = _TOLERANCE * extent
        first = self._cells(corners.min(axis=1) - margin)
        last = self._cells(corners.max(axis=1) + margin)
        spans = last - first + 1
        counts = spans[:, 0] * spans[:, 1]
        elements = np.repeat(np.arange(mesh.n_elements), counts)
        within = np.arange(len(elements)) - np.repeat(np.cumsum(counts) - counts, counts)
        row, column = np.divmod(within, np.repeat(spans[:, 0], counts))
        cells = (np.repeat(first[:, 1], counts) + row) * self._shape[0] + (
            np.repeat(first[:, 0], counts) + column
        )
        order = np.argsort(cells, kind="stable")
        self._members = elements[order]
        self._starts = np.searchsorted(cells[order], np.arange(self._shape.prod() + 1))

    def _cells(self, points: Array) -> NDArray[np.int64]:
        return np.clip(np.floor((points - self._low) / self._cell), 0, self._shape - 1).astype(
            np.int64
        )

    def locate(self, points: Array) -> tuple[NDArray[np.int32], Array]:
        """Element and reference coordinates of each point.

        Parameters
        ----------
        points : (n, 2).

        Returns
        -------
        elements : (n,) int32, -1 for points outside the mesh.
        rs : (n, 2), NaN outside.
        """
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        elements = np.full(len(points), -1, dtype=np.int32)
        rs = np.full(points.shape, np.nan)
        high = self._low + self._cell * self._shape
        margin = _TOLERANCE * (high - self._low)
        inside_box = ((points >= self._low - margin) & (points <= high + margin)).all(axis=1)
        pending = np.flatnonzero(inside_box)
        cells = self._cells(points[pending])
        flat = cells[:, 1] * self._shape[0] + cells[:, 0]
        position, stop = self._starts[flat], self._starts[flat + 1]
        # All pending points try the next candidate of their bucket together.
        while len(pending):
            going = position < stop
            pending, position, stop = pending[going], position[going], stop[going]
            candidates = self._members[position]
            local = reference_coordinates(self._mesh, candidates, points[pending])
            found = (local >= -1 - _TOLERANCE).all(axis=1) & (local.sum(axis=1) <= _TOLERANCE)
            hit = pending[found]
            elements[hit], rs[hit] = candidates[found], local[found]
            pending, position, stop = pending[~found], position[~found] + 1, stop[~found]
        return elements, rs


def interpolate(
    source: Discretization,
    fields: list[Array],
    elements: NDArray[np.int32],
    rs: Array,
) -> list[Array]:
    """Nodal fields at located points; 0 where ``elements`` is -1.

    Parameters
    ----------
    fields : arrays (n_elements, nodes_per_element) on ``source``.
    elements, rs : (n,) and (n, 2), as :meth:`Locator.locate` gives.

    Returns
    -------
    one (n,) array per field.
    """
    results = [np.zeros(len(elements)) for _ in fields]
    inside = np.flatnonzero(elements >= 0)
    # In pieces, so that the weights of a large mesh stay in cache and memory.
    for piece in np.array_split(inside, max(1, len(inside) // 50_000)):
        weights = interpolation_weights(source.element, rs[piece])
        for result, values in zip(results, fields, strict=True):
            result[piece] = np.einsum("pn,pn->p", weights, values[elements[piece]])
    return results


def transfer(source: Discretization, fields: list[Array], target: Discretization) -> list[Array]:
    """Nodal fields on another mesh or of another order: interpolated at its nodes, 0 outside.

    Nodes on a face belong to two source elements whose values may jump; each target node is moved
    a hair towards its element's centre before it is located, so that it reads the side it is on.
    """
    points = np.stack([target.x, target.y], axis=2)
    inward = points + 1e-7 * (points.mean(axis=1, keepdims=True) - points)
    elements, rs = Locator(source.mesh).locate(inward.reshape(-1, 2))
    return [v.reshape(target.shape) for v in interpolate(source, fields, elements, rs)]
