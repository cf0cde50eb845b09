"""Paints the scene and the tool's overlay with QPainter.

The field is OpenGL's; lines and letters over it are Qt's raster engine's, because that draws them
antialiased and of any width on every driver, and its picture is only made anew when something but
the field has changed.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wavelab.app.canvas.ink import Ink, faded, pen
from wavelab.app.canvas.scene_drawing import Glyph, Line, SceneDrawing
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPointF,
    QPolygonF,
    QRectF,
    Qt,
    QTransform,
)
from wavelab.app.tools.tool import Overlay, Point

#: Widths in pixels and opacity of the strokes that fade the field out at an absorbing wall.
FADE = ((16.0, 50), (11.0, 60), (6.5, 80), (3.0, 110))
LABEL_PIXELS = 11


def paint_scene(
    painter: QPainter,
    drawing: SceneDrawing,
    view: ViewTransform,
    ink: Ink,
    elements: QPainterPath | None = None,
) -> None:
    """Material regions, element edges if given, walls, and the marks of sources and probes."""
    for _, rims in drawing.materials:
        path = _path(rims, view)
        painter.fillPath(path, faded(ink.line, 22))
        painter.strokePath(path, pen(faded(ink.line, 130), 1.0))
    if elements is not None:
        _paint_elements(painter, elements, view, ink)
    order = ("absorbing", "periodic", "impedance", "magnetic", "conductor")
    for kind in sorted(drawing.walls, key=order.index):
        path = _path(drawing.walls[kind], view)
        if kind == "absorbing":
            for width, alpha in FADE:
                painter.strokePath(path, pen(QColor(*ink.outside, alpha), width))
        painter.strokePath(path, ink.wall_pen(kind))
    for glyph in drawing.glyphs:
        _paint_glyph(painter, glyph, view, ink)


def paint_overlay(painter: QPainter, overlay: Overlay, view: ViewTransform, ink: Ink) -> None:
    """What the tool shows: the outline in progress, the snapped point, the rings."""
    colour = ink.warning if overlay.invalid else ink.accent
    if overlay.line:
        outline = QPolygonF(_points(overlay.line, view))
        if overlay.closed:
            painter.setPen(pen(colour, 1.8))
            painter.setBrush(faded(colour, 36))
            painter.drawPolygon(outline)
        else:
            painter.setBrush(Qt.NoBrush)
            painter.setPen(pen(colour, 1.8))
            painter.drawPolyline(outline)
    if overlay.pending:
        painter.setPen(pen(colour, 1.4, (4.0, 3.0)))
        painter.drawPolyline(QPolygonF(_points(overlay.pending, view)))
    painter.setPen(pen(colour, 1.4))
    painter.setBrush(QColor(*ink.quiet))
    for at in _points(overlay.vertices, view):
        painter.drawRect(QRectF(at.x() - 3, at.y() - 3, 6, 6))
    painter.setBrush(Qt.NoBrush)
    for ring in overlay.rings:
        at, radius = _point(ring.center, view), ring.radius * view.scale
        tone = {"positive": ink.positive, "negative": ink.negative}.get(ring.tone, ink.line)
        for stroke in (pen(ink.halo, 3.0), pen(tone, 1.5)):
            painter.setPen(stroke)
            painter.drawEllipse(at, radius, radius)
            painter.drawLine(at + QPointF(-3, 0), at + QPointF(3, 0))
            if ring.tone != "negative":
                painter.drawLine(at + QPointF(0, -3), at + QPointF(0, 3))
    if overlay.snap is not None:
        at, radius = _point(overlay.snap, view), 8.0 if overlay.snap_closes else 5.0
        painter.setPen(pen(colour, 2.0 if overlay.snap_closes else 1.2))
        painter.drawEllipse(at, radius, radius)
    if overlay.trouble is not None:
        at = _point(overlay.trouble, view)
        painter.setPen(pen(ink.warning, 2.5))
        painter.drawLine(at + QPointF(-6, -6), at + QPointF(6, 6))
        painter.drawLine(at + QPointF(-6, 6), at + QPointF(6, -6))
    if overlay.label and overlay.label_at is not None:
        paint_label(painter, overlay.label, _point(overlay.label_at, view) + QPointF(14, -12), ink)


def paint_label(painter: QPainter, text: str, at: QPointF, ink: Ink) -> None:
    """Small text, its base line starting at a pixel, with a halo that keeps it legible."""
    font = label_font()
    path = QPainterPath()
    path.addText(at, font, text)
    painter.strokePath(path, pen(ink.halo, 3.0))
    painter.fillPath(path, ink.line)


def label_font() -> QFont:
    font = QFont()
    font.setPixelSize(LABEL_PIXELS)
    return font


def element_path(edges: Line) -> QPainterPath:
    """(n, 2, 2) element edges as one path in scene coordinates.

    Making it costs more than painting it, so it is made once for a mesh, not for each view.
    """
    path = QPainterPath()
    for (ax, ay), (bx, by) in edges.tolist():
        path.moveTo(ax, ay)
        path.lineTo(bx, by)
    return path


def _paint_elements(
    painter: QPainter, elements: QPainterPath, view: ViewTransform, ink: Ink
) -> None:
    stroke = pen(faded(ink.line, 60), 1.0)
    stroke.setCosmetic(True)
    painter.save()
    x, y = view.to_pixels((0.0, 0.0)).tolist()
    painter.setTransform(QTransform(view.scale, 0, 0, -view.scale, x, y), True)
    painter.strokePath(elements, stroke)
    painter.restore()


def _paint_glyph(painter: QPainter, glyph: Glyph, view: ViewTransform, ink: Ink) -> None:
    at = _point(glyph.position, view)
    painter.setBrush(Qt.NoBrush)
    if glyph.kind == "source":
        for colour, width in ((ink.halo, 3.5), (ink.line, 1.5)):
            painter.setPen(pen(colour, width))
            painter.drawEllipse(at, 5.0, 5.0)
            painter.drawPoint(at)
    else:
        diamond = QPolygonF([at + QPointF(*p) for p in ((0, -6), (5, 0), (0, 6), (-5, 0))])
        for colour, width in ((ink.halo, 3.5), (ink.probe(glyph.number), 1.5)):
            painter.setPen(pen(colour, width))
            painter.drawPolygon(diamond)
    metrics = QFontMetricsF(label_font())
    paint_label(painter, glyph.name, at + QPointF(10, metrics.ascent() / 2 - 1), ink)


def _path(lines: Iterable[Line], view: ViewTransform) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.OddEvenFill)
    for line in lines:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in view.to_pixels(line).tolist()]))
        if np.array_equal(line[0], line[-1]):
            path.closeSubpath()
    return path


def _points(points: Iterable[Point], view: ViewTransform) -> list[QPointF]:
    return [QPointF(x, y) for x, y in view.to_pixels(list(points)).tolist()] if points else []


def _point(point: Point, view: ViewTransform) -> QPointF:
    x, y = view.to_pixels(point).tolist()
    return QPointF(x, y)
