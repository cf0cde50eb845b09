"""Curves over numbers as a picture, with axes and units, where there is no Qt and no display."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavelab.arrays import Array
from wavelab.output.picture import write_png
from wavelab.output.stroke_font import strokes, width

Colour = tuple[int, int, int]

_WIDTH, _HEIGHT = 960, 600
_LEFT, _RIGHT, _TOP, _BOTTOM = 110, 30, 46, 76
#: Where the curves are named, above them.
_LEGEND = 20
_PAPER, _INK, _GRID = (255, 255, 255), (40, 40, 40), (222, 222, 222)
_SHADE = (255, 240, 190)
#: Told apart also by who sees red and green alike (Okabe and Ito 2008), the palest left out.
_COLOURS: tuple[Colour, ...] = (
    (0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (230, 159, 0),
)  # fmt: skip
_LETTER, _PEN, _CURVE, _DOT = 10.0, 1.2, 2.0, 3.2
#: Ticks on an axis, about.
_TICKS = 6


@dataclass(frozen=True)
class Curve:
    """Values over the numbers of the plot; where one is not finite there is a gap."""

    label: str
    values: Array


@dataclass(frozen=True)
class Marks:
    """Places that have names in place of numbers, and what is told apart between them.

    Attributes
    ----------
    names : where along x, and what is written there.
    bands : from where to where upwards something is shaded.
    """

    names: Sequence[tuple[float, str]]
    bands: Sequence[tuple[float, float]] = ()


def write_line_plot(
    path: str | os.PathLike[str],
    x: ArrayLike,
    curves: Sequence[Curve],
    across: str,
    up: str,
    marks: Marks | None = None,
) -> None:
    """A picture of curves over ``x`` (n,), which ascends.

    Parameters
    ----------
    across, up : what the axes are called.
    marks : in place of numbers along ``x`` and of a legend.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    write_png(path, line_plot(x, curves, across, up, marks))


def line_plot(
    x: ArrayLike, curves: Sequence[Curve], across: str, up: str, marks: Marks | None = None
) -> NDArray[np.uint8]:
    """The pixels (height, width, 3) of such a picture."""
    places = np.asarray(x, np.float64)
    values = [np.asarray(curve.values, np.float64) for curve in curves]
    sheet = Sheet(np.full((_HEIGHT, _WIDTH, 3), _PAPER, dtype=np.uint8))
    horizontal = _Scale.of(places, _LEFT, _WIDTH - _RIGHT)
    vertical = _Scale.of(np.concatenate(values), _HEIGHT - _BOTTOM, _TOP, 0.06)
    for low, high in marks.bands if marks else ():
        top, bottom = (float(vertical(value)) for value in (high, low))
        sheet.fill((_LEFT, top), (_WIDTH - _RIGHT, bottom), _SHADE)
    named = marks.names if marks else [(v, f"{v:.6g}") for v in ticks(*horizontal.range)]
    _draw_axes(sheet, horizontal, vertical, across, up, named)
    left = float(_LEFT)
    for number, (curve, series) in enumerate(zip(curves, values, strict=True)):
        colour = _COLOURS[number % len(_COLOURS)]
        corners = np.stack([horizontal(places), vertical(series)], axis=1)
        known = np.isfinite(series)
        for i in np.flatnonzero(known[:-1] & known[1:]):
            sheet.line(corners[i : i + 2], colour, _CURVE)
        for corner in corners[known]:
            sheet.line((corner, corner), colour, 2 * _DOT)
        if len(curves) > 1 and marks is None:
            sheet.line(((left, _LEGEND), (left + 22, _LEGEND)), colour, _CURVE)
            sheet.text(curve.label, (left + 28, _LEGEND + _LETTER / 2))
            left += 28 + width(curve.label, _LETTER) + 24
    return sheet.pixels()


def ticks(low: float, high: float) -> Array:
    """Round numbers from ``low`` to ``high``, about six."""
    span = high - low
    rough = span / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda part: abs(math.log(part * power / rough)))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return np.asarray(np.arange(first, last + 1) * step, np.float64)


@dataclass(frozen=True)
class _Scale:
    """From the numbers ``low`` to ``high`` to the pixels ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    @property
    def range(self) -> tuple[float, float]:
        return self.low, self.high

    @classmethod
    def of(cls, values: Array, start: float, end: float, margin: float = 0.0) -> _Scale:
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        # What differs by rounding only is one number.
        if high - low <= 1e-12 * max(abs(low), abs(high)):
            low, high = low - (abs(low) / 2 or 0.5), high + (abs(high) / 2 or 0.5)
        beyond = margin * (high - low)
        return cls(low - beyond, high + beyond, start, end)

    def __call__(self, value: ArrayLike) -> Array:
        part = (np.asarray(value, np.float64) - self.low) / (self.high - self.low)
        return np.asarray(self.start + part * (self.end - self.start))


def _draw_axes(
    sheet: Sheet,
    horizontal: _Scale,
    vertical: _Scale,
    across: str,
    up: str,
    named: Sequence[tuple[float, str]],
) -> None:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for value, name in named:
        place = float(horizontal(value))
        sheet.line(((place, bottom), (place, _TOP)), _GRID, 1.0)
        sheet.text(name, (place, bottom + 22), middle=True)
    for value in ticks(*vertical.range):
        place = float(vertical(value))
        sheet.line(((_LEFT, place), (right, place)), _GRID, 1.0)
        label = f"{value:.6g}"
        sheet.text(label, (_LEFT - 10 - width(label, _LETTER), place + _LETTER / 2))
    corners = ((_LEFT, bottom), (right, bottom), (right, _TOP), (_LEFT, _TOP), (_LEFT, bottom))
    sheet.line(corners, _INK, _PEN)
    sheet.text(across, ((_LEFT + right) / 2, _HEIGHT - 20), middle=True)
    sheet.text(up, (26, (_TOP + bottom) / 2), middle=True, upright=True)


class Sheet:
    """A sheet to draw on.

    Parameters
    ----------
    rgb : (height, width, 3) what is on it; it is copied.
    ink : of letters.
    """

    def __init__(self, rgb: NDArray[np.uint8], ink: Colour = _INK) -> None:
        self._rgb, self._ink = rgb.astype(np.float64), ink

    def line(self, points: Iterable[ArrayLike], colour: Colour, pen: float) -> None:
        """Straight from point to point, with round ends and smooth edges."""
        corners = [np.asarray(point, np.float64) for point in points]
        for a, b in pairwise(corners):
            self._stroke(a, b, colour, pen)

    def fill(self, corner: tuple[float, float], other: tuple[float, float], colour: Colour) -> None:
        """A rectangle between two corners, to whole pixels."""
        (x0, y0), (x1, y1) = (np.rint(np.array(place)).astype(int) for place in (corner, other))
        self._rgb[y0:y1, x0:x1] = colour

    def text(
        self,
        text: str,
        place: tuple[float, float],
        *,
        middle: bool = False,
        upright: bool = False,
    ) -> None:
        """A text that begins at a place, or has it in its middle; upright it is read from the
        right."""
        begin = np.array([-width(text, _LETTER) / 2 if middle else 0.0, 0.0])
        for stroke in strokes(text, _LETTER):
            along, above = (stroke + begin).T
            turned = (-above, -along) if upright else (along, -above)
            self.line(np.stack(turned, axis=1) + place, self._ink, _PEN)

    def pixels(self) -> NDArray[np.uint8]:
        return np.rint(self._rgb).astype(np.uint8)

    def _stroke(self, a: Array, b: Array, colour: Colour, pen: float) -> None:
        reach = pen / 2 + 1
        x0, y0 = (max(0, math.floor(v)) for v in np.minimum(a, b) - reach)
        x1, y1 = np.ceil(np.maximum(a, b) + reach).astype(int) + 1
        part = self._rgb[y0:y1, x0:x1]
        y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        away = np.stack([x, y], axis=-1) - a
        way = b - a
        along = np.clip(away @ way / (float(way @ way) or 1.0), 0, 1)
        distance = np.hypot(*np.moveaxis(away - along[..., None] * way, -1, 0))
        covered = np.clip(pen / 2 + 0.5 - distance, 0, 1)[..., None]
        part += covered * (np.array(colour) - part)
