"""The sections $Entities, $Nodes and $Elements of the three versions of Gmsh's files."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Indices
from wavelab.meshing.formats.gmsh_content import NO_GROUP, Content
from wavelab.meshing.formats.gmsh_entities import Entities
from wavelab.meshing.formats.gmsh_kinds import NODES, Block
from wavelab.meshing.formats.numbers import BinaryNumbers, TextNumbers, whole
from wavelab.meshing.formats.records import WINDOW, alike, alike_records


class Version2:
    """Version 2.2: one line for each node and element; the first tag is the physical group."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def entities(self, numbers: TextNumbers | BinaryNumbers) -> None:
        """Version 2 has none."""

    partitioned_entities = entities

    def nodes(self, numbers: TextNumbers | BinaryNumbers) -> None:
        count = self._count(numbers)
        if isinstance(numbers, BinaryNumbers):
            found = numbers.records(count, np.dtype([("tag", "i4"), ("x", "f8", 3)]))
            tags, points = found["tag"].astype(np.int64), found["x"].astype(np.float64)
        else:
            rows = numbers.reals(4 * count).reshape(-1, 4)
            tags, points = whole(rows[:, 0], numbers), rows[:, 1:]
        self._content.node_tags, self._content.points = tags, points

    def elements(self, numbers: TextNumbers | BinaryNumbers) -> None:
        count = self._count(numbers)
        if isinstance(numbers, BinaryNumbers):
            tables = self._binary(numbers, count)
        else:
            tables = self._text(numbers, count)
        for kind, found in tables.items():
            table = np.concatenate(found)
            self._content.blocks.append(Block(kind, table[:, 0], table[:, 2:], table[:, 1]))

    def _count(self, numbers: TextNumbers | BinaryNumbers) -> int:
        """The count comes as text even in a binary file."""
        if isinstance(numbers, BinaryNumbers):
            return numbers.text_integer()
        return int(numbers.integers(1)[0])

    def _text(self, numbers: TextNumbers, count: int) -> dict[int, list[NDArray]]:
        """Rows (tag, group, nodes...) by element type."""

        def length(head: list[int], at: int) -> int:
            _, kind, n_tags = head
            if kind not in NODES or n_tags < 0:
                raise numbers.error(f"element type {kind} is not known", at)
            return 3 + n_tags + NODES[kind]

        tables: dict[int, list[NDArray]] = defaultdict(list)
        for _, rows in alike_records(numbers, count, length, "elements"):
            kind, n_tags = rows[0, 1:3].tolist()
            tables[kind].append(_table(rows[:, 0], rows[:, 3 : 3 + n_tags], rows[:, 3 + n_tags :]))
        return tables

    def _binary(self, numbers: BinaryNumbers, count: int) -> dict[int, list[NDArray]]:
        tables: dict[int, list[NDArray]] = defaultdict(list)
        done, window = 0, WINDOW
        while done < count:
            header = numbers.offset
            kind, follow, n_tags = numbers.integers(3).tolist()
            _check_kind(kind, numbers)
            if follow < 1 or n_tags < 0:
                raise numbers.error(f"a block of {follow} elements with {n_tags} tags")
            width = 1 + n_tags + NODES[kind]
            if follow == 1:
                # Elements may have a header each.
                numbers.offset = header
                most = min(window, count - done, numbers.left // (4 * (3 + width)))
                rows = numbers.integers(max(1, most) * (3 + width)).reshape(-1, 3 + width)
                run = alike(rows[:, :3])
                numbers.offset = header + 4 * run * (3 + width)
                window = 2 * window if run == len(rows) else WINDOW
                table = rows[:run, 3:]
            else:
                table = numbers.integers(follow * width).reshape(follow, width)
            tables[kind].append(
                _table(table[:, 0], table[:, 1 : 1 + n_tags], table[:, 1 + n_tags :])
            )
            done += len(table)
        return tables


class Version4:
    """Versions 4.0 and 4.1: blocks of nodes and elements that belong to geometric entities."""

    def __init__(self, content: Content, *, is_old: bool) -> None:
        self._content = content
        self._is_old = is_old
        self._entities = Entities()

    def entities(self, numbers: TextNumbers | BinaryNumbers) -> None:
        self._entities.read(numbers, is_old=self._is_old)

    def partitioned_entities(self, numbers: TextNumbers | BinaryNumbers) -> None:
        self._entities.read_partitioned(numbers, is_old=self._is_old)

    def nodes(self, numbers: TextNumbers | BinaryNumbers) -> None:
        n_blocks, _ = self._sizes(numbers)
        tags: list[NDArray] = [np.zeros(0, np.int64)]
        points: list[NDArray] = [np.zeros((0, 3))]
        for _ in range(n_blocks):
            dimension, _, parametric = self._block(numbers)
            count = int(numbers.integers(1, 8)[0])
            # Parametric coordinates follow x, y, z: one on a curve, two on a surface.
            width = 3 + (min(max(dimension, 0), 3) if parametric else 0)
            if not self._is_old:
                tags.append(numbers.integers(count, 8))
                rows = numbers.reals(width * count).reshape(-1, width)
            elif isinstance(numbers, BinaryNumbers):
                found = numbers.records(count, np.dtype([("tag", "i4"), ("x", "f8", width)]))
                tags.append(found["tag"].astype(np.int64))
                rows = found["x"].astype(np.float64)
            else:
                table = numbers.reals((1 + width) * count).reshape(-1, 1 + width)
                tags.append(whole(table[:, 0], numbers))
                rows = table[:, 1:]
            points.append(rows[:, :3])
        self._content.node_tags = np.concatenate(tags)
        self._content.points = np.concatenate(points)

    def elements(self, numbers: TextNumbers | BinaryNumbers) -> None:
        n_blocks, _ = self._sizes(numbers)
        size = 4 if self._is_old else 8
        notes, n_ghosts = self._content.notes, 0
        for _ in range(n_blocks):
            dimension, tag, kind = self._block(numbers)
            _check_kind(kind, numbers)
            count = int(numbers.integers(1, 8)[0])
            width = 1 + NODES[kind]
            table = numbers.integers(count * width, size).reshape(-1, width)
            if self._entities.is_ghost((dimension, tag)):
                n_ghosts += count
                continue
            groups = self._entities.groups_of((dimension, tag), self._content)
            self._entities.meshed.add((dimension, tag))
            if len(groups) > 1 and dimension == 2:
                names = [f'"{self._content.name(2, group)}"' for group in sorted(groups)]
                _, whole = self._entities.whole((dimension, tag))
                notes.append(f"surface {whole} is in {' and in '.join(names)}; {names[-1]} holds")
            # As in a scene, where regions overlap the later one holds.
            group = np.full(count, max(groups, default=NO_GROUP), dtype=np.int64)
            self._content.blocks.append(Block(kind, table[:, 0], table[:, 1:], group))
        ghosts = f"{n_ghosts} elements of other partitions (ghosts) were left out"
        notes += [ghosts] if n_ghosts else []
        notes[:] = dict.fromkeys(filter(None, [*notes, self._entities.missing()]))

    def _sizes(self, numbers: TextNumbers | BinaryNumbers) -> tuple[int, int]:
        """Number of blocks and of items; 4.1 adds the lowest and highest tag."""
        if isinstance(numbers, TextNumbers):
            found = numbers.integers(2).tolist()
            # Some programs write 4.1 and call it 4: the length of this line tells them apart.
            self._is_old = numbers.rest_of_line() == 0
            if not self._is_old:
                numbers.integers(2)
        else:
            found = numbers.integers(2 if self._is_old else 4, 8).tolist()
        return found[0], found[1]

    def _block(self, numbers: TextNumbers | BinaryNumbers) -> tuple[int, int, int]:
        """Dimension and tag of an entity, which 4.0 has the other way round, and a third number."""
        first, second, third = numbers.integers(3).tolist()
        return (second, first, third) if self._is_old else (first, second, third)


def _table(tags: NDArray, groups: NDArray, nodes: NDArray) -> Indices:
    """Rows (tag, group, nodes...); the first of the tags of an element is its group."""
    group = groups[:, :1] if groups.shape[1] else np.full((len(tags), 1), NO_GROUP)
    return np.hstack([tags[:, None], group, nodes])


def _check_kind(kind: int, numbers: TextNumbers | BinaryNumbers) -> None:
    if kind not in NODES:
        raise numbers.error(f"element type {kind} is not known")
