"""The reference triangle of order N with its nodal operators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import WavelabError
from wavelab.numerics.elements.jacobi import gauss_quadrature, jacobi_polynomial
from wavelab.numerics.elements.nodes import nodes_per_triangle, warp_and_blend
from wavelab.numerics.elements.simplex_basis import gradient_vandermonde, vandermonde

MAX_ORDER = 10


@dataclass(frozen=True, eq=False)
class ReferenceElement:
    """Nodal operators on {r, s >= -1, r + s <= 0}; compare and hash by identity.

    Attributes
    ----------
    order : N.
    r, s : (N_p,) warp & blend nodes.
    vandermonde : (N_p, N_p), V.
    inverse_vandermonde : (N_p, N_p), nodal values to modal coefficients.
    mass : (N_p, N_p), M = (V V^T)^-1; integral of the product of two nodal functions.
    diff_r, diff_s : (N_p, N_p), D_r and D_s, exact derivatives of polynomials of order N.
    face_nodes : (3, N_fp) int32, nodes on each face, counterclockwise (HW's Fmask).
    lift : (N_p, 3 N_fp), M^-1 times the face mass matrices (HW's LIFT).
    """

    order: int
    r: Array
    s: Array
    vandermonde: Array
    inverse_vandermonde: Array
    mass: Array
    diff_r: Array
    diff_s: Array
    face_nodes: NDArray[np.int32]
    lift: Array

    @property
    def nodes_per_element(self) -> int:
        """N_p = (N + 1)(N + 2) / 2."""
        return len(self.r)

    @property
    def nodes_per_face(self) -> int:
        """N_fp = N + 1."""
        return self.order + 1

    def __reduce__(self) -> tuple:
        # The one there is of this order, wherever it arrives: much is remembered of it.
        return (reference_element, (self.order,))

    def to_points(self, r: Array, s: Array) -> Array:
        """(n, N_p) weights that turn nodal values into values at reference points (n,) (HW 6.1)."""
        return vandermonde(self.order, r, s) @ self.inverse_vandermonde


@cache
def reference_element(order: int) -> ReferenceElement:
    """Build the element of an order, once.

    Raises
    ------
    WavelabError : order is not an integer from 1 to 10.
    """
    if order not in range(1, MAX_ORDER + 1):
        raise WavelabError(f"order {order} is not available", remedy=f"Use 1 to {MAX_ORDER}.")
    r, s = warp_and_blend(order)
    v = vandermonde(order, r, s)
    inverse = np.linalg.inv(v).astype(np.float64)
    v_r, v_s = gradient_vandermonde(order, r, s)
    faces = _face_nodes(r, s)
    element = ReferenceElement(
        order=order,
        r=r,
        s=s,
        vandermonde=v,
        inverse_vandermonde=inverse,
        mass=inverse.T @ inverse,
        diff_r=v_r @ inverse,
        diff_s=v_s @ inverse,
        face_nodes=faces,
        lift=_lift(order, r, v, faces),
    )
    for array in vars(element).values():
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return element


def _face_nodes(r: Array, s: Array) -> NDArray[np.int32]:
    tolerance = 1e-10
    bottom = np.flatnonzero(np.abs(s + 1) < tolerance)
    slanted = np.flatnonzero(np.abs(r + s) < tolerance)
    left = np.flatnonzero(np.abs(r + 1) < tolerance)
    # Counterclockwise: along +r, then along +s, then along -s.
    return np.array(
        [
            bottom[np.argsort(r[bottom])],
            slanted[np.argsort(s[slanted])],
            left[np.argsort(-s[left])],
        ],
        dtype=np.int32,
    )


def _lift(order: int, r: Array, v: Array, faces: NDArray[np.int32]) -> Array:
    # Every face carries the same one-dimensional mass matrix: the nodes of all three have the
    # same (symmetric) distribution along their face.
    edge = r[faces[0]]
    v_1d = np.column_stack([jacobi_polynomial(edge, 0, 0, i) for i in range(order + 1)])
    edge_mass = np.linalg.inv(v_1d @ v_1d.T)
    n_fp = order + 1
    face_mass = np.zeros((nodes_per_triangle(order), 3 * n_fp))
    for f, nodes in enumerate(faces):
        face_mass[nodes, f * n_fp : (f + 1) * n_fp] = edge_mass
    return v @ (v.T @ face_mass)


def triangle_quadrature(degree: int) -> tuple[Array, Array, Array]:
    """Points r, s and weights exact for polynomials of ``degree`` on the reference triangle.

    A Gauss product rule on the collapsed square (HW 6.1; the weights sum to the area 2).
    """
    n = degree // 2 + 1
    a, w_a = gauss_quadrature(0, 0, n)
    b, w_b = gauss_quadrature(1, 0, n)
    aa, bb = np.meshgrid(a, b, indexing="ij")
    weights = np.outer(w_a, w_b) / 2
    return ((1 + aa) * (1 - bb) / 2 - 1).ravel(), bb.ravel(), weights.ravel()
