"""Lines and letters that show on any field, and where they are on the screen."""

from __future__ import annotations

from collections.abc import Iterable

from wavelab.app.base.qt import QFont, QPainter, QPainterPath, QPen, QPointF
from wavelab.app.canvas.overlay.ink import Ink, pen
from wavelab.app.canvas.view_transform import ViewTransform
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


def label_font() -> QFont:
    font = QFont()
    font.setPixelSize(LABEL_PIXELS)
    return font


def pixels_of(points: Iterable[Point], view: ViewTransform) -> list[QPointF]:
    return [QPointF(x, y) for x, y in view.to_pixels(list(points)).tolist()] if points else []


def pixel_of(point: Point, view: ViewTransform) -> QPointF:
    x, y = view.to_pixels(point).tolist()
    return QPointF(x, y)
