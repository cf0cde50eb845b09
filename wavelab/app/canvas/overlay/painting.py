"""Paints the scene and the tool's overlay with QPainter.

The field is OpenGL's; lines and letters over it are Qt's raster engine's, because that draws them
antialiased and of any width on every driver, and its picture is only made anew when something but
the field has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from wavelab.app.base.qt import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPointF,
    QPolygonF,
    QRectF,
    Qt,
    QTransform,
)
from wavelab.app.canvas.overlay.grip_painting import paint_grip
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.overlay.scene_drawing import Glyph, Line, SceneDrawing
from wavelab.app.canvas.overlay.source_painting import paint_source_mark
from wavelab.app.canvas.overlay.text_labels import paint_text_label
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.tools.tool import CircleMark, Label, LineMark, Overlay, Point

#: Widths in pixels and opacity of the strokes that fade the field out at a wall.
FADE = ((16.0, 50), (11.0, 60), (6.5, 80), (3.0, 110))
#: The layer of an open wall fades in from its beginning: parts of the thickness, and opacity.
LAYER_FADE = ((1.0, 26), (0.75, 26), (0.5, 30), (0.25, 34))
LABEL_PIXELS = 11
#: Half the box round a point, in pixels.
BOX = 9.0
#: Between a tool's label and the edge of the canvas.
LABEL_MARGIN = 6.0
#: Element edges this long on the screen, in pixels, are drawn at full strength.
OPEN_MESH_PIXELS = 20.0


def paint_scene(
    painter: QPainter,
    drawing: SceneDrawing,
    view: ViewTransform,
    ink: Ink,
    elements: ElementLines | None = None,
    *,
    bright: bool = False,
    shaded: bool = True,
) -> None:
    """Material regions, element edges if given, walls, monitors, marks of sources and probes.

    Parameters
    ----------
    bright : whether the elements below have nearly full colour, and not that of quiet.
    shaded : whether the colours below fade at walls that absorb and are lighter in materials.
    """
    for _, rims in drawing.materials:
        path = _path(rims, view)
        if shaded:
            painter.fillPath(path, faded(ink.line, 22))
        painter.strokePath(path, pen(faded(ink.line, 130), 1.0))
    if elements is not None:
        _paint_elements(painter, elements, view, QColor(*ink.quiet) if bright else ink.line)
    for line, thickness in drawing.layers if shaded else ():
        _paint_layer(painter, line, thickness, view, ink)
    for wall in sorted(drawing.walls, key=lambda wall: wall.pen.weight):
        path = _path(drawing.walls[wall], view)
        if wall.pen.fades and shaded:
            for width, alpha in FADE:
                painter.strokePath(path, pen(QColor(*ink.outside, alpha), width))
            painter.strokePath(path, ink.pen(wall.pen))
        else:
            _stroke(painter, path, ink.pen(wall.pen), ink)
    for name, kind, line in drawing.monitors:
        _paint_monitor(painter, name, kind, line, view, ink)
    for mark in drawing.sources:
        at = paint_source_mark(painter, mark, view, ink)
        paint_label(painter, mark.name, at + QPointF(8, -5), ink)
    for glyph in drawing.glyphs:
        _paint_glyph(painter, glyph, view, ink)
    for label in drawing.labels:
        paint_text_label(painter, label, view, ink)


def paint_overlay(painter: QPainter, overlay: Overlay, view: ViewTransform, ink: Ink) -> None:
    """What the tool shows: the outline in progress, the snapped point, the rings."""
    for marked in overlay.strokes:
        _paint_mark(painter, marked, view, ink)
    colour = ink.warning if overlay.invalid else ink.accent
    path = QPainterPath()
    if overlay.line:
        path.addPolygon(QPolygonF(_points(overlay.line, view)))
    if overlay.closed:
        path.closeSubpath()
        painter.fillPath(path, faded(colour, 36))
    _stroke(painter, path, pen(colour, 1.8), ink)
    if overlay.pending:
        path = QPainterPath()
        path.addPolygon(QPolygonF(_points(overlay.pending, view)))
        _stroke(painter, path, pen(colour, 1.6, (4.0, 3.0)), ink)
    corners = QPainterPath()
    for at in _points(overlay.vertices, view):
        corners.addRect(QRectF(at.x() - 3, at.y() - 3, 6, 6))
    _stroke(painter, corners, pen(colour, 1.4), ink)
    painter.fillPath(corners, QColor(*ink.quiet))
    for ring in overlay.rings:
        tone = {"positive": ink.positive, "negative": ink.negative}.get(ring.tone, ink.line)
        _stroke(painter, _ring_path(ring, view), pen(tone, 1.5), ink)
    for grip in overlay.grips:
        paint_grip(painter, grip, _point(grip.at, view), ink)
    if overlay.snap is not None:
        path, radius = QPainterPath(), 8.0 if overlay.snap_closes else 5.0
        path.addEllipse(_point(overlay.snap, view), radius, radius)
        _stroke(painter, path, pen(colour, 2.0 if overlay.snap_closes else 1.2), ink)
    if overlay.trouble is not None:
        _stroke(painter, _cross(_point(overlay.trouble, view), 6.0), pen(ink.warning, 2.5), ink)
    labels = list(overlay.labels)
    if overlay.label and overlay.label_at is not None:
        labels.append(Label(overlay.label, overlay.label_at))
    for label in labels:
        at = _point(label.at, view) + QPointF(14, 20 if label.below else -12)
        paint_label(painter, label.text, _within(painter, label.text, at), ink)


def paint_label(painter: QPainter, text: str, at: QPointF, ink: Ink) -> None:
    """Small text, its base line starting at a pixel, with a halo that keeps it legible."""
    font = label_font()
    path = QPainterPath()
    path.addText(at, font, text)
    painter.strokePath(path, pen(ink.letter_halo, 4.0))
    painter.fillPath(path, ink.line)


def _within(painter: QPainter, text: str, at: QPointF) -> QPointF:
    """Where a label that would start at ``at`` is not cut off by the right edge or the top."""
    metrics = QFontMetricsF(label_font())
    most = painter.window().width() - metrics.horizontalAdvance(text) - LABEL_MARGIN
    return QPointF(max(min(at.x(), most), LABEL_MARGIN), max(at.y(), metrics.ascent()))


def label_font() -> QFont:
    font = QFont()
    font.setPixelSize(LABEL_PIXELS)
    return font


def _paint_mark(painter: QPainter, marked: LineMark, view: ViewTransform, ink: Ink) -> None:
    path = QPainterPath()
    path.addPolygon(QPolygonF(_points(marked.points, view)))
    if len(marked.points) == 1:
        at = _point(marked.points[0], view)
        path.addRect(QRectF(at.x() - BOX, at.y() - BOX, 2 * BOX, 2 * BOX))
    if marked.tone == "faint":
        painter.strokePath(path, pen(QColor(*ink.outside, 190), 6.0))
        return
    width, dashes = {
        "hover": (4.0, ()),
        "picked": (5.0, ()),
        "fitting": (4.0, (2.0, 1.0)),
        "chosen": (1.6, (3.0, 2.0)),
        "ghost": (1.6, ()),
        "refused": (1.6, ()),
    }[marked.tone]
    colour = faded(ink.accent, 170) if marked.tone == "hover" else ink.accent
    if marked.tone == "refused":
        colour = ink.warning
    _stroke(painter, path, pen(colour, width, dashes), ink)


def _stroke(painter: QPainter, path: QPainterPath, stroke: QPen, ink: Ink) -> None:
    """A line with a halo, which shows on any field."""
    painter.strokePath(path, pen(ink.halo, stroke.widthF() + 2.0))
    painter.strokePath(path, stroke)


def _ring_path(ring: CircleMark, view: ViewTransform) -> QPainterPath:
    """The circle, with a plus or minus sign in its middle that says where and which."""
    at, radius = _point(ring.center, view), ring.radius * view.scale
    path = QPainterPath()
    path.addEllipse(at, radius, radius)
    path.moveTo(at - QPointF(3.5, 0))
    path.lineTo(at + QPointF(3.5, 0))
    if ring.tone != "negative":
        path.moveTo(at - QPointF(0, 3.5))
        path.lineTo(at + QPointF(0, 3.5))
    return path


def _cross(at: QPointF, size: float) -> QPainterPath:
    path = QPainterPath()
    for dy in (-size, size):
        path.moveTo(at + QPointF(-size, dy))
        path.lineTo(at + QPointF(size, -dy))
    return path


@dataclass(frozen=True, eq=False)
class ElementLines:
    """Element edges as one path in scene coordinates, and their mean length.

    Making the path costs more than painting it, so it is made once for a mesh, not for each view.
    """

    path: QPainterPath
    length: float

    @classmethod
    def of(cls, edges: Line) -> ElementLines:
        """From (n, 2, 2) edges."""
        path = QPainterPath()
        for (ax, ay), (bx, by) in edges.tolist():
            path.moveTo(ax, ay)
            path.lineTo(bx, by)
        lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
        return cls(path, float(lengths.mean()) if len(lengths) else 0.0)


def _paint_layer(
    painter: QPainter, line: Line, thickness: float | None, view: ViewTransform, ink: Ink
) -> None:
    """Half of each stroke falls outside the domain, where it has the colour that is there."""
    path = _path([line], view)
    if thickness is None:
        for width, alpha in FADE:
            painter.strokePath(path, pen(QColor(*ink.outside, alpha), width))
        return
    for part, alpha in LAYER_FADE:
        stroke = pen(QColor(*ink.outside, alpha), 2 * part * thickness * view.scale)
        stroke.setCapStyle(Qt.FlatCap)
        stroke.setJoinStyle(Qt.MiterJoin)
        painter.strokePath(path, stroke)


def _paint_elements(
    painter: QPainter, elements: ElementLines, view: ViewTransform, colour: QColor
) -> None:
    # The smaller the elements are on the screen the fainter their edges, or they hide the field.
    strength = min(1.0, elements.length * view.scale / OPEN_MESH_PIXELS)
    stroke = pen(faded(colour, max(round(70 * strength), 8)), 1.0)
    stroke.setCosmetic(True)
    painter.save()
    x, y = view.to_pixels((0.0, 0.0)).tolist()
    painter.setTransform(QTransform(view.scale, 0, 0, -view.scale, x, y), True)
    painter.strokePath(elements.path, stroke)
    painter.restore()


def _paint_monitor(
    painter: QPainter, name: str, kind: str, line: Line, view: ViewTransform, ink: Ink
) -> None:
    """A fine line in the accent's colour; an arrow shows which way power counts."""
    dashes = {"line": (1.0, 3.0), "flux": (), "far_field": (6.0, 3.0)}.get(kind, (2.0, 3.0))
    stroke = pen(ink.accent, 1.4, dashes)
    _stroke(painter, _path([line], view), stroke, ink)
    if kind == "flux":
        _stroke(painter, _arrow(line, view), pen(ink.accent, 1.4), ink)
    first = _point((float(line[0, 0]), float(line[0, 1])), view)
    paint_label(painter, name, first + QPointF(6, -6), ink)


def _arrow(line: Line, view: ViewTransform) -> QPainterPath:
    """Across the middle of the longest segment, to the right of the way along it."""
    pixels = np.array([view.to_pixels(tuple(p)) for p in line.tolist()])
    if len(line) > 2 and np.array_equal(line[0], line[-1]) and _turns_clockwise(line):
        pixels = pixels[::-1]  # outwards, whichever way it was drawn
    steps = np.diff(pixels, axis=0)
    longest = int(np.argmax(np.hypot(*steps.T)))
    along = steps[longest] / max(float(np.hypot(*steps[longest])), 1e-9)
    # On the screen y points down, so that right of the way is the other turn.
    across = np.array([-along[1], along[0]])
    middle = pixels[longest] + steps[longest] / 2
    tip = middle + 14 * across
    path = QPainterPath()
    path.moveTo(*middle.tolist())
    path.lineTo(*tip.tolist())
    for side in (-1, 1):
        path.moveTo(*tip.tolist())
        path.lineTo(*(tip - 5 * across + side * 4 * along).tolist())
    return path


def _turns_clockwise(ring: Line) -> bool:
    x, y = ring[:-1].T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0


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
