"""The plot of what the probes record: Ez over simulated time."""

from __future__ import annotations

from wavelab.app.base.numbers import labelled_ticks, rounded_up
from wavelab.app.base.qt import (
    QColor,
    QPainter,
    QPen,
    QPointF,
    QRectF,
    Qt,
    QtGui,
    QtWidgets,
    painting,
)
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.panels.plots.axes import TICK_ROOM, WIDEST_LABEL, Axes, draw_curve, fitting
from wavelab.app.panels.plots.spectrum import amplitude_spectrum, shown_band
from wavelab.app.session.probe_series import ProbeSeries

_RIGHT, _TOP, _BOTTOM = 2 * GRID, GRID, 5 * GRID
#: What one notch of the wheel multiplies the span of the time axis by.
_ZOOM = 1.25


class ProbePlot(QtWidgets.QWidget):
    """Scrolls along with the newest sample; the wheel changes the time shown.

    Attributes
    ----------
    span : simulated time from the left edge to the right.
    floor : least half height of the value axis; what is smaller is rounding and looks like rest.
    empty_text : what an empty plot says.
    spectral : whether the spectra of the traces are drawn in their place.
    label_width : of the column of numbers at the value axis, in pixels.
    """

    def __init__(self, probe_series: ProbeSeries, theme: Theme) -> None:
        super().__init__()
        self.probe_series = probe_series
        self._theme = theme
        self._height = 0.0
        self.span = 10.0
        self.floor = 0.0
        self.spectral = False
        self.empty_text = "No probes yet. Press B and click into the field to record Ez there."
        self.setMinimumHeight(12 * GRID)
        self.setFont(tabular_font(8))
        self.label_width = self.fontMetrics().horizontalAdvance(WIDEST_LABEL)
        self.setToolTip("Ez at the probes; the wheel changes how much time is shown")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def color(self, index: int) -> QColor:
        """Of probe number ``index``."""
        return QColor(self._theme.probe_series[index % len(self._theme.probe_series)])

    def limits(self) -> tuple[float, float, float]:
        """Start and end of the time axis, and half the height of the value axis."""
        times = self.probe_series.times
        end = float(times[-1]) if len(times) else 0.0
        start = max(end - self.span, float(times[0]) if len(times) else 0.0)
        return start, start + self.span, self._height

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.span *= _ZOOM ** (-event.angleDelta().y() / 120)
        self.span = min(max(self.span, 1e-9), 1e9)
        self.update()

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), QColor(self._theme.window))
        if not self.probe_series.names:
            painter.setPen(QColor(self._theme.muted))
            painter.setFont(QtWidgets.QApplication.font())
            painter.drawText(self.rect(), int(Qt.AlignCenter | Qt.TextWordWrap), self.empty_text)
            return
        if self.spectral:
            self._paint_spectra(painter)
            return
        left = 3 * GRID + self.label_width
        frame = QRectF(self.rect()).adjusted(left, _TOP, -_RIGHT, -_BOTTOM)
        if frame.width() < 4 * GRID or frame.height() < 2 * GRID:
            return
        start, end, _ = self.limits()
        times, values = self.probe_series.since(start, int(frame.width()))
        largest = float(abs(values).max(initial=0.0)) if len(times) else 0.0
        self._height = rounded_up(max(largest, self.floor)) if largest > 0 else 1.0
        self._draw_axes(painter, frame, start, end)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setClipRect(frame)
        across = frame.left() + (times - start) * (frame.width() / (end - start))
        for index in range(values.shape[1]):
            up = frame.center().y() - values[:, index] * (frame.height() / 2 / self._height)
            painter.setPen(QPen(self.color(index), 1.25))
            draw_curve(painter, across, up)

    def _paint_spectra(self, painter: QPainter) -> None:
        frequencies, amplitudes = amplitude_spectrum(
            self.probe_series.times, self.probe_series.values
        )
        largest = float(amplitudes.max(initial=0.0))
        if not largest > 0:
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(
                self.rect(), int(Qt.AlignCenter), "Too little recorded for a spectrum."
            )
            return
        highest = shown_band(frequencies, amplitudes)
        axes = Axes(
            painter, QRectF(self.rect()), self._theme, (0.0, highest), (0.0, rounded_up(largest))
        )
        if not axes.usable:
            return
        axes.draw("frequency f (c / length unit)", "|Ez|")
        shown = frequencies <= highest
        for index in range(amplitudes.shape[1]):
            painter.setPen(QPen(self.color(index), 1.25))
            axes.curve(frequencies[shown], amplitudes[shown, index])

    def _draw_axes(self, painter: QPainter, frame: QRectF, start: float, end: float) -> None:
        text, line = QColor(self._theme.muted), QColor(self._theme.border)
        row = self.fontMetrics().height()
        for tick, label in labelled_ticks(start, end, max(2, int(frame.width() / TICK_ROOM))):
            x = frame.left() + (tick - start) * frame.width() / (end - start)
            painter.setPen(line)
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(text)
            box = QRectF(x - 40, frame.bottom() + 3, 80, row)
            painter.drawText(box, int(Qt.AlignCenter), label)
        height = self._height
        most = 4 if frame.height() > 10 * GRID else 2
        for level, label in labelled_ticks(-height, height, most):
            y = frame.center().y() - level * frame.height() / 2 / height
            painter.setPen(line)
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(text)
            box = QRectF(frame.left() - self.label_width - 4, y - row / 2, self.label_width, row)
            painter.drawText(box, int(Qt.AlignRight | Qt.AlignVCenter), label)
        painter.setPen(text)
        below = QRectF(frame.left(), self.height() - row - 3, frame.width(), row)
        label = fitting(painter, "time t (length units / c)", below.width())
        painter.drawText(below, int(Qt.AlignCenter), label)
        painter.save()
        painter.translate(GRID, frame.center().y())
        painter.rotate(-90)
        painter.drawText(QRectF(-60, -row / 2, 120, row), int(Qt.AlignCenter), "Ez")
        painter.restore()
