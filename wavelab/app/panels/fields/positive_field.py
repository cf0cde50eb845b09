"""A field for a positive number of any size: arrows and wheel change it by a constant factor."""

from __future__ import annotations

from wavelab.app.base.qt import Qt, QtGui, QtWidgets, Signal
from wavelab.app.panels.fields.field_note import explain
from wavelab.app.panels.fields.number_fields import State, parsed, state_of
from wavelab.app.panels.fields.wheel import WheelWhenChosen

#: Thirty steps to a factor of ten or so; fine enough to choose, quick enough to get there.
FACTOR = 1.1


def rounded(value: float, figures: int = 3) -> float:
    return float(f"{value:.{figures - 1}e}")


_LOWEST, _HIGHEST = 1e-12, 1e12


class PositiveField(WheelWhenChosen, QtWidgets.QAbstractSpinBox):
    """Emits ``changed(value)`` when the user settles on another value, never while typing, and
    ``finished()`` after Return.  It says beside itself what is wrong with anything else.
    """

    changed = Signal(float)
    finished = Signal()

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignRight)
        self.setMinimumWidth(80)
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

    def validate(self, text: str, position: int) -> State:
        return state_of((parsed(text) or 0.0) > 0, text, position)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self.finished.emit()

    def _settle(self) -> None:
        text, kept = self.lineEdit().text(), f"{self._value:.4g}"
        typed = parsed(text)
        if typed is None or typed <= 0:
            explain(self, text, "a positive number, such as 0.25 or 2e-3", kept)
        elif not _LOWEST <= typed <= _HIGHEST:
            explain(self, text, f"within {_LOWEST:g} and {_HIGHEST:g}", kept)
        elif f"{typed:.4g}" != kept:
            self._choose(typed)
            return
        self.lineEdit().setText(kept)

    def _choose(self, value: float) -> None:
        self._value = min(max(value, _LOWEST), _HIGHEST)
        self.lineEdit().setText(f"{self._value:.4g}")
        self.changed.emit(self._value)
