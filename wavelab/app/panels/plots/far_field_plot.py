"""A far field as a polar plot, and over the angle where there is room beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.numbers import MINUS, labelled_ticks, nice_ticks
from wavelab.app.base.qt import QColor, QPainter, QPen, QPointF, QRectF, Qt
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.panels.plots.axes import Axes, draw_curve

Array = NDArray[np.float64]

#: Decibels below the largest that the middle of the plot stands for, and from ring to ring.
DEEPEST, DECIBEL_STEP = 40.0, 10.0
#: Directions get spokes every so many degrees, and labels where there is room.
_SPOKE = 30
#: Rings are labelled along this direction, between two spokes.
_LABELS_AT = 75.0
#: Wide enough for a plot over the angle beside the polar one, in heights.
_BESIDE = 2.4
#: Where no more pixels than these are left beside the names of the curves it lies below them.
_NARROW = 22 * GRID
_UNDER = "direction (degrees from the x axis)"


class FarFieldPlot:
    """What is drawn of the ``arrays`` of a far field (``MonitorResult``).

    Parameters
    ----------
    decibels : 20 log10 of |F| over the largest of its frequency, in place of |F|.
    colours : of the frequencies.
    """

    def __init__(
        self,
        painter: QPainter,
        theme: Theme,
        arrays: dict[str, NDArray],
        colours: list[QColor],
        *,
        decibels: bool,
    ) -> None:
        self._painter, self._theme, self._colours = painter, theme, colours
        self._frequencies: Array = arrays["frequency"]
        angle = np.append(arrays["angle"], 360.0)
        size = np.abs(arrays["pattern"])
        self._largest = float(size.max(initial=0.0))
        size = np.concatenate([size, size[:, :1]], axis=1)
        if decibels:
            peaks = size.max(axis=1, keepdims=True)
            # A frequency at which nothing leaves lies in the middle, at -infinity.
            part = np.divide(size, peaks, out=np.zeros_like(size), where=peaks > 0)
            size = np.maximum(20 * np.log10(np.maximum(part, 1e-30)), -DEEPEST)
            self._low, self._high = -DEEPEST, 0.0
            levels = np.arange(-DEEPEST, 1, DECIBEL_STEP)
            self._rings = [(float(v), f"{v:.0f}".replace("-", MINUS)) for v in levels]
        else:
            self._low, self._high = 0.0, _round_up(self._largest)
            self._rings = labelled_ticks(0.0, self._high, 4)
        self._angle, self._size = angle, size
        self._unit = "|F| (dB)" if decibels else "|F|"

    @property
    def empty(self) -> bool:
        """Whether nothing has been summed up."""
        return not self._largest > 0

    def draw(self, room: QRectF) -> None:
        """Everything, in a part of the widget."""
        metrics = self._painter.fontMetrics()
        names = [self._unit, *(_named(f) for f in self._frequencies.tolist())]
        legend = QRectF(room.adjusted(GRID, 2, 0, 0))
        legend.setWidth(max(metrics.horizontalAdvance(name) for name in names) + 4)
        polar = room.adjusted(legend.width() + GRID, 0, 0, 0)
        if polar.width() < _NARROW:
            polar = room.adjusted(0, len(names) * metrics.height(), 0, 0)
        beside = polar.width() > _BESIDE * polar.height()
        if beside:
            polar.setWidth(1.15 * room.height() + 4 * GRID)
        self._name_frequencies(legend)
        self._draw_polar(polar)
        if beside:
            self._draw_over_angle(room.adjusted(polar.right() - room.left(), 0, 0, 0))

    def _draw_polar(self, room: QRectF) -> None:
        painter, row = self._painter, self._painter.fontMetrics().height()
        radius = min(room.width() / 2 - 4 * GRID, room.height() / 2 - row - 4)
        if radius < 3 * GRID:
            return
        center = room.center()
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setBrush(Qt.NoBrush)
        line, text = QColor(self._theme.border), QColor(self._theme.muted)
        painter.setPen(line)
        for value, _ in self._rings:
            r = radius * self._part(value)
            painter.drawEllipse(center, r, r)
        painter.drawEllipse(center, radius, radius)
        labelled = _SPOKE if radius > 7 * GRID else 3 * _SPOKE
        for degrees in range(0, 360, _SPOKE):
            way = QPointF(np.cos(np.radians(degrees)), -np.sin(np.radians(degrees)))
            painter.setPen(line)
            painter.drawLine(center, center + radius * way)
            if degrees % labelled == 0:
                at = center + (radius + row * 0.95) * way
                painter.setPen(text)
                box = QRectF(at.x() - 24, at.y() - row / 2, 48, row)
                painter.drawText(box, int(Qt.AlignCenter), f"{degrees}\u00b0")
        angle = np.radians(self._angle)
        for i, size in reversed(list(enumerate(self._size))):
            r = radius * self._part(size)
            painter.setPen(QPen(self._colours[i], 1.6))
            x, y = center.x() + r * np.cos(angle), center.y() - r * np.sin(angle)
            draw_curve(painter, x, y)
        self._label_rings(center, radius)

    def _label_rings(self, center: QPointF, radius: float) -> None:
        """Over the curves, each on a patch of the background."""
        painter, metrics = self._painter, self._painter.fontMetrics()
        way = np.radians(_LABELS_AT)
        last = 1e9
        for value, label in reversed(self._rings):
            r = radius * self._part(value)
            width, height = metrics.horizontalAdvance(label) + 4, metrics.height() - 2
            # Rings too near to each other for their labels: one of them speaks.
            if r < GRID or last - r < height:
                continue
            last = min(r, radius - height / 2)  # inside: without are the directions
            at = center + last * QPointF(np.cos(way), -np.sin(way))
            box = QRectF(at.x() - width / 2, at.y() - height / 2, width, height)
            patch = QColor(self._theme.window)
            patch.setAlpha(215)
            painter.fillRect(box, patch)
            painter.setPen(QColor(self._theme.text))
            painter.drawText(box, int(Qt.AlignCenter), label)

    def _name_frequencies(self, room: QRectF) -> None:
        """What is drawn, and below it each frequency in the colour of its curve."""
        painter, row = self._painter, self._painter.fontMetrics().height()
        lines = [(self._unit, QColor(self._theme.muted))]
        lines += [
            (_named(f), colour)
            for f, colour in zip(self._frequencies.tolist(), self._colours, strict=True)
        ]
        most = max(2, int(room.height() / row))
        if len(lines) > most:
            lines = [*lines[: most - 1], ("\u2026", QColor(self._theme.muted))]
        for i, (text, colour) in enumerate(lines):
            painter.setPen(colour)
            place = QRectF(room.left(), room.top() + i * row, room.width(), row)
            painter.drawText(place, int(Qt.AlignLeft | Qt.AlignVCenter), text)

    def _draw_over_angle(self, room: QRectF) -> None:
        axes = Axes(self._painter, room, self._theme, (0.0, 360.0), (self._low, self._high))
        if not axes.usable:
            return
        axes.draw(_UNDER, self._unit, every=45.0)
        for i, size in reversed(list(enumerate(self._size))):
            self._painter.setPen(QPen(self._colours[i], 1.5))
            axes.curve(self._angle, size)

    def _part(self, value: Array | float) -> Array | float:
        """Of the radius."""
        return (value - self._low) / (self._high - self._low)


def _named(frequency: float) -> str:
    return f"f = {frequency:g}"


def _round_up(value: float) -> float:
    """The next multiple of a fifth to a half of it that is a round number."""
    if not value > 0:
        return 1.0
    ticks = nice_ticks(0.0, 2 * value, 8)
    return next(tick for tick in ticks if tick >= value * (1 - 1e-9))
