"""A mesh with polynomials of order N on it: everything a discontinuous Galerkin method needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.numerics.connectivity import Connectivity, FaceNames, connect
from wavelab.numerics.geometry import Geometry, map_to_mesh, measure
from wavelab.numerics.mesh import Mesh
from wavelab.numerics.ordering import hilbert_order
from wavelab.numerics.reference_element import ReferenceElement, reference_element

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Discretization:
    """Nodes, neighbours and metric terms.

    Attributes
    ----------
    element : reference element of the order.
    mesh : elements ordered along a Hilbert curve.
    x, y : (n_elements, nodes_per_element) positions of the nodes.
    """

    element: ReferenceElement
    mesh: Mesh
    connectivity: Connectivity
    geometry: Geometry
    x: Array
    y: Array

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

    def integrate(self, values: Array) -> Array:
        """(n_elements,) integral over each element of the interpolant of nodal ``values``."""
        weights = self.element.mass.sum(axis=0)
        return (values @ weights) * self.geometry.jacobian

    def integrate_product(self, u: Array, v: Array) -> Array:
        """(n_elements,) integral of the product of two nodal fields, exact."""
        return np.einsum("kn,kn->k", u @ self.element.mass, v) * self.geometry.jacobian


def discretize(
    mesh: Mesh, order: int, periodic: Sequence[tuple[FaceNames, FaceNames]] = ()
) -> Discretization:
    """Put polynomials of ``order`` on a mesh, whose elements are reordered for locality.

    Raises
    ------
    WavelabError : the order is not available, or a periodic pair does not match.
    """
    element = reference_element(order)
    mesh = mesh.permuted(hilbert_order(mesh.vertices[mesh.triangles].mean(axis=1)))
    x, y = map_to_mesh(mesh, element.r, element.s)
    return Discretization(element, mesh, connect(mesh, periodic), measure(mesh), x, y)
