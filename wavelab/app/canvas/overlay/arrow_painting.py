"""Arrows over the field in the window; those of pictures are drawn by ``wavelab.output.arrows``."""

from __future__ import annotations

from wavelab.app.base.qt import QLineF, QPainter
from wavelab.app.canvas.overlay.ink import Ink, faded, pen
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.output.arrows import RIM, THICK, Arrows, strokes


def paint_arrows(
    painter: QPainter, arrows: Arrows, longest: float, view: ViewTransform, ink: Ink
) -> None:
    """Those that are in view; ``longest`` is the size of the vector with the longest arrow."""
    lines = strokes(arrows, longest, view.scale).reshape(-1, 4) + [*view.to_pixels((0, 0))] * 2
    drawn = [QLineF(*ends) for ends in lines.tolist()]
    spacing = arrows.spacing * view.scale
    width = max(THICK * spacing, 1.0)
    painter.setPen(pen(faded(ink.halo, 150), width + 2 * max(RIM * spacing, 0.8)))
    painter.drawLines(drawn)
    painter.setPen(pen(ink.line, width))
    painter.drawLines(drawn)
