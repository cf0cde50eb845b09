"""A mesh on disk cut into parts along a Hilbert curve, with no more in memory than one part.

What is not looked for, as it is in a mesh that is read whole: elements that overlap, vertices that
hang on an edge, and elements that are there twice but for their faces.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError, WavelabError
from wavelab.meshing.formats.gmsh_content import NO_GROUP, Content
from wavelab.meshing.parts.store import MeshStore
from wavelab.numerics.mesh.mesh import FACE_VERTICES, Mesh, edge_keys, square_lengths
from wavelab.numerics.mesh.mesh_part import MeshPart
from wavelab.numerics.mesh.ordering import hilbert_index

#: Bits of the place on the curve by which elements are counted, to cut it evenly.
_COUNTED = 22
#: Vertices of the boundary nearer than this, in parts of its extent, are at the same place.
_SAME = 1e-12
_WHOLE = (
    "Repair it (wavelab mesh MESH -o NEW.msh), or part it with --whole, on a machine that can "
    "hold it."
)


class Cutter:
    """The parts of a mesh in a store.

    Parameters
    ----------
    content : names of its groups.
    n_parts : of about as many elements each.

    Attributes
    ----------
    region_names, face_names : of the mesh.
    notes : what a user should hear of it.

    Raises
    ------
    MeshError : it is none that a discontinuous Galerkin method can run on, or has to be repaired.
    WavelabError : there are fewer elements than parts.
    """

    def __init__(
        self, store: MeshStore, content: Content, n_parts: int, folder: Path, where: str
    ) -> None:
        self._store, self._folder, self._where = store, folder, where
        self._n_parts = n_parts
        self.notes = list(content.notes)
        if store.n_triangles < n_parts:
            raise WavelabError(
                f"a mesh of {store.n_triangles} triangles has no {n_parts} parts", where=where,
                remedy="Use fewer.",
            )  # fmt: skip
        self._index = store.array("index", np.uint32, (store.n_triangles,))
        self._order_along_curve()
        self._deal_out()
        present: set[int] = set()
        for chunk in store.chunks():
            present.update(np.unique(store.groups[chunk]).tolist())
        self.region_names, self._region_of = _names(content, 2, present)
        self.face_names, of_line = _names(content, 1, set(store.line_groups.tolist()))
        self._find_borders(np.array([of_line[g] for g in store.line_groups.tolist()], np.int32))

    def _order_along_curve(self) -> None:
        """Turn all triangles counterclockwise, and find their places on the curve."""
        store = self._store
        low, high = np.full(2, np.inf), np.full(2, -np.inf)
        for chunk in store.chunks():
            triangles = np.array(store.triangles[chunk])
            places = store.points[triangles]
            sides = places[:, 1:] - places[:, :1]
            area = (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
            flat_places, own = places.reshape(-1, 2), np.arange(3 * len(triangles)).reshape(-1, 3)
            flat = np.abs(area) <= 1e-12 * square_lengths(flat_places, own).max(axis=0)
            if flat.any():
                x, y = places[int(np.argmax(flat))].mean(axis=0)
                raise MeshError(
                    f"triangle {chunk.start + int(np.argmax(flat))} near ({x:g}, {y:g}) has no "
                    "area",
                    where=self._where, remedy="Merge its vertices or remove it.",
                )  # fmt: skip
            turned = area < 0
            triangles[turned] = triangles[turned][:, [0, 2, 1]]
            store.triangles[chunk] = triangles
            centers = store.points[triangles].mean(axis=1)
            low, high = np.minimum(low, centers.min(axis=0)), np.maximum(high, centers.max(axis=0))
        self._counts = np.zeros(1 << _COUNTED, np.int64)
        for chunk in store.chunks():
            centers = store.points[store.triangles[chunk]].mean(axis=1)
            self._index[chunk] = hilbert_index(centers, (low, high))
            counted = np.bincount(self._index[chunk] >> (32 - _COUNTED), minlength=1 << _COUNTED)
            self._counts += counted

    def _deal_out(self) -> None:
        """Write down which triangles each part has."""
        before = np.cumsum(self._counts) - self._counts / 2
        owner = np.floor(before * (self._n_parts / self._store.n_triangles)).astype(np.int32)
        del self._counts
        self._sizes = np.zeros(self._n_parts, np.int64)
        with ExitStack() as closing:
            paths = map(self._rows_file, range(self._n_parts))
            files = [closing.enter_context(open(path, "wb")) for path in paths]
            for chunk in self._store.chunks():
                of = owner[self._index[chunk] >> (32 - _COUNTED)]
                for rank in np.unique(of).tolist():
                    rows = chunk.start + np.flatnonzero(of == rank)
                    files[rank].write(rows.tobytes())
                    self._sizes[rank] += len(rows)
        if not self._sizes.all():
            raise WavelabError(
                f"the mesh is too uneven to be cut into {self._n_parts} parts along a curve",
                where=self._where, remedy="Use fewer, or --whole.",
            )  # fmt: skip
        self._firsts = np.cumsum(self._sizes) - self._sizes

    def _rows_file(self, rank: int) -> Path:
        return self._folder / f"rows_{rank}"

    def _rows(self, rank: int) -> Indices:
        """Of the triangles of a part, along the curve."""
        rows = np.fromfile(self._rows_file(rank), np.int64)
        return rows[np.argsort(self._index[rows], kind="stable")]

    def _find_borders(self, labels: NDArray[np.int32]) -> None:
        """The faces that have no neighbour in their own part: what is behind them.

        Each is a part, the number of the element and its row, the face, and the key of its edge.
        """
        n = self._store.n_points
        found: list[NDArray[np.int64]] = []
        for rank in range(self._n_parts):
            rows = self._rows(rank)
            keys = edge_keys(self._store.triangles[rows][:, FACE_VERTICES].reshape(-1, 2), n)
            order = np.argsort(keys, kind="stable")
            alone = self._alone(keys[order])
            face = np.sort(order[alone])
            element = face // 3
            found.append(
                np.column_stack(
                    [
                        np.full(len(face), rank), self._firsts[rank] + element, rows[element],
                        face % 3, keys[face],
                    ]
                )
            )  # fmt: skip
        faces = np.concatenate(found)
        faces = faces[np.argsort(faces[:, 4], kind="stable")]
        keys = faces[:, 4]
        alone = self._alone(keys)
        meet = np.flatnonzero(keys[1:] == keys[:-1])
        self._boundary, self._meetings = faces[alone], (faces[meet], faces[meet + 1])
        self._check_boundary()
        self._tag(labels)

    def _alone(self, keys: Indices) -> Indices:
        """Where of ascending keys those are that are there once.

        Raises
        ------
        MeshError : one is there more than twice.
        """
        if (keys[2:] == keys[:-2]).any():
            key = int(keys[2:][keys[2:] == keys[:-2]][0])
            places = self._store.points[list(divmod(key, self._store.n_points))]
            x, y = places.mean(axis=0)
            raise MeshError(
                f"more than two triangles share the edge near ({x:g}, {y:g})",
                where=self._where, remedy="Remove duplicate or overlapping triangles.",
            )  # fmt: skip
        same = np.zeros(len(keys) + 1, dtype=bool)
        same[1:-1] = keys[1:] == keys[:-1]
        return np.flatnonzero(~(same[1:] | same[:-1]))

    def _check_boundary(self) -> None:
        """Refuse a boundary of vertices that are there twice: what meets there does not."""
        rows = np.unique(np.column_stack(np.divmod(self._boundary[:, 4], self._store.n_points)))
        places = self._store.points[rows]
        near = _SAME * float(np.ptp(places, axis=0).max(initial=0.0))
        points = shapely.points(places)
        one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=near)
        if (one != other).any():
            x, y = places[one[one != other][0]]
            raise MeshError(
                f"two vertices lie at ({x:g}, {y:g}), and triangles that meet there share neither",
                where=self._where, remedy=_WHOLE,
            )  # fmt: skip

    def _tag(self, labels: NDArray[np.int32]) -> None:
        """Name the faces of the boundary."""
        order = np.argsort(keys := edge_keys(self._store.lines, self._store.n_points))
        keys, labels = keys[order], labels[order]
        at = np.minimum(np.searchsorted(keys, self._boundary[:, 4]), max(len(keys) - 1, 0))
        tags = np.full(len(self._boundary), -1, np.int32)
        if len(keys):
            tags = np.where(keys[at] == self._boundary[:, 4], labels[at], -1).astype(np.int32)
        for label in np.setdiff1d(labels, tags).tolist():
            name = self.face_names[label]
            self.notes.append(f'"{name}" is no part of the boundary; no wall can be there')
        order = np.lexsort((self._boundary[:, 3], self._boundary[:, 1]))
        self._tagged = 3 * self._boundary[order, 1] + self._boundary[order, 3], tags[order]

    def parts(self) -> Iterator[MeshPart]:
        """One after the other."""
        for rank in range(self._n_parts):
            yield self._part(rank)

    def _part(self, rank: int) -> MeshPart:
        rows = self._rows(rank)
        own = self._firsts[rank] + np.arange(len(rows))
        beyond = np.concatenate(
            [
                there[here[:, 0] == rank][:, :3]
                for here, there in (self._meetings, self._meetings[::-1])
            ]
        )
        beyond = np.unique(beyond, axis=0)
        numbers = np.concatenate([own, beyond[:, 1]])
        order = np.argsort(numbers)
        numbers = numbers[order]
        rows = np.concatenate([rows, beyond[:, 2]])[order]
        owner = np.concatenate([np.full(len(own), rank), beyond[:, 0]])[order]
        used, triangles = np.unique(self._store.triangles[rows], return_inverse=True)
        groups = self._store.groups[rows]
        regions = np.zeros(len(rows), np.int32)
        for group, label in self._region_of.items():
            regions[groups == group] = label
        vertices: Array = np.array(self._store.points[used])
        mesh = Mesh(
            vertices, triangles.reshape(-1, 3).astype(np.int32), regions, self.region_names,
            self._tags_of(numbers), self.face_names,
        )  # fmt: skip
        return MeshPart(
            mesh, numbers, used.astype(np.int64), owner.astype(np.int32), rank,
            self._store.n_triangles,
        )  # fmt: skip

    def _tags_of(self, numbers: Indices) -> NDArray[np.int32]:
        keys, tags = self._tagged
        wanted = 3 * numbers[:, None] + np.arange(3)
        if not len(keys):
            return np.full(wanted.shape, -1, np.int32)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, tags[at], -1).astype(np.int32)


def _names(
    content: Content, dimension: int, present: set[int]
) -> tuple[tuple[str, ...], dict[int, int]]:
    """Names of the groups of a dimension, in ascending order of these, and the index of each."""
    declared = {group for d, group in content.names if d == dimension}
    groups = sorted((declared | present) - {NO_GROUP})
    name_of = {group: content.name(dimension, group) for group in groups}
    if dimension == 2 and (not groups or NO_GROUP in present):
        name_of = {NO_GROUP: "background", **name_of}
    names = tuple(dict.fromkeys(name_of.values()))
    return names, {group: names.index(name) for group, name in name_of.items()}
