"""Error against unknowns, both logarithmic: one line for finer elements, one for higher orders."""

from __future__ import annotations

import itertools
import math

from wavelab.app.base.numbers import power_of_ten
from wavelab.app.base.qt import QColor, QPainter, QPen, QPointF, QRectF, Qt, QtWidgets, painting
from wavelab.app.base.theme import GRID, Theme, tabular_font
from wavelab.simulation.studies.convergence import Study, StudyRun, percent


class ConvergencePlot(QtWidgets.QWidget):
    """Shows a :class:`Study`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._study: Study | None = None
        self.setFont(tabular_font(8))
        self.setMinimumSize(56 * GRID, 32 * GRID)

    def show_study(self, study: Study | None) -> None:
        self._study = study
        self.update()

    def set_theme(self, theme: Theme) -> None:
        if theme is not self._theme:
            self._theme = theme
            self.update()

    def paintEvent(self, event: object) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            if self._study is None:
                painter.setPen(QColor(self._theme.muted))
                painter.setFont(QtWidgets.QApplication.font())
                text = "The scene is run again on finer meshes and at higher orders."
                painter.drawText(self.rect(), int(Qt.AlignCenter | Qt.TextWordWrap), text)
            else:
                self._paint(painter, self._study)

    def _paint(self, painter: QPainter, study: Study) -> None:
        theme = self._theme
        row = self.fontMetrics().height()
        left = self.fontMetrics().horizontalAdvance("10\u207b\u2070\u2070") + 4 * GRID
        frame = QRectF(self.rect()).adjusted(left, 2 * GRID, -3 * GRID, -3 * row)
        xs = [math.log10(run.unknowns) for run in study.runs]
        ys = [_log(run.error) for run in study.runs]
        x0, x1 = _padded(min(xs), max(xs), 0.15)
        y0, y1 = math.floor(min(ys) - 0.2), math.ceil(max(ys) + 0.2)

        def place(run: StudyRun) -> QPointF:
            x = (math.log10(run.unknowns) - x0) / (x1 - x0)
            y = (_log(run.error) - y0) / (y1 - y0)
            return QPointF(frame.left() + x * frame.width(), frame.bottom() - y * frame.height())

        self._axes(painter, frame, (x0, x1), (y0, y1))
        painter.setRenderHint(QPainter.Antialiasing)
        lines = (("smaller elements", study.in_h(), 0), ("higher order", study.in_order(), 1))
        for number, (label, runs, colour) in enumerate(lines):
            pen = QPen(QColor(theme.probe_series[colour]), 1.5)
            painter.setPen(pen)
            points = [place(run) for run in runs]
            for a, b in itertools.pairwise(points):
                painter.drawLine(a, b)
            painter.setBrush(QColor(theme.probe_series[colour]))
            for point in points[1:]:
                painter.drawEllipse(point, 3.5, 3.5)
            at = QRectF(frame.right() - 220, frame.top() + number * (row + 4), 214, row)
            painter.drawText(at, int(Qt.AlignRight), f"\u25cf {label}")
        now = place(study.present)
        painter.setPen(QPen(QColor(theme.text), 2))
        painter.setBrush(QColor(theme.window))
        painter.drawEllipse(now, 5.0, 5.0)
        painter.drawText(now + QPointF(10, -6), f"now: {percent(study.present.error)}")

    def _axes(
        self,
        painter: QPainter,
        frame: QRectF,
        across: tuple[float, float],
        up: tuple[int, int],
    ) -> None:
        text, line = QColor(self._theme.muted), QColor(self._theme.border)
        row = self.fontMetrics().height()
        for level in range(up[0], up[1] + 1):
            y = frame.bottom() - (level - up[0]) / (up[1] - up[0]) * frame.height()
            painter.setPen(line)
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(text)
            box = QRectF(0, y - row / 2, frame.left() - GRID, row)
            painter.drawText(box, int(Qt.AlignRight | Qt.AlignVCenter), power_of_ten(level))
        for exponent in range(math.floor(across[0]), math.ceil(across[1]) + 1):
            for mantissa in (1, 2, 5):
                value = math.log10(mantissa) + exponent
                if not across[0] <= value <= across[1]:
                    continue
                x = frame.left() + (value - across[0]) / (across[1] - across[0]) * frame.width()
                painter.setPen(line)
                painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
                painter.setPen(text)
                label = power_of_ten(exponent)
                label = label if mantissa == 1 else f"{mantissa}\u00d7{label}"
                box = QRectF(x - 40, frame.bottom() + 4, 80, row)
                painter.drawText(box, int(Qt.AlignCenter), label)
        painter.setPen(text)
        below = QRectF(frame.left(), self.height() - row - 4, frame.width(), row)
        painter.drawText(below, int(Qt.AlignCenter), "unknowns")
        painter.save()
        painter.translate(GRID + row / 2, frame.center().y())
        painter.rotate(-90)
        painter.drawText(QRectF(-80, -row / 2, 160, row), int(Qt.AlignCenter), "relative error")
        painter.restore()


def _log(error: float) -> float:
    return math.log10(min(max(error, 1e-15), 1e15))


def _padded(low: float, high: float, share: float) -> tuple[float, float]:
    room = max(share * (high - low), 0.15)
    return low - room, high + 2 * room
