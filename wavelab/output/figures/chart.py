"""Curves in axes, or a picture in axes, as a figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.errors import OutputError
from wavelab.output.figures.axes import GAP, Axis, draw_axes, margins
from wavelab.output.figures.drawing import Bitmap, Box, Drawing, Stroke, Words, as_lines
from wavelab.output.figures.drawing import known_parts as known
from wavelab.output.figures.field_figure import NO_ROOM
from wavelab.output.figures.letters import width
from wavelab.output.figures.style import Style

#: Width of a curve, radius of its dots and length of its line in the legend, in points; what is
#: drawn of a curve that was kept is dashed.
_PEN, _DOT, _SAMPLE = 1.0, 1.4, 14.0
_DASHES = (4.0, 2.0)
#: Height of a page over its width, if nobody says how high it is.
_SHAPE = 0.7
#: Points of a curve on each column of pixels at most.
_DENSE = 4


@dataclass(frozen=True, eq=False)
class ChartCurve:
    """Values ``y`` at places ``x``, (n,) both, in the numbers of the axes.

    Attributes
    ----------
    colour : its number among those of the ground.
    dots : whether each point is marked.
    kept : whether it is one of before, which is drawn dashed.
    """

    name: str
    x: Array
    y: Array
    colour: int
    dots: bool = False
    kept: bool = False


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure of curves, or of a picture of them, with row 0 at the top, that fills the axes.

    Attributes
    ----------
    places : what a table calls the places of the curves; "" as the axis.
    legend : whether curves are named above them.
    """

    title: str
    curves: Sequence[ChartCurve]
    across: Axis
    up: Axis
    style: Style
    picture: NDArray[np.uint8] | None = None
    legend: bool = True
    places: str = ""

    def drawing(self) -> Drawing:
        """The page.

        Raises
        ------
        OutputError : it has no room.
        """
        style = self.style
        size, ink, pixel = style.letters, style.inks, style.pixel
        height = style.height or _SHAPE * style.width
        page = Drawing(style.width, height, ink.paper, self.title, style.dpi)
        around = margins(self.across, self.up, (0.8 * style.width, 0.8 * height), size)
        head = "title" in style.parts
        rows = self._legend_rows(style.width - around.left - around.right)
        top = around.top + (len(rows) + head) * 1.4 * size
        box = tuple(
            round(edge / pixel) * pixel
            for edge in (around.left, around.bottom, style.width - around.right, height - top)
        )
        x0, y0, x1, y1 = box
        if x1 - x0 < 4 * pixel or y1 - y0 < 4 * pixel:
            raise OutputError("the page has no room for what is to be on it", remedy=NO_ROOM)
        if self.picture is not None:
            page.add(Bitmap(self.picture, (x0, y0, x1, y1)))
        draw_axes(page, (x0, y0, x1, y1), self.across, self.up, style, grid=self.picture is None)
        drawn = self.curves if self.picture is None else ()
        for curve in sorted(drawn, key=lambda curve: not curve.kept):
            self._draw(page, curve, (x0, y0, x1, y1))
        base = y1 + GAP + 0.4 * size
        for number, row in enumerate(reversed(rows)):
            self._name(page, row, (x0, base + number * 1.4 * size))
        if head:
            page.add(Words(self.title, (x0, base + len(rows) * 1.4 * size), size, ink.text))
        return page

    def table(self) -> tuple[list[str], list[Array]]:
        """Names of columns, and those: the places of all curves, and each curve there, nan where it
        has no point."""
        places: Array = reduce(np.union1d, [curve.x for curve in self.curves], np.zeros(0))
        columns = [np.full(len(places), math.nan) for _ in self.curves]
        for curve, column in zip(self.curves, columns, strict=True):
            column[np.searchsorted(places, curve.x)] = curve.y
        return [self.places or self.across.label, *(curve.name for curve in self.curves)], [
            places,
            *columns,
        ]

    def _draw(self, page: Drawing, curve: ChartCurve, box: Box) -> None:
        x0, y0, x1, y1 = box
        colour = page_colour(self.style, curve.colour)
        x = x0 + self.across.parts(curve.x) * (x1 - x0)
        y = y0 + self.up.parts(curve.y) * (y1 - y0)
        points = np.stack([x, np.clip(y, y0 - (y1 - y0), y1 + (y1 - y0))], axis=1)
        # What lies far outside is not in the file.
        seen = np.flatnonzero((x >= x0) & (x <= x1))
        if len(seen):
            points = points[max(0, seen[0] - 1) : seen[-1] + 2]
        lines = as_lines(thinned(part, self.style.pixel) for part in known(points))
        dashes = _DASHES if curve.kept else ()
        if lines:
            page.add(Stroke(lines, colour, _PEN, dashes, clip=box))
        if curve.dots:
            there = points[np.isfinite(points).all(axis=1)]
            dots = tuple(np.stack([at, at + np.array([0.01, 0.0])]) for at in there)
            if dots:
                page.add(Stroke(dots, colour, 2 * _DOT, clip=box))

    def _legend_rows(self, room: float) -> list[list[ChartCurve]]:
        """Names in as many lines as they need; none where there is nothing to tell apart."""
        if not self.legend or len(self.curves) < 2 or self.picture is not None:
            return []
        rows: list[list[ChartCurve]] = [[]]
        taken = 0.0
        for curve in self.curves:
            wide = self._entry(curve)
            if rows[-1] and taken + wide > room:
                rows.append([])
                taken = 0.0
            rows[-1].append(curve)
            taken += wide
        return rows

    def _entry(self, curve: ChartCurve) -> float:
        size = self.style.letters
        return _SAMPLE + GAP + width(curve.name, size) + 1.2 * size

    def _name(self, page: Drawing, row: list[ChartCurve], at: tuple[float, float]) -> None:
        (left, base), size = at, self.style.letters
        for curve in row:
            colour = page_colour(self.style, curve.colour)
            middle = base + 0.3 * size
            sample = np.array([(left, middle), (left + _SAMPLE, middle)])
            page.add(Stroke((sample,), colour, _PEN, _DASHES if curve.kept else ()))
            place = (left + _SAMPLE + GAP, base)
            page.add(Words(curve.name, place, size, self.style.inks.text))
            left += self._entry(curve)


def page_colour(style: Style, number: int) -> tuple[int, int, int]:
    """Of curve number ``number``."""
    return style.inks.curves[number % len(style.inks.curves)]


def thinned(line: Array, pixel: float) -> Array:
    """A line with the first, last, lowest and highest point of what lies on a column of pixels,
    where there are more."""
    columns = np.floor(line[:, 0] / pixel).astype(int)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(columns)) + 1, [len(line)]])
    if len(line) <= _DENSE * len(starts):
        return line
    kept: list[int] = []
    for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        y = line[first:end, 1]
        kept += sorted({first, first + int(y.argmin()), first + int(y.argmax()), end - 1})
    return line[kept]


def span(
    values: Sequence[Array], *, log: bool = False, margin: float = 0.06
) -> tuple[float, float]:
    """Ends of an axis for all values and, unless it is ``log``, for 0."""
    every = np.concatenate([np.asarray(v, np.float64) for v in values]) if values else np.zeros(0)
    every = every[np.isfinite(every)]
    if log:
        every = every[every > 0]
        if not len(every):
            return 0.0, 1.0
        low, high = math.log10(float(every.min())), math.log10(float(every.max()))
        return (low - 0.5, high + 0.5) if high - low < 1e-9 else (low, high)
    low = min(0.0, float(every.min(initial=0.0)))
    high = max(0.0, float(every.max(initial=0.0)))
    room = margin * ((high - low) or 1.0)
    return low - room * (low < 0), high + room
