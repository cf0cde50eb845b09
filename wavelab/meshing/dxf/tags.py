"""A DXF file as pairs of a code and a value (Autodesk, *DXF Reference*)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from wavelab.errors import GeometryError

_SENTINEL = b"AutoCAD Binary DXF\r\n\x1a\0"
#: Codes of coordinates and other numbers with a point.
_REALS = (range(10, 60), range(110, 150), range(210, 240), range(460, 470), range(1010, 1060))
#: Codes of whole numbers in binary files, and how they are packed there.
_WHOLE = (
    (range(60, 80), "<h"), (range(90, 100), "<i"), (range(160, 170), "<q"), (range(170, 180), "<h"),
    (range(270, 290), "<h"), (range(290, 300), "<b"), (range(370, 390), "<h"),
    (range(400, 410), "<h"), (range(420, 430), "<i"), (range(440, 460), "<i"),
    (range(1060, 1071), "<h"), (range(1071, 1072), "<i"),
)  # fmt: skip


@dataclass(frozen=True)
class Tag:
    """``at`` is the number of its line, or of the byte in a binary file."""

    code: int
    value: str
    at: int

    @property
    def number(self) -> float:
        """
        Raises
        ------
        ValueError : its value is none.
        """
        return float(self.value)


def tags(content: bytes, where: str) -> list[Tag]:
    """
    Raises
    ------
    GeometryError : it is no such file, or a code is none.
    """
    if content.startswith(_SENTINEL):
        return list(_binary(content, where))
    if content[:6] == b"AC1032" or content[:4] in (b"AC10", b"PK\x03\x04"):
        raise GeometryError(
            "this is a DWG and no DXF", where=where, remedy="Save it as DXF, of any version."
        )
    text = content.decode(_encoding(content), errors="replace")
    lines = text.splitlines()
    found = []
    for at in range(0, len(lines) - 1, 2):
        try:
            code = int(lines[at])
        except ValueError:
            raise GeometryError(
                f'this is no DXF: "{lines[at].strip()[:40]}" is where a group code should be',
                where=f"{where}:{at + 1}",
            ) from None
        found.append(Tag(code, lines[at + 1].strip(), at + 1))
    return found


def _encoding(content: bytes) -> str:
    """That of names; old versions have one of Windows."""
    page = re.search(rb"\$DWGCODEPAGE\s+3\s+ansi_(\d{3,4})", content[:20_000], re.IGNORECASE)
    version = re.search(rb"\$ACADVER\s+1\s+AC(\d{4})", content[:20_000])
    if version and int(version[1]) < 1021 and page:
        try:
            b"".decode(encoding := f"cp{page[1].decode()}")
        except LookupError:
            return "latin-1"
        return encoding
    return "utf-8"


def _binary(content: bytes, where: str) -> Iterator[Tag]:
    at = len(_SENTINEL)
    # Before release 13 codes are single bytes.
    wide = content[at : at + 2] == b"\0\0"
    try:
        while at < len(content):
            begin = at
            code = struct.unpack_from("<H", content, at)[0] if wide else content[at]
            at += 2 if wide else 1
            if not wide and code == 255:
                code = struct.unpack_from("<H", content, at)[0]
                at += 2
            form = "<d" if any(code in codes for codes in _REALS) else ""
            form = form or next((form for codes, form in _WHOLE if code in codes), "")
            if form:
                value = repr(struct.unpack_from(form, content, at)[0])
                at += struct.calcsize(form)
            elif 310 <= code <= 319 or code == 1004:
                at += 1 + content[at]
                value = ""
            else:
                end = content.index(b"\0", at)
                value = content[at:end].decode("utf-8", errors="replace").strip()
                at = end + 1
            yield Tag(code, value, begin)
    except (struct.error, ValueError, IndexError):
        raise GeometryError(
            "the file ends within a value",
            where=f"{where}, byte {begin}",
            remedy="Write it again; it was not written to its end.",
        ) from None
