"""Axes with ticks, numbers and names, and how much room they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.output.figures.drawing import Box, Drawing, Stroke, Words
from wavelab.output.figures.letters import CAPITAL, width
from wavelab.output.figures.style import Style
from wavelab.output.numbers import MINUS, labelled_ticks, power_of_ten

#: In points: width of lines, length of ticks, and distance between things beside each other.
LINE, TICK, GAP = 0.6, 3.0, 2.5
#: Room from tick to tick in sizes of letters, along x and along y.
_ACROSS, _UP = 5.0, 3.5

Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Axis:
    """From ``low`` to ``high``, which may be less; of a ``log`` axis these are powers of ten.

    Attributes
    ----------
    ticks : places and numbers to be written there in place of round ones.
    """

    label: str
    low: float
    high: float
    log: bool = False
    ticks: Ticks | None = None

    def ticks_on(self, room: float, letters: float, across: bool) -> Ticks:
        """Those that ``room`` points have room for."""
        if self.ticks is not None:
            return self.ticks
        low, high = min(self.low, self.high), max(self.low, self.high)
        most = max(1, int(room / ((_ACROSS if across else _UP) * letters)))
        return decades(low, high, most) if self.log else enough_ticks(low, high, most)

    def parts(self, values: ArrayLike) -> Array:
        """Of the way along the axis."""
        there = np.asarray(values, np.float64)
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                there = np.where(there > 0, np.log10(there), np.nan)
        return np.asarray((there - self.low) / (self.high - self.low))

    def part_of_tick(self, place: float) -> float:
        return (place - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Margins:
    """Room in points around what is drawn."""

    left: float
    right: float
    bottom: float
    top: float


def margins(across: Axis, up: Axis, room: tuple[float, float], letters: float) -> Margins:
    """What numbers and names of two axes take, of a page of this width and height."""
    numbers = up.ticks_on(room[1], letters, across=False)
    widest = max((width(text, letters) for _, text in numbers), default=0.0)
    at_ends = across.ticks_on(room[0], letters, across=True)
    beyond = max((width(text, letters) for _, text in at_ends), default=0.0) / 2
    name = 1.25 * letters
    return Margins(
        left=max(GAP + name + widest + 2 * GAP + TICK, beyond + GAP),
        right=beyond + GAP,
        bottom=GAP + name + letters + GAP + TICK,
        top=CAPITAL * letters / 2 + GAP,
    )


def draw_axes(drawing: Drawing, box: Box, across: Axis, up: Axis, style: Style, *,
              grid: bool = False) -> None:  # fmt: skip
    """A frame with ticks outside of it, so that they lie over nothing."""
    x0, y0, x1, y1 = box
    ink, size = style.inks, style.letters
    xs = across.ticks_on(x1 - x0, size, across=True)
    ys = up.ticks_on(y1 - y0, size, across=False)
    at_x = [(x0 + across.part_of_tick(place) * (x1 - x0), text) for place, text in xs]
    at_y = [(y0 + up.part_of_tick(place) * (y1 - y0), text) for place, text in ys]
    at_x = [(x, text) for x, text in at_x if x0 - 0.01 <= x <= x1 + 0.01]
    at_y = [(y, text) for y, text in at_y if y0 - 0.01 <= y <= y1 + 0.01]
    if grid:
        lines = [line(x, y0, x, y1) for x, _ in at_x] + [line(x0, y, x1, y) for y, _ in at_y]
        drawing.add(Stroke(tuple(lines), ink.grid, LINE / 2))
    marks = [line(x, y0 - TICK, x, y0) for x, _ in at_x]
    marks += [line(x0 - TICK, y, x0, y) for y, _ in at_y]
    frame = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
    drawing.add(Stroke((frame, *marks), ink.text, LINE))
    below = y0 - TICK - GAP - CAPITAL * size
    drawing.add(*(Words(text, (x, below), size, ink.text, 0.5) for x, text in at_x))
    middle = CAPITAL * size / 2
    left = x0 - TICK - GAP
    drawing.add(*(Words(text, (left, y - middle), size, ink.text, 1.0) for y, text in at_y))
    if across.label:
        under = below - 1.35 * size
        drawing.add(Words(across.label, ((x0 + x1) / 2, under), size, ink.text, 0.5))
    if up.label:
        widest = max((width(text, size) for _, text in at_y), default=0.0)
        beside = left - widest - GAP - 0.25 * size
        place = (beside, (y0 + y1) / 2)
        drawing.add(Words(up.label, place, size, ink.text, 0.5, upright=True))


def line(x0: float, y0: float, x1: float, y1: float) -> Array:
    """From one point to another."""
    return np.array([(x0, y0), (x1, y1)], np.float64)


def enough_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Round numbers, about ``most``, but two at least: one alone says nothing of a scale."""
    found: list[tuple[float, str]] = []
    for number in range(most, most + 6):
        found = labelled_ticks(low, high, number)
        if len(found) > 1:
            break
    return found


def decades(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Of an axis of logarithms: powers of ten, with 2 and 5 times them where there is room, and
    round numbers where there is less than one power."""
    if high - low < 0.7:
        ends = 10.0**low, 10.0**high
        return [(math.log10(v), text) for v, text in labelled_ticks(*ends, max(2, most)) if v > 0]
    every = max(1, math.ceil((high - low) / most))
    mantissas = (1, 2, 5) if 3 * (high - low) <= most + 2 else (1,)
    found = []
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        if exponent % every:
            continue
        for mantissa in mantissas:
            at = exponent + math.log10(mantissa)
            if low - 1e-9 <= at <= high + 1e-9:
                found.append((at, decade_label(mantissa, exponent)))
    return found


def decade_label(mantissa: int, exponent: int) -> str:
    """0.01 to 1000 as they are, and others as powers of ten."""
    if -2 <= exponent <= 3:
        return f"{mantissa * 10.0**exponent:g}"
    power = power_of_ten(exponent)
    return power if mantissa == 1 else f"{mantissa}\u00d7{power}"


def signed(text: str, sign: int) -> str:
    """A number with another sign."""
    return MINUS + text if sign < 0 else text
