"""What one monitor has measured, drawn as suits its kind."""

from __future__ import annotations

import numpy as np

from wavelab.app.base.qt import (
    QColor,
    QImage,
    QPainter,
    QPen,
    QPointF,
    QRectF,
    Qt,
    QtWidgets,
    painting,
)
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.app.panels.plots.axes import Axes, thinned
from wavelab.app.panels.plots.far_field_plot import FarFieldPlot
from wavelab.output.palette import DEFAULT_DIVERGING, colorize
from wavelab.simulation.records.monitor_files import gather_limit, gather_pixels
from wavelab.simulation.records.monitor_records import MonitorResult

TIME = "time t (length units / c)"
FREQUENCY = "frequency f (c / length unit)"
#: Samples of a gather.
_GATHER = (400, 240)


class MonitorPlot(QtWidgets.QWidget):
    """Power or energy over time, receivers as a gather, a far field as a polar plot.

    Attributes
    ----------
    empty_text : what is said where there is nothing to draw.
    begin : when the monitor begins to sum up.
    decibels : whether far fields are drawn on a logarithmic scale.
    spectral : whether a power is drawn over the frequency if there are several.
    palette : of a gather, one for fields with a sign.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: MonitorResult | None = None
        self.empty_text = ""
        self.begin = 0.0
        self.decibels = True
        self.spectral = False
        self.palette = DEFAULT_DIVERGING
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
        return QColor(self._theme.probe_series[index % len(self._theme.probe_series)])

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            match self._result:
                case MonitorResult(kind="flux", arrays={"frequency": f, "mean_power": power}) if (
                    self.spectral and len(f) > 1
                ):
                    self._over_frequency(painter, f, power)
                case MonitorResult(kind="flux", arrays=arrays):
                    self._over_time(painter, arrays["time"], arrays["power"], "power")
                case MonitorResult(kind="energy", arrays=arrays):
                    self._over_time(painter, arrays["time"], arrays["energy"], "energy")
                case MonitorResult(kind="line", arrays=arrays):
                    self._gather(painter, arrays)
                case MonitorResult(kind="far_field", arrays=arrays):
                    self._far_field(painter, arrays)
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

    def _over_frequency(
        self, painter: QPainter, frequencies: np.ndarray, power: np.ndarray
    ) -> None:
        """A dot for each frequency, joined by straight lines."""
        order = np.argsort(frequencies)
        f, p = frequencies[order], power[order]
        low, high = min(0.0, float(p.min())), max(0.0, float(p.max()))
        room = 0.06 * ((high - low) or 1.0)
        margin = 0.03 * float(f[-1] - f[0])
        axes = Axes(
            painter, QRectF(self.rect()), self._theme,
            (float(f[0]) - margin, float(f[-1]) + margin), (low - room * (low < 0), high + room),
        )  # fmt: skip
        if not axes.usable:
            return
        axes.draw(FREQUENCY, "mean power")
        painter.setPen(QPen(self.color(0), 1.25))
        axes.curve(f, p)
        painter.setBrush(self.color(0))
        for x, y in zip(*axes.place(f, p), strict=True):
            painter.drawEllipse(QPointF(float(x), float(y)), 2.5, 2.5)

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
        rgb = np.ascontiguousarray(colorize(pixels, self.palette, limit, outside))
        height, width, _ = rgb.shape
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        axes.draw("along the line", "time t")
        painter.drawImage(axes.frame, image)

    def _far_field(self, painter: QPainter, arrays: dict[str, np.ndarray]) -> None:
        colours = [self.color(i) for i in range(len(arrays["frequency"]))]
        plot = FarFieldPlot(painter, self._theme, arrays, colours, decibels=self.decibels)
        if plot.empty:
            until = f" It begins at t = {self.begin:g}." if self.begin > 0 else ""
            self._say(painter, f"Nothing summed up yet.{until}")
        else:
            plot.draw(QRectF(self.rect()))
