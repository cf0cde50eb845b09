"""The colour scale with the numbers at its ends."""

from __future__ import annotations

import math

import numpy as np

from wavelab.app.base import measures
from wavelab.app.base.images import image_of
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import (
    QApplication,
    QImage,
    QPainter,
    QRectF,
    Qt,
    QtGui,
    QtWidgets,
    painting,
)
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.figure import on_clipboard, table_text
from wavelab.output.figures.color_scale import BarFigure, ColorScale
from wavelab.output.figures.png import rendered
from wavelab.output.figures.style import Style
from wavelab.output.numbers import MINUS, power_of_ten
from wavelab.output.palette import palette_info, palette_table
from wavelab.scene.view.quantities import ERROR_DECADES, ERROR_FLOOR

TICKS_TIP = "Logarithmic: a tick for each power of ten below full colour"
LEVELS_TIP = "Logarithmic: a tick every {step} dB below full colour"


class ColorBar(QtWidgets.QWidget):
    """A strip of the palette; below it zero and the limits.

    On a logarithmic scale the strip has a tick at each power of ten below the limits, and what lies
    below the last one has the colour of quiet.
    """

    def __init__(self) -> None:
        super().__init__()
        self.set_letters(8)
        self._palette = "berlin"
        self._limit = 1.0
        self._decades: int | None = None
        self._of_error = False
        self._decibels = 0
        self._dimension = ""
        self._label = ""
        self.menu = QtWidgets.QMenu(self)
        self.menu.addAction(tr("Copy picture"), self.copy_picture)
        self.menu.addAction(tr("Copy colours and values"), self.copy)

    @property
    def scale(self) -> ColorScale:
        """What the colours stand for."""
        decades = round(ERROR_DECADES) if self._of_error else self._decades
        return ColorScale(
            self._label, self._palette, self._limit, decades, self._decibels, self._of_error
        )

    def show_label(self, text: str) -> None:
        """What it is of, in a picture of it."""
        self._label = text

    def copy(self) -> None:
        """Each value with its colour, for a spreadsheet."""
        QApplication.clipboard().setText(table_text(*self.scale.table()))

    def copy_picture(self) -> None:
        """The bar as in a figure, as pixels and as lines."""
        figure = BarFigure(self.scale, Style())
        picture = image_of(rendered(figure.drawing()))
        QApplication.clipboard().setMimeData(on_clipboard(figure, picture))

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def set_letters(self, points: float) -> None:
        """How large the numbers are."""
        self.setFont(tabular_font(points))
        self.setFixedHeight(2 * GRID + 2 + self.fontMetrics().height())

    def show_palette(self, name: str) -> None:
        self._palette = name
        self.update()

    def show_scale(
        self,
        decades: int | None,
        *,
        of_error: bool = False,
        decibels: int = 0,
        dimension: str = "",
    ) -> None:
        """A logarithmic scale, a linear one, or that of the error estimate.

        Parameters
        ----------
        decibels : in a power of ten, where levels are told in place of values; else 0.
        dimension : of lengths, times or frequencies, which have the units of the scene.
        """
        self._dimension = dimension
        self._decades, self._of_error, self._decibels = decades, of_error, decibels
        tip = tr(LEVELS_TIP, step=decibels) if decibels else tr(TICKS_TIP)
        self.setToolTip("" if decades is None else tip)
        self.update()

    def show_limit(self, limit: float) -> None:
        # A change below the three figures written would be a repaint for nothing.
        if three_figures(limit) != three_figures(self._limit):
            self._limit = limit
            self.update()

    def labels(self) -> tuple[str, str, str]:
        """Text at the left end, in the middle and at the right end."""
        if self._of_error:
            middle = power_of_ten(round(math.log10(ERROR_FLOOR) + ERROR_DECADES / 2))
            return power_of_ten(round(math.log10(ERROR_FLOOR))), middle, "1"
        limit = self._written(self._limit)
        diverging = palette_info(self._palette).diverging
        if self._decades is not None:
            least = self._written(self._limit * 10.0**-self._decades)
            if self._decibels:
                level = f"{MINUS}{self._decades * self._decibels} dB"
                return (MINUS + limit, level, "+" + limit) if diverging else (level, "", limit)
            if diverging:
                return MINUS + limit, f"\u00b1{least}", "+" + limit
            return least, "", limit
        if diverging:
            return MINUS + limit, "0", "+" + limit
        return "0", "", limit

    def _written(self, value: float) -> str:
        if not self._dimension:
            return three_figures(value)
        return measures.written().of(self._dimension, value)

    def ticks(self) -> list[float]:
        """Where the powers of ten below the limits are, 0 at the left end and 1 at the right."""
        if self._decades is None:
            return []
        parts = [i / self._decades for i in range(self._decades + 1)]
        if not palette_info(self._palette).diverging:
            return parts
        return [*(0.5 - part / 2 for part in parts[:0:-1]), *(0.5 + part / 2 for part in parts)]

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        table = np.ascontiguousarray(palette_table(self._palette))
        strip = QImage(table.data, 256, 1, 768, QImage.Format_RGB888)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        painter.drawImage(QRectF(0, 0, self.width(), 1.25 * GRID), strip)
        painter.setPen(self.palette().placeholderText().color())
        for part in self.ticks():
            x = round(part * (self.width() - 1))
            painter.drawLine(x, round(1.25 * GRID), x, round(1.75 * GRID))
        below = QRectF(0, 1.75 * GRID, self.width(), self.height() - 1.75 * GRID)
        painter.setPen(self.palette().placeholderText().color())
        alignments = (Qt.AlignLeft, Qt.AlignHCenter, Qt.AlignRight)
        for text, alignment in zip(self.labels(), alignments, strict=True):
            painter.drawText(below, int(alignment | Qt.AlignVCenter), text)
