"""Small GDSII and DXF files, written number by number."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping

Points = Iterable[tuple[float, float]]


def record(kind: int, data: int, body: bytes = b"") -> bytes:
    body += b"\0" * (len(body) % 2)
    return struct.pack(">HBB", 4 + len(body), kind, data) + body


def real(value: float) -> bytes:
    """Excess 64, base 16."""
    if not value:
        return bytes(8)
    sign, value, exponent = 0x80 if value < 0 else 0, abs(value), 64
    while value >= 1:
        value, exponent = value / 16, exponent + 1
    while value < 1 / 16:
        value, exponent = value * 16, exponent - 1
    return bytes([sign | exponent]) + int(value * 2**56).to_bytes(7, "big")


def _long(*values: float) -> bytes:
    return struct.pack(f">{len(values)}i", *map(round, values))


def _short(*values: int) -> bytes:
    return struct.pack(f">{len(values)}h", *values)


def _xy(points: Points) -> bytes:
    return record(0x10, 3, _long(*(value for point in points for value in point)))


def _on(layer: int, datatype: int) -> bytes:
    return record(0x0D, 2, _short(layer)) + record(0x0E, 2, _short(datatype))


END = record(0x11, 0)


def boundary(points: Points, layer: int = 1, datatype: int = 0) -> bytes:
    """In units of the database, nanometres; closed here."""
    ring = list(points)
    return record(0x08, 0) + _on(layer, datatype) + _xy([*ring, *ring[:1]]) + END


def path(points: Points, width: int, kind: int = 0, layer: int = 1, ends=(0, 0)) -> bytes:
    head = record(0x09, 0) + _on(layer, 0) + record(0x21, 2, _short(kind))
    head += record(0x0F, 3, _long(width))
    if kind == 4:
        head += record(0x30, 3, _long(ends[0])) + record(0x31, 3, _long(ends[1]))
    return head + _xy(points) + END


def _placed(name: str, mirrored: bool, magnification: float, angle: float) -> bytes:
    flags = record(0x1A, 1, b"\x80\0" if mirrored else bytes(2))
    numbers = record(0x1B, 5, real(magnification)) + record(0x1C, 5, real(angle))
    return record(0x12, 6, name.encode()) + flags + numbers


def reference(name: str, at=(0, 0), *, mirrored=False, magnification=1.0, angle=0.0) -> bytes:
    return record(0x0A, 0) + _placed(name, mirrored, magnification, angle) + _xy([at]) + END


def array(name: str, columns: int, rows: int, corners: Points, angle: float = 0.0) -> bytes:
    """``corners``: the origin, and where column number ``columns`` and row ``rows`` would be."""
    size = record(0x13, 2, _short(columns, rows))
    return record(0x0B, 0) + _placed(name, False, 1.0, angle) + size + _xy(corners) + END


def text(words: str) -> bytes:
    return record(0x0C, 0) + _on(1, 0) + _xy([(0, 0)]) + record(0x19, 6, words.encode()) + END


def gds(cells: Mapping[str, bytes], metres: float = 1e-9) -> bytes:
    content = record(0x00, 2, _short(600)) + record(0x01, 2, bytes(24)) + record(0x02, 6, b"LIB")
    content += record(0x03, 5, real(metres * 1e6) + real(metres))
    for name, shapes in cells.items():
        content += record(0x05, 2, bytes(24)) + record(0x06, 6, name.encode())
        content += shapes + record(0x07, 0)
    return content + record(0x04, 0)


def circle(radius: float, corners: int = 720, center=(0.0, 0.0)) -> list[tuple[float, float]]:
    angles = [math.tau * i / corners for i in range(corners)]
    return [(center[0] + radius * math.cos(a), center[1] + radius * math.sin(a)) for a in angles]


def square(lower: float, upper: float) -> list[tuple[float, float]]:
    return [(lower, lower), (upper, lower), (upper, upper), (lower, upper)]


def entity(kind: str, *pairs: tuple[int, object], layer: str = "0") -> str:
    return "".join(f"{code}\n{value}\n" for code, value in ((0, kind), (8, layer), *pairs))


def vertices(*points: tuple[float, ...]) -> list[tuple[int, float]]:
    """Of a light polyline: x, y and, if it is there, a bulge."""
    codes = (10, 20, 42)
    return [pair for point in points for pair in zip(codes, point, strict=False)]


def polyline(*points: tuple[float, ...], closed: bool = True, layer: str = "0") -> str:
    return entity(
        "LWPOLYLINE", (90, len(points)), (70, int(closed)), *vertices(*points), layer=layer
    )


def block(name: str, content: str, base=(0, 0)) -> str:
    head = entity("BLOCK", (2, name), (70, 0), (10, base[0]), (20, base[1]))
    return head + content + entity("ENDBLK")


def dxf(entities: str, *, blocks: str = "", tables: str = "", unit: int | None = 4) -> str:
    def section(name: str, content: str) -> str:
        return f"0\nSECTION\n2\n{name}\n{content}0\nENDSEC\n"

    header = "9\n$ACADVER\n1\nAC1027\n" + (
        f"9\n$INSUNITS\n70\n{unit}\n" if unit is not None else ""
    )
    return (
        section("HEADER", header)
        + section("TABLES", tables)
        + section("BLOCKS", blocks)
        + section("ENTITIES", entities)
        + "0\nEOF\n"
    )


def in_binary(content: str) -> bytes:
    """A DXF file of the same values in binary."""
    lines = content.splitlines()
    found = b"AutoCAD Binary DXF\r\n\x1a\0"
    for code, value in zip(map(int, lines[::2]), lines[1::2], strict=True):
        found += struct.pack("<H", code)
        if 10 <= code < 60:
            found += struct.pack("<d", float(value))
        elif 60 <= code < 80:
            found += struct.pack("<h", int(value))
        elif 90 <= code < 100:
            found += struct.pack("<i", int(value))
        else:
            found += value.encode() + b"\0"
    return found
