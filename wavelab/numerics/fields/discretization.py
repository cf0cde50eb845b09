"""A mesh with polynomials of order N on it: everything a discontinuous Galerkin method needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.numerics.elements.reference_element import (
    ReferenceElement,
    reference_element,
    triangle_quadrature,
)
from wavelab.numerics.mesh.connectivity import Connectivity, FaceNames, connect
from wavelab.numerics.mesh.curved_elements import CurvedElements, curved_elements
from wavelab.numerics.mesh.geometry import Geometry, map_to_mesh, measure, within
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh
from wavelab.numerics.mesh.ordering import hilbert_order


@dataclass(frozen=True, eq=False)
class Quadrature:
    """Points in every element.

    Attributes
    ----------
    r, s : (n_points,) reference coordinates.
    x, y, weights : (n_elements, n_points); the weights sum to the areas.
    to_points : (n_points, nodes_per_element), nodal values to values at the points.
    """

    r: Array
    s: Array
    x: Array
    y: Array
    weights: Array
    to_points: Array


@dataclass(frozen=True, eq=False)
class Discretization:
    """Nodes, neighbours and metric terms.

    Attributes
    ----------
    element : reference element of the order.
    mesh : elements ordered along a Hilbert curve, those with arcs among their faces last.
    geometry : metric terms; for a curved element those of its straight triangle.
    x, y : (n_elements, nodes_per_element) positions of the nodes.
    curved : the curved elements; None if there are none, as for order 1, where an arc is a chord.
    single : where fields are complex, and there are two copies of every element one after the
        other, the first with the real part and the second with the imaginary part: that with one.
    """

    element: ReferenceElement
    mesh: Mesh
    connectivity: Connectivity
    geometry: Geometry
    x: Array
    y: Array
    curved: CurvedElements | None = None
    single: Discretization | None = None

    @property
    def seen(self) -> Discretization:
        """That with each element once, of which the real part of fields is shown."""
        return self.single or self

    @property
    def copies(self) -> int:
        """How many elements lie at the same place: 2 where fields are complex."""
        return 1 if self.single is None else 2

    def real_part(self, values: Any) -> Any:
        """Those rows of (n_elements, ...) values that belong to :attr:`seen`."""
        return values if self.single is None else values[:: self.copies]

    @property
    def is_seen(self) -> Mask:
        """(n_elements,) those with the real part of the fields."""
        return np.arange(self.n_elements) % self.copies == 0

    @property
    def order(self) -> int:
        return self.element.order

    @property
    def n_elements(self) -> int:
        return self.mesh.n_elements

    @property
    def nodes_per_element(self) -> int:
        return self.element.nodes_per_element

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of a nodal field."""
        return self.n_elements, self.nodes_per_element

    @property
    def first_curved(self) -> int:
        """Number of the first curved element; ``n_elements`` if there is none."""
        return self.n_elements if self.curved is None else self.curved.first

    def part(self, elements: NDArray[np.integer]) -> Discretization:
        """On some elements or all, in another order; where others were neighbours is a boundary.

        Parameters
        ----------
        elements : (n,) distinct, the curved ones last.
        """
        curved = self.curved
        if curved is not None:
            rows = elements[elements >= curved.first] - curved.first
            curved = curved.part(rows, len(elements) - len(rows)) if len(rows) else None
        return Discretization(
            self.element,
            self.mesh.permuted(elements),
            self.connectivity.part(elements),
            self.geometry.part(elements),
            self.x[elements],
            self.y[elements],
            curved,
        )

    def twofold(self) -> Discretization:
        """With two copies of every element, for complex fields."""
        pairs = np.repeat(np.arange(self.n_elements), 2)
        curved = self.curved
        if curved is not None:
            curved = curved.part(pairs[2 * curved.first :] - curved.first, 2 * curved.first)
        return Discretization(
            self.element,
            self.mesh.permuted(pairs),
            self.connectivity.twofold(),
            self.geometry.part(pairs),
            self.x[pairs],
            self.y[pairs],
            curved,
            single=self,
        )

    def bounds(self) -> tuple[Array, Array]:
        """Lower left and upper right corner of the box around the mesh, (2,) each."""
        corners = self.mesh.vertices
        if self.curved is not None:
            first = self.curved.first
            bent = np.stack([self.x[first:].ravel(), self.y[first:].ravel()], axis=1)
            corners = np.concatenate([corners, bent])
        return corners.min(axis=0), corners.max(axis=0)

    def apply_mass(self, values: Array, elements: NDArray[np.integer] | None = None) -> Array:
        """Mass matrix times nodal values: integrals against each nodal basis function.

        Parameters
        ----------
        values : (n, nodes_per_element), of all elements or of the given ones.
        """
        if elements is None:
            elements = np.arange(self.n_elements)
        result = (values @ self.element.mass) * self.geometry.jacobian[elements, None]
        if self.curved is not None:
            bent = np.flatnonzero(elements >= self.curved.first)
            mass = self.curved.mass[elements[bent] - self.curved.first]
            result[bent] = np.einsum("kij,kj->ki", mass, values[bent])
        return result

    def solve_mass(self, loads: Array, elements: NDArray[np.integer]) -> Array:
        """Nodal values from integrals against each nodal basis function, (n, nodes_per_element)
        of some elements: what :meth:`apply_mass` undoes."""
        v = self.element.vandermonde
        values = (loads @ v) @ v.T / self.geometry.jacobian[elements, None]
        if self.curved is not None:
            bent = np.flatnonzero(elements >= self.curved.first)
            mass = self.curved.mass[elements[bent] - self.curved.first]
            values[bent] = np.linalg.solve(mass, loads[bent, :, None])[..., 0]
        return np.asarray(values)

    def integrate(self, values: Array) -> Array:
        """(n_elements,) integral over each element of the interpolant of nodal ``values``."""
        result = (values @ self.element.mass.sum(axis=0)) * self.geometry.jacobian
        if self.curved is not None:
            first = self.curved.first
            result[first:] = np.einsum("kij,kj->k", self.curved.mass, values[first:])
        return result

    def integrate_product(self, u: Array, v: Array) -> Array:
        """(n_elements,) integral of the product of two nodal fields, exact."""
        return np.einsum("kn,kn->k", self.apply_mass(u), v)

    def quadrature(self, degree: int) -> Quadrature:
        """Points and weights that are exact for polynomials of ``degree`` on straight elements,
        and on curved ones for those of the reference triangle."""
        # The determinant of a curved element is a polynomial too.
        extra = 2 * self.order - 2 if self.curved is not None else 0
        r, s, weights = triangle_quadrature(degree + extra)
        x, y = map_to_mesh(self.mesh, r, s)
        scaled = weights * self.geometry.jacobian[:, None]
        if self.curved is not None:
            first, mapping = self.curved.first, self.curved.mapping
            x[first:], y[first:] = np.moveaxis(mapping.positions(r, s), -1, 0)
            scaled[first:] = weights * mapping.determinants(r, s)
        return Quadrature(r, s, x, y, scaled, self.element.to_points(r, s))


def discretize(
    mesh: Mesh,
    order: int,
    periodic: Sequence[tuple[FaceNames, FaceNames]] = (),
    *,
    in_order: bool = False,
) -> Discretization:
    """Put polynomials of ``order`` on a mesh, whose elements are reordered for locality.

    Parameters
    ----------
    in_order : whether that has been done: only the curved elements are moved to the end.

    Raises
    ------
    WavelabError : the order is not available, a periodic pair does not match, or an arc folds its
        element over.
    """
    element = reference_element(order)
    if order == 1:
        mesh = mesh.straight()
    if in_order:
        permutation = np.arange(mesh.n_elements)
    else:
        permutation = hilbert_order(mesh.vertices[mesh.triangles].mean(axis=1))
    bent = mesh.has_curved_face()[permutation]
    mesh = mesh.permuted(np.concatenate([permutation[~bent], permutation[bent]]))
    x, y = map_to_mesh(mesh, element.r, element.s)
    curved = None
    if bent.any():
        curved = curved_elements(mesh, element, mesh.n_elements - int(bent.sum()))
        nodes = curved.mapping.positions(element.r, element.s)
        x[curved.first :], y[curved.first :] = np.moveaxis(nodes, -1, 0)
        for face, ends in enumerate(FACE_VERTICES):
            straight = curved.first + np.flatnonzero(~curved.mapping.bent[:, face])
            at = straight[:, None], element.face_nodes[face]
            for values, of in zip((x, y), mesh.vertices.T, strict=True):
                values[at] = within(values[at], of[mesh.triangles[straight][:, ends]])
    return Discretization(element, mesh, connect(mesh, periodic), measure(mesh), x, y, curved)
