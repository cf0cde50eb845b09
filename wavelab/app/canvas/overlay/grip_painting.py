"""Handles of a shape, as small marks of their kind."""

from __future__ import annotations

from wavelab.app.base.qt import QColor, QPainter, QPainterPath, QPointF, QRectF
from wavelab.app.canvas.overlay.ink import Ink, pen
from wavelab.app.tools.tool import Grip

#: Half the size of a mark, in logical pixels, and of the one under the pointer.
SIZE, HOT_SIZE = 4.0, 5.5


def paint_grip(painter: QPainter, grip: Grip, at: QPointF, ink: Ink) -> None:
    """Round where an edge can be bowed, square at corners and radii, a cross for all of it."""
    size = HOT_SIZE if grip.hot else SIZE
    box = QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size)
    path = QPainterPath()
    if grip.kind == "move":
        for dx, dy in ((1.6 * size, 0.0), (0.0, 1.6 * size)):
            path.moveTo(at - QPointF(dx, dy))
            path.lineTo(at + QPointF(dx, dy))
    elif grip.kind == "bow":
        path.addEllipse(box)
    else:
        path.addRect(box)
    painter.strokePath(path, pen(ink.halo, 4.0))
    if grip.kind != "move":
        painter.fillPath(path, ink.accent if grip.hot else QColor(*ink.quiet))
    painter.strokePath(path, pen(ink.accent, 1.6))
