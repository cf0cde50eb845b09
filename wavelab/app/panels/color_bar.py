"""The colour scale with the numbers at its ends."""

from __future__ import annotations

import math

import numpy as np

from wavelab.app.panels.numbers import MINUS, power_of_ten, three_figures
from wavelab.app.qt import QImage, QPainter, QRectF, Qt, QtWidgets, painting
from wavelab.app.theme import GRID, tabular_font
from wavelab.output.palette import palette_info, palette_table
from wavelab.physics.resolution import ERROR_DECADES, ERROR_FLOOR


class ColorBar(QtWidgets.QWidget):
    """A strip of the palette; below it zero and the limits."""

    def __init__(self) -> None:
        super().__init__()
        self.setFont(tabular_font(8))
        self.setFixedHeight(2 * GRID + self.fontMetrics().height())
        self._palette = "berlin"
        self._limit = 1.0
        self._decades = False

    def show_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def show_decades(self, decades: bool) -> None:
        """The logarithmic scale of the error estimate, or a plain one."""
        self._decades = decades
        self.update()

    def show_limit(self, limit: float) -> None:
        # A change below the three figures written would be a repaint for nothing.
        if three_figures(limit) != three_figures(self._limit):
            self._limit = limit
            self.update()

    def labels(self) -> tuple[str, str, str]:
        """Text at the left end, in the middle and at the right end."""
        if self._decades:
            middle = power_of_ten(round(math.log10(ERROR_FLOOR) + ERROR_DECADES / 2))
            return power_of_ten(round(math.log10(ERROR_FLOOR))), middle, "1"
        limit = three_figures(self._limit)
        if palette_info(self._palette).diverging:
            return MINUS + limit, "0", "+" + limit
        return "0", "", limit

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        table = np.ascontiguousarray(palette_table(self._palette))
        strip = QImage(table.data, 256, 1, 768, QImage.Format_RGB888)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        painter.drawImage(QRectF(0, 0, self.width(), 1.25 * GRID), strip)
        below = QRectF(0, 1.5 * GRID, self.width(), self.height() - 1.5 * GRID)
        painter.setPen(self.palette().placeholderText().color())
        alignments = (Qt.AlignLeft, Qt.AlignHCenter, Qt.AlignRight)
        for text, alignment in zip(self.labels(), alignments, strict=True):
            painter.drawText(below, int(alignment | Qt.AlignVCenter), text)
