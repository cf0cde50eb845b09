"""Words over a plot: names of curves, what is read off, and what is said in place of curves."""

from __future__ import annotations

import html
from collections.abc import Sequence

from wavelab.app.base.qt import QApplication, QColor, Qt, QtWidgets
from wavelab.app.base.theme import GRID, Theme


class PlotLabels:
    """Attributes
    ----------
    row : height of the row above the curves.
    """

    def __init__(self, plot: QtWidgets.QWidget) -> None:
        self._plot = plot
        self.row = plot.fontMetrics().height() + 2
        self._words, self._read, self._names = (QtWidgets.QLabel(plot) for _ in range(3))
        for label in (self._words, self._read, self._names):
            label.setAttribute(Qt.WA_TransparentForMouseEvents)
            label.setFont(plot.font())
        self._words.setFont(QApplication.font())
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignCenter)
        self._read.setTextFormat(Qt.PlainText)

    def set_theme(self, theme: Theme) -> None:
        self._words.setStyleSheet(f"color: {theme.muted}")
        self._read.setStyleSheet(f"color: {theme.text}")

    def say(self, text: str) -> None:
        """In place of curves; "" where there are some."""
        if text:
            self._words.setText(text)
        self._words.setVisible(bool(text))

    def show_over(self, names: Sequence[tuple[QColor, str]], reading: str, left: int) -> None:
        """Names of curves at the right, and what is read off from ``left`` on."""
        self._read.setText(reading)
        spans = (
            f'<span style="color:{colour.name()}">{html.escape(name)}</span>'
            for colour, name in names
        )
        self._names.setText("&nbsp;&nbsp;".join(spans))
        right = self._plot.width() - 2 * GRID
        wide = min(right - left, self._names.sizeHint().width())
        read = self._read.sizeHint().width() if reading else 0
        # What is read names the curves itself: it may take their room, and that of the axis.
        named = left + read + GRID <= right - wide
        self._names.setVisible(named or not read)
        self._names.setGeometry(right - wide, 0, wide, self.row)
        start = left if named else max(0, min(left, right - read))
        self._read.setGeometry(start, 0, max(0, right - start), self.row)
        self._words.setGeometry(self._plot.rect().adjusted(2 * GRID, 0, -2 * GRID, 0))
