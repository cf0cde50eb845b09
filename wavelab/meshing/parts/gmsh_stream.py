"""Gmsh's .msh files, as text, read bit by bit into a store on disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from wavelab.arrays import Indices
from wavelab.errors import MeshError
from wavelab.meshing.formats.gmsh_content import NO_GROUP, Content
from wavelab.meshing.formats.gmsh_entities import Entities
from wavelab.meshing.formats.gmsh_kinds import CORNERS, NODES, ORDERS
from wavelab.meshing.formats.numbers import TextNumbers, name_of, whole
from wavelab.meshing.formats.records import alike_records
from wavelab.meshing.parts.lines import READ_WHOLE, Lines
from wavelab.meshing.parts.store import MeshStore

_LINE, _TRIANGLE = 1, 2
_NAME = re.compile(r'\s*(\d+)\s+(-?\d+)\s+"(.*)"\s*$')


def stream_gmsh(path: Path, store: MeshStore) -> Content:
    """Read a .msh file into a store; its names and notes.

    Raises
    ------
    MeshError : it is no such file, breaks off, or has what is not streamed: it is binary, of
        another version than 2.2 and 4.1, partitioned, or has other elements than straight
        triangles.
    """
    lines, content, reader = Lines(path), Content(), None
    try:
        while (line := lines.next()) is not None:
            if not line.startswith(b"$") or line.startswith(b"$End"):
                continue
            title = line[1:].strip().decode(errors="replace")
            if title == "MeshFormat":
                reader = _gmsh_reader(lines, store, content)
            elif reader is None:
                break
            elif title == "PhysicalNames":
                for _ in range(lines.counts(1, title)[0]):
                    if found := _NAME.match(name_of(lines.needed(title))):
                        content.names[int(found[1]), int(found[2])] = found[3]
            elif title == "PartitionedEntities":
                raise lines.error("a partitioned mesh is not streamed", READ_WHOLE)
            elif (act := reader.get(title)) is not None:
                act()
                if title != "Entities":
                    lines.ends(b"$End", title.lower())
    finally:
        lines.close()
    if reader is None:
        raise MeshError("this is no Gmsh file: it has no $MeshFormat", where=f"{path.name}, line 1")
    return content


def _gmsh_reader(lines: Lines, store: MeshStore, content: Content) -> dict[str, Callable[[], None]]:
    words = lines.needed("MeshFormat").split()
    if len(words) < 2 or words[1] != b"0" or words[0] not in (b"2.2", b"4.1"):
        raise lines.error(
            "files that are not text of version 2.2 or 4.1 are not streamed", READ_WHOLE
        )
    reader = _Gmsh2(lines, store, content) if words[0] == b"2.2" else _Gmsh4(lines, store, content)
    return {"Nodes": reader.nodes, "Elements": reader.elements, "Entities": reader.entities}


class _Gmsh2:
    """Version 2.2."""

    def __init__(self, lines: Lines, store: MeshStore, content: Content) -> None:
        self._lines, self._store, self._content = lines, store, content

    def entities(self) -> None:
        """It has none."""

    def nodes(self) -> None:
        count = self._lines.counts(1, "Nodes")[0]
        self._store.expect_points(count)
        for n, numbers in self._lines.blocks(count, "Nodes"):
            rows = numbers.reals(4 * n).reshape(-1, 4)
            numbers.finish("nodes")
            self._store.add_points(whole(rows[:, 0], numbers), rows[:, 1:])

    def elements(self) -> None:
        count = self._lines.counts(1, "Elements")[0]
        self._store.expect_triangles(count)
        for n, numbers in self._lines.blocks(count, "Elements"):

            def length(head: list[int], at: int, numbers: TextNumbers = numbers) -> int:
                _, kind, n_tags = head
                if kind not in NODES or n_tags < 0:
                    raise numbers.error(f"element type {kind} is not known", at)
                return 3 + n_tags + NODES[kind]

            for _, rows in alike_records(numbers, n, length, "elements"):
                kind, n_tags = rows[0, 1:3].tolist()
                groups = rows[:, 3] if n_tags else np.full(len(rows), NO_GROUP)
                _add(self._lines, self._store, kind, rows[:, 3 + n_tags :], groups)


class _Gmsh4:
    """Version 4.1."""

    def __init__(self, lines: Lines, store: MeshStore, content: Content) -> None:
        self._lines, self._store, self._content = lines, store, content
        self._entities = Entities()

    def entities(self) -> None:
        first, found = self._lines.number + 1, []
        while not (line := self._lines.needed("Entities")).startswith(b"$End"):
            found.append(line)
        numbers = TextNumbers(b"".join(found), first, self._lines.where)
        self._entities.read(numbers, is_old=False)

    def nodes(self) -> None:
        n_blocks, count = self._lines.counts(2, "Nodes")
        self._store.expect_points(count)
        for _ in range(n_blocks):
            dimension, _, parametric, n = self._lines.integers(4, "Nodes")
            width = 3 + (min(max(dimension, 0), 3) if parametric else 0)
            tags = [t.integers(k) for k, t in self._lines.blocks(n, "Nodes")]
            for of, (k, numbers) in zip(tags, self._lines.blocks(n, "Nodes"), strict=True):
                self._store.add_points(of, numbers.reals(width * k).reshape(-1, width)[:, :3])

    def elements(self) -> None:
        n_blocks, count = self._lines.counts(2, "Elements")
        self._store.expect_triangles(count)
        for _ in range(n_blocks):
            dimension, tag, kind, n = self._lines.integers(4, "Elements")
            if kind not in NODES:
                raise self._lines.error(f"element type {kind} is not known")
            # As in a scene, where regions overlap the later one holds.
            group = max(self._entities.groups_of((dimension, tag), self._content), default=NO_GROUP)
            width = 1 + NODES[kind]
            for k, numbers in self._lines.blocks(n, "Elements"):
                nodes = numbers.integers(width * k).reshape(-1, width)[:, 1:]
                _add(self._lines, self._store, kind, nodes, np.full(k, group))


def _add(lines: Lines, store: MeshStore, kind: int, nodes: Indices, groups: Indices) -> None:
    """Elements of one of Gmsh's types."""
    if kind == _TRIANGLE:
        store.add_triangles(nodes, groups)
    elif kind == _LINE:
        for group in np.unique(groups[groups != NO_GROUP]).tolist():
            store.add_lines(nodes[groups == group], group)
    elif CORNERS.get(kind, 3) > 1:
        what = "elements of higher order" if ORDERS.get(kind, 1) > 1 else "other than triangles"
        raise lines.error(f"a mesh with {what} is not streamed", READ_WHOLE)
