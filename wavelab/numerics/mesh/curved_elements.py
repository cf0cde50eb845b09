"""Operators of elements with arcs among their faces: dense matrices for each of them.

On a curved element the metric terms vary, so derivatives, lifting and mass matrix are its own.
They are integrals of polynomials, by quadratures that are exact for them:

    M   = int l_i l_j                    Sx  = int l_i dl_j/dx             diff_x = M^-1 Sx
    W   = int_face l_i l_j               Bx  = int_face l_i l_j nx         lift   = M^-1 W

so Sx + Sx^T is the sum of Bx over the faces (the divergence theorem), to rounding.  W alone has a
root under the integral; whatever its rule, what follows holds.

Elements exchange Ez and H = nx Hy - ny Hx at their face nodes.  On an arc the normal varies, H is
no polynomial of degree N, and interpolating it would lose the balance of energy.  Its projection is
exchanged,

    H = tangent_x Hy - tangent_y Hx,     tangent_x = W^-1 Bx,

which both sides see alike, but for the sign.  Then int Ez H of the volume terms is Ez^T W H, and
what the flux does is lifted by the adjoints: H* - H by ``lift``, (E* - E) n by
``lift_x = M^-1 Bx`` and ``lift_y``.  So the energy identity of straight elements holds word by word
(see :mod:`wavelab.physics.power.power`), and constant fields stay constant.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import gauss_quadrature, jacobi_polynomial
from wavelab.numerics.elements.reference_element import ReferenceElement, triangle_quadrature
from wavelab.numerics.elements.simplex_basis import gradient_vandermonde
from wavelab.numerics.mesh.curved_map import CurvedMap, check_bends, curved_map
from wavelab.numerics.mesh.mesh import Mesh
from wavelab.remembered import Remembered

#: Elements whose integrals are computed at once, to bound the memory it takes.
_AT_ONCE = 512
#: Steps of the power method for the largest rates.
_POWER_STEPS = 30


@dataclass(frozen=True, eq=False)
class CurvedElements:
    """The last elements of a discretization, from number ``first`` on.

    Attributes
    ----------
    mapping : from the reference triangle.
    mass : (n, N_p, N_p), M.
    diff_x, diff_y : (n, N_p, N_p) derivatives, projected onto polynomials in r and s.
    lift, lift_x, lift_y : (n, N_p, 3 N_fp), M^-1 times the face integrals, plain and with nx, ny.
    face_mass : (n, 3, N_fp, N_fp), W.
    tangent_x, tangent_y : (n, 3, N_fp, N_fp), nx and ny as operators on face values.
    """

    first: int
    mapping: CurvedMap
    mass: Array
    diff_x: Array
    diff_y: Array
    lift: Array
    lift_x: Array
    lift_y: Array
    face_mass: Array
    tangent_x: Array
    tangent_y: Array

    def __len__(self) -> int:
        return len(self.mass)

    def part(self, rows: NDArray[np.integer], first: int) -> CurvedElements:
        """Some of them, in this order, which come from number ``first`` on then.

        Parameters
        ----------
        rows : (n,) counted from the first of these.
        """
        matrices = (getattr(self, each.name)[rows] for each in fields(self)[2:])
        return CurvedElements(first, self.mapping.part(rows), *matrices)


def curved_elements(mesh: Mesh, element: ReferenceElement, first: int) -> CurvedElements:
    """The operators of all elements from number ``first`` on; straight ones may be among them.

    Raises
    ------
    MeshError : an arc folds its element over.
    """
    mapping = curved_map(mesh, np.arange(first, mesh.n_elements), element.order)
    check_bends(mapping, *_mass_rule(element).points)
    return _assembled(element, first, mapping)


def with_straight(
    mesh: Mesh, element: ReferenceElement, curved: CurvedElements, first: int
) -> CurvedElements:
    """The same with those straight elements that come before, from number ``first`` on; kept as
    long as ``curved`` is, for the next stepper on the same mesh."""
    if first == curved.first:
        return curved
    return _with_straight.get(curved, first, lambda: _joined(mesh, element, curved, first))


_with_straight: Remembered[CurvedElements, CurvedElements] = Remembered(2)


def _joined(
    mesh: Mesh, element: ReferenceElement, curved: CurvedElements, first: int
) -> CurvedElements:
    mapping = curved_map(mesh, np.arange(first, curved.first), element.order)
    before = _assembled(element, first, mapping)
    matrices = [
        np.concatenate([getattr(before, each.name), getattr(curved, each.name)])
        for each in fields(CurvedElements)[2:]
    ]
    both = CurvedMap(
        np.concatenate([mapping.corners, curved.mapping.corners]),
        np.concatenate([mapping.bends, curved.mapping.bends], axis=1),
        np.concatenate([mapping.bent, curved.mapping.bent]),
    )
    return CurvedElements(first, both, *matrices)


def stiffening(element: ReferenceElement, curved: CurvedElements) -> Array:
    """(n,) how much faster the fields of each element can change than those of the triangle with
    the same corners: quotient of the norms, by energy, of Maxwell's equations on them alone, with
    all that comes to a face absorbed."""
    found = []
    for i in range(0, len(curved), _AT_ONCE):
        bent = curved.mapping.part(slice(i, i + _AT_ONCE))
        straight = replace(bent, bends=0 * bent.bends)
        found.append(_largest_rates(element, bent) / _largest_rates(element, straight))
    return np.concatenate(found)


def _largest_rates(element: ReferenceElement, mapping: CurvedMap) -> Array:
    """(n,) norms of the equations on each element, by the power method."""
    mass, dx, dy, lift, lift_x, lift_y, _, tangent_x, tangent_y = _operators(element, mapping)
    n, n_nodes = mass.shape[:2]
    on_faces = np.eye(n_nodes)[element.face_nodes]
    # What reaches the faces, E + H, of hx, hy and ez.
    waves = [
        (-tangent_y @ on_faces).reshape(n, -1, n_nodes),
        (tangent_x @ on_faces).reshape(n, -1, n_nodes),
        np.broadcast_to(on_faces.reshape(-1, n_nodes), (n, lift.shape[2], n_nodes)),
    ]
    zero = np.zeros_like(dx)
    rows = ((zero, zero, -dy), (zero, zero, dx), (-dy, dx, zero))
    factor = np.linalg.cholesky(mass)
    to_energy, back = factor.swapaxes(1, 2), np.linalg.inv(factor).swapaxes(1, 2)
    halves = (lift_y / 2, -lift_x / 2, -lift / 2)
    matrix = np.block(
        [
            [to_energy @ (d + half @ w) @ back for d, w in zip(row, waves, strict=True)]
            for row, half in zip(rows, halves, strict=True)
        ]
    )
    # A fixed seed: the same mesh always gets the same time step.
    vector = np.random.default_rng(0).standard_normal((n, 3 * n_nodes, 1))
    for _ in range(_POWER_STEPS):
        vector /= np.linalg.norm(vector, axis=1, keepdims=True)
        vector = matrix.swapaxes(1, 2) @ (matrix @ vector)
    return np.sqrt(np.linalg.norm(vector, axis=1))[:, 0]


def _assembled(element: ReferenceElement, first: int, mapping: CurvedMap) -> CurvedElements:
    pieces = [
        _operators(element, mapping.part(slice(i, i + _AT_ONCE)))
        for i in range(0, len(mapping.corners), _AT_ONCE)
    ]
    joined = [np.concatenate(parts) for parts in zip(*pieces, strict=True)]
    return CurvedElements(first, mapping, *joined)


@dataclass(frozen=True, eq=False)
class _VolumeRule:
    """Points (r, s), weights, and products of two basis functions there, (n_points, N_p^2): the
    integrals of all elements at once are then a product of two matrices."""

    points: tuple[Array, Array]
    weights: Array
    products: tuple[Array, ...]


# Of the newest element alone: those of orders 1 to 10 take 67 MiB, 32 of them order 10, which has
# them made again in 40 ms; order 4 in 1 ms.
@lru_cache(maxsize=1)
def _mass_rule(element: ReferenceElement) -> _VolumeRule:
    """For l_i l_j; exact to degree 4 N, and the determinant makes it 4 N - 2."""
    r, s, weights = triangle_quadrature(4 * element.order)
    basis = element.to_points(r, s)
    return _VolumeRule((r, s), weights, (_pairs(basis, basis),))


@lru_cache(maxsize=1)
def _stiffness_rule(element: ReferenceElement) -> _VolumeRule:
    """For l_i dl_j/dr and l_i dl_j/ds, times derivatives of the map."""
    r, s, weights = triangle_quadrature(3 * element.order)
    basis, to_nodal = element.to_points(r, s), element.inverse_vandermonde
    slopes = (matrix @ to_nodal for matrix in gradient_vandermonde(element.order, r, s))
    return _VolumeRule((r, s), weights, tuple(_pairs(basis, slope) for slope in slopes))


def _pairs(one: Array, other: Array) -> Array:
    return (one[:, :, None] * other[:, None, :]).reshape(len(one), -1)


@lru_cache(maxsize=1)
def _face_rule(element: ReferenceElement) -> tuple[Array, Array, Array]:
    """Points t and weights along a face, and the basis there, (n_points, N_fp)."""
    # Exact to degree 4 N + 3; 3 N - 1 is needed, but for W with its root.
    t, weights = gauss_quadrature(0, 0, 2 * element.order + 2)
    return t, weights, along_face(element, t)


def along_face(element: ReferenceElement, t: Array) -> Array:
    """(n, N_fp) weights that turn values at the nodes of a face into those at points t of it."""
    edge = element.r[element.face_nodes[0]]
    modes = range(element.order + 1)
    at_nodes = np.column_stack([jacobi_polynomial(edge, 0, 0, i) for i in modes])
    at_points = np.column_stack([jacobi_polynomial(t, 0, 0, i) for i in modes])
    return np.asarray(at_points @ np.linalg.inv(at_nodes))


def _operators(element: ReferenceElement, mapping: CurvedMap) -> tuple[Array, ...]:
    """As the attributes of :class:`CurvedElements`, from ``mass`` on."""
    n, n_nodes, n_fp = len(mapping.corners), element.nodes_per_element, element.nodes_per_face
    rule = _mass_rule(element)
    weighted = rule.weights * mapping.determinants(*rule.points)
    mass = (weighted @ rule.products[0]).reshape(n, n_nodes, n_nodes)
    # Determinant times dr/dx is dy/ds, and so on.
    rule = _stiffness_rule(element)
    by_r, by_s = (d * rule.weights[:, None] for d in mapping.derivatives(*rule.points))
    with_r, with_s = rule.products
    stiffness_x = (by_s[..., 1] @ with_r - by_r[..., 1] @ with_s).reshape(n, n_nodes, n_nodes)
    stiffness_y = (by_r[..., 0] @ with_s - by_s[..., 0] @ with_r).reshape(n, n_nodes, n_nodes)

    t, weights, basis = _face_rule(element)
    along = mapping.face_derivatives(t)
    weighted_basis = basis.T[None, None] * weights

    def over_faces(factor: Array) -> Array:
        return (weighted_basis * factor[:, :, None]) @ basis

    face_mass = over_faces(np.hypot(along[..., 0], along[..., 1]))
    times_normal = over_faces(along[..., 1]), over_faces(-along[..., 0])
    inverse = np.linalg.inv(mass)

    def lifted(on_faces: Array) -> Array:
        columns = np.zeros((n, n_nodes, 3 * n_fp))
        for f, nodes in enumerate(element.face_nodes):
            columns[:, nodes, f * n_fp : (f + 1) * n_fp] = on_faces[:, f]
        return inverse @ columns

    return (
        mass,
        inverse @ stiffness_x,
        inverse @ stiffness_y,
        lifted(face_mass),
        lifted(times_normal[0]),
        lifted(times_normal[1]),
        face_mass,
        np.linalg.solve(face_mass, times_normal[0]).astype(np.float64),
        np.linalg.solve(face_mass, times_normal[1]).astype(np.float64),
    )
