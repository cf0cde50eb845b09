"""Nodal fields at arbitrary points: finding the element, interpolating."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.geometry import cross
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.remembered import Remembered

#: Building one costs a pass over the elements, and many things are looked up on each mesh.
_locators: Remembered[Discretization, Locator] = Remembered(1)
#: Receivers and probes stay where they are while a number is turned.
_points: Remembered[Discretization, tuple[NDArray[np.int32], Array]] = Remembered(32)
#: A curved element has no points further outside of its straight triangle, in reference
#: coordinates, than its nodes are by this factor and this much more.
_BEYOND_FACTOR, _BEYOND = 1.25, 0.05
#: By how much an arc may reach beyond the box around its nodes, in parts of the element's box.
_BETWEEN_NODES = 0.02
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
    return element.to_points(rs[:, 0], rs[:, 1])


def weights_at(discretization: Discretization, positions: Array) -> tuple[NDArray[np.int32], Array]:
    """Elements (n,) that hold points (n, 2), -1 for one outside, and (n, nodes_per_element) weights
    of their nodal values, 0 outside; the same that were asked for before are not looked for again.
    """

    def found() -> tuple[NDArray[np.int32], Array]:
        elements, rs = locator_of(discretization).locate(positions)
        weights = np.zeros((len(elements), discretization.nodes_per_element))
        inside = elements >= 0
        weights[inside] = interpolation_weights(discretization.element, rs[inside])
        return elements, weights

    return _points.get(discretization, positions.tobytes(), found)


def reference_coordinates(mesh: Mesh, elements: NDArray[np.integer], points: Array) -> Array:
    """(n, 2) coordinates r, s of each point in its element."""
    a, b, c = (mesh.vertices[mesh.triangles[elements, i]] for i in range(3))
    ab, ac, ap = b - a, c - a, points - a
    along = np.column_stack([cross(ap, ac), cross(ab, ap)]) / cross(ab, ac)[:, None]
    return 2 * along - 1


def _outside(rs: Array) -> Array:
    """(n,) how far reference points (n, 2) are outside of the triangle; negative inside."""
    return np.asarray(np.maximum(-1 - rs.min(axis=1), rs.sum(axis=1)))


def _is_inside(rs: Array) -> Mask:
    """(n,) whether reference points (n, 2) are in the triangle; NaN is not."""
    return np.asarray(_outside(rs) <= _TOLERANCE, dtype=bool)


def locator_of(discretization: Discretization) -> Locator:
    """The locator of a discretization, made once."""
    return _locators.get(discretization, None, lambda: Locator(discretization))


class Locator:
    """Finds the element that holds a point, through a grid of buckets over the mesh.

    Building costs one pass over the elements; looking up is vectorised over points.
    """

    def __init__(self, discretization: Discretization) -> None:
        mesh = discretization.mesh
        self._mesh, self._curved = mesh, discretization.curved
        corners = mesh.vertices[mesh.triangles]
        lower, upper = corners.min(axis=1), corners.max(axis=1)
        if self._curved is not None:
            bent = slice(self._curved.first, None)
            nodes = np.stack([discretization.x[bent], discretization.y[bent]], axis=2)
            # Between its nodes an arc may reach a little further.
            beyond = _BETWEEN_NODES * (upper[bent] - lower[bent])
            lower[bent] = np.minimum(lower[bent], nodes.min(axis=1)) - beyond
            upper[bent] = np.maximum(upper[bent], nodes.max(axis=1)) + beyond
            numbers = np.arange(self._curved.first, mesh.n_elements)
            of_nodes = np.repeat(numbers, nodes.shape[1])
            straight = reference_coordinates(mesh, of_nodes, nodes.reshape(-1, 2))
            furthest = _outside(straight).reshape(nodes.shape[:2]).max(axis=1)
            self._reach = _BEYOND_FACTOR * furthest + _BEYOND
        self._low = lower.min(axis=0)
        extent = np.maximum(upper.max(axis=0) - self._low, 1e-300)
        # About one element a bucket.
        per_length = np.sqrt(mesh.n_elements / (extent[0] * extent[1]))
        self._shape = np.clip(np.ceil(extent * per_length), 1, 4096).astype(np.int64)
        self._cell = extent / self._shape
        margin = _TOLERANCE * extent
        first = self._cells(lower - margin)
        last = self._cells(upper + margin)
        spans = last - first + 1
        # Of complex fields it is the real part that is looked up.
        counts = spans[:, 0] * spans[:, 1] * discretization.is_seen
        elements = np.repeat(np.arange(mesh.n_elements), counts)
        within = np.arange(len(elements)) - np.repeat(np.cumsum(counts) - counts, counts)
        row, column = np.divmod(within, np.repeat(spans[:, 0], counts))
        cells = (np.repeat(first[:, 1], counts) + row) * self._shape[0] + (
            np.repeat(first[:, 0], counts) + column
        )
        order = np.argsort(cells, kind="stable")
        self._members = elements[order]
        self._starts = np.searchsorted(cells[order], np.arange(self._shape.prod() + 1))

    def _cells(self, points: Array) -> Indices:
        return np.clip(np.floor((points - self._low) / self._cell), 0, self._shape - 1).astype(
            np.int64
        )

    def _bent(self, elements: NDArray[np.integer]) -> Mask:
        """(n,) which are curved: whether a point is in one, its straight triangle does not say."""
        if self._curved is None:
            return np.zeros(len(elements), dtype=bool)
        return np.asarray(elements >= self._curved.first, dtype=bool)

    def _locate_among_curved(
        self,
        points: Array,
        pairs: list[tuple[Indices, Indices, Array]],
        elements: NDArray,
        rs: Array,
    ) -> None:
        """Find points that no straight element has, all at once.

        Parameters
        ----------
        pairs : numbers of points, curved elements that each may be in, and (n, 2) coordinates in
            the straight triangles of these.
        elements, rs : what is found is written there.
        """
        curved = self._curved
        assert curved is not None
        numbers, candidates, start = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        # Most candidates of a bucket are elsewhere, which is seen without Newton's method.
        near = (elements[numbers] < 0) & (_outside(start) < self._reach[candidates - curved.first])
        numbers, candidates = numbers[near], candidates[near]
        own = candidates - curved.first
        local = curved.mapping.inverse(own, points[numbers], start[near])
        found = np.flatnonzero(_is_inside(local))[::-1]
        # Backwards, so that the first of several stays.
        elements[numbers[found]], rs[numbers[found]] = candidates[found], local[found]

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
        of_curved: list[tuple[Indices, Indices, Array]] = []
        # All pending points try the next candidate of their bucket together.
        while len(pending):
            going = position < stop
            pending, position, stop = pending[going], position[going], stop[going]
            candidates = self._members[position]
            local = reference_coordinates(self._mesh, candidates, points[pending])
            bent = self._bent(candidates)
            if bent.any():
                of_curved.append((pending[bent], candidates[bent], local[bent]))
            found = _is_inside(local) & ~bent
            hit = pending[found]
            elements[hit], rs[hit] = candidates[found], local[found]
            pending, position, stop = pending[~found], position[~found] + 1, stop[~found]
        if of_curved:
            self._locate_among_curved(points, of_curved, elements, rs)
        return elements, rs


def interpolate(
    source: Discretization, fields: list[Array], elements: NDArray[np.int32], rs: Array
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
