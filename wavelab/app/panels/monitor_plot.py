"""What one monitor has measured, drawn as suits its kind."""

from __future__ import annotations

import numpy as np

from wavelab.app.panels.axes import Axes, polyline, thinned
from wavelab.app.panels.numbers import three_figures
from wavelab.app.qt import QColor, QImage, QPainter, QPen, QPointF, QRectF, Qt, QtWidgets, painting
from wavelab.app.theme import GRID, Theme, tabular_font
from wavelab.output.palette import DEFAULT_DIVERGING, colorize
from wavelab.simulation.monitor_files import gather_limit, gather_pixels
from wavelab.simulation.monitor_records import MonitorResult

TIME = "time t (length units / c)"
#: Samples of a gather.
_GATHER = (400, 240)
_RINGS = (0.25, 0.5, 0.75, 1.0)


class MonitorPlot(QtWidgets.QWidget):
    """Power or energy over time, receivers as a gather, a far field as a polar plot."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: MonitorResult | None = None
        self.empty_text = ""
        self.setMinimumHeight(12 * GRID)
        self.setFont(tabular_font(8))

    def show_result(self, result: MonitorResult | None) -> None:
        self._result = result
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def color(self, index: int) -> QColor:
        """Of frequency number ``index``."""
        return QColor(self._theme.traces[index % len(self._theme.traces)])

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            match self._result:
                case MonitorResult(kind="flux", arrays=arrays):
                    self._over_time(painter, arrays["time"], arrays["power"], "power")
                case MonitorResult(kind="energy", arrays=arrays):
                    self._over_time(painter, arrays["time"], arrays["energy"], "energy")
                case MonitorResult(kind="line", arrays=arrays):
                    self._gather(painter, arrays)
                case MonitorResult(kind="far_field", arrays=arrays):
                    self._polar(painter, arrays)
                case _:
                    self._say(painter, self.empty_text)

    def _say(self, painter: QPainter, text: str) -> None:
        painter.setPen(QColor(self._theme.muted))
        painter.setFont(QtWidgets.QApplication.font())
        room = self.rect().adjusted(2 * GRID, 0, -2 * GRID, 0)
        painter.drawText(room, int(Qt.AlignCenter | Qt.TextWordWrap), text)

    def _over_time(
        self, painter: QPainter, times: np.ndarray, values: np.ndarray, label: str
    ) -> None:
        if len(times) < 2:
            self._say(painter, "Nothing measured yet.")
            return
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        if high <= low:
            high = low + 1.0
        room = 0.06 * (high - low)
        axes = Axes(
            painter, QRectF(self.rect()), self._theme,
            (float(times[0]), float(times[-1])), (low - room * (low < 0), high + room),
        )  # fmt: skip
        if not axes.usable:
            return
        axes.draw(TIME, label)
        painter.setPen(QPen(self.color(0), 1.25))
        axes.curve(*thinned(times, values, int(axes.frame.width())))

    def _gather(self, painter: QPainter, arrays: dict[str, np.ndarray]) -> None:
        times, values, along = arrays["time"], arrays["values"], arrays["along"]
        if len(times) < 2 or len(along) < 2:
            self._say(painter, "Nothing recorded yet, or a single receiver.")
            return
        # Time runs downwards, as seismologists draw it.
        axes = Axes(
            painter, QRectF(self.rect()), self._theme,
            (0.0, float(along[-1])), (float(times[-1]), float(times[0])),
        )  # fmt: skip
        if not axes.usable:
            return
        pixels, limit = gather_pixels(values, *_GATHER), gather_limit(values)
        quiet = QColor(self._theme.window)
        outside = (quiet.red(), quiet.green(), quiet.blue())
        rgb = np.ascontiguousarray(colorize(pixels, DEFAULT_DIVERGING, limit, outside))
        height, width, _ = rgb.shape
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        axes.draw("along the line", "time t")
        painter.drawImage(axes.frame, image)

    def _polar(self, painter: QPainter, arrays: dict[str, np.ndarray]) -> None:
        size = np.abs(arrays["pattern"])
        largest = float(size.max(initial=0.0))
        if not largest > 0:
            self._say(painter, "Nothing summed up yet.")
            return
        row = painter.fontMetrics().height()
        radius = min(self.width() / 2 - 6 * GRID, self.height() / 2 - row - 4)
        if radius < 2 * GRID:
            return
        center = QPointF(self.width() / 2, self.height() / 2)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setBrush(Qt.NoBrush)
        painter.setPen(QColor(self._theme.border))
        for part in _RINGS:
            painter.drawEllipse(center, part * radius, part * radius)
        for degrees in range(0, 360, 30):
            way = QPointF(np.cos(np.radians(degrees)), -np.sin(np.radians(degrees)))
            painter.setPen(QColor(self._theme.border))
            painter.drawLine(center, center + radius * way)
            painter.setPen(QColor(self._theme.muted))
            at = center + (radius + row) * way
            box = QRectF(at.x() - 20, at.y() - row / 2, 40, row)
            painter.drawText(box, int(Qt.AlignCenter), f"{degrees}\u00b0")
        angle = np.radians(np.append(arrays["angle"], arrays["angle"][:1]))
        for i, pattern in enumerate(size):
            r = radius / largest * np.append(pattern, pattern[:1])
            painter.setPen(QPen(self.color(i), 1.5))
            x, y = center.x() + r * np.cos(angle), center.y() - r * np.sin(angle)
            painter.drawPolyline(polyline(x, y))
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(
            QRectF(GRID, 2, self.width(), row), int(Qt.AlignLeft), f"rim {three_figures(largest)}"
        )
