"""The field along a line of receivers, over the way along it, where positions can be read off."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base.numbers import rounded_up, three_figures
from wavelab.app.base.qt import (
    QColor,
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
from wavelab.app.panels.plots.axes import Axes
from wavelab.app.panels.plots.curve import Curve
from wavelab.simulation.records.profiles import Profile

Array = NDArray[np.float64]

#: A pointer this near to a crest, in logical pixels, means it.
SNAP_PIXELS = 14.0
#: A press that has gone no further than this is a click.
_CLICK_PIXELS = 3.0
#: The axis shrinks once so small a part of it would do, so that it seldom changes.
_SHRINK = 0.4
#: What is smaller is rounding, of whatever wave.
_REST = 1e-30
_NAMES = {"ez": "Ez", "hx": "Hx", "hy": "Hy"}
TIP = (
    "Point at the curve to read it; drag to measure from one place to another. Crests and troughs "
    "attract the pointer (Ctrl: they do not)."
)


class ProfilePlot(QtWidgets.QWidget):
    """The field now with its amplitude, or the mean of its square.

    Emits ``pointed(points)`` with the place of the line that is pointed at, with all points of the
    stretch that was measured, or with none.

    Attributes
    ----------
    quantity : which field the line records.
    squared : whether the mean of the square is drawn.
    axes : those drawn last; None where nothing is.
    """

    pointed = Signal(tuple)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.quantity, self.squared = "ez", False
        self._profile: Profile | None = None
        self._live: Array | None = None
        self._height = 0.0
        self.axes: Axes | None = None
        self._at: float | None = None
        self._begin: tuple[float, float] | None = None  #: the place, and the pixel across
        self._span: tuple[float, float] | None = None
        self.setMinimumHeight(12 * GRID)
        self.setFont(tabular_font(8))
        self.setMouseTracking(True)
        self.setCursor(Qt.CrossCursor)
        self.setToolTip(TIP)

    def begin(self, quantity: str, *, squared: bool) -> None:
        """Another line, or another way to draw it."""
        if quantity != self.quantity or squared != self.squared:
            self._height = 0.0
        self.quantity, self.squared = quantity, squared
        self.update()

    def forget(self) -> None:
        """Nothing is known of the line that is looked at now."""
        self._profile = self._live = self.axes = None
        self._height = 0.0
        self._at = self._begin = self._span = None
        self._tell()
        self.update()

    def show_profile(self, profile: Profile | None) -> None:
        self._profile = profile
        self.update()

    def show_live(self, values: Array | None) -> None:
        """The field (p,) of the picture on show; None where that shows something else."""
        self._live = values
        if not self.squared:
            self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @property
    def reading(self) -> str:
        """What is pointed at, or was measured, in words; "" where that is nothing."""
        known = self._profile
        if known is None:
            return ""
        if self._span is not None:
            start, end = self._span
            return (
                f"{three_figures(abs(end - start))} from {three_figures(start)} "
                f"to {three_figures(end)}"
            )
        if self._at is None:
            return ""
        parts = [
            f"{curve.name} {three_figures(curve.at(self._at))}" for curve in self._curves(known)
        ]
        return f"at {three_figures(self._at)}: {', '.join(parts)}"

    # Qt

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._at = self._place(event)
        if self._begin is not None and self._at is not None:
            start, pixel = self._begin
            moved = self._span is not None or abs(event.x() - pixel) > _CLICK_PIXELS
            self._span = (start, self._at) if moved else None
        self._tell()
        self.update()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.LeftButton:
            return
        self._span = None
        self._at = self._place(event)
        self._begin = (self._at, event.x()) if self._at is not None else None
        self._tell()
        self.update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.LeftButton:
            self._begin = None

    def leaveEvent(self, event: object) -> None:
        self._at = self._begin = None
        self._tell()
        self.update()

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            known = self._profile
            if known is None or len(known.along) < 3:
                painter.setPen(QColor(self._theme.muted))
                painter.setFont(QtWidgets.QApplication.font())
                text = "Nothing recorded yet, or fewer than three receivers."
                painter.drawText(self.rect(), int(Qt.AlignCenter | Qt.TextWordWrap), text)
                return
            self._paint(painter, known)

    def _paint(self, painter: QPainter, known: Profile) -> None:
        axes = self._axes(painter, known)
        self.axes = axes if axes.usable else None
        if not axes.usable:
            return
        axes.draw("along the line (length units)", self._label)
        self._paint_span(painter, axes)
        for curve in self._curves(known):
            painter.setPen(QPen(curve.colour, 1.5))
            axes.curve(known.along, curve.drawn)
            if curve.root:
                axes.curve(known.along, -curve.drawn)
        if self._at is not None:
            self._paint_cursor(painter, axes, known, self._at)
        self._paint_words(painter, axes, known)

    def _paint_span(self, painter: QPainter, axes: Axes) -> None:
        if self._span is None:
            return
        accent = QColor(self._theme.accent)
        across, _ = axes.place(np.array(sorted(self._span)), np.zeros(2))
        left, right = across.tolist()
        band = QColor(accent)
        band.setAlpha(40)
        frame = axes.frame
        painter.fillRect(QRectF(left, frame.top(), right - left, frame.height()), band)
        painter.setPen(QPen(accent, 1.0))
        for x in (left, right):
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))

    def _paint_cursor(self, painter: QPainter, axes: Axes, known: Profile, at: float) -> None:
        frame = axes.frame
        painter.setRenderHint(QPainter.Antialiasing)
        for i, curve in enumerate(self._curves(known)):
            x, y = (float(p[0]) for p in axes.place(np.array([at]), np.array([curve.at(at)])))
            if i == 0:
                painter.setPen(QPen(QColor(self._theme.muted), 1.0))
                painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(Qt.NoPen)
            painter.setBrush(curve.colour)
            painter.drawEllipse(QPointF(x, y), 3.0, 3.0)
            painter.setBrush(Qt.NoBrush)

    def _paint_words(self, painter: QPainter, axes: Axes, known: Profile) -> None:
        """The names of the curves, and before them what is read off."""
        frame, row = axes.frame, self._row
        line = QRectF(frame.left(), frame.top() - row - 2, frame.width(), row)
        right = line.right()
        metrics = painter.fontMetrics()
        for curve in reversed(self._curves(known)):
            word = curve.name if curve.root or self.squared else f"{curve.name} now"
            right -= metrics.horizontalAdvance(word)
            painter.setPen(curve.colour)
            painter.drawText(QPointF(right, line.bottom() - metrics.descent()), word)
            right -= 2 * GRID
        painter.setPen(QColor(self._theme.text))
        room = max(0, int(right - line.left()))
        text = metrics.elidedText(self.reading, Qt.ElideRight, room)
        painter.drawText(QPointF(line.left(), line.bottom() - metrics.descent()), text)

    # What is drawn, and where

    @property
    def _label(self) -> str:
        name = _NAMES[self.quantity]
        return f"mean {name}\u00b2" if self.squared else name

    @property
    def _row(self) -> int:
        return self.fontMetrics().height()

    def _curves(self, known: Profile) -> list[Curve]:
        colours = [QColor(colour) for colour in self._theme.probe_series]
        if self.squared:
            return [Curve(self._label, known.along, known.mean_square, colours[1])]
        live = self._live
        now = live if live is not None and len(live) == len(known.along) else known.now
        return [
            Curve("amplitude", known.along, known.mean_square, colours[1], root=True),
            Curve(self._label, known.along, now, colours[0]),
        ]

    def _axes(self, painter: QPainter, known: Profile) -> Axes:
        largest = max(float(np.abs(curve.drawn).max()) for curve in self._curves(known))
        fits = _SHRINK * self._height <= largest <= self._height
        if largest < _REST:
            self._height = 1.0  # nothing is there yet
        elif not fits:
            self._height = rounded_up(largest)
        room = QRectF(self.rect()).adjusted(0, self._row, 0, 0)
        up = (0.0 if self.squared else -self._height, self._height)
        return Axes(painter, room, self._theme, (0.0, float(known.along[-1])), up)

    def _place(self, event: QtGui.QMouseEvent) -> float | None:
        """The way along the line to what is pointed at; None where nothing is drawn."""
        known, axes = self._profile, self.axes
        if known is None or axes is None:
            return None
        frame, length = axes.frame, float(known.along[-1])
        at = min(max((event.x() - frame.left()) / frame.width(), 0.0), 1.0) * length
        if event.modifiers() & Qt.ControlModifier:
            return at
        near = []
        for curve in self._curves(known):
            places, heights = curve.turns()
            for side in (1, -1) if curve.root else (1,):
                x, y = axes.place(places, side * heights)
                away = np.hypot(x - event.x(), y - event.y())
                near += list(zip(away.tolist(), places.tolist(), strict=True))
        away, snapped = min(near, default=(math.inf, at))
        return snapped if away <= SNAP_PIXELS else at

    def _tell(self) -> None:
        """Where on the line that is."""
        known = self._profile
        places = self._span or (() if self._at is None else (self._at,))
        if known is None or not places:
            self.pointed.emit(())
            return
        low, high = min(places), max(places)
        inside = known.along[(known.along > low) & (known.along < high)]
        ways = np.array([low, *inside, *([high] if len(places) > 1 else [])])
        points = [np.interp(ways, known.along, known.points[:, i]) for i in (0, 1)]
        self.pointed.emit(tuple(zip(*(part.tolist() for part in points), strict=True)))
