"""A drawing as pixels, where there is no font and no display: letters are lines there too.

They stand where those of Helvetica do in the other formats.  Pictures keep their pixels where they
lie on those of the page, which is so at the resolution that a figure is made for.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.output.figures.drawing import Bitmap, Box, Drawing, Item, Patch, Stroke, Words
from wavelab.output.figures.letters import CAPITAL, advance, levels, width
from wavelab.output.palette import Rgb
from wavelab.output.picture import encoded_png
from wavelab.output.stroke_font import CAPITAL as GLYPH_HEIGHT
from wavelab.output.stroke_font import glyph

#: Of the letters, in parts of their size; and the line that they stand on in their boxes.
_PEN, _BASE = 0.085, 2.0
#: The part of the room of a letter that its lines take at most.
_FULL = 0.8


def encoded_page(drawing: Drawing) -> bytes:
    """What is in the file."""
    return encoded_png(rendered(drawing))


def rendered(drawing: Drawing) -> NDArray[np.uint8]:
    """(height, width, 3) at the resolution of the drawing."""
    sheet = _Sheet(drawing)
    for item in drawing.items:
        sheet.draw(item)
    return np.rint(sheet.rgb).astype(np.uint8)


class _Sheet:
    def __init__(self, drawing: Drawing) -> None:
        self._scale = drawing.dpi / 72
        self._top = drawing.height * self._scale
        height, wide = max(1, round(self._top)), max(1, round(drawing.width * self._scale))
        self.rgb = np.empty((height, wide, 3), np.float32)
        self.rgb[:] = drawing.paper

    def draw(self, item: Item) -> None:
        match item:
            case Patch(box, colour, opacity):
                x0, y0, x1, y1 = self._pixels(box)
                part = self.rgb[y0:y1, x0:x1]
                part += opacity * (np.array(colour, np.float32) - part)
            case Bitmap(rgb, box):
                self._picture(rgb, box)
            case Stroke():
                lines = [self._places(line) for line in item.lines]
                if item.dashes:
                    lengths = [length * self._scale for length in item.dashes]
                    lines = [piece for line in lines for piece in _dashed(line, lengths)]
                clip = None if item.clip is None else self._pixels(item.clip)
                self._cover(lines, item.width * self._scale, item.colour, item.opacity, clip)
            case Words():
                lines = [self._places(line) for line in _letters(item)]
                pen = _PEN * item.size * self._scale
                if item.halo is not None:
                    self._cover(lines, pen + 0.25 * item.size * self._scale, item.halo)
                self._cover(lines, max(pen, 1.0), item.colour)

    def _places(self, line: Array) -> Array:
        return line * (self._scale, -self._scale) + (0.0, self._top)

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom on the sheet."""
        x0, y0, x1, y1 = (value * self._scale for value in box)
        height, wide = self.rgb.shape[:2]
        left, right = (min(max(round(x), 0), wide) for x in (x0, x1))
        top, bottom = (min(max(round(self._top - y), 0), height) for y in (y1, y0))
        return left, top, right, bottom

    def _picture(self, rgb: NDArray[np.uint8], box: Box) -> None:
        x0, y0, x1, y1 = self._pixels(box)
        rows, columns = (
            (np.arange(n) * size // max(n, 1))
            for n, size in ((y1 - y0, rgb.shape[0]), (x1 - x0, rgb.shape[1]))
        )
        self.rgb[y0:y1, x0:x1] = rgb[rows][:, columns]

    def _cover(
        self,
        lines: list[Array],
        pen: float,
        colour: Rgb,
        opacity: float = 1.0,
        clip: tuple[int, int, int, int] | None = None,
    ) -> None:
        """All lines together, so that nothing is darker where they cross."""
        height, wide = self.rgb.shape[:2]
        left, top, right, bottom = clip or (0, 0, wide, height)
        ends = [line for line in lines if len(line) > 1]
        if not ends or right <= left or bottom <= top:
            return
        covered = np.zeros((bottom - top, right - left), np.float32)
        for line in ends:
            for a, b in pairwise(line - (left, top)):
                _stroke(covered, a, b, max(pen, 0.7))
        weight = (min(pen / 0.7, 1.0) * opacity * covered)[..., None]
        part = self.rgb[top:bottom, left:right]
        part += weight * (np.array(colour, np.float32) - part)


def _stroke(covered: NDArray[np.float32], a: Array, b: Array, pen: float) -> None:
    """Raise how far pixels are covered by a line with round ends."""
    height, wide = covered.shape
    reach = pen / 2 + 1
    x0, y0 = (max(0, math.floor(v)) for v in np.minimum(a, b) - reach)
    x1, y1 = (math.ceil(v) + 1 for v in np.maximum(a, b) + reach)
    part = covered[y0 : min(y1, height), x0 : min(x1, wide)]
    if not part.size:
        return
    along_x = np.arange(x0, x0 + part.shape[1]) + 0.5 - a[0]
    along_y = (np.arange(y0, y0 + part.shape[0]) + 0.5 - a[1])[:, None]
    way_x, way_y = (b - a).tolist()
    at = np.clip((along_x * way_x + along_y * way_y) / (way_x**2 + way_y**2 or 1.0), 0, 1)
    distance = np.hypot(along_x - at * way_x, along_y - at * way_y)
    np.maximum(part, np.clip(pen / 2 + 0.5 - distance, 0, 1), out=part)


def _dashed(line: Array, lengths: list[float]) -> list[Array]:
    """The dashes of a line: pieces of it, corners and all."""
    reached = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    period = sum(lengths)
    if not period > 0:
        return [line]
    pieces, start = [], 0.0
    while start < reached[-1]:
        for number, length in enumerate(lengths):
            end = min(start + length, float(reached[-1]))
            if number % 2 == 0 and end > start:
                corners = reached[(reached > start) & (reached < end)]
                way = np.concatenate([[start], corners, [end]])
                pieces.append(np.stack([np.interp(way, reached, part) for part in line.T], axis=1))
            start = end
    return pieces


def _letters(words: Words) -> list[Array]:
    """The lines of a text on the page."""
    found, along = [], -words.anchor * width(words.text, words.size)
    for text, rise, scale in levels(words.text):
        size = words.size * scale
        for letter in text:
            room = advance(letter) * size
            unit = CAPITAL * size / GLYPH_HEIGHT
            lines = glyph(letter)
            if lines:
                ends = np.concatenate([line[:, 0] for line in lines])
                left, right = float(ends.min()), float(ends.max())
                across = min(unit, _FULL * room / max(right - left, 1e-9))
                shift = along + room / 2
                place = np.array([-(left + right) / 2, -_BASE])
                found += [
                    (line + place) * (across, unit) + (shift, rise * words.size) for line in lines
                ]
            along += room
    at = np.array(words.at)
    turned = [np.stack([-line[:, 1], line[:, 0]], axis=1) for line in found]
    return [line + at for line in (turned if words.upright else found)]
