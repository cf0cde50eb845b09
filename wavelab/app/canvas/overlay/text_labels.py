"""Paints the labels that somebody wrote on a scene."""

from __future__ import annotations

import math

from wavelab.app.base.qt import QFont, QFontMetricsF, QPainter, QPainterPath, QPointF
from wavelab.app.canvas.overlay.ink import Ink, pen
from wavelab.app.canvas.overlay.lines import arrow_path, pixel_of
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.scene.model.labels import TextLabel

#: Larger than the names of items, so that a class can read them.
PIXELS = 14
#: Between the letters and the arrow, and of the arrow's head, in pixels.
_GAP, _HEAD, _HALF_WIDTH = 5.0, 9.0, 4.0
_WIDTH, _HALO = 1.5, 4.0


def paint_text_label(painter: QPainter, label: TextLabel, view: ViewTransform, ink: Ink) -> None:
    """Letters with a halo, and a line with a head to what they speak of."""
    font = QFont()
    font.setPixelSize(PIXELS)
    metrics = QFontMetricsF(font)
    at = pixel_of(label.position, view)
    if label.to is not None:
        to = pixel_of(label.to, view)
        if math.hypot(to.x() - at.x(), to.y() - at.y()) >= 1.0:
            path = arrow_path(at, to, _HEAD, _HALF_WIDTH)
            painter.strokePath(path, pen(ink.halo, _HALO))
            painter.strokePath(path, pen(ink.line, _WIDTH))
    width = metrics.horizontalAdvance(label.text)
    right = _GAP if label.to else 0.0
    left = at.x() + (-width - _GAP if label.ends_at_position else right)
    letters = QPainterPath()
    letters.addText(QPointF(left, at.y() + metrics.capHeight() / 2), font, label.text)
    painter.strokePath(letters, pen(ink.letter_halo, _HALO))
    painter.fillPath(letters, ink.line)
