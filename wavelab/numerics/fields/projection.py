"""Products of polynomials with a function that is known at the points of a quadrature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.numerics.elements.reference_element import ReferenceElement, triangle_quadrature
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.mesh.geometry import map_to_mesh
from wavelab.remembered import Remembered

#: The inverse of a product is corrected step by step down to ``_ROUNDING``, as long as every step
#: leaves at most the part ``_SLOW``; else linear systems are solved.
_MOST_CORRECTIONS, _ROUNDING, _SLOW = 8, 1e-15, 0.1
#: Elements of a projection that is remembered, at most: while a formula is turned, it stays.
_FEW = 20_000


@dataclass(frozen=True, eq=False)
class Projection:
    """P[w u], the projection of a product onto the polynomials of each of some elements.

    The quadrature is exact for degree 2N + 1 (and for the determinant of a curved element beside),
    which keeps the order of accuracy N + 1, and has positive weights, so that P[w .] has an inverse
    where w > 0.

    Attributes
    ----------
    to_points : (n_points, nodes_per_element), nodal values to values at the points.
    to_nodes : (nodes_per_element, n_points), back by projection: M^-1 times ``to_points``
        transposed times the weights; for curved elements (n, ...), one for each.
    weights : (1, n_points) on the reference triangle; (n, n_points) for curved elements.
    mass : (nodes_per_element, nodes_per_element); (n, ...) for curved elements.
    jacobian : (n, 1) what weights and mass are multiplied with; 1 for curved elements.
    """

    to_points: Array
    to_nodes: Array
    weights: Array
    mass: Array
    jacobian: Array

    @property
    def curved(self) -> bool:
        """Whether each element has its own ``to_nodes``."""
        return self.to_nodes.ndim == 3

    def times(self, values: Array, nodal: Array) -> Array:
        """P[w u].

        Parameters
        ----------
        values : (n, n_points) of w, or (1, 1) where w is the same everywhere.
        nodal : (n, nodes_per_element) of u.
        """
        if values.size == 1:
            return values * nodal
        return self.from_points(values * (nodal @ self.to_points.T))

    def from_points(self, values: Array) -> Array:
        """P[w] of a function that is known at the points, (n, n_points)."""
        return _each(self.to_nodes, values)

    def undone(self, values: Array, nodal: Array) -> Array:
        """The u for which :meth:`times` gives ``nodal``; w must be positive."""
        if values.size == 1:
            return nodal / values
        # P[1/w .] is nearly the inverse, as nearly as w is constant on an element.
        inverse, size = 1 / values, np.abs(nodal).max(initial=0.0)
        found = self.times(inverse, nodal)
        missed = size
        for _ in range(_MOST_CORRECTIONS):
            rest = nodal - self.times(values, found)
            before, missed = missed, np.abs(rest).max(initial=0.0)
            if not missed > _ROUNDING * size:
                return found
            if missed > _SLOW * before:
                break
            found += self.times(inverse, rest)
        return self._solved(values, nodal)

    def undoing(self, values: Array) -> Array:
        """(n, nodes_per_element, nodes_per_element) matrices that do what :meth:`undone` does."""
        mass = self._mass_with(values)
        return _solved(mass, np.broadcast_to(self.mass, mass.shape))

    def _solved(self, values: Array, nodal: Array) -> Array:
        mass = self._mass_with(values)
        return _solved(mass, _each(self.mass, nodal)[:, :, None])[:, :, 0]

    def _mass_with(self, values: Array) -> Array:
        """(n, nodes_per_element, nodes_per_element) integrals of w and two polynomials."""
        n = self.to_points.shape[1]
        pairs = (self.to_points[:, :, None] * self.to_points[:, None, :]).reshape(-1, n * n)
        return ((values * self.weights) @ pairs).reshape(-1, n, n)

    def integral(self, values: Array, u: Array, v: Array) -> Array:
        """(n,) integral of w u v, by the quadrature."""
        product = (u @ self.to_points.T) * (v @ self.to_points.T) * values
        return (product * self.weights).sum(axis=1) * self.jacobian[:, 0]

    def mean(self, values: Array) -> Array:
        """(n,) mean of w over each element."""
        return (values * self.weights).sum(axis=1) / self.weights.sum(axis=1)

    def restricted(self, rows: Indices) -> Projection:
        """For some of the elements, in this order."""
        if not self.curved:
            return replace(self, jacobian=self.jacobian[rows])
        return replace(
            self,
            to_nodes=self.to_nodes[rows],
            weights=self.weights[rows],
            mass=self.mass[rows],
            jacobian=self.jacobian[rows],
        )


def projection(d: Discretization, elements: Indices) -> tuple[Projection, Array, Array]:
    """Of elements that are all straight or all curved, with the points x, y, (n, n_points)."""
    if len(elements) > _FEW:
        return _projection(d, elements)
    return _known.get(d, elements.tobytes(), lambda: _projection(d, elements))


def _projection(d: Discretization, elements: Indices) -> tuple[Projection, Array, Array]:
    if d.curved is None or not (elements >= d.curved.first).any():
        r, s, rule = _straight(d.element)
        x, y = map_to_mesh(d.mesh.permuted(elements), r, s)
        return replace(rule, jacobian=d.geometry.jacobian[elements, None]), x, y
    # Beside the determinant, of degree 2N - 2.
    r, s, weights = triangle_quadrature(4 * d.order - 1)
    rows = elements - d.curved.first
    x, y = np.moveaxis(d.curved.mapping.positions(r, s)[rows], -1, 0)
    scaled = weights * d.curved.mapping.determinants(r, s)[rows]
    to_points, mass = d.element.to_points(r, s), d.curved.mass[rows]
    to_nodes = _solved(mass, to_points.T * scaled[:, None, :])
    return Projection(to_points, to_nodes, scaled, mass, np.ones((len(rows), 1))), x, y


@cache
def _straight(element: ReferenceElement) -> tuple[Array, Array, Projection]:
    r, s, weights = triangle_quadrature(2 * element.order + 1)
    to_points = element.to_points(r, s)
    to_nodes = _solved(element.mass, to_points.T * weights)
    return r, s, Projection(to_points, to_nodes, weights[None], element.mass, np.ones((1, 1)))


def _each(matrices: Array, values: Array) -> Array:
    """A matrix, or one for each row, times the rows."""
    if matrices.ndim == 2:
        return values @ matrices.T
    return (matrices @ values[:, :, None])[:, :, 0]


def _solved(matrices: Array, right: Array) -> Array:
    return np.linalg.solve(matrices, right).astype(np.float64, copy=False)


_known: Remembered[Discretization, tuple[Projection, Array, Array]] = Remembered(4)
