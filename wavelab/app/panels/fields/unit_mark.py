"""What a number in a line means in the units of the scene, at the right end of the line."""

from __future__ import annotations

from wavelab.app.base import measures
from wavelab.app.base.qt import QEvent, QObject, Qt, QtWidgets
from wavelab.app.base.theme import GRID
from wavelab.scene.model.units import LENGTH, Written

#: The least room for the number itself, beside which nothing more is told.
_NUMBER = 6 * GRID


def meaning(dimension: str, value: float | None) -> str:
    """The unit of a length, which is that of all numbers of the scene; of times and frequencies
    the number in seconds or hertz, or else what is 1; "" where the scene has no units."""
    scale = measures.scale()
    if scale is None or scale.unit(dimension, 1.0) is None:
        return ""
    if dimension == LENGTH:
        return scale.own.name
    written = Written(scale, "{:.4g}".format)
    return written.of(dimension, value) if value else f"\u00d7 {written.of(dimension, 1.0)}"


class UnitMark(QtWidgets.QLabel):
    """In a line for numbers of a ``dimension``; takes no room where the scene has no units."""

    def __init__(self, line: QtWidgets.QLineEdit, dimension: str) -> None:
        super().__init__(line)
        self._line, self._dimension = line, dimension
        self._value: float | None = None
        self.setObjectName("muted")
        self.setAttribute(Qt.WA_TransparentForMouseEvents)
        line.installEventFilter(self)
        self.show_value(None)

    def show_value(self, value: float | None) -> None:
        """The number in the line; None if there is none, or are several."""
        self._value = value
        self.setText(meaning(self._dimension, value))
        self._place()

    def show_units(self) -> None:
        """The same in other units."""
        self.show_value(self._value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Resize, QEvent.FontChange):
            self._place()
        return False

    def _place(self) -> None:
        line, wide = self._line, self.sizeHint().width() + GRID
        there = bool(self.text()) and line.width() >= wide + _NUMBER
        self.setVisible(there)
        line.setTextMargins(0, 0, wide if there else 0, 0)
        self.setGeometry(line.width() - wide, 0, wide - GRID // 2, line.height())
