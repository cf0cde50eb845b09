"""A field for a positive number of any size: arrows and wheel change it by a constant factor."""

from __future__ import annotations

import math

from wavelab.app.qt import Qt, QtGui, QtWidgets, Signal

#: Thirty steps to a factor of ten or so; fine enough to choose, quick enough to get there.
FACTOR = 1.1


def rounded(value: float, figures: int = 3) -> float:
    return float(f"{value:.{figures - 1}e}")


_LOWEST, _HIGHEST = 1e-12, 1e12


class PositiveField(QtWidgets.QAbstractSpinBox):
    """Emits ``changed(value)`` when the user settles on another value, never while typing, and
    ``finished()`` after Return.  A value typed beyond the limits is drawn back to them.
    """

    changed = Signal(float)
    finished = Signal()

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignRight)
        self.setMinimumWidth(80)
        # A wheel turned over a panel scrolls the panel unless the field was chosen before.
        self.setFocusPolicy(Qt.StrongFocus)
        self.lineEdit().setText(f"{value:.4g}")
        self.editingFinished.connect(self._settle)

    @property
    def value(self) -> float:
        return self._value

    def set_value(self, value: float) -> None:
        """Show another value without a signal; what is being typed is not disturbed."""
        if value != self._value or not self.hasFocus():
            self._value = value
            self.lineEdit().setText(f"{value:.4g}")

    def stepBy(self, steps: int) -> None:
        self._settle()
        self._choose(rounded(self._value * FACTOR**steps))

    def stepEnabled(self) -> QtWidgets.QAbstractSpinBox.StepEnabled:
        return self.StepEnabled(self.StepUpEnabled | self.StepDownEnabled)

    def validate(self, text: str, position: int) -> tuple:
        acceptable = _parsed(text) is not None
        state = QtGui.QValidator.Acceptable if acceptable else QtGui.QValidator.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        return f"{self._value:.4g}"

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self.finished.emit()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _settle(self) -> None:
        typed = _parsed(self.lineEdit().text())
        if typed is None or f"{self._value:.4g}" == f"{typed:.4g}":
            self.lineEdit().setText(f"{self._value:.4g}")
        else:
            self._choose(typed)

    def _choose(self, value: float) -> None:
        self._value = min(max(value, _LOWEST), _HIGHEST)
        self.lineEdit().setText(f"{self._value:.4g}")
        self.changed.emit(self._value)


def _parsed(text: str) -> float | None:
    """The positive number in ``text``, with a decimal point or comma; None if there is none."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None
