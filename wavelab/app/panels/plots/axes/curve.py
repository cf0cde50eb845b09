"""A curve through points, which is read between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from wavelab.arrays import Array, Indices

#: From numbers along an axis to others.
Mapping = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Curve:
    """A smooth function at places ``along``, which increase, (p,) both.

    Attributes
    ----------
    colour : its number among those of the theme.
    root : whether what is drawn is the root of twice that, which has kinks where it is 0; it is
        drawn with both signs.
    dots : whether the points are all that is known, and what lies between them is not read.
    kept : whether it is one of before, for comparison.
    """

    name: str
    along: Array
    smooth: Array
    colour: int
    root: bool = False
    dots: bool = False
    kept: bool = False

    @property
    def drawn(self) -> Array:
        return self._drawn(self.smooth)

    @property
    def signs(self) -> tuple[int, ...]:
        return (1, -1) if self.root else (1,)

    def mapped(self, across: Mapping, up: Mapping) -> Curve:
        """With other numbers along both axes, where those are numbers; sizes, of what has a sign,
        if nothing below 0 has a place."""
        heights = self.drawn
        if not math.isfinite(float(up(-1.0))):
            heights = np.abs(heights)
        places = np.asarray(across(self.along), np.float64)
        there = np.isfinite(places)
        found = np.asarray(up(heights), np.float64)
        return replace(self, along=places[there], smooth=found[there], root=False)

    def at(self, place: float) -> float:
        """What is read there; nan of no points."""
        if not len(self.along):
            return math.nan
        if self.dots or len(self.along) < 3:
            return float(self.drawn[np.abs(self.along - place).argmin()])
        return float(self._drawn(np.array(parabola(self.along, self.smooth, place))))

    def turns(self, low: float, high: float) -> tuple[Array, Array]:
        """Places of the crests and troughs between two places, and their heights."""
        first, last = _between(self.along, low, high)
        places, heights = self.along[first:last], self.smooth[first:last]
        if not self.dots:
            places, heights = turning_points(places, heights)
        return places, self._drawn(heights)

    def shown(self, low: float, high: float, columns: int) -> tuple[Array, Array]:
        """What is drawn between two places: with many points the least and the greatest value of
        groups of them, about two for each column of pixels."""
        first, last = _between(self.along, low, high)
        group = 1
        while (last - first) // (2 * group) > columns:
            group *= 2
        # Groups begin at multiples of their size, so that a curve that scrolls does not shimmer.
        first -= first % group
        x, y = self.along[first:last], self._drawn(self.smooth[first:last])
        if group == 1:
            return x, y
        whole = len(x) // group * group
        blocks = y[:whole].reshape(-1, group)
        pairs = np.stack([blocks.min(axis=1), blocks.max(axis=1)], axis=1).ravel()
        middle = np.repeat(x[:whole].reshape(-1, group)[:, group // 2], 2)
        # The points that do not fill a group yet are kept as they are: the live end.
        return np.append(middle, x[whole:]), np.append(pairs, y[whole:])

    def _drawn(self, smooth: Array) -> Array:
        return np.sqrt(2 * np.maximum(smooth, 0.0)) if self.root else smooth


def _between(along: Array, low: float, high: float) -> tuple[int, int]:
    """The points from the last one before ``low`` to the first one after ``high``."""
    first, last = np.searchsorted(along, (low, high), side="right").tolist()
    return max(0, first - 1), min(len(along), last + 1)


def table(curves: Sequence[Curve]) -> tuple[Array, list[Array]]:
    """The places (p,) of all curves, and each curve (p,) there, nan where it has no point."""
    places: Array = reduce(np.union1d, [curve.along for curve in curves], np.zeros(0))
    columns = [np.full(len(places), math.nan) for _ in curves]
    for curve, column in zip(curves, columns, strict=True):
        column[np.searchsorted(places, curve.along)] = curve.drawn
    return places, columns


def turning_points(x: Array, y: Array) -> tuple[Array, Array]:
    """Where a curve through points has its crests and troughs, and how high they are: the parabola
    through the highest or lowest point and its neighbours has its vertex there."""
    with np.errstate(invalid="ignore"):  # of what is no number
        slopes = np.diff(y) / np.diff(x)
    turns = np.flatnonzero(np.sign(slopes[:-1]) * np.sign(slopes[1:]) < 0) + 1
    slope, bend = _parabolas(x, y, turns)
    away = -slope / (2 * bend)
    return x[turns] + away, y[turns] + away * slope / 2


def parabola(x: Array, y: Array, at: float) -> float:
    """A curve through three or more points, at a place: there it is the parabola through the
    nearest point and its neighbours."""
    after = int(np.clip(np.searchsorted(x, at), 1, len(x) - 1))
    nearest = after if x[after] - at < at - x[after - 1] else after - 1
    i = min(max(nearest, 1), len(x) - 2)
    slope, bend = _parabolas(x, y, np.array([i]))
    away = at - x[i]
    return float(y[i] + away * (slope[0] + away * bend[0]))


def _parabolas(x: Array, y: Array, i: Indices) -> tuple[Array, Array]:
    """Slope at points, and half the second derivative, of the parabolas through them and their
    neighbours."""
    before, after = x[i] - x[i - 1], x[i + 1] - x[i]
    with np.errstate(invalid="ignore"):
        slope_before, slope_after = (y[i] - y[i - 1]) / before, (y[i + 1] - y[i]) / after
        slope = (slope_before * after + slope_after * before) / (before + after)
        return slope, (slope_after - slope_before) / (before + after)
