"""Curves in axes, which mouse and keys read, measure, move and enlarge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph
from numpy.typing import NDArray

from wavelab.app.base.qt import (
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
from wavelab.app.panels.plots.axes.axis import Axis
from wavelab.app.panels.plots.axes.cursor import PlotCursor
from wavelab.app.panels.plots.axes.curve import Array, Curve
from wavelab.app.panels.plots.axes.deeds import PlotDeeds
from wavelab.app.panels.plots.axes.figure import figure_of
from wavelab.app.panels.plots.axes.kept import KeptCurves
from wavelab.app.panels.plots.axes.keys import PlotKeys
from wavelab.app.panels.plots.axes.labels import PlotLabels
from wavelab.app.panels.plots.axes.menu import PlotMenu
from wavelab.app.panels.plots.axes.on_axes import Interval, home, keep_logarithms, on_axes, table_of
from wavelab.output.figures.figure import Figure
from wavelab.output.figures.style import Style

TIP = (
    "Point at the curve to read it; drag to measure from one place to another. Crests and troughs "
    "attract the pointer (Ctrl: they do not). The wheel enlarges; a double click shows all."
)


class Plot(pyqtgraph.PlotWidget):
    """Emits ``pointed(places)`` with the place along the axis that is pointed at, with both ends of
    what was measured, or with none; ``save_wished(plot)``, and ``figure_wished(plot)`` for a paper.

    Parameters
    ----------
    legend : whether the names of the curves stand over them.

    Attributes
    ----------
    moved : whether the user has moved or enlarged what is shown, which then stays as it is.
    kept : curves of before, drawn dashed beside those of now.
    deeds : what menu and keys do with them.
    curves : those of now, in numbers of the scene.
    placed : all that are shown, in places along the axes.
    picture : (height, width, 3) pixels that fill the axes in place of curves; None for none.
    home : from where to where the axes go that nobody has moved, in numbers of the scene.
    """

    pointed = Signal(tuple)
    save_wished = Signal(object)
    figure_wished = Signal(object)

    def __init__(self, theme: Theme, across: Axis, up: Axis, *, legend: bool = True) -> None:
        super().__init__(axisItems={"bottom": across, "left": up})
        self.across, self.up = across, up
        for axis in (across, up):
            axis.setZValue(-200)  # the grid lies below the curves
        self.moved = False
        self.theme, self._legend = theme, legend
        self.kept = KeptCurves()
        self.picture: NDArray[np.uint8] | None = None
        self.curves: tuple[Curve, ...] = ()
        self.placed: tuple[Curve, ...] = ()
        self.home: tuple[Interval, Interval] = ((0.0, 1.0), (0.0, 1.0))
        self._lines: list[pyqtgraph.PlotDataItem] = []
        self._image = pyqtgraph.ImageItem(axisOrder="row-major")
        self.addItem(self._image, ignoreBounds=True)
        self._cursor = PlotCursor(self)
        self.hideButtons()
        self.setMenuEnabled(False)
        unseen = self.getPlotItem().ctrlMenu  # pyqtgraph's; without a parent it outlives the window
        unseen.setParent(self, unseen.windowFlags())
        self.setFont(tabular_font(8))
        self._labels = PlotLabels(self)
        self.getPlotItem().layout.setContentsMargins(0, self._labels.row, 2 * GRID, 3)
        self.setSizePolicy(QtWidgets.QSizePolicy.Preferred, QtWidgets.QSizePolicy.Preferred)
        self.setMinimumHeight(12 * GRID)
        self.setMouseTracking(True)
        self.setCursor(Qt.CrossCursor)
        self.setToolTip(tr(TIP))
        self.setAccessibleName(tr("Plot"))
        self.deeds = PlotDeeds(self)
        self.menu = PlotMenu(self, self.deeds, self)
        room = self.getViewBox()
        self._keys = PlotKeys(
            room, self._cursor, self.deeds, tell=self._tell, moved=self._moved_by_hand,
            show_all=self.show_all,
        )  # fmt: skip
        room.sigRangeChangedManually.connect(self._moved_by_hand)
        self.set_theme(theme)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setBackground(theme.window)
        for part in (self.across, self.up, self._labels, self._cursor):
            part.set_theme(theme)
        self._draw()

    def color(self, index: int) -> QColor:
        """Of curve number ``index``."""
        return QColor(self.theme.probe_series[index % len(self.theme.probe_series)])

    def say(self, text: str) -> None:
        """Words in place of curves."""
        self._labels.say(said(text))
        self.getPlotItem().hide()
        self.curves = self.placed = ()
        self.picture = None
        self._draw()

    def show_curves(self, curves: Sequence[Curve], across: Interval, up: Interval) -> None:
        """Curves, in axes from one value to another unless the user has moved them."""
        self._image.hide()
        self.picture = None
        self._show(curves, across, up)

    def show_image(self, rgb: NDArray[np.uint8], across: Interval, up: Interval) -> None:
        """A picture (height, width, 3) that fills the axes; ``up`` is at its bottom and top."""
        (x0, x1), (y0, y1) = across, up
        self.picture = rgb
        self._image.setImage(rgb, levels=None)
        self._image.setRect(QRectF(x0, y1, x1 - x0, y0 - y1))
        self._image.show()
        self._show((), across, up)

    def show_all(self) -> None:
        """As if nobody had moved or enlarged it."""
        self.moved = False
        self._show(self.curves, *self.home)

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
        return self._cursor.reading(self.placed, self.across, self.up)

    def table(self) -> tuple[list[str], list[Array]]:
        """Names of columns, and those; see :func:`table_of`."""
        return table_of(self._every, self.across, self.up)

    def figure(self, style: Style, title: str = "") -> Figure:
        """What is on show."""
        return figure_of(self, style, title)

    def set_log(self, axis: Axis, log: bool) -> None:
        """A logarithmic axis, or not; nothing is moved or measured then."""
        axis.set_log(log)
        self.forget()
        self._show(self.curves, *self.home)

    def show_kept(self) -> None:
        """Others are kept."""
        self._place()
        self._draw()

    @property
    def _every(self) -> list[Curve]:
        """Those of now, and those of before whose numbers mean the same."""
        return [*self.curves, *(self.kept.shown(self.across, self.up) if self.curves else ())]

    def _place(self) -> None:
        self.placed = on_axes(self._every, self.across, self.up)

    def _show(self, curves: Sequence[Curve], across: Interval, up: Interval) -> None:
        self._labels.say("")
        self.getPlotItem().show()
        self.curves, self.home = tuple(curves), (across, up)
        keep_logarithms(self.curves, self.across, self.up)
        self._place()
        if not self.moved:
            self.getViewBox().invertY(up[1] < up[0])
            across, up = home(self.placed, self.across, self.up, across, up)
            self.setRange(xRange=across, yRange=sorted(up), padding=0)
        self._draw()

    def _draw(self) -> None:
        room = self.getViewBox()
        (low, high), _ = room.viewRange()
        drawn = [(curve, sign) for curve in self.placed for sign in curve.signs]
        while len(self._lines) < len(drawn):
            self._lines.append(self.plot())
        for line in self._lines[len(drawn) :]:
            line.setData([], [])
        for line, (curve, sign) in zip(self._lines, drawn, strict=False):
            x, y = curve.shown(low, high, max(1, int(room.width())))
            colour = self.color(curve.colour)
            pen = pyqtgraph.mkPen(colour, style=Qt.DashLine if curve.kept else Qt.SolidLine)
            line.setData(
                x, sign * y, pen=pen, antialias=True, symbol="o" if curve.dots else None,
                symbolSize=6, symbolPen=None, symbolBrush=colour,
            )  # fmt: skip
        self._draw_cursor()

    def _draw_cursor(self) -> None:
        """What is read off, and the names of the curves over them."""
        colours = [self.color(curve.colour) for curve in self.placed]
        self._cursor.show(self.placed, colours)
        names = [
            (colour, said(self.named(curve)))
            for curve, colour in zip(self.placed, colours, strict=True)
            if self._legend or curve.kept
        ]
        self._labels.show_over(names, said(self.reading), int(self.up.width()))

    def _tell(self) -> None:
        self.pointed.emit(tuple(self.across.number(place) for place in self._cursor.places))
        self._draw_cursor()

    # By hand

    def _moved_by_hand(self, *_: object) -> None:
        self.moved = True
        self._draw()

    def _along(self, event: QtGui.QMouseEvent) -> float | None:
        attract = not event.modifiers() & Qt.ControlModifier
        return self._cursor.along(self.placed, event.pos(), attract=attract)

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
