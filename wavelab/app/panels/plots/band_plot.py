"""Bands over a path through the Brillouin zone; a click chooses a mode."""

from __future__ import annotations

import math

import numpy as np

from wavelab.app.base.qt import Qt, QtGui, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.panels.plots.axes.axis import FREQUENCY, Axis
from wavelab.app.panels.plots.axes.curve import Curve
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.simulation.studies.bands.band_structure import BandStructure

#: Above the highest band, in parts of the frequencies.
_ROOM = 0.05


class BandPlot(Plot):
    """Shows a :class:`BandStructure`.  Emits ``chosen(point, band)`` where the left button is
    pressed: the numbers of the nearest point of the path and of the band nearest to there."""

    chosen = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        self._found: BandStructure | None = None
        super().__init__(
            theme,
            Axis("bottom", "wavevector k", self._ticks),
            Axis("left"),
            legend=False,
        )
        self.setMinimumSize(56 * GRID, 20 * GRID)
        self.say("\u201cStart\u201d draws the bands here; a click on one shows its wave.")

    def show_bands(self, found: BandStructure) -> None:
        """All of them."""
        self._found = found
        curves = [
            Curve(f"band {i + 1}", found.along, band, i, dots=True)
            for i, band in enumerate(found.frequencies.T)
        ]
        top = (1 + _ROOM) * float(found.frequencies.max())
        self.up.measure(FREQUENCY, top)
        self.show_curves(curves, (0.0, float(found.along[-1])), (0.0, top))

    def nearest(self, place: float, height: float) -> tuple[int, int]:
        """The point of the path and the band nearest to what is at a pixel."""
        assert self._found is not None
        along, bands = self._found.along, self._found.frequencies
        at = np.array([self.pixel(float(x), 0.0).x() for x in along])
        point = int(np.abs(at - place).argmin())
        at = np.array([self.pixel(0.0, float(f)).y() for f in bands[point]])
        return point, int(np.abs(at - height).argmin())

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.LeftButton and self._found is not None:
            self.chosen.emit(*self.nearest(event.x(), event.y()))

    def _ticks(self, low: float, high: float, most: int) -> list[tuple[float, str]]:
        """The names of the corners of the path."""
        if self._found is None:
            return []
        names = [(float(self._found.along[i]), name) for i, name in self._found.corners]
        slack = 1e-9 * max(1.0, math.fabs(high))
        return [(at, name) for at, name in names if low - slack <= at <= high + slack]
