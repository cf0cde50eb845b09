"""A curve through evenly spread points, which is read between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.qt import QColor

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """A smooth function at evenly spread places ``along``, (p,) both.

    Attributes
    ----------
    root : whether what is drawn is the root of twice that, which has kinks where it is 0.
    """

    name: str
    along: Array
    smooth: Array
    colour: QColor
    root: bool = False

    @property
    def drawn(self) -> Array:
        return self._drawn(self.smooth)

    def at(self, place: float) -> float:
        return float(self._drawn(np.array(parabola(self.along, self.smooth, place))))

    def turns(self) -> tuple[Array, Array]:
        """Places of the crests and troughs, and their heights."""
        places, heights = turning_points(self.along, self.smooth)
        return places, self._drawn(heights)

    def _drawn(self, smooth: Array) -> Array:
        return np.sqrt(2 * np.maximum(smooth, 0.0)) if self.root else smooth


def turning_points(x: Array, y: Array) -> tuple[Array, Array]:
    """Where a curve through evenly spread points has its crests and troughs, and how high they are:
    the parabola through the highest or lowest point and its neighbours has its vertex there."""
    before, middle, after = y[:-2], y[1:-1], y[2:]
    turns = (middle - before) * (after - middle) < 0
    before, middle, after = before[turns], middle[turns], after[turns]
    bend = before - 2 * middle + after
    offset = (before - after) / (2 * bend)
    spacing = (x[-1] - x[0]) / (len(x) - 1)
    return x[1:-1][turns] + offset * spacing, middle - (before - after) * offset / 4


def parabola(x: Array, y: Array, at: float) -> float:
    """A curve through three or more evenly spread points, at a place: there it is the parabola
    through the nearest point and its neighbours."""
    spacing = (x[-1] - x[0]) / (len(x) - 1)
    i = min(max(round((at - x[0]) / spacing), 1), len(x) - 2)
    part = (at - x[i]) / spacing
    before, middle, after = y[i - 1 : i + 2]
    return float(middle + part * (after - before + part * (before - 2 * middle + after)) / 2)
