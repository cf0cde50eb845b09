"""A far field as a polar plot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph

from wavelab.app.base.qt import (
    QApplication,
    QColor,
    QEvent,
    QPainter,
    QPen,
    QPointF,
    QRectF,
    Qt,
    QtGui,
    QtWidgets,
    Signal,
    painting,
)
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.figure import on_clipboard, table_text
from wavelab.arrays import Array
from wavelab.output.figures.figure import Figure
from wavelab.output.figures.polar import FarField, PolarChart, part_of_radius
from wavelab.output.figures.style import Style

#: Directions get spokes every so many degrees, and labels where there is room.
_SPOKE = 30
#: Rings are labelled along this direction, between two spokes.
_LABELS_AT = 75.0
#: Where no more pixels than these are left beside the names of the curves it lies below them.
_NARROW = 22 * GRID


class PolarPlot(QtWidgets.QWidget):
    """Emits ``save_wished(plot)`` and ``figure_wished(plot)``.

    Parameters
    ----------
    color : of a frequency, by its number.
    """

    save_wished = Signal(object)
    figure_wished = Signal(object)

    def __init__(self, theme: Theme, color: Callable[[int], QColor]) -> None:
        super().__init__()
        self._theme, self._color = theme, color
        self._field: FarField | None = None
        self.setFont(tabular_font(8))
        self.menu = QtWidgets.QMenu(self)
        self.menu.addAction(tr("Copy numbers\tCtrl+C"), self.copy)
        self.menu.addAction(tr("Copy picture\tCtrl+Shift+C"), self.copy_picture)
        self.menu.addSeparator()
        self.menu.addAction(tr("Save plot\u2026"), lambda: self.save_wished.emit(self))
        self.menu.addAction(tr("Export figure\u2026"), lambda: self.figure_wished.emit(self))
        self.setFocusPolicy(Qt.ClickFocus)

    def show_field(self, field: FarField) -> None:
        self._field = field
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def figure(self, style: Style, title: str = "") -> Figure:
        """What is on show."""
        assert self._field is not None
        return PolarChart(title, self._field, style)

    def table(self) -> tuple[list[str], list[Array]]:
        """Names of columns, and those: angles, and sizes at each frequency."""
        return self.figure(Style()).table()

    def copy(self) -> None:
        """The table, for a spreadsheet."""
        if self._field is not None:
            QApplication.clipboard().setText(table_text(*self.table()))

    def copy_picture(self) -> None:
        """What is on show, as pixels and as lines."""
        if self._field is not None:
            mime = on_clipboard(self.figure(Style(ground=self._theme.name)), self.grab().toImage())
            QApplication.clipboard().setMimeData(mime)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ShortcutOverride and self._deed(event) is not None:
            event.accept()  # the window has other uses for them
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        deed = self._deed(event)
        if deed is None:
            event.ignore()
        else:
            deed()

    def _deed(self, event: QtGui.QKeyEvent) -> Callable[[], None] | None:
        control, shift = int(Qt.ControlModifier), int(Qt.ShiftModifier)
        deeds = {control: self.copy, control | shift: self.copy_picture}
        return deeds.get(int(event.modifiers())) if event.key() == Qt.Key_C else None

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            if self._field is not None:
                self._draw(painter, self._field, QRectF(self.rect()))

    def _draw(self, painter: QPainter, field: FarField, room: QRectF) -> None:
        metrics = painter.fontMetrics()
        names = [field.unit, *field.names]
        legend = QRectF(room.adjusted(GRID, 2, 0, 0))
        legend.setWidth(max(metrics.horizontalAdvance(name) for name in names) + 4)
        polar = room.adjusted(legend.width() + GRID, 0, 0, 0)
        if polar.width() < _NARROW:
            polar = room.adjusted(0, len(names) * metrics.height(), 0, 0)
        self._name_frequencies(painter, field, legend)
        self._draw_polar(painter, field, polar)

    def _draw_polar(self, painter: QPainter, field: FarField, room: QRectF) -> None:
        row = painter.fontMetrics().height()
        radius = min(room.width() / 2 - 4 * GRID, room.height() / 2 - row - 4)
        if radius < 3 * GRID:
            return
        center = room.center()
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setBrush(Qt.NoBrush)
        line, text = QColor(self._theme.border), QColor(self._theme.muted)
        painter.setPen(line)
        for value, _ in field.rings:
            r = radius * part_of_radius(field, value)
            painter.drawEllipse(center, r, r)
        painter.drawEllipse(center, radius, radius)
        labelled = _SPOKE if radius > 7 * GRID else 3 * _SPOKE
        for degrees in range(0, 360, _SPOKE):
            way = QPointF(np.cos(np.radians(degrees)), -np.sin(np.radians(degrees)))
            painter.setPen(line)
            painter.drawLine(center, center + radius * way)
            if degrees % labelled == 0:
                at = center + (radius + row * 0.95) * way
                painter.setPen(text)
                box = QRectF(at.x() - 24, at.y() - row / 2, 48, row)
                painter.drawText(box, int(Qt.AlignCenter), f"{degrees}\u00b0")
        angle = np.radians(field.angle)
        for i, size in reversed(list(enumerate(field.size))):
            r = radius * part_of_radius(field, size)
            painter.setPen(QPen(self._color(i), 1.6))
            x, y = center.x() + r * np.cos(angle), center.y() - r * np.sin(angle)
            painter.drawPath(pyqtgraph.arrayToQPath(x, y))
        self._label_rings(painter, field, center, radius)

    def _label_rings(
        self, painter: QPainter, field: FarField, center: QPointF, radius: float
    ) -> None:
        """Over the curves, each on a patch of the background."""
        metrics = painter.fontMetrics()
        way = np.radians(_LABELS_AT)
        last = 1e9
        for value, label in reversed(field.rings):
            r = radius * part_of_radius(field, value)
            width, height = metrics.horizontalAdvance(label) + 4, metrics.height() - 2
            # Rings too near to each other for their labels: one of them speaks.
            if r < GRID or last - r < height:
                continue
            last = min(r, radius - height / 2)  # inside: without are the directions
            at = center + last * QPointF(np.cos(way), -np.sin(way))
            box = QRectF(at.x() - width / 2, at.y() - height / 2, width, height)
            patch = QColor(self._theme.window)
            patch.setAlpha(215)
            painter.fillRect(box, patch)
            painter.setPen(QColor(self._theme.text))
            painter.drawText(box, int(Qt.AlignCenter), label)

    def _name_frequencies(self, painter: QPainter, field: FarField, room: QRectF) -> None:
        """What is drawn, and below it each frequency in the colour of its curve."""
        row = painter.fontMetrics().height()
        lines = [(field.unit, QColor(self._theme.muted))]
        lines += [(name, self._color(i)) for i, name in enumerate(field.names)]
        most = max(2, int(room.height() / row))
        if len(lines) > most:
            lines = [*lines[: most - 1], ("\u2026", QColor(self._theme.muted))]
        for i, (text, colour) in enumerate(lines):
            painter.setPen(colour)
            place = QRectF(room.left(), room.top() + i * row, room.width(), row)
            painter.drawText(place, int(Qt.AlignLeft | Qt.AlignVCenter), text)
