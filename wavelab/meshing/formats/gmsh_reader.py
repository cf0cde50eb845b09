"""Gmsh .msh files, versions 2.2, 4.0 and 4.1, text and binary.

Formats: Gmsh reference manual, "MSH file format", with its legacy versions 2 and 4.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from wavelab.errors import MeshError
from wavelab.meshing.formats.gmsh_content import Content, to_raw
from wavelab.meshing.formats.gmsh_sections import Version2, Version4
from wavelab.meshing.formats.numbers import BinaryNumbers, ByteOrder, TextNumbers, name_of
from wavelab.meshing.formats.raw import RawMesh
from wavelab.reading import read_plain_file

_HEADER = re.compile(rb"\$MeshFormat\s*\n\s*(\d+(?:\.\d+)?)\s+([01])\s+(\d+)[^\n]*\n")
_SECTION = re.compile(rb"^\$(?!End)(\w+)[ \t\r]*\n", re.MULTILINE)
#: Sections of numbers.
_TABLES = ("Nodes", "Elements", "Entities", "PartitionedEntities")
#: Of these, those that say how much is in them.
_COUNTED = ("Nodes", "Elements")
_NAME = re.compile(r'\s*(\d+)\s+(-?\d+)\s+"(.*)"\s*$')


def read_gmsh(path: Path) -> RawMesh:
    """The content of a .msh file.

    Raises
    ------
    MeshError : it is no such file, or it breaks off, naming the line (text) or byte (binary).
    """
    data = read_plain_file(path)
    where = path.name
    header = _HEADER.search(data)
    if header is None:
        raise _no_header(data, where)
    version, is_binary = header[1].decode(), header[2] == b"1"
    order: ByteOrder | None = None  # in text there is none
    if is_binary:
        # The integer one, to tell the byte order.
        order = "<" if data[header.end() : header.end() + 4] == b"\1\0\0\0" else ">"
    content = Content()
    reader: Version2 | Version4
    if version.startswith("2"):
        reader = Version2(content)
    elif version.startswith("4"):
        # Gmsh itself writes version 4.0 as "4".
        reader = Version4(content, is_old=version in ("4", "4.0"))
    else:
        raise MeshError(
            f"Gmsh file version {version} is not known",
            where=f"{where}, line {_line(data, header.start()) + 1}",
            remedy="Save it as version 4.1, 4.0 or 2.2.",
        )
    for name, numbers in _sections(data, header.end(), where, order):
        if isinstance(numbers, list):
            for found in filter(None, map(_NAME.match, numbers)):
                content.names[int(found[1]), int(found[2])] = found[3]
        elif name == "Nodes":
            reader.nodes(numbers)
        elif name == "Elements":
            reader.elements(numbers)
        elif name == "Entities":
            reader.entities(numbers)
        else:
            reader.partitioned_entities(numbers)
    return to_raw(content, where)


def _no_header(data: bytes, where: str) -> MeshError:
    """What is wrong with the head of a file."""
    begin = data.find(b"$MeshFormat")
    if begin < 0:
        return MeshError("this is no Gmsh file: it has no $MeshFormat", where=f"{where}, line 1")
    line = name_of(data[begin:].split(b"\n", 2)[1]) if b"\n" in data[begin:] else ""
    return MeshError(
        f'"{line[:60]}" after $MeshFormat is no version, file type and data size',
        where=f"{where}, line {_line(data, begin) + 1}",
        remedy='A text file of version 4.1 has "4.1 0 8" there.',
    )


def _sections(
    data: bytes, position: int, where: str, order: ByteOrder | None
) -> Iterator[tuple[str, TextNumbers | BinaryNumbers | list[str]]]:
    """The sections that count, one after the other; names come as lines of text."""
    while found := _SECTION.search(data, position):
        name = found[1].decode()
        start = found.end()
        end_mark = b"$End" + found[1]
        if order and name in _TABLES:
            numbers = BinaryNumbers(data, start, where, order)
            yield name, numbers
            # Only the numbers themselves tell where they end.
            start = numbers.offset
            if name in _COUNTED and data[start : start + 9].lstrip()[:1] not in (b"$", b""):
                raise numbers.error(f"there is more in ${name} than is announced")
        end = data.find(end_mark, start)
        if end < 0 and name in (*_TABLES, "PhysicalNames"):
            raise MeshError(
                f"the file ends within ${name}",
                where=f"{where}, line {_line(data, len(data))}",
                remedy="Write it again; it was not written to its end.",
            )
        end = max(end, start)
        if name == "PhysicalNames":
            yield name, [name_of(line) for line in data[start:end].splitlines()[1:]]
        elif not order and name in _TABLES:
            text = TextNumbers(data[start:end], _line(data, start), where)
            yield name, text
            if name in _COUNTED:
                text.finish(name.lower())
        position = end


def _line(data: bytes, position: int) -> int:
    """Number of the line at a position, from 1."""
    return data.count(b"\n", 0, position) + 1
