"""Curves in axes, which mouse and keys read, measure, move and enlarge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph
from numpy.typing import NDArray

from wavelab.app.base.qt import (
    QApplication,
    QColor,
    QEvent,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QtGui,
    QtWidgets,
    Signal,
)
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.app.panels.plots.axis import Axis
from wavelab.app.panels.plots.curve import Array, Curve, table
from wavelab.app.panels.plots.plot_cursor import PlotCursor
from wavelab.app.panels.plots.plot_keys import PlotKeys

TIP = (
    "Point at the curve to read it; drag to measure from one place to another. Crests and troughs "
    "attract the pointer (Ctrl: they do not). The wheel enlarges; a double click shows all."
)

Interval = tuple[float, float]


class Plot(pyqtgraph.PlotWidget):
    """Emits ``pointed(places)`` with the place along the axis that is pointed at, with both ends of
    what was measured, or with none; ``save_wished(plot)`` when it is to be saved.

    Parameters
    ----------
    legend : whether the names of the curves stand over them.

    Attributes
    ----------
    moved : whether the user has moved or enlarged what is shown, which then stays as it is.
    """

    pointed = Signal(tuple)
    save_wished = Signal(object)

    def __init__(self, theme: Theme, across: Axis, up: Axis, *, legend: bool = True) -> None:
        super().__init__(axisItems={"bottom": across, "left": up})
        self.across, self.up = across, up
        for axis in (across, up):
            axis.setZValue(-200)  # the grid lies below the curves
        self.moved = False
        self._theme, self._legend = theme, legend
        self._curves: tuple[Curve, ...] = ()
        self._home: tuple[Interval, Interval] = ((0.0, 1.0), (0.0, 1.0))
        self._lines: list[pyqtgraph.PlotDataItem] = []
        self._image = pyqtgraph.ImageItem(axisOrder="row-major")
        self.addItem(self._image, ignoreBounds=True)
        self._cursor = PlotCursor(self)
        self.hideButtons()
        self.setMenuEnabled(False)
        unseen = self.getPlotItem().ctrlMenu  # pyqtgraph's; without a parent it outlives the window
        unseen.setParent(self, unseen.windowFlags())
        self.setFont(tabular_font(8))
        self._row = self.fontMetrics().height() + 2
        self.getPlotItem().layout.setContentsMargins(0, self._row, 2 * GRID, 3)
        self._words, self._read, self._names = (QtWidgets.QLabel(self) for _ in range(3))
        for label in (self._words, self._read, self._names):
            label.setAttribute(Qt.WA_TransparentForMouseEvents)
            label.setFont(self.font())
        self._words.setFont(QApplication.font())
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignCenter)
        self._read.setTextFormat(Qt.PlainText)
        self.setSizePolicy(QtWidgets.QSizePolicy.Preferred, QtWidgets.QSizePolicy.Preferred)
        self.setMinimumHeight(12 * GRID)
        self.setMouseTracking(True)
        self.setCursor(Qt.CrossCursor)
        self.setToolTip(tr(TIP))
        self.setAccessibleName(tr("Plot"))
        self.menu = QtWidgets.QMenu(self)
        self.menu.addAction(tr("Show all\tHome"), self.show_all)
        self.menu.addAction(tr("Copy numbers\tCtrl+C"), self.copy)
        self.menu.addAction(tr("Save plot\u2026"), lambda: self.save_wished.emit(self))
        room = self.getViewBox()
        self._keys = PlotKeys(
            room, self._cursor, tell=self._tell, moved=self._moved_by_hand,
            show_all=self.show_all, copy=self.copy,
        )  # fmt: skip
        room.sigRangeChangedManually.connect(self._moved_by_hand)
        self.set_theme(theme)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setBackground(theme.window)
        self.across.set_theme(theme)
        self.up.set_theme(theme)
        self._words.setStyleSheet(f"color: {theme.muted}")
        self._read.setStyleSheet(f"color: {theme.text}")
        self._cursor.set_theme(theme)
        self._draw()

    def color(self, index: int) -> QColor:
        """Of curve number ``index``."""
        return QColor(self._theme.probe_series[index % len(self._theme.probe_series)])

    def say(self, text: str) -> None:
        """Words in place of curves."""
        self._words.setText(said(text))
        self._words.show()
        self.getPlotItem().hide()
        self._curves = ()
        self._draw()

    def show_curves(self, curves: Sequence[Curve], across: Interval, up: Interval) -> None:
        """Curves, in axes from one value to another unless the user has moved them."""
        self._image.hide()
        self._show(curves, across, up)

    def show_image(self, rgb: NDArray[np.uint8], across: Interval, up: Interval) -> None:
        """A picture (height, width, 3) that fills the axes; ``up`` is at its bottom and top."""
        (x0, x1), (y0, y1) = across, up
        self._image.setImage(rgb, levels=None)
        self._image.setRect(QRectF(x0, y1, x1 - x0, y0 - y1))
        self._image.show()
        self._show((), across, up)

    def show_all(self) -> None:
        """As if nobody had moved or enlarged it."""
        self.moved = False
        self._show(self._curves, *self._home)

    def forget(self) -> None:
        """Nothing is pointed at, and nothing was measured or moved."""
        self.moved = False
        self._cursor.forget()
        self._tell()

    def named(self, curve: Curve) -> str:
        """In the legend."""
        return curve.name

    def pixel(self, along: float, height: float) -> QPoint:
        """Of a point."""
        return self._cursor.pixel(along, height)

    @property
    def reading(self) -> str:
        """What is pointed at, or was measured, in words; "" where that is nothing."""
        return self._cursor.reading(self._curves, self.across, self.up)

    def table(self) -> tuple[list[str], list[Array]]:
        """Names of columns, and those; see :func:`table`."""
        places, heights = table(self._curves)
        names = [self.across.text, *(curve.name for curve in self._curves)]
        return names, [self.across.value(places), *map(self.up.value, heights)]

    def copy(self) -> None:
        """The table, for a spreadsheet."""
        names, columns = self.table()
        rows = zip(*(column.tolist() for column in columns), strict=True)
        lines = ["\t".join(names), *("\t".join(map(repr, row)) for row in rows)]
        QApplication.clipboard().setText("\n".join(lines) + "\n")

    def _show(self, curves: Sequence[Curve], across: Interval, up: Interval) -> None:
        self._words.hide()
        self.getPlotItem().show()
        self._curves, self._home = tuple(curves), (across, up)
        if not self.moved:
            self.getViewBox().invertY(up[1] < up[0])
            self.setRange(xRange=across, yRange=sorted(up), padding=0)
        self._draw()

    def _draw(self) -> None:
        room = self.getViewBox()
        (low, high), _ = room.viewRange()
        drawn = [(curve, sign) for curve in self._curves for sign in curve.signs]
        while len(self._lines) < len(drawn):
            self._lines.append(self.plot())
        for line in self._lines[len(drawn) :]:
            line.setData([], [])
        for line, (curve, sign) in zip(self._lines, drawn, strict=False):
            x, y = curve.shown(low, high, max(1, int(room.width())))
            colour = self.color(curve.colour)
            line.setData(
                x, sign * y, pen=colour, antialias=True, symbol="o" if curve.dots else None,
                symbolSize=6, symbolPen=None, symbolBrush=colour,
            )  # fmt: skip
        self._draw_cursor()

    def _draw_cursor(self) -> None:
        """What is read off, and the names of the curves over them."""
        colours = [self.color(curve.colour) for curve in self._curves]
        self._cursor.show(self._curves, colours)
        self._read.setText(said(self.reading))
        names = [
            f'<span style="color:{colour.name()}">{said(self.named(curve))}</span>'
            for curve, colour in zip(self._curves, colours, strict=True)
        ]
        self._names.setText("&nbsp;&nbsp;".join(names) if self._legend else "")
        left, right = int(self.up.width()), self.width() - 2 * GRID
        wide = min(right - left, self._names.sizeHint().width())
        read = self._read.sizeHint().width() if self._read.text() else 0
        # What is read names the curves itself: it may take their room, and that of the axis.
        named = left + read + GRID <= right - wide
        self._names.setVisible(named or not read)
        self._names.setGeometry(right - wide, 0, wide, self._row)
        start = left if named else max(0, min(left, right - read))
        self._read.setGeometry(start, 0, max(0, right - start), self._row)
        self._words.setGeometry(self.rect().adjusted(2 * GRID, 0, -2 * GRID, 0))

    def _tell(self) -> None:
        self.pointed.emit(self._cursor.places)
        self._draw_cursor()

    # By hand

    def _moved_by_hand(self, *_: object) -> None:
        self.moved = True
        self._draw()

    def _along(self, event: QtGui.QMouseEvent) -> float | None:
        attract = not event.modifiers() & Qt.ControlModifier
        return self._cursor.along(self._curves, event.pos(), attract=attract)

    # Qt

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ShortcutOverride and self._keys.deed(event) is not None:
            event.accept()  # the window has other uses for some of the keys
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        deed = self._keys.deed(event)
        if deed is None:
            event.ignore()
        else:
            deed()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.LeftButton and not event.modifiers() & Qt.ShiftModifier:
            self._cursor.press(self._along(event), event.x())
            self._tell()
        elif event.button() != Qt.RightButton:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if not self._cursor.pressed and event.buttons() != Qt.NoButton:
            super().mouseMoveEvent(event)
            return
        self._cursor.move(self._along(event), event.x())
        self._tell()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._cursor.pressed and event.button() == Qt.LeftButton:
            self._cursor.release()
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.show_all()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._cursor.leave()
        self._tell()

    def sizeHint(self) -> QSize:
        return QSize()  # what there is room for

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "menu"):  # pyqtgraph resizes while it is being made
            self._draw()
