"""Gambit's .neu files, read bit by bit into a store on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wavelab.meshing.formats.gmsh_content import Content
from wavelab.meshing.formats.numbers import TextNumbers, name_of, whole
from wavelab.meshing.parts.lines import READ_WHOLE, Lines
from wavelab.meshing.parts.store import MeshStore

#: Types of elements, and boundary conditions on faces.
_TRIANGLE, _ON_FACES = 3, 1


def stream_gambit(path: Path, store: MeshStore) -> Content:
    """Read a .neu file into a store; its names and notes, as of a .msh file.

    Raises
    ------
    MeshError : it is no such file, breaks off, or has other elements than straight triangles.
    """
    lines, content = Lines(path), Content()
    try:
        if b"CONTROL INFO" not in lines.needed("its head"):
            raise lines.error('this is no Gambit neutral file: it has no "CONTROL INFO"')
        for _ in range(5):
            lines.needed("CONTROL INFO")
        n_points, n_elements, _, _, dimension = lines.counts(5, "CONTROL INFO")
        if dimension != 2:
            raise lines.error(f"the file has {dimension} dimensions, not 2")
        store.expect_points(n_points)
        while (line := lines.next()) is not None:
            title = line.decode(errors="replace")
            if "NODAL COORDINATES" in title:
                for n, numbers in lines.blocks(n_points, "NODAL COORDINATES"):
                    rows = numbers.reals(3 * n).reshape(-1, 3)
                    store.add_points(whole(rows[:, 0], numbers), rows[:, 1:])
                lines.ends(b"ENDOFSECTION", "nodes")
            elif "ELEMENTS/CELLS" in title:
                _gambit_elements(lines, store, n_elements)
            elif "ELEMENT GROUP" in title:
                _gambit_group(lines, store, content)
            elif "BOUNDARY CONDITIONS" in title:
                _gambit_condition(lines, store, content)
    finally:
        lines.close()
    return content


def _gambit_elements(lines: Lines, store: MeshStore, count: int) -> None:
    store.expect_triangles(count)
    for n, numbers in lines.blocks(count, "ELEMENTS/CELLS"):
        first = numbers.integers(min(3, numbers.left))
        if numbers.left + len(first) != 6 * n or first[1:].tolist() != [_TRIANGLE, 3]:
            raise lines.error(
                "a mesh with other than straight triangles is not streamed", READ_WHOLE
            )
        rows = np.concatenate([first, numbers.integers(6 * n - 3)]).reshape(-1, 6)
        expected = store.n_triangles + 1 + np.arange(n)
        if (rows[:, 0] != expected).any() or (rows[:, 1:3] != [_TRIANGLE, 3]).any():
            raise lines.error(
                "a mesh whose elements are not triangles, numbered from 1 on, is not streamed",
                READ_WHOLE,
            )
        store.add_triangles(rows[:, 3:], np.zeros(n, np.int64))
    lines.ends(b"ENDOFSECTION", "elements")


def _gambit_group(lines: Lines, store: MeshStore, content: Content) -> None:
    head = lines.needed("ELEMENT GROUP").split()
    if len(head) < 4 or not head[3].isdigit():
        raise lines.error("this is no element group")
    name, count = name_of(lines.needed("ELEMENT GROUP")), int(head[3])
    lines.needed("ELEMENT GROUP")  # flags
    known = {of: group for (d, group), of in content.names.items() if d == 2}
    group = known.get(name, len(known) + 1)
    content.names[2, group] = name
    while count > 0:
        line = lines.needed("ELEMENT GROUP")
        found = TextNumbers(line, lines.number, lines.where)
        rows = found.integers(found.left) - 1
        if ((rows < 0) | (rows >= store.n_triangles)).any():
            raise lines.error(f'"{name}" names an element that is not in the file')
        rows = rows[store.groups[rows] == 0]  # the first of several groups holds
        store.groups[rows] = group
        count -= found.position


def _gambit_condition(lines: Lines, store: MeshStore, content: Content) -> None:
    line = lines.needed("BOUNDARY CONDITIONS")
    name = name_of(line[:32])
    on, count, n_values = TextNumbers(line[32:], lines.number, lines.where).integers(3).tolist()
    if on != _ON_FACES:
        content.notes.append(f'the boundary condition "{name}" is given on nodes and was left out')
        for _ in lines.blocks(count, "BOUNDARY CONDITIONS"):
            pass
        return
    known = {of: group for (d, group), of in content.names.items() if d == 1}
    group = known.get(name, len(known) + 1)
    content.names[1, group] = name
    for n, numbers in lines.blocks(count, "BOUNDARY CONDITIONS"):
        width = 3 + max(0, n_values)
        rows = whole(numbers.reals(width * n).reshape(-1, width)[:, :3], numbers)
        element, face = rows[:, 0] - 1, rows[:, 2]
        wrong = (element < 0) | (element >= store.n_triangles) | (face < 1) | (face > 3)
        if wrong.any():
            raise lines.error(f'boundary condition "{name}" names a face that is not there')
        corners = store.triangles[element].astype(np.int64)
        every = np.arange(n)
        store.add_line_rows(
            np.column_stack([corners[every, face - 1], corners[every, face % 3]]), group
        )
