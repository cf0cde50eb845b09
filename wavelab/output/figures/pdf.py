"""A drawing as a PDF file of one page.

Letters are those of the standard fonts Helvetica and Symbol, which every reader has, so none are in
the file.  Pictures are compressed without loss.  (ISO 32000-1: 7.3 objects, 8.5 paths, 8.9 images,
9.6.2.2 standard fonts.)
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

import wavelab
from wavelab.output.figures.drawing import (
    Bitmap,
    Box,
    Drawing,
    Item,
    Patch,
    Stroke,
    Words,
    is_closed,
)
from wavelab.output.figures.letters import runs, width
from wavelab.output.palette import Rgb

#: Width of a halo, in parts of the size of the letters.
HALO = 0.3
_FONTS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
)


def encoded_pdf(drawing: Drawing) -> bytes:
    """What is in the file; the same drawing always gives the same bytes."""
    page = _Page()
    page.draw(Patch((0, 0, drawing.width, drawing.height), drawing.paper))
    for item in drawing.items:
        page.draw(item)
    return _file(drawing, page)


class _Page:
    """Operators of a page, and what they name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.images: list[NDArray[np.uint8]] = []
        self.opacities: list[float] = []

    def draw(self, item: Item) -> None:
        self.lines.append("q")
        match item:
            case Stroke():
                self._stroke(item)
            case Patch(box, colour, opacity):
                self._opacity(opacity)
                self._say(f"{_rgb(colour)} rg {_rectangle(box)} f")
            case Words():
                self._words(item)
            case Bitmap(rgb, (x0, y0, x1, y1)):
                self._say(f"{_n(x1 - x0)} 0 0 {_n(y1 - y0)} {_n(x0)} {_n(y0)} cm")
                self._say(f"/P{len(self.images)} Do")
                self.images.append(rgb)
        self.lines.append("Q")

    def _say(self, operators: str) -> None:
        self.lines.append(operators)

    def _opacity(self, opacity: float) -> None:
        if opacity == 1.0:
            return
        if opacity not in self.opacities:
            self.opacities.append(opacity)
        self._say(f"/O{self.opacities.index(opacity)} gs")

    def _stroke(self, stroke: Stroke) -> None:
        if stroke.clip is not None:
            self._say(f"{_rectangle(stroke.clip)} W n")
        self._opacity(stroke.opacity)
        dashes = " ".join(map(_n, stroke.dashes))
        cap = 0 if stroke.dashes else 1
        self._say(f"{_rgb(stroke.colour)} RG {_n(stroke.width)} w 1 j {cap} J [{dashes}] 0 d")
        for line in stroke.lines:
            points = line[:-1] if is_closed(line) else line
            corners = [f"{_n(x)} {_n(y)}" for x, y in points.tolist()]
            path = " ".join([f"{corners[0]} m", *(f"{corner} l" for corner in corners[1:])])
            self._say(f"{path} h" if is_closed(line) else path)
        self._say("S")

    def _words(self, words: Words) -> None:
        """Rims first, for that of one run must not lie over the letters of another."""
        (x, y), size = words.at, words.size
        if words.upright:
            self._say(f"0 1 -1 0 {_n(x)} {_n(y)} cm")
        else:
            self._say(f"1 0 0 1 {_n(x)} {_n(y)} cm")
        modes = [f"{_rgb(words.colour)} rg 0 Tr"]
        if words.halo is not None:
            modes.insert(0, f"{_rgb(words.halo)} RG {_n(HALO * size)} w 1 j 1 Tr")
        for mode in modes:
            self._say(f"BT {mode}")
            along = -words.anchor * width(words.text, size)
            for run in runs(words.text):
                font = f"/F{int(run.symbol)} {_n(run.scale * size)} Tf"
                shown = f"1 0 0 1 {_n(along)} {_n(run.rise * size)} Tm {_string(run.codes)} Tj"
                self._say(f"{font} {shown}")
                along += run.width * size
            self._say("ET")


def _file(drawing: Drawing, page: _Page) -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"",  # the page, which names what comes after it
        _stream("", "\n".join(page.lines).encode("ascii")),
        _information(drawing.title),
        *_FONTS,
    ]
    fonts = " ".join(f"/F{i} {i + 6} 0 R" for i in range(len(_FONTS)))
    first = len(objects) + 1
    pictures = " ".join(f"/P{i} {first + i} 0 R" for i in range(len(page.images)))
    objects += map(_picture, page.images)
    states = " ".join(f"/O{i} << /CA {o} /ca {o} >>" for i, o in enumerate(page.opacities))
    objects[2] = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_n(drawing.width)} {_n(drawing.height)}] "
        f"/Contents 4 0 R /Resources << /Font << {fonts} >> /XObject << {pictures} >> "
        f"/ExtGState << {states} >> >> >>"
    ).encode("ascii")
    content = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, item in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, item)
    table = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    content += b"".join(b"%010d 00000 n \n" % place for place in places)
    content += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\n" % (len(objects) + 1)
    content += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(content)


def _picture(rgb: NDArray[np.uint8]) -> bytes:
    """Each row as its difference from the one above, which compresses to a part: predictor 12."""
    height, width = rgb.shape[:2]
    rows = rgb.reshape(height, -1)
    above = np.vstack([np.zeros((1, 3 * width), np.uint8), rows[:-1]])
    coded = np.column_stack([np.full((height, 1), 2, np.uint8), rows - above])
    return _stream(
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB "
        f"/BitsPerComponent 8 /DecodeParms << /Predictor 12 /Colors 3 /Columns {width} >>",
        coded.tobytes(),
    )


def _stream(entries: str, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>".encode("ascii")
    return b"%b\nstream\n%b\nendstream" % (head, packed)


def _information(title: str) -> bytes:
    maker = f"wavelab {wavelab.__version__}"
    return b"<< /Title %b /Creator %b >>" % tuple(
        b"<%b>" % (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode() for text in (title, maker)
    )


def _string(codes: bytes) -> str:
    """Those outside of ASCII as octal numbers."""
    return f"({''.join(map(_letter, codes))})"


def _letter(code: int) -> str:
    if chr(code) in "()\\":
        return f"\\{chr(code)}"
    return chr(code) if 32 <= code < 127 else f"\\{code:03o}"


def _rectangle(box: Box) -> str:
    x0, y0, x1, y1 = box
    return f"{_n(x0)} {_n(y0)} {_n(x1 - x0)} {_n(y1 - y0)} re"


def _rgb(colour: Rgb) -> str:
    return _numbers(part / 255 for part in colour)


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(_n, values))


def _n(value: float) -> str:
    """Of a thousandth of a point at least; PDF knows no exponents."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
