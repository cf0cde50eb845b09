"""Lines and letters that show on any field, and where they are on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from wavelab.app.base.qt import (
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPointF,
    QPolygonF,
    QRectF,
    Qt,
)
from wavelab.app.canvas.overlay.ink import Ink, pen
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.scene.edges.edge_lines import Line
from wavelab.scene.model.shapes import Point

LABEL_PIXELS = 11


def paint_haloed(painter: QPainter, path: QPainterPath, stroke: QPen, ink: Ink) -> None:
    """A line with a halo, which shows on any field."""
    painter.strokePath(path, pen(ink.halo, stroke.widthF() + 2.0))
    painter.strokePath(path, stroke)


def paint_label(painter: QPainter, text: str, at: QPointF, ink: Ink) -> None:
    """Small text, its base line starting at a pixel, with a halo that keeps it legible."""
    font = label_font()
    path = QPainterPath()
    path.addText(at, font, text)
    painter.strokePath(path, pen(ink.letter_halo, 4.0))
    painter.fillPath(path, ink.line)


class Names:
    """Small texts beside what they name, moved up or down where one would lie over another."""

    def __init__(self, painter: QPainter, ink: Ink) -> None:
        self._painter, self._ink = painter, ink
        self.taken: list[QRectF] = []

    def put(self, text: str, at: QPointF) -> None:
        """Its base line starts at a pixel, or near it."""
        metrics = QFontMetricsF(label_font())
        height = metrics.height()
        here = metrics.boundingRect(text).translated(at)
        lines = (0, 1, -1, 2, -2, 3, -3)
        shifts = (QPointF(0, line * height) for line in lines)
        free = (shift for shift in shifts if self._is_free(here.translated(shift)))
        shift = next(free, QPointF())
        self.taken.append(here.translated(shift))
        paint_label(self._painter, text, at + shift, self._ink)

    def _is_free(self, place: QRectF) -> bool:
        return not any(place.intersects(taken) for taken in self.taken)


def label_font() -> QFont:
    font = QFont()
    font.setPixelSize(LABEL_PIXELS)
    return font


def path_of(
    lines: Iterable[Line | Sequence[Point]], view: ViewTransform, *, closed: bool = False
) -> QPainterPath:
    """The lines (n, 2) one after the other; ``closed``: those that repeat their first point are
    closed, and what lies within a ring in a ring is outside."""
    path = QPainterPath()
    path.setFillRule(Qt.OddEvenFill)
    for line in lines:
        if len(line):
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in view.to_pixels(line).tolist()]))
            if closed and np.array_equal(line[0], line[-1]):
                path.closeSubpath()
    return path


def arrow_path(tail: QPointF, tip: QPointF, head: float, half_width: float) -> QPainterPath:
    """A line with an open head, whose length and half width are in pixels."""
    along = (tip - tail) / max(math.hypot(tip.x() - tail.x(), tip.y() - tail.y()), 1e-9)
    across = half_width * QPointF(-along.y(), along.x())
    path = QPainterPath(tail)
    path.lineTo(tip)
    for side in (across, -across):
        path.moveTo(tip)
        path.lineTo(tip - head * along + side)
    return path


def pixel_of(point: Point, view: ViewTransform) -> QPointF:
    x, y = view.to_pixels(point).tolist()
    return QPointF(x, y)
