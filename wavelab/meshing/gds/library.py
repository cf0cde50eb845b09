"""The structures of a GDSII library, as they are in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from wavelab.errors import GeometryError
from wavelab.meshing.gds import records as gds
from wavelab.meshing.gds.records import Record

_ELEMENTS = (gds.BOUNDARY, gds.PATH, gds.REFERENCE, gds.ARRAY, gds.TEXT, gds.NODE, gds.BOX)


@dataclass(frozen=True)
class Drawn:
    """A boundary, or a path of a width: ``points`` are in units of the database, and ``ends`` how
    far a path goes on beyond them; ``round_ends`` by half a circle."""

    layer: str
    points: tuple[complex, ...]
    number: int
    is_path: bool = False
    width: float = 0.0
    absolute: bool = False
    ends: tuple[float, float] = (0.0, 0.0)
    round_ends: bool = False


@dataclass(frozen=True)
class Copies:
    """Of a structure: mirrored at the x axis or not, magnified, turned by ``angle`` degrees, at
    ``origin`` and on from there by steps."""

    name: str
    origin: complex
    mirrored: bool
    magnification: float
    angle: float
    steps: tuple[complex, complex] = (0j, 0j)
    counts: tuple[int, int] = (1, 1)


@dataclass
class Structure:
    drawn: list[Drawn] = field(default_factory=list)
    copies: list[Copies] = field(default_factory=list)


@dataclass
class Library:
    """``metres`` of a unit of the database; ``left`` counts what is not read."""

    metres: float = 0.0
    structures: dict[str, Structure] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)


def read_library(content: bytes, where: str) -> Library:
    """
    Raises
    ------
    GeometryError : names the byte of the file where it cannot be.
    """
    library = Library()
    found = gds.records(content, where)
    structure: Structure | None = None
    for record in found:
        if record.kind == gds.UNITS:
            library.metres = record.numbers[1] if len(record.numbers) > 1 else 0.0
        elif record.kind == gds.STRUCTURE_NAME:
            if record.text in library.structures:
                raise _wrong(f'there are two structures called "{record.text}"', record, where)
            structure = library.structures[record.text] = Structure()
        elif record.kind == gds.END_STRUCTURE:
            structure = None
        elif record.kind in _ELEMENTS:
            parts = _parts(found, record, where)
            if structure is None:
                raise _wrong("a shape is in no structure", record, where)
            _add(record, parts, structure, library, where)
    if not 1e-15 <= library.metres <= 1:
        raise GeometryError(
            f"its unit is {library.metres:g} m",
            where=where,
            remedy="The record UNITS says what a unit of the database is in metres; 1e-9 is usual.",
        )
    return library


def _parts(found: Iterator[Record], begin: Record, where: str) -> dict[int, Record]:
    """The records of an element, by kind."""
    parts: dict[int, Record] = {}
    for record in found:
        if record.kind == gds.END_ELEMENT:
            return parts
        if record.kind in (*_ELEMENTS, gds.END_STRUCTURE, gds.END_LIBRARY):
            break
        parts[record.kind] = record
    raise _wrong("a shape does not end", begin, where)


def _add(
    record: Record, parts: dict[int, Record], structure: Structure, library: Library, where: str
) -> None:
    def number(kind: int, default: float = 0.0) -> float:
        return (*parts[kind].numbers, default)[0] if kind in parts else default

    xy = parts[gds.XY].numbers if gds.XY in parts else ()
    points = tuple(map(complex, xy[::2], xy[1::2]))
    if record.kind in (gds.TEXT, gds.NODE, gds.BOX):
        what = {gds.TEXT: "TEXT", gds.NODE: "NODE", gds.BOX: "BOX"}[record.kind]
        library.left[what] += 1
    elif record.kind in (gds.REFERENCE, gds.ARRAY):
        if gds.NAME_OF not in parts or len(points) < (3 if record.kind == gds.ARRAY else 1):
            raise _wrong("a reference does not say to what, or where", record, where)
        steps, counts = (0j, 0j), (1, 1)
        if record.kind == gds.ARRAY:
            given = parts[gds.COLUMNS_ROWS].numbers if gds.COLUMNS_ROWS in parts else ()
            columns, rows = map(int, (*given, 0, 0)[:2])
            if columns < 1 or rows < 1:
                raise _wrong(f"an array has {columns} columns and {rows} rows", record, where)
            counts = columns, rows
            steps = (points[1] - points[0]) / columns, (points[2] - points[0]) / rows
        bits = int(number(gds.REFLECTION))
        structure.copies.append(
            Copies(
                parts[gds.NAME_OF].text,
                points[0],
                bool(bits & 0x80),
                number(gds.MAGNIFICATION, 1.0),
                number(gds.ANGLE),
                steps,
                counts,
            )
        )
    elif not points:
        raise _wrong("a shape has no corners", record, where)
    else:
        layer = f"{number(gds.LAYER):g}/{number(gds.DATATYPE):g}"
        width, kind = number(gds.WIDTH), number(gds.PATH_TYPE)
        ends = {
            2: (abs(width) / 2,) * 2,
            4: (number(gds.BEGIN_EXTENSION), number(gds.END_EXTENSION)),
        }
        count = len(structure.drawn) + 1
        structure.drawn.append(
            Drawn(
                layer,
                points,
                count,
                record.kind == gds.PATH,
                abs(width),
                width < 0,
                ends.get(int(kind), (0.0, 0.0)),
                kind == 1,
            )
        )


def _wrong(message: str, record: Record, where: str) -> GeometryError:
    return GeometryError(message, where=f"{where}, byte {record.at}")
