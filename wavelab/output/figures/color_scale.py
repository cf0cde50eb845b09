"""What the colours of a field stand for: a bar with ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.output.figures.axes import (
    GAP,
    LINE,
    TICK,
    Axis,
    Ticks,
    decades,
    enough_ticks,
    line,
    signed,
)
from wavelab.output.figures.drawing import Bitmap, Drawing, Stroke, Words
from wavelab.output.figures.letters import CAPITAL, width
from wavelab.output.figures.style import Style
from wavelab.output.numbers import MINUS
from wavelab.output.palette import palette_info, palette_table
from wavelab.scene.view.quantities import ERROR_DECADES, ERROR_FLOOR

#: Width of the bar, in sizes of letters.
BAR = 1.0
#: From tick to tick of a scale of levels, in decibels.
_STEPS = (1, 2, 5, 10, 20, 40, 60)


@dataclass(frozen=True)
class ColorScale:
    """Attributes
    ----------
    label : of the quantity.
    palette : of ``PALETTES``.
    limit : value at full colour.
    decades : powers of ten below it of a logarithmic scale; None for a linear one.
    decibels : in a power of ten, where levels are told in place of values; else 0.
    of_error : whether values are decades of an error.
    """

    label: str
    palette: str
    limit: float
    decades: int | None = None
    decibels: int = 0
    of_error: bool = False

    def axis(self, room: float, letters: float) -> Axis:
        """Along the bar, from 0 at the colour of the lowest value to 1 at that of the highest."""
        most = max(2, int(room / (3.0 * letters)))
        label = self.label
        if self.decades is not None and self.decibels and not self.of_error:
            label = f"{label} (dB)"
        return Axis(label, 0.0, 1.0, ticks=self._ticks(most))

    def value(self, part: float) -> float:
        """That of the colour at a part of the bar; nan where it stands for many, quiet."""
        if self.of_error:
            return float(ERROR_FLOOR * 10 ** (ERROR_DECADES * part))
        at = 2 * part - 1 if palette_info(self.palette).diverging else part
        if self.decades is None:
            return at * self.limit
        return math.copysign(self.limit * 10 ** ((abs(at) - 1) * self.decades), at)

    def table(self) -> tuple[list[str], list[Array]]:
        """Values and their colours, from the lowest to the highest: "value", "red", "green" and
        "blue" from 0 to 255."""
        values = np.array([self.value(i / 255) for i in range(256)])
        red, green, blue = palette_table(self.palette).T
        return ["value", "red", "green", "blue"], [values, red, green, blue]

    def _ticks(self, most: int) -> Ticks:
        if self.of_error:
            floor = round(math.log10(ERROR_FLOOR))
            found = decades(float(floor), floor + ERROR_DECADES, most)
            return [((at - floor) / ERROR_DECADES, text) for at, text in found]
        diverging = palette_info(self.palette).diverging
        if self.decades is None:
            low = -self.limit if diverging else 0.0
            span = self.limit - low
            if not span > 0:
                return [(0.5 if diverging else 0.0, "0")]
            return [((v - low) / span, text) for v, text in enough_ticks(low, self.limit, most)]
        upwards = self._decades(max(1, most // 2 if diverging else most))
        if not diverging:
            return upwards
        # Both signs, symmetric; what is below the last decade is quiet, of either.
        above = [((1 + part) / 2, text) for part, text in upwards if part > 0]
        below = [((1 - part) / 2, signed(text, -1)) for part, text in upwards if part > 0]
        if self.decibels:
            below = [(at, text) for (at, _), (_, text) in zip(below, above, strict=True)]
        return [*reversed(below), *above]

    def _decades(self, most: int) -> list[tuple[float, str]]:
        """From 0 at the lowest of the decades to 1 at full colour."""
        assert self.decades is not None
        if self.decibels:
            whole = self.decades * self.decibels
            step = next((s for s in _STEPS if whole / s <= most), _STEPS[-1])
            down = range(0, whole + 1, step)
            return [(1 - d / whole, f"{MINUS if d else ''}{d}") for d in reversed(down)]
        top = math.log10(self.limit) if self.limit > 0 else 0.0
        bottom = top - self.decades
        return [((at - bottom) / self.decades, text) for at, text in decades(bottom, top, most)]


def draw_bar(
    page: Drawing, corner: tuple[float, float], height: float, colors: ColorScale, style: Style
) -> float:
    """The bar from its lower left corner, with ticks and its name at the right of it.

    Returns
    -------
    Where that ends at the right.
    """
    left, y0 = corner
    size, ink = style.letters, style.inks
    right, y1 = left + BAR * size, y0 + height
    strip = np.ascontiguousarray(palette_table(colors.palette)[::-1, None])
    page.add(Bitmap(strip, (left, y0, right, y1)))
    axis = colors.axis(height, size)
    frame = np.array([(left, y0), (right, y0), (right, y1), (left, y1), (left, y0)])
    at = [(y0 + part * height, text) for part, text in axis.ticks or ()]
    marks = (line(right, y, right + TICK, y) for y, _ in at)
    page.add(Stroke((frame, *marks), ink.text, LINE))
    beside, middle = right + TICK + GAP, CAPITAL * size / 2
    page.add(*(Words(text, (beside, y - middle), size, ink.text) for y, text in at))
    widest = max((width(text, size) for _, text in at), default=0.0)
    end = beside + widest + GAP + size
    page.add(Words(axis.label, (end, (y0 + y1) / 2), size, ink.text, 0.5, upright=True))
    return end + 0.3 * size


@dataclass(frozen=True)
class BarFigure:
    """A colour bar by itself."""

    colors: ColorScale
    style: Style

    @property
    def title(self) -> str:
        return self.colors.label

    def drawing(self) -> Drawing:
        size = self.style.letters
        high = self.style.height or 0.6 * self.style.width
        page = Drawing(self.style.width, high, self.style.inks.paper, self.title, self.style.dpi)
        page.width = draw_bar(page, (size, size), high - 2 * size, self.colors, self.style)
        return page

    def table(self) -> tuple[list[str], list[Array]]:
        return self.colors.table()
