"""Paints the scene with QPainter.

The field is OpenGL's; lines and letters over it are Qt's raster engine's, because that draws them
antialiased and of any width on every driver, and its picture is only made anew when something but
the field has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.app.base.qt import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPointF,
    QPolygonF,
    QRectF,
    Qt,
    QTransform,
)
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.overlay.lines import (
    Names,
    arrow_path,
    label_font,
    paint_haloed,
    path_of,
    pixel_of,
)
from wavelab.app.canvas.overlay.source_painting import paint_source_mark
from wavelab.app.canvas.overlay.text_labels import paint_text_label
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.numerics.mesh.polygon import signed_area
from wavelab.output.scene_drawing import Glyph, Line, SceneDrawing
from wavelab.scene.model.measuring.requests import Where

#: Widths in pixels and opacity of the strokes that fade the field out at a wall.
FADE = ((16.0, 50), (11.0, 60), (6.5, 80), (3.0, 110))
#: The layer of an open wall fades in from its beginning: parts of the thickness, and opacity.
LAYER_FADE = ((1.0, 26), (0.75, 26), (0.5, 30), (0.25, 34))
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
) -> list[QRectF]:
    """Material regions, element edges if given, walls, monitors, marks of sources and probes.

    Parameters
    ----------
    bright : whether the elements below have nearly full colour, and not that of quiet.
    shaded : whether the colours below fade at walls that absorb and are lighter in materials.

    Returns
    -------
    Where names stand.
    """
    for _, rims in drawing.materials:
        path = path_of(rims, view, closed=True)
        if shaded:
            painter.fillPath(path, faded(ink.line, 22))
        painter.strokePath(path, pen(faded(ink.line, 130), 1.0))
    if elements is not None:
        _paint_elements(painter, elements, view, QColor(*ink.quiet) if bright else ink.line)
    for line, thickness in drawing.layers if shaded else ():
        _paint_layer(painter, line, thickness, view, ink)
    for wall in sorted(drawing.walls, key=lambda wall: wall.pen.weight):
        path = path_of(drawing.walls[wall], view, closed=True)
        if wall.pen.fades and shaded:
            for width, alpha in FADE:
                painter.strokePath(path, pen(QColor(*ink.outside, alpha), width))
            painter.strokePath(path, ink.pen(wall.pen))
        else:
            paint_haloed(painter, path, ink.pen(wall.pen), ink)
    named: list[tuple[str, QPointF]] = []
    for name, where, line in drawing.monitors:
        _paint_monitor(painter, where, line, view, ink)
        first = pixel_of((float(line[0, 0]), float(line[0, 1])), view)
        named.append((name, first + QPointF(6, -6)))
    for mark in drawing.sources:
        at = paint_source_mark(painter, mark, view, ink)
        named.append((mark.name, at + QPointF(8, -5)))
    for glyph in drawing.glyphs:
        _paint_glyph(painter, glyph, view, ink)
        beside = QPointF(10, QFontMetricsF(label_font()).ascent() / 2 - 1)
        named.append((glyph.name, pixel_of(glyph.position, view) + beside))
    names = Names(painter, ink)
    for name, at in reversed(named):  # a point has nothing but its name to be known by
        names.put(name, at)
    for label in drawing.labels:
        paint_text_label(painter, label, view, ink)
    return names.taken


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
    path = path_of([line], view, closed=True)
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
    painter: QPainter, where: Where, line: Line, view: ViewTransform, ink: Ink
) -> None:
    """A fine line in the accent's colour; an arrow shows which way power counts."""
    stroke = pen(ink.accent, 1.4, where.dashes)
    paint_haloed(painter, path_of([line], view, closed=True), stroke, ink)
    if where.directed:
        paint_haloed(painter, _arrow(line, view), pen(ink.accent, 1.4), ink)


def _arrow(line: Line, view: ViewTransform) -> QPainterPath:
    """Across the middle of the longest segment, to the right of the way along it."""
    pixels = view.to_pixels(line)
    if len(line) > 2 and np.array_equal(line[0], line[-1]) and signed_area(line[:-1]) < 0:
        pixels = pixels[::-1]  # outwards, whichever way it was drawn
    steps = np.diff(pixels, axis=0)
    longest = int(np.argmax(np.hypot(*steps.T)))
    along = steps[longest] / max(float(np.hypot(*steps[longest])), 1e-9)
    # On the screen y points down, so that right of the way is the other turn.
    across = np.array([-along[1], along[0]])
    middle = pixels[longest] + steps[longest] / 2
    tip = middle + 14 * across
    return arrow_path(QPointF(*middle.tolist()), QPointF(*tip.tolist()), 5.0, 4.0)


def _paint_glyph(painter: QPainter, glyph: Glyph, view: ViewTransform, ink: Ink) -> None:
    at = pixel_of(glyph.position, view)
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
