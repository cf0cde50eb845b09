"""A conforming mesh of triangles, whose faces are straight or lie on curves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices, Mask
from wavelab.errors import MeshError
from wavelab.numerics.mesh.curves import Curve

#: Vertices at the two ends of each face, in counterclockwise order around the element.
FACE_VERTICES = np.array([[0, 1], [1, 2], [2, 0]], dtype=np.int32)


@dataclass(frozen=True)
class Mesh:
    """Vertices and triangles, with a name for every region and for every boundary face.

    Attributes
    ----------
    vertices : (n_vertices, 2) float64, in the scene's length unit.
    triangles : (n_elements, 3) int32 vertex numbers, counterclockwise.
    regions : (n_elements,) int32 index into ``region_names``.
    region_names : material regions; ``("background",)`` when there is only one.
    face_tags : (n_elements, 3) int32; index into ``face_names`` on boundary faces, -1 elsewhere.
    face_names : names of the edges that walls refer to ("domain.left", "hole 1.0", ...).
    curves : what ``face_curves`` refers to.
    face_curves : (n_elements, 3) int32 index into ``curves`` of the faces that are arcs between
        their two vertices, which lie on the curve; -1 for straight ones.  None if all are straight.

    Raises
    ------
    MeshError : from :meth:`checked`, never from the constructor.
    """

    vertices: Array
    triangles: NDArray[np.int32]
    regions: NDArray[np.int32]
    region_names: tuple[str, ...]
    face_tags: NDArray[np.int32]
    face_names: tuple[str, ...] = field(default=())
    curves: tuple[Curve, ...] = ()
    face_curves: NDArray[np.int32] | None = None

    @property
    def n_elements(self) -> int:
        return len(self.triangles)

    @property
    def n_vertices(self) -> int:
        return len(self.vertices)

    @classmethod
    def plain(cls, vertices: NDArray, triangles: NDArray) -> Mesh:
        """One region, no named edges; clockwise triangles are turned round.

        Raises
        ------
        MeshError : a triangle names a vertex that does not exist.
        """
        vertices = np.ascontiguousarray(vertices, dtype=np.float64)
        triangles = np.ascontiguousarray(triangles, dtype=np.int32).reshape(-1, 3)
        _check_indices(vertices, triangles, "mesh")
        n = len(triangles)
        mesh = cls(
            vertices,
            triangles,
            np.zeros(n, np.int32),
            ("background",),
            np.full((n, 3), -1, np.int32),
        )
        return mesh.counterclockwise()

    def signed_areas(self) -> Array:
        """(n_elements,) area, positive for counterclockwise triangles."""
        (x_a, x_b, x_c), (y_a, y_b, y_c) = _corners(self.vertices, self.triangles)
        return 0.5 * ((x_b - x_a) * (y_c - y_a) - (y_b - y_a) * (x_c - x_a))

    def mean_edge(self) -> float:
        """Edge of an equilateral triangle as large as the mean element."""
        return math.sqrt(4 / math.sqrt(3) * float(self.signed_areas().mean()))

    def counterclockwise(self) -> Mesh:
        """The same mesh with every triangle turned counterclockwise."""
        clockwise = self.signed_areas() < 0
        if not clockwise.any():
            return self
        triangles, tags = self.triangles.copy(), self.face_tags.copy()
        triangles[clockwise] = triangles[clockwise][:, [0, 2, 1]]
        # Swapping the last two vertices maps faces (01, 12, 20) to (02, 21, 10).
        tags[clockwise] = tags[clockwise][:, [2, 1, 0]]
        curves = self.face_curves
        if curves is not None:
            curves = curves.copy()
            curves[clockwise] = curves[clockwise][:, [2, 1, 0]]
        return replace(self, triangles=triangles, face_tags=tags, face_curves=curves)

    def permuted(self, permutation: NDArray) -> Mesh:
        """The same mesh with its elements in another order."""
        return replace(
            self,
            triangles=self.triangles[permutation],
            regions=self.regions[permutation],
            face_tags=self.face_tags[permutation],
            face_curves=None if self.face_curves is None else self.face_curves[permutation],
        )

    def part(self, elements: NDArray) -> Mesh:
        """Some of its elements, in this order, with their vertices alone."""
        part = self.permuted(elements)
        used, triangles = np.unique(part.triangles, return_inverse=True)
        return replace(
            part,
            vertices=self.vertices[used],
            triangles=triangles.reshape(-1, 3).astype(np.int32),
        )

    def straight(self) -> Mesh:
        """The same vertices and triangles, with straight faces only."""
        return replace(self, curves=(), face_curves=None)

    def has_curved_face(self) -> Mask:
        """(n_elements,): elements with an arc among their faces."""
        if self.face_curves is None:
            return np.zeros(self.n_elements, dtype=bool)
        return np.asarray((self.face_curves >= 0).any(axis=1), dtype=bool)

    def inradii(self) -> Array:
        """(n_elements,) radius of the inscribed circle, 2 area / perimeter."""
        perimeter = np.sqrt(square_lengths(self.vertices, self.triangles)).sum(axis=0)
        return 2 * np.abs(self.signed_areas()) / perimeter

    @cached_property
    def longest_edges(self) -> Array:
        """(n_elements,) of the straight triangle of each element."""
        return np.sqrt(square_lengths(self.vertices, self.triangles).max(axis=0))

    def qualities(self) -> Array:
        """(n_elements,) 4 sqrt(3) area over the sum of the squared lengths of the faces: 1 for an
        equilateral triangle, 0 for a flat one."""
        squared = square_lengths(self.vertices, self.triangles).sum(axis=0)
        return 4 * math.sqrt(3) * np.abs(self.signed_areas()) / squared

    def checked(self, where: str = "mesh") -> Mesh:
        """This mesh, if a discontinuous Galerkin method can run on it.

        Raises
        ------
        MeshError : no elements, indices out of range, values that are not finite, flat or
            clockwise triangles, duplicate triangles, an edge shared by more than two, or an arc
            whose ends are not on its curve.
        """
        vertices, triangles = self.vertices, self.triangles
        if vertices.ndim != 2 or vertices.shape[1:] != (2,):
            raise MeshError(f"vertices have shape {vertices.shape}, not (n, 2)", where=where)
        if triangles.ndim != 2 or triangles.shape[1:] != (3,) or len(triangles) == 0:
            raise MeshError("no triangles", where=where, remedy="Save at least one surface.")
        if not np.isfinite(vertices).all():
            bad = int(np.argwhere(~np.isfinite(vertices).all(axis=1))[0, 0])
            raise MeshError(f"vertex {bad} has a coordinate that is not finite", where=where)
        _check_indices(vertices, triangles, where)
        areas = self.signed_areas()
        flat = np.abs(areas) <= 1e-12 * square_lengths(vertices, triangles).max(axis=0)
        if flat.any():
            bad = int(np.argmax(flat))
            x, y = vertices[triangles[bad]].mean(axis=0)
            raise MeshError(
                f"triangle {bad} near ({x:g}, {y:g}) has no area",
                where=where,
                remedy="Merge its vertices or remove it.",
            )
        if (areas < 0).any():
            raise MeshError(
                f"triangle {int(np.argmax(areas < 0))} is clockwise",
                where=where,
                remedy="Turn it with Mesh.counterclockwise().",
            )
        keys = np.sort(edge_keys(triangles.T[FACE_VERTICES.T].reshape(2, -1).T, len(vertices)))
        if (keys[2:] == keys[:-2]).any():
            keys, counts = np.unique(keys, return_counts=True)
            a, b = divmod(int(keys[np.argmax(counts)]), len(vertices))
            raise MeshError(
                f"{counts.max()} triangles share the edge between vertices {a} and {b}",
                where=where,
                remedy="Remove duplicate or overlapping triangles.",
            )
        self._check_arcs(where)
        return self

    def _check_arcs(self, where: str) -> None:
        if self.face_curves is None:
            return
        for number, curve in enumerate(self.curves):
            element, face = np.nonzero(self.face_curves == number)
            ends = self.vertices[self.triangles[element[:, None], FACE_VERTICES[face]]]
            length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
            off = curve.distances(ends).max(axis=1) > 1e-6 * length
            if off.any():
                x, y = ends[int(np.argmax(off))].mean(axis=0)
                raise MeshError(
                    f"the curved face near ({x:g}, {y:g}) does not end on its curve", where=where
                )


def square_lengths(vertices: NDArray, triangles: NDArray) -> Array:
    """(3, n_elements) squares of the lengths of the faces."""
    x, y = _corners(vertices, triangles)
    start, end = FACE_VERTICES.T
    return np.asarray((x[end] - x[start]) ** 2 + (y[end] - y[start]) ** 2)


def _corners(vertices: NDArray, triangles: NDArray) -> tuple[NDArray, NDArray]:
    """(3, n_elements) x and y of the vertices of triangles."""
    # By coordinate: to gather numbers is several times as fast as to gather pairs of them.
    numbers = np.ascontiguousarray(triangles.T)
    return vertices[:, 0].take(numbers), vertices[:, 1].take(numbers)


def edge_keys(pairs: NDArray, n: int) -> Indices:
    """(m,) one number for each unordered pair of vertices below ``n``: lower * n + higher."""
    low, high = np.minimum(pairs[:, 0], pairs[:, 1]), np.maximum(pairs[:, 0], pairs[:, 1])
    return low.astype(np.int64) * n + high


def _check_indices(vertices: NDArray, triangles: NDArray, where: str) -> None:
    wrong = ((triangles < 0) | (triangles >= len(vertices))).any(axis=1)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise MeshError(
            f"triangle {bad} names vertex numbers {triangles[bad].tolist()}, "
            f"but there are {len(vertices)} vertices",
            where=where,
        )
