"""The records of a GDSII file (Calma, *GDSII Stream Format Manual*, release 6.0)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from wavelab.errors import GeometryError

HEADER, LIBRARY, UNITS, END_LIBRARY = 0x00, 0x01, 0x03, 0x04
STRUCTURE, STRUCTURE_NAME, END_STRUCTURE = 0x05, 0x06, 0x07
BOUNDARY, PATH, REFERENCE, ARRAY, TEXT, NODE, BOX = 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x15, 0x2D
LAYER, DATATYPE, WIDTH, XY, END_ELEMENT = 0x0D, 0x0E, 0x0F, 0x10, 0x11
NAME_OF, COLUMNS_ROWS, REFLECTION, MAGNIFICATION, ANGLE = 0x12, 0x13, 0x1A, 0x1B, 0x1C
PATH_TYPE, BEGIN_EXTENSION, END_EXTENSION = 0x21, 0x30, 0x31
#: Bytes of a number by the type of data.
_SIZES = {2: 2, 3: 4, 5: 8}
_TEXT = 6


@dataclass(frozen=True)
class Record:
    """``numbers`` of what it says, or its ``text``; it begins at byte ``at`` of the file."""

    kind: int
    at: int
    numbers: tuple[float, ...] = ()
    text: str = ""


def records(content: bytes, where: str) -> Iterator[Record]:
    """All up to the end of the library.

    Raises
    ------
    GeometryError : it is no such file, ends too early, or a record cannot be.
    """
    if content[2:4] != bytes((HEADER, 2)):
        raise GeometryError("this is no GDSII file: it does not begin with a header", where=where)
    at = 0
    while at + 4 <= len(content):
        length, kind, data = struct.unpack_from(">HBB", content, at)
        if length < 4 or length % 2 or at + length > len(content):
            if at + length > len(content) and length >= 4:
                break
            raise GeometryError(
                f"a record of {length} bytes cannot be", where=f"{where}, byte {at}"
            )
        yield _record(kind, data, content[at + 4 : at + length], at)
        if kind == END_LIBRARY:
            return
        at += length
    raise GeometryError(
        "the file ends before its library does",
        where=f"{where}, byte {at}",
        remedy="Write it again; it was not written to its end.",
    )


def _record(kind: int, data: int, content: bytes, at: int) -> Record:
    if data == _TEXT:
        return Record(kind, at, text=content.rstrip(b"\0").decode("latin-1"))
    count = len(content) // _SIZES[data] if data in _SIZES else 0
    if data == 5:
        reals = struct.unpack(f">{count}Q", content[: 8 * count])
        return Record(kind, at, tuple(map(_real, reals)))
    if count:
        form = f">{count}{'h' if data == 2 else 'i'}"
        return Record(kind, at, tuple(struct.unpack_from(form, content)))
    # Flags, which are bits: only those of a reference are asked for.
    return Record(kind, at, tuple(content[:1]))


def _real(bits: int) -> float:
    """Sign, exponent of 16 less 64 in 7 bits, and 56 bits of a fraction below 1."""
    fraction = float(bits & (1 << 56) - 1) / 2.0**56
    value = fraction * 16.0 ** ((bits >> 56 & 0x7F) - 64)
    return -value if bits >> 63 else value
