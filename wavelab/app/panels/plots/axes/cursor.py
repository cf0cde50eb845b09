"""What is pointed at in a plot, and what was measured there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph

from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QColor, QPoint, QPointF
from wavelab.app.base.theme import Theme
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.curve import Curve

#: A pointer this near to a crest, in logical pixels, means it.
SNAP_PIXELS = 14.0
#: A press that has gone no further than this is a click.
_CLICK_PIXELS = 3.0


def _difference(curve: Curve, first: float, last: float, up: Axis) -> str:
    """Of the heights of a curve at two places: how much more it is at the last."""
    more = float(up.value(curve.at(last)) - up.value(curve.at(first)))
    return f"{curve.name} {'+' * (more > 0)}{three_figures(more)}"


class PlotCursor:
    """A line with a dot on each curve, and the stretch from where a drag began.

    Attributes
    ----------
    at : the place along the axis that is pointed at, None for none.
    span : from where to where was measured, None for nowhere.
    """

    def __init__(self, plot: pyqtgraph.PlotWidget) -> None:
        self.at: float | None = None
        self.span: tuple[float, float] | None = None
        self._begin: tuple[float, int] | None = None  #: the place, and the pixel across
        self._plot, self._room = plot, plot.getViewBox()
        self._band = pyqtgraph.LinearRegionItem(movable=False)
        self._line = pyqtgraph.InfiniteLine(angle=90)
        self._dots = pyqtgraph.ScatterPlotItem(size=7, pen=None)
        for item in (self._band, self._line, self._dots):
            plot.addItem(item, ignoreBounds=True)

    @property
    def pressed(self) -> bool:
        """Whether the button is held."""
        return self._begin is not None

    @property
    def places(self) -> tuple[float, ...]:
        """Both ends of what was measured, or what is pointed at."""
        return self.span or (() if self.at is None else (self.at,))

    def press(self, at: float | None, pixel: int) -> None:
        self.at, self.span = at, None
        self._begin = (at, pixel) if at is not None else None

    def move(self, at: float | None, pixel: int) -> None:
        self.at = at
        if self._begin is not None and at is not None:
            start, first = self._begin
            moved = self.span is not None or abs(pixel - first) > _CLICK_PIXELS
            self.span = (start, at) if moved else None

    def release(self) -> None:
        self._begin = None

    def leave(self) -> None:
        self.at = self._begin = None

    def forget(self) -> None:
        """Also what was measured."""
        self.at = self._begin = self.span = None

    def step(self, way: int, *, measure: bool) -> None:
        """A pixel to the right or left, in the middle at first."""
        (low, high), _ = self._room.viewRange()
        before = (low + high) / 2 if self.at is None else self.at
        self.at = min(max(before + way * self._room.viewPixelSize()[0], low), high)
        start = before if self.span is None else self.span[0]
        self.span = (start, self.at) if measure else None

    def pixel(self, along: float, height: float) -> QPoint:
        """Of a point."""
        return self._plot.mapFromScene(self._room.mapViewToScene(QPointF(along, height)))

    def along(self, curves: Sequence[Curve], pixel: QPoint, *, attract: bool) -> float | None:
        """The way along the axis to a pixel, or to a crest that attracts it; None where nothing is
        drawn."""
        ends = [float(end) for c in curves if len(c.along) for end in c.along[[0, -1]]]
        if not ends:
            return None
        at = self._room.mapSceneToView(self._plot.mapToScene(pixel)).x()
        at = min(max(at, min(ends)), max(ends))
        if not attract:
            return at
        reach = SNAP_PIXELS * self._room.viewPixelSize()[0]
        near = []
        for curve in curves:
            places, heights = curve.turns(at - reach, at + reach)
            for place, height in zip(places.tolist(), heights.tolist(), strict=True):
                for sign in curve.signs:
                    away = self.pixel(place, sign * height) - pixel
                    near.append((math.hypot(away.x(), away.y()), place))
        away, snapped = min(near, default=(math.inf, at))
        return snapped if away <= SNAP_PIXELS else at

    def reading(self, curves: Sequence[Curve], across: Axis, up: Axis) -> str:
        """What is pointed at, or was measured, in words; "" where that is nothing."""
        if self.span is not None:
            start, end = map(across.value, self.span)
            way = (
                f"{across.written(abs(end - start))} from {across.written(start)} "
                f"to {across.written(end)}"
            )
            first, last = self.span
            return "; ".join([way, *(_difference(c, first, last, up) for c in curves)])
        if self.at is None or not curves:
            return ""
        parts = [f"{c.name} {three_figures(up.value(c.at(self.at)))}" for c in curves]
        return f"at {across.written(across.value(self.at))}: {', '.join(parts)}"

    def show(self, curves: Sequence[Curve], colours: Sequence[QColor]) -> None:
        """Where that is on the curves."""
        at, span = self.at, self.span
        self._band.setVisible(span is not None and bool(curves))
        if span is not None:
            self._band.setRegion(sorted(span))
        self._line.setVisible(at is not None and bool(curves))
        spots = []
        if at is not None:
            self._line.setValue(at)
            spots = [
                {"pos": (at, height), "brush": colour}
                for curve, colour in zip(curves, colours, strict=True)
                if math.isfinite(height := curve.at(at))
            ]
        self._dots.setData(spots)

    def set_theme(self, theme: Theme) -> None:
        band = QColor(theme.accent)
        band.setAlpha(40)
        self._band.setBrush(band)
        for line in self._band.lines:
            line.setPen(theme.accent)
        self._line.setPen(theme.muted)
