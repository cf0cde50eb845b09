"""Axes with ticks, labels and units, and curves in them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.numbers import labelled_ticks
from wavelab.app.base.qt import QColor, QPainter, QPointF, QPolygonF, QRectF, Qt
from wavelab.app.base.theme import GRID, Theme

_RIGHT, _TOP, _BOTTOM = 2 * GRID, GRID, 5 * GRID
#: Pixels from tick to tick across, at least: a label of five figures has room.
TICK_ROOM = 56
#: Points of a curve that are drawn at once.
_PIECE = 32
#: The longest label of a value axis.
WIDEST_LABEL = "\u22121.5\u00d710\u207b\u00b9\u2070"


class Axes:
    """A frame in a widget's rectangle, and the place of numbers in it.

    Parameters
    ----------
    across, up : value at the left and right, at the bottom and top.
    """

    def __init__(
        self,
        painter: QPainter,
        room: QRectF,
        theme: Theme,
        across: tuple[float, float],
        up: tuple[float, float],
    ) -> None:
        self._painter, self._theme, self._room = painter, theme, room
        self._label = painter.fontMetrics().horizontalAdvance(WIDEST_LABEL)
        self.frame = room.adjusted(3 * GRID + self._label, _TOP, -_RIGHT, -_BOTTOM)
        self.across, self.up = across, up

    @property
    def usable(self) -> bool:
        """Whether there is room for anything."""
        return self.frame.width() >= 4 * GRID and self.frame.height() >= 2 * GRID

    def place(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pixels of points."""
        (x0, x1), (y0, y1), frame = self.across, self.up, self.frame
        return (
            frame.left() + (x - x0) * (frame.width() / (x1 - x0)),
            frame.bottom() - (y - y0) * (frame.height() / (y1 - y0)),
        )

    def draw(self, x_label: str, y_label: str, *, every: float | None = None) -> None:
        """Grid, ticks and what the axes mean.

        Parameters
        ----------
        every : distance of the ticks across; None chooses round numbers.
        """
        painter, frame = self._painter, self.frame
        text, line = QColor(self._theme.muted), QColor(self._theme.border)
        row = painter.fontMetrics().height()
        across = labelled_ticks(*self.across, max(2, int(frame.width() / TICK_ROOM)))
        if every is not None:
            x0, x1 = self.across
            step = every * max(1, math.ceil(60 * (x1 - x0) / (every * frame.width())))
            across = [(tick, f"{tick:g}") for tick in np.arange(x0, x1 + step / 2, step).tolist()]
        for tick, label in across:
            x = float(self.place(np.array([tick]), np.array([0.0]))[0][0])
            painter.setPen(line)
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(text)
            box = QRectF(x - 40, frame.bottom() + 3, 80, row)
            painter.drawText(box, int(Qt.AlignCenter), label)
        most = 4 if frame.height() > 10 * GRID else 2
        low, high = sorted(self.up)
        for tick, label in labelled_ticks(low, high, most):
            y = float(self.place(np.array([0.0]), np.array([tick]))[1][0])
            painter.setPen(line)
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(text)
            box = QRectF(frame.left() - self._label - 4, y - row / 2, self._label, row)
            painter.drawText(box, int(Qt.AlignRight | Qt.AlignVCenter), label)
        painter.setPen(text)
        below = QRectF(frame.left(), self._room.bottom() - row - 3, frame.width(), row)
        painter.drawText(below, int(Qt.AlignCenter), fitting(painter, x_label, below.width()))
        painter.save()
        painter.translate(self._room.left() + GRID, frame.center().y())
        painter.rotate(-90)
        painter.drawText(QRectF(-80, -row / 2, 160, row), int(Qt.AlignCenter), y_label)
        painter.restore()

    def curve(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """A line through points, in the painter's pen, clipped to the frame."""
        self._painter.save()
        self._painter.setClipRect(self.frame)
        self._painter.setRenderHint(QPainter.Antialiasing)
        draw_curve(self._painter, *self.place(x, y))
        self._painter.restore()


def fitting(painter: QPainter, label: str, width: float) -> str:
    """The label, without the unit in parentheses if there is no room for it."""
    if painter.fontMetrics().horizontalAdvance(label) <= width:
        return label
    return label.partition(" (")[0]


def draw_curve(painter: QPainter, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """A line through pixels, in the painter's pen.

    In pieces: what Qt's rasterizer takes for a wide line grows faster than its length, as it looks
    for places where it crosses itself.  A trace of 1200 points took 8.7 ms and takes 0.9.
    """
    for first in range(0, len(x) - 1, _PIECE):
        piece = slice(first, first + _PIECE + 1)
        painter.drawPolyline(polyline(x[piece], y[piece]))


def polyline(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPolygonF:
    """The points without a Python object for each: Qt stores them as pairs of doubles."""
    line = QPolygonF(len(x))
    if len(x):
        memory = line.data()
        memory.setsize(16 * len(x))
        pairs = np.frombuffer(memory, np.float64).reshape(-1, 2)
        pairs[:, 0], pairs[:, 1] = x, y
    return line


def thinned(
    x: NDArray[np.float64], y: NDArray[np.float64], columns: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Least and greatest value of groups of points, about two for each column of pixels."""
    group = len(x) // max(1, columns)
    if group < 2:
        return x, y
    whole = len(x) // group * group
    blocks = y[:whole].reshape(-1, group)
    pairs = np.stack([blocks.min(axis=1), blocks.max(axis=1)], axis=1).ravel()
    middle = np.repeat(x[:whole].reshape(-1, group)[:, group // 2], 2)
    return np.append(middle, x[whole:]), np.append(pairs, y[whole:])
