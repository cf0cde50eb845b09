"""Curved elements for waves whose flux knows the normal at every point of a face.

Ez and H, which scalar waves exchange, can be projected on an arc
(:mod:`wavelab.numerics.mesh.curved_elements`).  Waves that travel along the normal and along the
tangent with impedances of their own cannot: projecting them would mix both.  So on an arc the flux
is computed at the N + 1 Gauss points, as many as there are face nodes, each with its own normal,
and lifted by their weights w:

    lift = M^-1 P^T w             P: from face nodes to points
    Bx   = P^T w nx P             in place of int_face l_i l_j nx

The rule is exact to degree 2N + 1, the integrand has 3N - 1.  For the balance of energy to hold to
rounding whatever the rule, the derivatives have it too: what the rule gets wrong in Bx is taken
from Sx by halves, so Sx + Sx^T is the sum of these Bx.  Constants have the derivative 0 as before,
because degree 2N - 1 is exact, and as the coefficients of an arc fall like those of a smooth
function on it, so does what the rule gets wrong (:mod:`wavelab.numerics.mesh.curved_map`).

On straight faces the points are the nodes, as those are of the straight elements behind them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.elements.jacobi import gauss_quadrature
from wavelab.numerics.elements.reference_element import ReferenceElement
from wavelab.numerics.mesh.curved_elements import CurvedElements, along_face
from wavelab.remembered import Remembered


@dataclass(frozen=True, eq=False)
class CurvedFaces:
    """Of the n elements of a :class:`CurvedElements`; N_fp points on each face, of which the
    neighbour has the same in the other direction.

    Attributes
    ----------
    to_points : (n, 3, N_fp, N_fp) from face nodes to points.
    normal_x, normal_y : (n, 3, N_fp) outward unit normals at the points.
    mass : (n, 3, N_fp, N_fp) of values at the points: the integral of the product of two is one
        times this times the other; diagonal where the face bends.
    diff_x, diff_y : (n, N_p, N_p) derivatives that suit this rule.
    lift : (n, N_p, 3 N_fp) from values at the points.
    """

    to_points: Array
    normal_x: Array
    normal_y: Array
    mass: Array
    diff_x: Array
    diff_y: Array
    lift: Array


def curved_faces(element: ReferenceElement, curved: CurvedElements) -> CurvedFaces:
    """Kept as long as ``curved`` is."""
    return _known.get(curved, None, lambda: _made(element, curved))


_known: Remembered[CurvedElements, CurvedFaces] = Remembered(1)


def _made(element: ReferenceElement, curved: CurvedElements) -> CurvedFaces:
    n_fp = element.nodes_per_face
    t, weights = gauss_quadrature(0, 0, n_fp)
    bent = curved.mapping.bent[:, :, None, None]
    to_points = np.where(bent, along_face(element, t), np.eye(n_fp))
    along = curved.mapping.face_derivatives(t)
    length = np.hypot(along[..., 0], along[..., 1])
    normal_x, normal_y = along[..., 1] / length, -along[..., 0] / length
    mass = np.where(bent, (weights * length)[..., None] * np.eye(n_fp), curved.face_mass)
    of_points = np.swapaxes(to_points, 2, 3) @ mass
    inverse = np.linalg.inv(curved.mass)

    def corrected(diff: Array, tangent: Array, normal: Array) -> Array:
        """Without what the rule gets wrong, by halves."""
        missed = curved.face_mass @ tangent - of_points @ (normal[..., None] * to_points)
        result = diff.copy()
        for f, nodes in enumerate(element.face_nodes):
            result[:, :, nodes] -= inverse[:, :, nodes] @ missed[:, f] / 2
        return result

    return CurvedFaces(
        to_points,
        normal_x,
        normal_y,
        mass,
        corrected(curved.diff_x, curved.tangent_x, normal_x),
        corrected(curved.diff_y, curved.tangent_y, normal_y),
        np.concatenate(
            [inverse[:, :, nodes] @ of_points[:, f] for f, nodes in enumerate(element.face_nodes)],
            axis=2,
        ),
    )
