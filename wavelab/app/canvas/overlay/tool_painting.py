"""Paints what the tool shows with QPainter."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base.qt import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPointF,
    QRectF,
)
from wavelab.app.canvas.overlay.grip_painting import paint_grip
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.overlay.lines import (
    label_font,
    paint_haloed,
    paint_label,
    path_of,
    pixel_of,
)
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.language.language import said
from wavelab.app.tools.tool import CircleMark, Label, LineMark, Overlay

#: Half the box round a point, in pixels.
BOX = 9.0
#: Between a tool's label and the edge of the canvas.
LABEL_MARGIN = 6.0
#: From a point to the label beside it, in pixels.
ASIDE, ABOVE, BELOW = 14.0, -12.0, 20.0


def paint_overlay(
    painter: QPainter,
    overlay: Overlay,
    view: ViewTransform,
    ink: Ink,
    names: Sequence[QRectF] = (),
) -> list[QRectF]:
    """What the tool shows: the outline in progress, the snapped point, the rings.

    Parameters
    ----------
    names : where words stand, which its labels do not lie over if they can help it.

    Returns
    -------
    Where words stand now.
    """
    for marked in overlay.strokes:
        _paint_mark(painter, marked, view, ink)
    colour = ink.warning if overlay.invalid else ink.accent
    path = path_of([overlay.line], view)
    if overlay.closed:
        path.closeSubpath()
        painter.fillPath(path, faded(colour, 36))
    paint_haloed(painter, path, pen(colour, 1.8), ink)
    if overlay.pending:
        stroke = pen(colour, 1.6, (4.0, 3.0))
        paint_haloed(painter, path_of([overlay.pending], view), stroke, ink)
    corners = QPainterPath()
    for vertex in overlay.vertices:
        at = pixel_of(vertex, view)
        corners.addRect(QRectF(at.x() - 3, at.y() - 3, 6, 6))
    paint_haloed(painter, corners, pen(colour, 1.4), ink)
    painter.fillPath(corners, QColor(*ink.quiet))
    for ring in overlay.rings:
        tone = {"positive": ink.positive, "negative": ink.negative}.get(ring.tone, ink.line)
        paint_haloed(painter, _ring_path(ring, view), pen(tone, 1.5), ink)
    for grip in overlay.grips:
        paint_grip(painter, grip, pixel_of(grip.at, view), ink)
    if overlay.snap is not None:
        path, radius = QPainterPath(), 8.0 if overlay.snap_closes else 5.0
        path.addEllipse(pixel_of(overlay.snap, view), radius, radius)
        paint_haloed(painter, path, pen(colour, 2.0 if overlay.snap_closes else 1.2), ink)
    if overlay.trouble is not None:
        cross = _cross(pixel_of(overlay.trouble, view), 6.0)
        paint_haloed(painter, cross, pen(ink.warning, 2.5), ink)
    labels = list(overlay.labels)
    if overlay.label and overlay.label_at is not None:
        labels.append(Label(overlay.label, overlay.label_at))
    taken = list(names)
    for label in labels:
        text = said(label.text)
        at, place = _place(view, text, label, taken)
        taken.append(place)
        paint_label(painter, text, at, ink)
    return taken


def _place(
    view: ViewTransform, text: str, label: Label, taken: Sequence[QRectF]
) -> tuple[QPointF, QRectF]:
    """Where the base line of a label begins, and the room it takes: to the right or the left of its
    point, above or below it, where it lies over nothing."""
    metrics, point = QFontMetricsF(label_font()), pixel_of(label.at, view)
    room = metrics.boundingRect(text)
    heights = (BELOW, ABOVE) if label.below else (ABOVE, BELOW)
    sides = (ASIDE, -ASIDE - metrics.horizontalAdvance(text))
    found = [_within(view, text, point + QPointF(x, y)) for x in sides for y in heights]
    free = (at for at in found if not any(room.translated(at).intersects(t) for t in taken))
    at = next(free, found[0])
    return at, room.translated(at)


def _within(view: ViewTransform, text: str, at: QPointF) -> QPointF:
    """Where a label that would start at ``at`` is not cut off by the right edge or the top."""
    metrics = QFontMetricsF(label_font())
    most = view.width - metrics.horizontalAdvance(text) - LABEL_MARGIN
    return QPointF(max(min(at.x(), most), LABEL_MARGIN), max(at.y(), metrics.ascent()))


def _paint_mark(painter: QPainter, marked: LineMark, view: ViewTransform, ink: Ink) -> None:
    path = path_of([marked.points], view)
    if len(marked.points) == 1:
        at = pixel_of(marked.points[0], view)
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
    paint_haloed(painter, path, pen(colour, width, dashes), ink)


def _ring_path(ring: CircleMark, view: ViewTransform) -> QPainterPath:
    """The circle, with a plus or minus sign in its middle that says where and which."""
    at, radius = pixel_of(ring.center, view), ring.radius * view.scale
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
