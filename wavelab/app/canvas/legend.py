"""The legend in the bottom margin: a bar of round length, and what the colours mean."""

from __future__ import annotations

import math

from wavelab.app.canvas.ink import Ink, faded, pen
from wavelab.app.canvas.painting import label_font, paint_label
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import (
    QFontMetricsF,
    QImage,
    QPainter,
    QPointF,
    QPolygonF,
    QRect,
    QRectF,
)
from wavelab.output.palette import palette_info, palette_table

#: Views smaller than this have no room for a legend.
SMALLEST_WIDTH, SMALLEST_HEIGHT = 480, 160
#: Distance of both bars from the edges, and the size of the colour bar, in logical pixels.
MARGIN = 12.0
COLOUR_BAR = (120.0, 8.0)
#: Room for the number at either end of the colour bar.
NUMBER_WIDTH = 60.0


def has_room(view: ViewTransform) -> bool:
    return view.width >= SMALLEST_WIDTH and view.height >= SMALLEST_HEIGHT


def paint_scale_bar(painter: QPainter, view: ViewTransform, ink: Ink) -> None:
    """A bar of round length with its number, in the lower left corner."""
    length = round_length(140.0 * view.pixel)
    left, right = MARGIN, MARGIN + length * view.scale
    base = view.height - MARGIN
    bracket = [(left, base - 6), (left, base), (right, base), (right, base - 6)]
    for stroke in (pen(ink.halo, 3.5), pen(faded(ink.line, 200), 1.5)):
        painter.setPen(stroke)
        painter.drawPolyline(QPolygonF([QPointF(*corner) for corner in bracket]))
    paint_label(painter, f"{length:g}", QPointF(right + 6, base), ink)


def paint_colour_bar(
    painter: QPainter, view: ViewTransform, ink: Ink, palette: str, limit: float, signed: bool
) -> None:
    """The palette with the numbers at its ends, in the lower right corner.

    A quantity without sign uses half of a diverging palette, so only that half is shown.
    """
    table = palette_table(palette)
    both_sides = palette_info(palette).diverging and signed
    if palette_info(palette).diverging and not signed:
        table = table[128:]
    table = table.copy()
    image = QImage(table.data, len(table), 1, 3 * len(table), QImage.Format_RGB888)
    width, height = COLOUR_BAR
    metrics = QFontMetricsF(label_font())
    top_text = f"{limit:.3g}"
    left = view.width - MARGIN - NUMBER_WIDTH + 6 - width
    bar = QRectF(left, view.height - MARGIN - height, width, height)
    painter.drawImage(bar, image)
    painter.setPen(pen(faded(ink.line, 90), 1.0))
    painter.drawRect(bar)
    base = bar.bottom()
    bottom_text = f"\u2212{top_text}" if both_sides else "0"
    start = bar.left() - 6 - metrics.horizontalAdvance(bottom_text)
    paint_label(painter, bottom_text, QPointF(start, base), ink)
    paint_label(painter, top_text, QPointF(bar.right() + 6, base), ink)


def colour_bar_area(view: ViewTransform) -> QRect:
    """The pixels that :func:`paint_colour_bar` may touch."""
    width = round(COLOUR_BAR[0] + 2 * NUMBER_WIDTH + 2 * MARGIN)
    return QRect(round(view.width) - width, round(view.height) - 36, width, 36)


def round_length(longest: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is at most ``longest``."""
    power = 10.0 ** math.floor(math.log10(longest))
    return max(m * power for m in (1.0, 2.0, 5.0) if m * power <= longest * (1 + 1e-9))
