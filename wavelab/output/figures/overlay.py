"""What of a scene lies over its field in a figure: lines, marks and their names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.numerics.fields.sampling import Extent
from wavelab.numerics.mesh.polygon import signed_area
from wavelab.output.arrows import Arrows, arrow_colours, strokes
from wavelab.output.figures.drawing import Box, Drawing, Stroke, Words, as_lines
from wavelab.output.figures.letters import width
from wavelab.output.figures.style import Style
from wavelab.output.palette import Rgb, background, luminance
from wavelab.output.scene_drawing import SceneDrawing
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.pens import Pen
from wavelab.scene.model.sending.source_marks import SourceMark

#: Points for each pixel of a pen on the screen.
PEN = 0.4
#: What is marked by hand, on dark palettes and on light ones.
_ACCENTS = ((110, 231, 183), (0, 121, 92))
#: Opacity of the rims of media, and in points the width of those and of marks, the radius of points
#: and the length of arrow heads and of the arrow of a monitor.
_FAINT, _THIN, _DOT, _HEAD, _NORMAL = 0.75, 0.5, 2.0, 3.5, 8.0
#: What a rim adds to the width of a line.
_RIM = 1.2
#: Corners of a circle.
_TURN = np.linspace(0, 2 * math.pi, 25)


@dataclass(frozen=True)
class Place:
    """Where the extent of a field lies on the page."""

    extent: Extent
    box: Box

    @property
    def scale(self) -> float:
        """Points to a unit of the scene."""
        return (self.box[2] - self.box[0]) / (self.extent[2] - self.extent[0])

    def points(self, places: ArrayLike) -> Array:
        """On the page, of places (n, 2) or (2,) in the scene."""
        x0, y0, x1, y1 = self.extent
        left, bottom, right, top = self.box
        size = np.array([(right - left) / (x1 - x0), (top - bottom) / (y1 - y0)])
        return np.asarray((np.asarray(places, np.float64) - (x0, y0)) * size + (left, bottom))

    def lines(self, lines: Iterable[ArrayLike]) -> tuple[Array, ...]:
        return as_lines(self.points(line) for line in lines)


def draw_arrows(page: Drawing, arrows: Arrows, longest: float, place: Place, palette: str) -> None:
    """As lines that any program can edit."""
    colour, rim = arrow_colours(palette)
    lines = strokes(arrows, longest, place.scale)
    x0, y0 = place.extent[:2]
    corner = np.array([place.box[0] - x0 * place.scale, place.box[1] - y0 * place.scale])
    # The shaft, and both barbs as one line; ``strokes`` has y downwards.
    drawn = [line * (1, -1) + corner for arrow in lines for line in _as_two(arrow)]
    thick = max(0.042 * arrows.spacing * place.scale, 0.4)
    page.add(Stroke(as_lines(drawn), rim, 2.2 * thick, opacity=0.6, clip=place.box))
    page.add(Stroke(as_lines(drawn), colour, thick, clip=place.box))


def _as_two(arrow: Array) -> tuple[Array, Array]:
    shaft, first, second = arrow
    return shaft, np.stack([first[0], first[1], second[0]])


def draw_scene_lines(
    page: Drawing, drawing: SceneDrawing, place: Place, style: Style, palette: str
) -> None:
    """Outlines, and marks with names, as far as the style has them."""
    over = _Over(page, place, style, palette)
    if "outlines" in style.parts:
        for _, rims in drawing.materials:
            over.stroke(rims, over.line, _THIN, opacity=_FAINT)
        for wall in sorted(drawing.walls, key=lambda wall: wall.pen.weight):
            over.pen(drawing.walls[wall], wall.pen)
    if "marks" in style.parts:
        _draw_marks(over, drawing)


class _Over:
    """Lines and names over a field.

    Attributes
    ----------
    marking : whether lines have a rim, which holds them over any colour.
    """

    def __init__(self, page: Drawing, place: Place, style: Style, palette: str) -> None:
        self._page, self.place, self._size = page, place, 0.85 * style.letters
        dark = luminance(background(palette)) < 128
        self.line, self.halo = arrow_colours(palette)
        self.accent: Rgb = _ACCENTS[0 if dark else 1]
        self._taken: list[Box] = []
        self.marking = False

    def stroke(
        self,
        lines: Iterable[ArrayLike],
        colour: Rgb,
        thick: float,
        dashes: tuple[float, ...] = (),
        opacity: float = 1.0,
    ) -> None:
        """Lines in coordinates of the scene."""
        self.on_page(self.place.lines(lines), colour, thick, dashes, opacity)

    def on_page(
        self,
        lines: tuple[Array, ...],
        colour: Rgb,
        thick: float,
        dashes: tuple[float, ...] = (),
        opacity: float = 1.0,
    ) -> None:
        if lines:
            box = self.place.box
            if self.marking:
                self._page.add(Stroke(lines, self.halo, thick + _RIM, (), _FAINT, box))
            self._page.add(Stroke(lines, colour, thick, dashes, opacity, box))

    def pen(self, lines: Iterable[ArrayLike], pen: Pen) -> None:
        """Of a wall."""
        thick = PEN * pen.width
        dashes = tuple(part * thick for part in pen.dashes)
        colour = {"line": self.line, "accent": self.accent}[pen.colour]
        self.stroke(lines, colour, thick, dashes, pen.opacity / 255)

    def arrow(self, tail: Array, tip: Array, colour: Rgb) -> None:
        """A line with an open head, between points of the page."""
        way = tip - tail
        along = way / max(float(np.hypot(*way)), 1e-9)
        aside = np.array([-along[1], along[0]]) * _HEAD / 2
        back = tip - _HEAD * along
        self.on_page(
            (np.stack([tail, tip]), np.stack([back + aside, tip, back - aside])), colour, 2 * PEN
        )

    def name(self, text: str, at: Array, beside: float, anchor: float = 0.0) -> None:
        """``beside`` a point of the page, if that is in view: to the other side where there is more
        room, and moved up or down where it would lie over another."""
        x0, y0, x1, y1 = self.place.box
        if not (x0 <= at[0] <= x1 and y0 <= at[1] <= y1):
            return
        size = self._size
        wide = width(text, size)
        right, gone = at[0] + beside, at[0] - beside
        if anchor == 0.0 and right + wide > x1 and gone - wide > x0:
            right, anchor = gone, 1.0
        left = float(right) - anchor * wide
        for lines in (0, 1, -1, 2, -2, 3, -3):
            low = float(at[1]) + 1.15 * size * lines
            box = (left, low - 0.25 * size, left + wide, low + 0.8 * size)
            if not any(_meet(box, other) for other in self._taken):
                break
        else:
            low = float(at[1])
        self._taken.append(box)
        self._page.add(Words(text, (left, low), size, self.line, halo=self.halo))


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _draw_marks(over: _Over, drawing: SceneDrawing) -> None:
    over.marking = True
    place, above = over.place, np.array([0.0, 3.0])
    for name, where, way in drawing.monitors:
        dashes = tuple(part * 1.4 * PEN for part in where.dashes)
        over.stroke([way], over.accent, 1.4 * PEN, dashes)
        if where.directed:
            _draw_normal(over, way)
        over.name(name, place.points(way[0]) + above, 4.0)
    for mark in drawing.sources:
        _draw_source(over, mark)
        over.name(mark.name, place.points(mark.at) + above, 4.0)
    for glyph in drawing.glyphs:
        at = place.points(glyph.position)
        if glyph.kind == "source":
            over.on_page((_circle(at, 2 * _DOT), _circle(at, 0.2)), over.line, 1.5 * PEN)
        else:
            corners = np.array([(0, 1), (1, 0), (0, -1), (-1, 0), (0, 1)])
            over.on_page((at + 1.4 * _DOT * corners,), over.accent, 1.5 * PEN)
        over.name(glyph.name, at - np.array([0.0, 2.0]), 2.5 * _DOT)
    for label in drawing.labels:
        _draw_label(over, label)


def _draw_source(over: _Over, mark: SourceMark) -> None:
    dashes = (2.4, 1.8) if mark.outline else ()
    over.stroke(mark.lines, over.line, 1.5 * PEN, dashes, _FAINT if mark.outline else 1.0)
    over.stroke(mark.waves, over.line, 1.5 * PEN)
    if mark.arrow is not None:
        tail, tip = (over.place.points(end) for end in mark.arrow)
        over.arrow(tail, tip, over.line)
    over.on_page(
        tuple(_circle(over.place.points(dot), _DOT / 2) for dot in mark.dots), over.line, PEN
    )


def _draw_normal(over: _Over, way: Array) -> None:
    """Across the middle of the longest part, to the right of the way; outwards of a ring."""
    line = way
    if len(line) > 2 and np.array_equal(line[0], line[-1]) and signed_area(line[:-1]) < 0:
        line = line[::-1]
    points = over.place.points(line)
    steps = np.diff(points, axis=0)
    longest = int(np.argmax(np.hypot(*steps.T)))
    along = steps[longest] / max(float(np.hypot(*steps[longest])), 1e-9)
    middle = points[longest] + steps[longest] / 2
    over.arrow(middle, middle + _NORMAL * np.array([along[1], -along[0]]), over.accent)


def _draw_label(over: _Over, label: TextLabel) -> None:
    at = over.place.points(label.position)
    anchor = 1.0 if label.ends_at_position else 0.0
    gap = 2.5 * (1 - 2 * anchor) if label.to is not None else 0.0
    over.name(label.text, at - np.array([0.0, 2.5]), gap, anchor)
    if label.to is not None:
        over.arrow(at, over.place.points(label.to), over.line)


def _circle(at: Array, radius: float) -> Array:
    ring = at + radius * np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)
    ring[-1] = ring[0]
    return ring
