"""Gambit neutral files (.neu), which the nodal-dg codes use.

Format: "Gambit User's Guide", appendix C.2, neutral file format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Indices
from wavelab.errors import MeshError
from wavelab.meshing.formats.numbers import TextNumbers, name_of, whole
from wavelab.meshing.formats.raw import RawMesh
from wavelab.meshing.formats.records import Rows, alike_records
from wavelab.reading import read_plain_file

_EDGE, _QUADRANGLE, _TRIANGLE = 1, 2, 3

#: Where the corners of an element are among its nodes, by its type and number of nodes; midside
#: nodes stand between them.
_CORNERS = {
    (_TRIANGLE, 3): (0, 1, 2),
    (_TRIANGLE, 6): (0, 2, 4),
    (_QUADRANGLE, 4): (0, 1, 2, 3),
    (_QUADRANGLE, 8): (0, 2, 4, 6),
}

#: Boundary conditions are given on faces of elements (1), not on nodes (0).
_ON_FACES = 1

_END = re.compile(rb"^[ \t]*ENDOFSECTION[ \t]*$\n?", re.MULTILINE)
_NUMBERS = re.compile(rb"(?:\s+-?\d+){2,}\s*$")
_LONG_NAME = re.compile(rb"(.{33,}?)(?:\s+-?\d+){2,}\s*$")


@dataclass(frozen=True)
class _Section:
    """``text`` is what follows the line of the title; ``line`` is the number of its first line, and
    ``where`` the name of the file."""

    title: str
    text: bytes
    line: int
    where: str

    def numbers(self) -> TextNumbers:
        """All of it."""
        return TextNumbers(self.text, self.line, self.where)

    def split(self, head: int) -> tuple[list[bytes], bytes]:
        """The first ``head`` lines, empty where the section ends before, and the rest."""
        parts = self.text.split(b"\n", head)
        return (parts + [b""] * head)[:head], parts[head] if len(parts) > head else b""


@dataclass(frozen=True)
class _Elements:
    """Those with an area, in the order of the file.

    Attributes
    ----------
    tags : (n,) numbers; edges : those of elements without an area.
    rows : finds an element by its own.
    corners : (n, 4) node numbers, the last one 0 for a triangle; n_corners : (n,) 3 or 4.
    at : (n,) where they are in ``numbers``.
    """

    tags: Indices
    edges: Indices
    rows: Rows
    corners: Indices
    n_corners: Indices
    at: Indices
    numbers: TextNumbers


def read_gambit(path: Path) -> RawMesh:
    """The content of a .neu file.

    Element groups name regions; boundary conditions on element faces name boundary faces.

    Raises
    ------
    MeshError : it is no such file, or it breaks off, naming the line.
    """
    where = path.name
    data = read_plain_file(path)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    sections = _sections(data, where)
    by_title = {section.title: section for section in sections}
    for needed in ("NODAL COORDINATES", "ELEMENTS/CELLS"):
        if needed not in by_title:
            raise MeshError(f'the section "{needed}" is missing', where=where)
    n_points, n_elements = _counts(sections[0])
    rows, points = _nodes(by_title["NODAL COORDINATES"], n_points)
    elements = _elements(by_title["ELEMENTS/CELLS"], n_elements)
    groups = [_group(section) for section in sections if section.title == "ELEMENT GROUP"]
    corners = _points_of(elements, rows)
    notes: list[str] = []
    given = [
        _condition(section, elements, corners, notes)
        for section in sections
        if section.title == "BOUNDARY CONDITIONS"
    ]
    conditions = [condition for condition in given if condition is not None]
    region_names, regions = _regions(elements, groups, notes)
    face_names = tuple(dict.fromkeys(name for name, _ in conditions))
    is_triangle = elements.n_corners == 3
    return RawMesh(
        points=points,
        triangles=corners[is_triangle, :3],
        regions=regions[is_triangle],
        region_names=region_names,
        lines=np.concatenate([np.zeros((0, 2), np.int64), *(lines for _, lines in conditions)]),
        line_labels=np.repeat(
            np.array([face_names.index(name) for name, _ in conditions], np.int32),
            [len(lines) for _, lines in conditions],
        ),
        face_names=face_names,
        quadrangles=corners[~is_triangle],
        quadrangle_regions=regions[~is_triangle],
        notes=tuple(notes),
    )


def _sections(data: bytes, where: str) -> list[_Section]:
    if b"CONTROL INFO" not in data.partition(b"\n")[0]:
        raise MeshError(
            'this is no Gambit neutral file: it does not begin with "CONTROL INFO"',
            where=f"{where}, line 1",
        )
    sections, start, line = [], 0, 1
    for end in _END.finditer(data):
        head, _, text = data[start : end.start()].partition(b"\n")
        words = head.decode(errors="replace").split()
        # The last word of a title is the version of Gambit.
        title = " ".join(words[:-1] if words and words[-1][:1].isdigit() else words)
        sections.append(_Section(title, text, line + 1, where))
        line += data.count(b"\n", start, end.end())
        start = end.end()
    rest = data[start:].rstrip()
    if rest or not sections:
        raise MeshError(
            "the file ends within a section: ENDOFSECTION is missing",
            where=f"{where}, line {line + len(rest.splitlines()) - 1}",
        )
    return sections


def _counts(head: _Section) -> tuple[int, int]:
    """Numbers of nodes and of elements."""
    lines, _ = head.split(6)
    counts = TextNumbers(lines[5], head.line + 5, head.where)
    n_points, n_elements, _, _, dimension = counts.integers(5).tolist()
    if dimension != 2:
        raise counts.error(f"the file has {dimension} dimensions, not 2")
    return n_points, n_elements


def _nodes(section: _Section, count: int) -> tuple[Rows, Array]:
    """Finds nodes by their numbers; and their places (n, 2)."""
    numbers = section.numbers()
    rows = numbers.reals(3 * count).reshape(-1, 3)
    numbers.finish(f"{count} nodes")
    tags = whole(rows[:, 0], numbers)
    found = Rows(tags)
    if (again := found.repeated) is not None:
        raise numbers.error(f"node {tags[again]} is there twice", 3 * again)
    return found, rows[:, 1:]


def _elements(section: _Section, count: int) -> _Elements:
    numbers = section.numbers()

    def length(head: list[int], at: int) -> int:
        tag, kind, n_nodes = head
        if n_nodes < 0 or (kind != _EDGE and (kind, n_nodes) not in _CORNERS):
            raise numbers.error(f"element {tag} has type {kind} with {n_nodes} nodes", at)
        return 3 + n_nodes

    # Tag, where it is, number of corners, corners.
    tables, edges = [np.zeros((0, 7), np.int64)], [np.zeros(0, np.int64)]
    for at, rows in alike_records(numbers, count, length, "elements"):
        kind, n_nodes = rows[0, 1:3].tolist()
        if kind == _EDGE:
            edges.append(rows[:, 0])
        else:
            corners = 3 + np.array(_CORNERS[kind, n_nodes])
            table = np.zeros((len(rows), 7), np.int64)
            table[:, 0], table[:, 2] = rows[:, 0], len(corners)
            table[:, 1] = at + rows.shape[1] * np.arange(len(rows))
            table[:, 3 : 3 + len(corners)] = rows[:, corners]
            tables.append(table)
    table = np.concatenate(tables)
    tags, places = table[:, 0], table[:, 1]
    if (again := (found := Rows(tags)).repeated) is not None:
        raise numbers.error(f"element {tags[again]} is there twice", int(places[again]))
    return _Elements(tags, np.concatenate(edges), found, table[:, 3:], table[:, 2], places, numbers)


def _group(section: _Section) -> tuple[str, Indices]:
    """Name and element numbers of an element group."""
    (first, name), rest = section.split(2)
    head = first.split()
    if len(head) < 4 or not head[3].isdigit():
        raise MeshError("this is no element group", where=f"{section.where}, line {section.line}")
    numbers = TextNumbers(rest, section.line + 2, section.where)
    count = int(head[3])
    n_flags = int(head[7]) if len(head) > 7 and head[7].isdigit() else 1
    # Some programs announce no flags and write a line of them all the same.
    first_line = len(rest.partition(b"\n")[0].split())
    if numbers.left - count == first_line != n_flags:
        n_flags = first_line
    numbers.integers(n_flags)
    members = numbers.integers(count)
    numbers.finish(f"{len(members)} elements of the group")
    return name_of(name), members


def _condition(
    section: _Section, elements: _Elements, corners: Indices, notes: list[str]
) -> tuple[str, Indices] | None:
    """Name of a boundary condition, and (n, 2) points of the faces that it is given on; None if it
    is given on nodes, which is noted."""
    (first,), rest = section.split(1)
    # A name has 32 columns; a longer one ends before the numbers.
    width = 32
    if (longer := _LONG_NAME.match(first)) and not _NUMBERS.match(first[32:]):
        width = longer.end(1)
    name = name_of(first[:width])
    head = TextNumbers(first[width:], section.line, section.where)
    on, count = head.integers(2).tolist()
    if on != _ON_FACES:
        notes.append(f'the boundary condition "{name}" is given on nodes and was left out')
        return None
    # Element, its type, face, and as many values as the head says.
    width = 3 + (max(0, int(head.integers(1)[0])) if head.left else 0)
    numbers = TextNumbers(rest, section.line + 1, section.where)
    if width == 3:
        rows = numbers.integers(3 * count).reshape(-1, 3)
    else:
        rows = whole(numbers.reals(width * count).reshape(-1, width)[:, :3], numbers)
    numbers.finish(f"{count} faces")
    row, there = elements.rows.find(rows[:, 0])
    face, n_corners = rows[:, 2], np.append(elements.n_corners, 1)[row]
    there &= (face >= 1) & (face <= n_corners)
    if not there.all():
        bad = int(np.argmin(there))
        raise numbers.error(
            f'boundary condition "{name}" names face {face[bad]} of element {rows[bad, 0]}, which '
            "is not there",
            width * bad,
        )
    return name, np.column_stack([corners[row, face - 1], corners[row, face % n_corners]])


def _points_of(elements: _Elements, points: Rows) -> Indices:
    """(n, 4) corners of the elements as rows of the points."""
    row, there = points.find(elements.corners)
    there |= np.arange(4) >= elements.n_corners[:, None]
    if not there.all():
        element, corner = np.argwhere(~there)[0]
        raise elements.numbers.error(
            f"element {elements.tags[element]} names node {elements.corners[element, corner]}, "
            "which is not in the file",
            int(elements.at[element]),
        )
    return row


def _regions(
    elements: _Elements, groups: list[tuple[str, Indices]], notes: list[str]
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Names, and the index of each element; the first of several groups holds, which is noted."""
    names = tuple(dict.fromkeys(name for name, _ in groups))
    regions = np.full(len(elements.tags), -1, np.int32)
    for name, members in groups:
        row, there = elements.rows.find(members)
        row, absent = row[there], np.setdiff1d(members[~there], elements.edges)
        if len(absent):
            notes.append(f'"{name}" names element {absent[0]}, for one, which is not in the file')
        for other in np.unique(regions[row]):
            if other >= 0 and names[other] != name:
                count = int((regions[row] == other).sum())
                notes.append(
                    f'{count} element{"s are" if count > 1 else " is"} in "{names[other]}" and in '
                    f'"{name}"; "{names[other]}" holds'
                )
        row = row[regions[row] < 0]
        regions[row] = names.index(name)
    if (regions < 0).any():
        # Elements in no group are background, which comes first.
        return ("background", *names), regions + np.int32(1)
    return names, regions
