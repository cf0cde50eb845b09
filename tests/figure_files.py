"""Reading figures back: what a PDF and an SVG file have on their page."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET
import zlib
from dataclasses import dataclass, field

import av
import numpy as np
from numpy.typing import NDArray

SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = rb"[-\d.]+"


@dataclass
class Page:
    """In points from the lower left corner, y upwards.

    Attributes
    ----------
    texts : words and where each begins.
    paths : corners (n, 2) of lines.
    images : pixels, and their box.
    """

    width: float
    height: float
    texts: list[tuple[str, tuple[float, float]]] = field(default_factory=list)
    paths: list[NDArray] = field(default_factory=list)
    images: list[tuple[NDArray, tuple[float, float, float, float]]] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return [text for text, _ in self.texts]

    def at(self, text: str) -> tuple[float, float]:
        """Where the one text of these words is."""
        (place,) = {place for found, place in self.texts if found == text}
        return place


def png_pixels(data: bytes) -> NDArray[np.uint8]:
    with av.open(io.BytesIO(data), format="png_pipe") as opened:
        return next(opened.decode(video=0)).to_ndarray(format="rgb24")


def read_svg(data: bytes) -> Page:
    """Texts are at their anchors, and turned ones too."""
    root = ET.fromstring(data)
    assert root.get("width") == root.get("viewBox").split()[2] + "pt"
    page = Page(*(float(v) for v in root.get("viewBox").split()[2:]))
    for e in root.iter():
        if e.tag == f"{SVG}text" and e.get("fill") != "none":
            place = float(e.get("x")), page.height - float(e.get("y"))
            page.texts.append(("".join(e.itertext()), place))
        elif e.tag == f"{SVG}path":
            for part in e.get("d").split("M")[1:]:
                corners = re.findall(r"([-\d.]+),([-\d.]+)", part)
                line = np.array(corners, float) * (1, -1) + (0, page.height)
                page.paths.append(np.vstack([line, line[:1]]) if "Z" in part else line)
        elif e.tag == f"{SVG}image":
            x, y, w, h = (float(e.get(name)) for name in ("x", "y", "width", "height"))
            pixels = png_pixels(base64.b64decode(e.get(_LINK).partition("base64,")[2]))
            page.images.append((pixels, (x, page.height - y - h, x + w, page.height - y)))
    return page


def read_pdf(data: bytes) -> Page:
    """Follows the table of the objects, as a reader does."""
    objects = _objects(data)
    width, height = map(
        float, re.search(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", objects[3]).groups()
    )
    page = Page(width, height)
    names = dict(re.findall(rb"/P(\d+) (\d+) 0 R", objects[3]))
    moved = np.eye(3)
    for line in _stream(objects[4]).split(b"\n"):
        if line in (b"q", b"Q"):
            moved = np.eye(3)
        elif line.endswith(b" cm"):
            a, b, c, d, e, f = map(float, line.split()[:6])
            moved = np.array([(a, c, e), (b, d, f), (0, 0, 1)])
        elif match := re.fullmatch(rb"/P(\d+) Do", line):
            box = moved @ [(0, 1), (0, 1), (1, 1)]
            corners = (*box[:2, 0].tolist(), *box[:2, 1].tolist())
            page.images.append((_picture(objects[int(names[match[1]])]), corners))
        elif re.match(_NUMBER + rb" " + _NUMBER + rb" m\b", line):
            corners = re.findall(rb"(" + _NUMBER + rb") (" + _NUMBER + rb") [ml]", line)
            path = np.array(corners, float)
            page.paths.append(np.vstack([path, path[:1]]) if line.endswith(b"h") else path)
        elif line.startswith(b"BT"):
            begun, page_texts = b"1 Tr" not in line, []
        elif match := re.fullmatch(rb"/F(\d) ([\d.]+) Tf 1 0 0 1 (\S+) (\S+) Tm \((.*)\) Tj", line):
            text = _letters(match[5], symbol=match[1] == b"1")
            page_texts.append((text, moved @ [float(match[3]), float(match[4]), 1]))
        elif line == b"ET" and begun and page_texts:
            x, y, _ = page_texts[0][1].tolist()
            page.texts.append(("".join(text for text, _ in page_texts), (x, y)))
    return page


def _objects(data: bytes) -> dict[int, bytes]:
    assert data.startswith(b"%PDF-1.4")
    assert data.endswith(b"%%EOF\n")
    start = int(re.search(rb"startxref\n(\d+)\n", data)[1])
    assert data[start:].startswith(b"xref\n0 ")
    places = [int(p) for p in re.findall(rb"\n(\d{10}) 00000 n ", data[start:])]
    found = {}
    for number, place in enumerate(places, 1):
        head = b"%d 0 obj\n" % number
        assert data[place:].startswith(head)
        found[number] = data[place + len(head) : data.index(b"\nendobj", place)]
    return found


def _stream(content: bytes) -> bytes:
    head, _, rest = content.partition(b"\nstream\n")
    length = int(re.search(rb"/Length (\d+)", head)[1])
    assert rest[length:] == b"\nendstream"
    return zlib.decompress(rest[:length])


def _picture(content: bytes) -> NDArray[np.uint8]:
    wide, high = (int(re.search(rb"/%s (\d+)" % n, content)[1]) for n in (b"Width", b"Height"))
    rows = np.frombuffer(_stream(content), np.uint8).reshape(high, 1 + 3 * wide)
    assert (rows[:, 0] == 2).all()  # each the difference from the one above it
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(high, wide, 3)


#: Of the letters of Symbol that the tests use.
_SYMBOL = {b"-": "\u2212", b"l": "λ", b"W": "Ω", b"m": "μ", b"f": "φ", b"\xae": "\u2192"}


def _letters(codes: bytes, *, symbol: bool) -> str:
    plain = re.sub(rb"\\(\d{3}|.)", _unescaped, codes, flags=re.DOTALL)
    if not symbol:
        return plain.decode("cp1252")
    return "".join(_SYMBOL[plain[i : i + 1]] for i in range(len(plain)))


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8)]) if len(match[1]) == 3 else match[1]
