"""A drawing as an SVG file; letters stay letters."""

from __future__ import annotations

import base64
from xml.sax.saxutils import escape, quoteattr

from wavelab.arrays import Array
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
from wavelab.output.figures.letters import levels
from wavelab.output.figures.pdf import HALO
from wavelab.output.palette import Rgb
from wavelab.output.picture import encoded_png

#: The first that there is; the last is any without serifs.
FAMILY = "Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif"


def encoded_svg(drawing: Drawing) -> bytes:
    """What is in the file."""
    return _Page(drawing).text().encode("utf-8")


class _Page:
    """In SVG y points down, from the upper edge."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing, self._height = drawing, drawing.height
        self._clips: list[Box] = []

    def text(self) -> str:
        d = self._drawing
        wide, high = _n(d.width), _n(d.height)
        page = Patch((0.0, 0.0, d.width, d.height), d.paper)
        drawn = [self._element(item) for item in (page, *d.items)]
        clips = [
            f'<clipPath id="clip{i}"><rect {self._rectangle(box)}/></clipPath>'
            for i, box in enumerate(self._clips)
        ]
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{wide}pt" height="{high}pt" viewBox="0 0 {wide} {high}" '
            f"font-family={quoteattr(FAMILY)}>",
            f"<title>{escape(d.title)}</title>",
            *([f"<defs>{''.join(clips)}</defs>"] if clips else []),
            *drawn,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _element(self, item: Item) -> str:
        match item:
            case Stroke():
                return self._stroke(item)
            case Patch(box, colour, opacity):
                faded = f' fill-opacity="{_n(opacity)}"' if opacity < 1 else ""
                return f'<rect {self._rectangle(box)} fill="{_rgb(colour)}"{faded}/>'
            case Words():
                return self._words(item)
            case Bitmap(rgb, box):
                data = base64.b64encode(encoded_png(rgb)).decode("ascii")
                # Pixels as they are, as in a PDF file; older programs know only the attribute.
                return (
                    f'<image {self._rectangle(box)} preserveAspectRatio="none" '
                    f'image-rendering="optimizeSpeed" style="image-rendering:pixelated" '
                    f'xlink:href="data:image/png;base64,{data}"/>'
                )

    def _stroke(self, stroke: Stroke) -> str:
        path = " ".join(self._path(line) for line in stroke.lines)
        more = ""
        if stroke.dashes:
            more += f' stroke-dasharray="{" ".join(map(_n, stroke.dashes))}"'
        else:
            more += ' stroke-linecap="round"'
        if stroke.opacity < 1:
            more += f' stroke-opacity="{_n(stroke.opacity)}"'
        if stroke.clip is not None:
            if stroke.clip not in self._clips:
                self._clips.append(stroke.clip)
            more += f' clip-path="url(#clip{self._clips.index(stroke.clip)})"'
        return (
            f'<path d="{path}" fill="none" stroke="{_rgb(stroke.colour)}" '
            f'stroke-width="{_n(stroke.width)}" stroke-linejoin="round"{more}/>'
        )

    def _path(self, line: Array) -> str:
        points = line[:-1] if is_closed(line) else line
        corners = " ".join(f"{_n(x)},{_n(self._height - y)}" for x, y in points.tolist())
        return f"M{corners}{' Z' if is_closed(line) else ''}"

    def _words(self, words: Words) -> str:
        x, y = words.at[0], self._height - words.at[1]
        turn = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if words.upright else ""
        anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[words.anchor]
        parts, level = [], 0.0
        for text, rise, scale in levels(words.text):
            down, level = (level - rise) * words.size, rise
            if rise == 0 and down == 0:
                parts.append(escape(text))
            else:
                size = f' font-size="{_n(scale * words.size)}"' if scale != 1 else ""
                parts.append(f'<tspan dy="{_n(down)}"{size}>{escape(text)}</tspan>')
        where = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(words.size)}" text-anchor="{anchor}"{turn}'
        rim = ""
        if words.halo is not None:
            rim = (
                f'<text {where} fill="none" stroke="{_rgb(words.halo)}" stroke-linejoin="round" '
                f'stroke-width="{_n(HALO * words.size)}">{"".join(parts)}</text>\n'
            )
        return f'{rim}<text {where} fill="{_rgb(words.colour)}">{"".join(parts)}</text>'

    def _rectangle(self, box: Box) -> str:
        x0, y0, x1, y1 = box
        place = f'x="{_n(x0)}" y="{_n(self._height - y1)}"'
        return f'{place} width="{_n(x1 - x0)}" height="{_n(y1 - y0)}"'


def _rgb(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _n(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
