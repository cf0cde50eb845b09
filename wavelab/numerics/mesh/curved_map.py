"""The map from the reference triangle to elements with arcs among their faces.

An arc from vertex a to vertex b leaves the straight line between them by d(t), t in [-1, 1].  With
the barycentric coordinates L of the vertices, it is blended into the element as

    d(t) (4 La Lb) / (1 - t^2),    t = Lb - La,

which is d on the face itself and zero on the other two.  This is the blend of Warburton's warp &
blend nodes.  Here d is a polynomial of degree N with the zeros +-1, so the map is a polynomial of
degree N as well; and because d and its k-th derivatives fall as h^2 and h^k, so do those of the
map, which is what the best order of convergence asks for (Lenoir, *Optimal isoparametric finite
elements*, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.errors import MeshError
from wavelab.numerics.elements.jacobi import gauss_lobatto_points
from wavelab.numerics.mesh.geometry import cross
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh

Indices = NDArray[np.integer]

#: Derivatives of the barycentric coordinates of the three vertices by r and by s.
_BY_R = np.array([-0.5, 0.5, 0.0])
_BY_S = np.array([-0.5, 0.0, 0.5])
_NEWTON_STEPS = 20
#: A step of Newton's method from closer than this, in parts of the element, ends at rounding.
_NEARLY = 1e-8
#: Of the determinant of the map, in parts of that of the straight triangle: less is too bent.
SMALLEST_DETERMINANT = 0.1


@dataclass(frozen=True, eq=False)
class CurvedMap:
    """x(r, s) on some elements.

    Attributes
    ----------
    corners : (n, 3, 2) vertices.
    bends : (N - 1, n, 3, 2) Legendre coefficients of d(t) / (1 - t^2) on each face, by degree.
    bent : (n, 3) faces that follow a curve, from both sides alike.
    """

    corners: Array
    bends: Array
    bent: Mask

    def part(self, rows: Indices | slice) -> CurvedMap:
        """That of some elements, in this order."""
        return CurvedMap(self.corners[rows], self.bends[:, rows], self.bent[rows])

    def positions(self, r: Array, s: Array, elements: Indices | None = None) -> Array:
        """Images of reference points.

        Parameters
        ----------
        r, s : (p,) for the same points in every element; or, with ``elements`` (p,), one point in
            each of those.

        Returns
        -------
        (n, p, 2), or (p, 2) with ``elements``.
        """
        barycentric = _barycentric(r, s)
        bubbles = []
        for a, b in FACE_VERTICES:
            basis, _ = self._along(barycentric[b] - barycentric[a])
            bubbles.append((4 * barycentric[a] * barycentric[b])[:, None] * basis)
        return self._summed(barycentric.T, np.concatenate(bubbles, axis=1), elements)

    def derivatives(
        self, r: Array, s: Array, elements: Indices | None = None
    ) -> tuple[Array, Array]:
        """dx/dr and dx/ds, each as :meth:`positions`."""
        barycentric = _barycentric(r, s)
        of_faces = []
        for a, b in FACE_VERTICES:
            along = self._along(barycentric[b] - barycentric[a])
            of_faces.append((a, b, (4 * barycentric[a] * barycentric[b])[:, None], *along))
        results = []
        for gradient in (_BY_R, _BY_S):
            parts = []
            for a, b, product, basis, slopes in of_faces:
                slope = 4 * (gradient[a] * barycentric[b] + gradient[b] * barycentric[a])
                parts.append(
                    slope[:, None] * basis + (gradient[b] - gradient[a]) * product * slopes
                )
            of_corners = np.broadcast_to(gradient, (len(r), 3))
            results.append(self._summed(of_corners, np.concatenate(parts, axis=1), elements))
        return results[0], results[1]

    def _along(self, t: Array) -> tuple[Array, Array]:
        """(p, N - 1) Legendre polynomials at points of a face, and their derivatives."""
        return _legendre(t, len(self.bends))

    def _summed(self, of_corners: Array, of_bends: Array, elements: Indices | None) -> Array:
        """Corners and bends with these weights at each point, as :meth:`positions`.

        Parameters
        ----------
        of_corners : (p, 3); of_bends : (p, 3 (N - 1)), face by face.
        """
        weights = np.concatenate([of_corners, of_bends], axis=1)
        given = self.bends.transpose(1, 2, 0, 3).reshape(len(self.corners), -1, 2)
        given = np.concatenate([self.corners, given], axis=1)
        if elements is None:
            return weights @ given
        return (weights[:, None] @ given[elements])[:, 0]

    def face_derivatives(self, t: Array) -> Array:
        """(n, 3, p, 2) dx/dt along each face, at (p,) points t of it."""
        ends = self.corners[:, FACE_VERTICES]
        straight = (ends[:, :, 1] - ends[:, :, 0]) / 2
        basis, slopes = self._along(t)
        weights = (1 - t**2)[:, None] * slopes - 2 * t[:, None] * basis
        return straight[:, :, None, :] + weights @ self.bends.transpose(1, 2, 0, 3)

    def determinants(self, r: Array, s: Array) -> Array:
        """(n, p) determinant of the map at reference points."""
        return cross(*self.derivatives(r, s))

    def inverse(self, elements: Indices, points: Array, start: Array) -> Array:
        """(p, 2) reference coordinates of points, by Newton's method; NaN where it finds none.

        Parameters
        ----------
        elements : (p,) of this map; points : (p, 2); start : (p, 2) coordinates to begin with.
        """
        rs = np.clip(start, -1.5, 1.5)
        size = np.abs(self.corners[elements, 1:] - self.corners[elements, :1]).max(axis=(1, 2))
        going = np.arange(len(points))
        for _ in range(_NEWTON_STEPS):
            r, s = rs[going].T
            missed = self.positions(r, s, elements[going]) - points[going]
            by_r, by_s = self.derivatives(r, s, elements[going])
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.column_stack([cross(missed, by_s), cross(by_r, missed)])
                step /= cross(by_r, by_s)[:, None]
            # Far outside, the polynomial may turn round; no point there is looked for.
            rs[going] = np.clip(rs[going] - step, -3.0, 3.0)
            # Also stops those that have become NaN.
            going = going[np.abs(missed).max(axis=1) > _NEARLY * size[going]]
            if not len(going):
                break
        missed = np.abs(self.positions(rs[:, 0], rs[:, 1], elements) - points).max(axis=1)
        rs[~(missed <= 1e-9 * size)] = np.nan
        return rs


def _barycentric(r: Array, s: Array) -> Array:
    """(3, p) coordinates of points."""
    return np.stack([-(r + s) / 2, (1 + r) / 2, (1 + s) / 2])


def curved_map(mesh: Mesh, elements: Indices, order: int) -> CurvedMap:
    """The map of degree ``order`` of some elements; straight ones may be among them."""
    corners = mesh.vertices[mesh.triangles[elements]]
    bends = np.zeros((max(order - 1, 0), len(elements), 3, 2))
    t = gauss_lobatto_points(order)[1:-1]
    if mesh.face_curves is None or len(t) == 0:
        return CurvedMap(corners, bends, np.zeros((len(elements), 3), dtype=bool))
    to_series = np.linalg.inv(legendre.legvander(t, order - 2)) / (1 - t**2)
    curve_of = mesh.face_curves[elements]
    for number, curve in enumerate(mesh.curves):
        for face, ends in enumerate(FACE_VERTICES):
            here = np.flatnonzero(curve_of[:, face] == number)
            start, end = corners[here, ends[0]], corners[here, ends[1]]
            straight = start[:, None] + (end - start)[:, None] * ((1 + t) / 2)[:, None]
            away = curve.arcs(start, end, (1 + t) / 2) - straight
            bends[:, here, face] = np.einsum("qt,ntx->qnx", to_series, away)
    return CurvedMap(corners, bends, curve_of >= 0)


def too_bent(mapping: CurvedMap, r: Array, s: Array, least: float = SMALLEST_DETERMINANT) -> Mask:
    """(n,): elements whose map folds over, or nearly so, at one of the reference points.

    Parameters
    ----------
    least : determinant, in parts of that of the straight triangle, that is enough.
    """
    ab, ac = (mapping.corners[:, i] - mapping.corners[:, 0] for i in (1, 2))
    straight = cross(ab, ac) / 4
    return mapping.determinants(r, s).min(axis=1) < least * straight


def check_bends(mapping: CurvedMap, r: Array, s: Array) -> None:
    """Refuse elements that are :func:`too_bent`.

    Raises
    ------
    MeshError : with the place of the first.
    """
    wrong = too_bent(mapping, r, s)
    if wrong.any():
        x, y = mapping.corners[int(np.argmax(wrong))].mean(axis=0)
        raise MeshError(
            f"the element near ({x:.6g}, {y:.6g}) is folded over by its curved face",
            remedy="Choose smaller elements, or straight ones: [solver] curved = false.",
        )


def _legendre(t: Array, n: int) -> tuple[Array, Array]:
    """(p, n) the first Legendre polynomials at points, and their derivatives."""
    if n < 2:
        return np.ones((len(t), n)), np.zeros((len(t), n))
    values = np.asarray(legendre.legvander(t, n - 1), np.float64)
    return values, values[:, :-1] @ legendre.legder(np.eye(n))
