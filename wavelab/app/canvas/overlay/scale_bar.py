"""A bar of round length in the lower left corner, where the fitted scene leaves a margin."""

from __future__ import annotations

import math

from wavelab.app.base import measures
from wavelab.app.base.qt import QPainter, QPointF, QPolygonF
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.overlay.lines import paint_label
from wavelab.app.canvas.view_transform import ViewTransform

#: Views smaller than this have no room for the bar.
SMALLEST_WIDTH, SMALLEST_HEIGHT = 240, 120
#: Distance of the bar from the edges, in logical pixels.
MARGIN = 12.0


def has_room(view: ViewTransform) -> bool:
    return view.width >= SMALLEST_WIDTH and view.height >= SMALLEST_HEIGHT


def paint_scale_bar(painter: QPainter, view: ViewTransform, ink: Ink) -> None:
    """The bar with its number."""
    length = round_length(140.0 * view.pixel)
    left, right = MARGIN, MARGIN + length * view.scale
    base = view.height - MARGIN
    bracket = [(left, base - 6), (left, base), (right, base), (right, base - 6)]
    for stroke in (pen(ink.halo, 3.5), pen(faded(ink.line, 200), 1.5)):
        painter.setPen(stroke)
        painter.drawPolyline(QPolygonF([QPointF(*corner) for corner in bracket]))
    paint_label(painter, measures.length(length, "{:g}".format), QPointF(right + 6, base), ink)


def round_length(longest: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is at most ``longest``."""
    power = 10.0 ** math.floor(math.log10(longest))
    return max(m * power for m in (1.0, 2.0, 5.0) if m * power <= longest * (1 + 1e-9))
