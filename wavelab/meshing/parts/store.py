"""A mesh on disk while it is read: arrays that need no memory of this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError
from wavelab.meshing.graph.polygons import TOLERANCE

#: Rows that are looked at at a time.
CHUNK = 1 << 19
#: Largest node number, in parts of the number of nodes, for which a table is made.
_SPARSEST = 16


class MeshStore:
    """Nodes and triangles in files of a folder, filled as they are read.

    Parameters
    ----------
    folder : for the files, which are its owner's to remove.
    where : name of the mesh file.

    Attributes
    ----------
    lines, line_groups : node rows (m, 2) of named lines, and the group of each.
    """

    def __init__(self, folder: Path, where: str) -> None:
        self._folder, self._where = folder, where
        self.n_points = self.n_triangles = 0
        self._tags: NDArray[np.int64] = np.zeros(0, np.int64)
        self._rows: NDArray[np.int64] | None = None
        self._first_tag = 0
        self._z = (np.inf, -np.inf)
        self._lines: list[Indices] = []
        self._line_groups: list[Indices] = []

    def expect_points(self, count: int) -> None:
        """So many are to come at most."""
        self.points: Array = self.array("points", np.float64, (count, 2))
        self._tags = self.array("tags", np.int64, (count,))

    def expect_triangles(self, count: int) -> None:
        """So many are to come at most, and no more points.

        Raises
        ------
        MeshError : a point is there twice, or the mesh is not flat.
        """
        self._find_by_tag()
        self.triangles: NDArray[np.int32] = self.array("triangles", np.int32, (count, 3))
        self.groups: NDArray[np.int32] = self.array("groups", np.int32, (count,))

    def array(self, name: str, kind: type, shape: tuple[int, ...]) -> NDArray:
        """An array on disk."""
        if not np.prod(shape):
            return np.zeros(shape, kind)
        return np.lib.format.open_memmap(
            self._folder / f"{name}.npy", mode="w+", dtype=kind, shape=shape
        )

    def add_points(self, tags: Indices, places: Array) -> None:
        """Points (n, 2) or (n, 3)."""
        end = self._end(self.n_points, len(tags), len(self._tags), "nodes")
        if not (np.abs(places) <= 1e70).all():
            raise MeshError(
                "a node has a coordinate that is not finite, or that cannot be squared",
                where=self._where,
            )
        self.points[self.n_points : end] = places[:, :2]
        self._tags[self.n_points : end] = tags
        if places.shape[1] == 3 and len(places):
            z = places[:, 2]
            self._z = (min(self._z[0], float(z.min())), max(self._z[1], float(z.max())))
        self.n_points = end

    def add_triangles(self, nodes: Indices, groups: Indices) -> None:
        """Node numbers (n, 3), and the group of each."""
        end = self._end(self.n_triangles, len(nodes), len(self.triangles), "elements")
        self.triangles[self.n_triangles : end] = self.rows_of(nodes)
        self.groups[self.n_triangles : end] = groups
        self.n_triangles = end

    def _end(self, begin: int, count: int, most: int, what: str) -> int:
        if begin + count > most:
            raise MeshError(f"there are more {what} than announced", where=self._where)
        return begin + count

    def add_lines(self, nodes: Indices, group: int) -> None:
        """Node numbers (n, 2)."""
        self.add_line_rows(self.rows_of(nodes), group)

    def add_line_rows(self, rows: Indices, group: int) -> None:
        """The same by where the nodes are among the points."""
        self._lines.append(rows)
        self._line_groups.append(np.full(len(rows), group))

    @property
    def lines(self) -> Indices:
        return np.concatenate([np.zeros((0, 2), np.int64), *self._lines])

    @property
    def line_groups(self) -> Indices:
        return np.concatenate([np.zeros(0, np.int64), *self._line_groups])

    def chunks(self) -> Iterator[slice]:
        """The triangles, some at a time."""
        for start in range(0, self.n_triangles, CHUNK):
            yield slice(start, min(start + CHUNK, self.n_triangles))

    def rows_of(self, nodes: Indices) -> Indices:
        """Where nodes with some numbers are among the points.

        Raises
        ------
        MeshError : there is none of such a number.
        """
        rows = nodes - self._first_tag
        if self._rows is not None:
            known = (rows >= 0) & (rows < len(self._rows))
            rows = np.where(known, self._rows[np.where(known, rows, 0)], -1)
        bad = (rows < 0) | (rows >= self.n_points)
        if bad.any():
            raise MeshError(
                f"an element names node {int(nodes[bad][0])}, which is not in the file",
                where=self._where,
            )
        return rows

    def _find_by_tag(self) -> None:
        tags = self._tags[: self.n_points]
        if not len(tags):
            raise MeshError("the file has no nodes", where=self._where)
        span = np.ptp(self.points[: self.n_points], axis=0).max()
        if self._z[1] - self._z[0] > TOLERANCE * span:
            raise MeshError(
                f"the mesh is not flat: z runs from {self._z[0]:g} to {self._z[1]:g}",
                where=self._where,
                remedy="wavelab is two-dimensional: all z must be the same.",
            )
        self._first_tag = int(tags.min())
        starts = range(0, len(tags), CHUNK)
        chunks = ((at, tags[at : at + CHUNK] - self._first_tag) for at in starts)
        if all((each == np.arange(at, at + len(each))).all() for at, each in chunks):
            return
        extent = int(tags.max()) - self._first_tag + 1
        if extent > _SPARSEST * len(tags):
            raise MeshError(
                f"the numbers of the nodes, up to {int(tags.max())}, have too wide gaps to be "
                "streamed",
                where=self._where,
                remedy="Number them anew in the program that made the file, or part it with "
                "--whole.",
            )
        self._rows = self.array("rows", np.int64, (extent,))
        for at in range(0, len(tags), CHUNK):
            self._rows[tags[at : at + CHUNK] - self._first_tag] = 1
        if int(self._rows.sum()) < len(tags):
            raise MeshError("a node is there twice", where=self._where)
        self._rows[:] = -1
        for at in range(0, len(tags), CHUNK):
            some = tags[at : at + CHUNK]
            self._rows[some - self._first_tag] = np.arange(at, at + len(some))
