"""Paints the labels that somebody wrote on a scene."""

from __future__ import annotations

import math

from wavelab.app.base.qt import QFont, QFontMetricsF, QPainter, QPainterPath, QPointF
from wavelab.app.canvas.overlay.ink import Ink, pen
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
    x, y = view.to_pixels(label.position).tolist()
    if label.to is not None:
        path = _arrow((x, y), *view.to_pixels([label.to]).tolist())
        painter.strokePath(path, pen(ink.halo, _HALO))
        painter.strokePath(path, pen(ink.line, _WIDTH))
    width = metrics.horizontalAdvance(label.text)
    left = x - width - _GAP if label.ends_at_position else x + (_GAP if label.to else 0.0)
    letters = QPainterPath()
    letters.addText(QPointF(left, y + metrics.capHeight() / 2), font, label.text)
    painter.strokePath(letters, pen(ink.letter_halo, _HALO))
    painter.fillPath(letters, ink.line)


def _arrow(start: tuple[float, float], end: list[float]) -> QPainterPath:
    """To a place, in pixels; the head alone where that is near."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down)
    path = QPainterPath()
    if length < 1.0:
        return path
    along, aside = (across / length, down / length), (-down / length, across / length)
    path.moveTo(*start)
    path.lineTo(*end)
    for side in (-_HALF_WIDTH, _HALF_WIDTH):
        path.moveTo(
            end[0] - _HEAD * along[0] + side * aside[0], end[1] - _HEAD * along[1] + side * aside[1]
        )
        path.lineTo(*end)
    return path
