"""The marks of sources that are more than a point: lines, arrows, boxes, dots, paths."""

from __future__ import annotations

from wavelab.app.base.qt import QPainter, QPointF, Qt
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.overlay.lines import arrow_path, paint_haloed, path_of, pixel_of
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.scene.model.sending.source_marks import SourceMark

#: Dots and arrow heads, in pixels.
_DOT, _HEAD = 2.5, 7.0


def paint_source_mark(
    painter: QPainter, mark: SourceMark, view: ViewTransform, ink: Ink
) -> QPointF:
    """Paints a mark; returns where its name goes."""
    dashes = (4.0, 3.0) if mark.outline else ()
    stroke = pen(faded(ink.line, 170 if mark.outline else 255), 1.5, dashes)
    paint_haloed(painter, path_of(mark.lines, view), stroke, ink)
    paint_haloed(painter, path_of(mark.waves, view), pen(ink.line, 1.5), ink)
    if mark.arrow is not None:
        tail, tip = (pixel_of(end, view) for end in mark.arrow)
        paint_haloed(painter, arrow_path(tail, tip, _HEAD, _HEAD / 2), pen(ink.line, 1.5), ink)
    painter.setBrush(Qt.NoBrush)
    for dot in mark.dots:
        for colour, width in ((ink.halo, 3.5), (ink.line, 1.5)):
            painter.setPen(pen(colour, width))
            painter.drawEllipse(pixel_of(dot, view), _DOT, _DOT)
    return pixel_of(mark.at, view)
