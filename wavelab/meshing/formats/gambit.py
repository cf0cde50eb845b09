"""Gambit neutral files (.neu), which the nodal-dg codes use.

Format: "Gambit User's Guide", appendix C.2, neutral file format.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.errors import MeshError
from wavelab.meshing.formats.numbers import TextNumbers, whole
from wavelab.meshing.formats.raw import RawMesh

_EDGE, _QUADRANGLE, _TRIANGLE = 1, 2, 3

#: Corners of an element by its type and number of nodes; midside nodes stand between them.
_CORNERS = {
    (_TRIANGLE, 3): (0, 1, 2),
    (_TRIANGLE, 6): (0, 2, 4),
    (_QUADRANGLE, 4): (0, 1, 2, 3),
    (_QUADRANGLE, 8): (0, 2, 4, 6),
}

#: Boundary conditions are given on faces of elements (1), not on nodes (0).
_ON_FACES = 1


def read_gambit(path: Path) -> RawMesh:
    """The content of a .neu file.

    Element groups name regions; boundary conditions on element faces name boundary faces.

    Raises
    ------
    MeshError : it is no such file, or it breaks off, naming the line.
    """
    where = path.name
    lines = path.read_bytes().splitlines()
    sections = _sections(lines, where)
    counts = TextNumbers(lines[6:7], 7, where)
    n_points, n_elements, _, _, dimension = counts.integers(5).tolist()
    if dimension != 2:
        raise counts.error(f"the file has {dimension} dimensions, not 2")
    for needed in ("NODAL COORDINATES", "ELEMENTS/CELLS"):
        if needed not in [title for title, _, _ in sections]:
            raise MeshError(f'the section "{needed}" is missing', where=where)

    tags, points = np.zeros(0, np.int64), np.zeros((0, 2))
    elements: dict[int, tuple[int, list[int]]] = {}
    region_of: dict[int, int] = {}
    region_names: list[str] = []
    conditions: list[tuple[str, list[tuple[int, int]]]] = []
    notes: list[str] = []
    for title, first, end in sections:
        if title == "NODAL COORDINATES":
            tags, points = _nodes(TextNumbers(lines[first:end], first + 1, where), n_points)
        elif title == "ELEMENTS/CELLS":
            elements = _elements(TextNumbers(lines[first:end], first + 1, where), n_elements)
        elif title == "ELEMENT GROUP":
            name, members = _group(lines[first:end], first + 1, where)
            if name not in region_names:
                region_names.append(name)
            for member in members:
                region_of.setdefault(member, region_names.index(name))
        elif title == "BOUNDARY CONDITIONS":
            name, faces = _condition(lines[first:end], first + 1, where)
            if faces is None:
                notes.append(f'the boundary condition "{name}" is given on nodes and was left out')
            else:
                conditions.append((name, faces))
    return _raw(tags, points, elements, (region_of, region_names), conditions, notes, where)


def _sections(lines: list[bytes], where: str) -> list[tuple[str, int, int]]:
    """Title, and first and last (exclusive) line index of what follows it, of each section."""
    if len(lines) < 7 or b"CONTROL INFO" not in lines[0]:
        raise MeshError(
            'this is no Gambit neutral file: it does not begin with "CONTROL INFO"',
            where=f"{where}, line 1",
        )
    sections, start = [], 0
    for number, line in enumerate(lines):
        if line.strip() == b"ENDOFSECTION":
            words = lines[start].decode(errors="replace").split()
            # The last word of a title is the version of Gambit.
            title = " ".join(words[:-1]) if words and words[-1][:1].isdigit() else " ".join(words)
            sections.append((title, start + 1, number))
            start = number + 1
    if any(line.strip() for line in lines[start:]):
        raise MeshError(
            "the file ends within a section: ENDOFSECTION is missing",
            where=f"{where}, line {len(lines)}",
        )
    return sections


def _nodes(numbers: TextNumbers, count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rows = numbers.reals(3 * count).reshape(-1, 3)
    return whole(rows[:, 0], numbers), rows[:, 1:]


def _elements(numbers: TextNumbers, count: int) -> dict[int, tuple[int, list[int]]]:
    """Type and node tags of the corners by element number."""
    elements = {}
    for _ in range(count):
        tag, kind, n_nodes = numbers.integers(3).tolist()
        nodes = numbers.integers(n_nodes).tolist()
        if kind == _EDGE:
            continue
        if (kind, n_nodes) not in _CORNERS:
            raise numbers.error(f"element {tag} has type {kind} with {n_nodes} nodes")
        elements[tag] = kind, [nodes[i] for i in _CORNERS[kind, n_nodes]]
    return elements


def _group(lines: list[bytes], first_line: int, where: str) -> tuple[str, list[int]]:
    """Name and element numbers of an element group."""
    head = lines[0].split() if lines else []
    if len(lines) < 3 or len(head) < 4 or not head[3].isdigit():
        raise MeshError("this is no element group", where=f"{where}, line {first_line}")
    numbers = TextNumbers(lines[2:], first_line + 2, where)
    n_flags = int(head[7]) if len(head) > 7 and head[7].isdigit() else 1
    numbers.integers(n_flags)
    return lines[1].decode(errors="replace").strip(), numbers.integers(int(head[3])).tolist()


def _condition(
    lines: list[bytes], first_line: int, where: str
) -> tuple[str, list[tuple[int, int]] | None]:
    """Name and (element, face) pairs of a boundary condition, None if it is given on nodes."""
    if not lines:
        raise MeshError("this is no boundary condition", where=f"{where}, line {first_line}")
    name = lines[0][:32].decode(errors="replace").strip()
    head = TextNumbers([lines[0][32:]], first_line, where)
    on, count = head.integers(2).tolist()
    if on != _ON_FACES:
        return name, None
    rows = TextNumbers(lines[1:], first_line + 1, where)
    return name, [tuple(rows.integers(3)[[0, 2]].tolist()) for _ in range(count)]


def _raw(
    tags: NDArray[np.int64],
    points: NDArray[np.float64],
    elements: dict[int, tuple[int, list[int]]],
    regions: tuple[dict[int, int], list[str]],
    conditions: list[tuple[str, list[tuple[int, int]]]],
    notes: list[str],
    where: str,
) -> RawMesh:
    number = {tag: i for i, tag in enumerate(tags.tolist())}
    region_of, region_names = regions
    if any(element not in region_of for element in elements):
        # Elements in no group are background, which comes first.
        region_of = {element: index + 1 for element, index in region_of.items()}
        region_names = ["background", *region_names]
    cells: dict[int, list[list[int]]] = {_TRIANGLE: [], _QUADRANGLE: []}
    labels: dict[int, list[int]] = {_TRIANGLE: [], _QUADRANGLE: []}
    for element, (kind, nodes) in elements.items():
        try:
            cells[kind].append([number[node] for node in nodes])
        except KeyError as missing:
            raise MeshError(
                f"element {element} names node {missing}, which is not in the file", where=where
            ) from None
        labels[kind].append(region_of.get(element, 0))
    face_names = tuple(dict.fromkeys(name for name, _ in conditions))
    lines, line_labels = [], []
    for name, faces in conditions:
        for element, face in faces:
            nodes = elements.get(element, (0, []))[1]
            if not 1 <= face <= len(nodes):
                raise MeshError(
                    f'boundary condition "{name}" names face {face} of element {element}, '
                    "which is not there",
                    where=where,
                )
            lines.append([number[nodes[face - 1]], number[nodes[face % len(nodes)]]])
            line_labels.append(face_names.index(name))
    return RawMesh(
        points=points,
        triangles=np.array(cells[_TRIANGLE], np.int64).reshape(-1, 3),
        regions=np.array(labels[_TRIANGLE], np.int32),
        region_names=tuple(region_names),
        lines=np.array(lines, np.int64).reshape(-1, 2),
        line_labels=np.array(line_labels, np.int32),
        face_names=face_names,
        quadrangles=np.array(cells[_QUADRANGLE], np.int64).reshape(-1, 4),
        quadrangle_regions=np.array(labels[_QUADRANGLE], np.int32),
        notes=tuple(notes),
    )
