"""The marks of sources that are more than a point: lines, arrows, boxes, dots, paths."""

from __future__ import annotations

from wavelab.app.base.qt import QPainter, QPainterPath, QPointF, QPolygonF, Qt
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.scene.model.source_marks import SourceMark

#: Dots and arrow heads, in pixels.
_DOT, _HEAD = 2.5, 7.0


def paint_source_mark(
    painter: QPainter, mark: SourceMark, view: ViewTransform, ink: Ink
) -> QPointF:
    """Paints a mark; returns where its name goes."""
    path = QPainterPath()
    for line in mark.lines:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in view.to_pixels(line).tolist()]))
    dashes = (4.0, 3.0) if mark.outline else ()
    painter.strokePath(path, pen(ink.halo, 3.5))
    painter.strokePath(path, pen(faded(ink.line, 170 if mark.outline else 255), 1.5, dashes))
    waves = QPainterPath()
    for line in mark.waves:
        waves.addPolygon(QPolygonF([QPointF(x, y) for x, y in view.to_pixels(line).tolist()]))
    painter.strokePath(waves, pen(ink.halo, 3.5))
    painter.strokePath(waves, pen(ink.line, 1.5))
    if mark.arrow is not None:
        tail, tip = mark.arrow
        _paint_arrow(painter, _pixel(tail, view), _pixel(tip, view), ink)
    painter.setBrush(Qt.NoBrush)
    for dot in mark.dots:
        for colour, width in ((ink.halo, 3.5), (ink.line, 1.5)):
            painter.setPen(pen(colour, width))
            painter.drawEllipse(_pixel(dot, view), _DOT, _DOT)
    return _pixel(mark.at, view)


def _paint_arrow(painter: QPainter, tail: QPointF, tip: QPointF, ink: Ink) -> None:
    along = tip - tail
    length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-9)
    along *= _HEAD / length
    across = QPointF(-along.y(), along.x()) * 0.5
    path = QPainterPath(tail)
    path.lineTo(tip)
    for side in (across, -across):
        path.moveTo(tip)
        path.lineTo(tip - along + side)
    painter.strokePath(path, pen(ink.halo, 3.5))
    painter.strokePath(path, pen(ink.line, 1.5))


def _pixel(point: tuple[float, float], view: ViewTransform) -> QPointF:
    x, y = view.to_pixels(point).tolist()
    return QPointF(x, y)
