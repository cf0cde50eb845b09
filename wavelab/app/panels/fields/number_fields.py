"""Fields for numbers, which say so when something else is typed."""

from __future__ import annotations

import math
from typing import Any

from wavelab.app.base import measures
from wavelab.app.base.qt import Qt, QtCore, QtGui, QtWidgets, Signal
from wavelab.app.panels.fields.field_note import explain
from wavelab.app.panels.fields.unit_mark import UnitMark
from wavelab.app.panels.fields.wheel import WheelWhenChosen
from wavelab.scene.editing.typed_values import shown_number
from wavelab.scene.model.item_error import ItemError

#: Thirty steps to a factor of ten or so; fine enough to choose, quick enough to get there.
FACTOR = 1.1
_LOWEST, _HIGHEST = 1e-12, 1e12
#: Where an arrow leads from 0, which no factor leaves.
FROM_ZERO = 0.01

State = tuple[QtGui.QValidator.State, str, int]


def state_of(good: bool, text: str, position: int) -> State:
    """What a field's ``validate`` returns: anything may be typed, but only what is good counts."""
    return (QtGui.QValidator.Acceptable if good else QtGui.QValidator.Intermediate), text, position


def parsed(text: str) -> float | None:
    """The finite number in ``text``, with a decimal point or comma; None if there is none."""
    try:
        value = float(text.strip().replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def rounded(value: float, figures: int = 3) -> float:
    return float(f"{value:.{figures - 1}e}")


def is_typed_in(box: QtWidgets.QAbstractSpinBox) -> bool:
    """Whether something was typed there that has not been settled yet."""
    return box.hasFocus() and box.lineEdit().isModified()


class _Limited(WheelWhenChosen):
    """Mixin before a spin box: it keeps its value until what is typed is good."""

    def set_value(self, value: float) -> None:
        """Show another value without a signal; what is being typed is not disturbed."""
        line, disturbed = self.lineEdit(), is_typed_in(self)
        typed, at = line.text(), line.cursorPosition()
        with QtCore.QSignalBlocker(self):
            self.setValue(value)
        if disturbed:
            # As if typed, so that it can be taken back.
            line.selectAll()
            line.insert(typed)
            line.setCursorPosition(at)

    def validate(self, text: str, position: int) -> State:
        return state_of(self._parsed(text) is not None, text, position)

    def valueFromText(self, text: str) -> Any:
        value = self._parsed(text)
        return self.value() if value is None else value

    def _parsed(self, text: str) -> float | None:
        """The value, or None where ``text`` is not a good one."""
        raise NotImplementedError


class WholeField(_Limited, QtWidgets.QSpinBox):
    """A whole number from ``least`` to ``most``."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.StrongFocus)

    def fixup(self, text: str) -> str:
        wanted = f"a whole number from {self.minimum()} to {self.maximum()}"
        explain(self, text, wanted, str(self.value()))
        return str(self.value())

    def _parsed(self, text: str) -> int | None:
        value = parsed(text)
        if value is None or value != round(value):
            return None
        return round(value) if self.minimum() <= value <= self.maximum() else None


class DegreesField(_Limited, QtWidgets.QDoubleSpinBox):
    """An angle up to ``most`` degrees either way; a ``whole_turn`` takes any angle."""

    def __init__(self, most: float, *, whole_turn: bool = False) -> None:
        super().__init__()
        self.setRange(-most, most)
        self.setWrapping(whole_turn)
        self.setDecimals(6)
        self.setSingleStep(5)
        self.setSuffix("\u00b0")
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.StrongFocus)

    def textFromValue(self, value: float) -> str:
        return shown_number(value)

    def fixup(self, text: str) -> str:
        wanted = f"an angle from {self.minimum():g} to {self.maximum():g} degrees"
        kept = self.textFromValue(self.value()) + self.suffix()
        explain(self, text.replace(self.suffix(), ""), wanted, kept)
        return kept

    def _parsed(self, text: str) -> float | None:
        value = parsed(text.replace(self.suffix(), ""))
        if value is not None and self.wrapping():
            value = math.remainder(value, 360)
        return value if value is not None and abs(value) <= self.maximum() else None


class FactorField(_Limited, QtWidgets.QDoubleSpinBox):
    """A number from ``least`` to ``most`` with up to two decimals."""

    def __init__(self, least: float, most: float, value: float) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setDecimals(2)
        self.setSingleStep(0.1)
        self.setMinimumWidth(80)
        self.setValue(value)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.StrongFocus)

    def textFromValue(self, value: float) -> str:
        return shown_number(value)

    def fixup(self, text: str) -> str:
        wanted = f"a number from {self.minimum():g} to {self.maximum():g}"
        kept = self.textFromValue(self.value())
        explain(self, text, wanted, kept)
        return kept

    def _parsed(self, text: str) -> float | None:
        value = parsed(text)
        return value if value is not None and self.minimum() <= value <= self.maximum() else None


class PositiveField(WheelWhenChosen, QtWidgets.QAbstractSpinBox):
    """A positive number of any size: arrows and wheel change it by a constant factor.

    Emits ``changed(value)`` when the user settles on another value, never while typing.  It says
    beside itself what is wrong with anything else.

    Parameters
    ----------
    zero : whether it may also be 0, from where an arrow leads to :data:`FROM_ZERO`.
    dimension : of a length, a time or a frequency, which may be typed with its unit.
    """

    changed = Signal(float)

    def __init__(self, value: float, *, zero: bool = False, dimension: str = "") -> None:
        super().__init__()
        self._value, self._zero, self._dimension = value, zero, dimension
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignRight)
        self.setMinimumWidth(80)
        self.setFocusPolicy(Qt.StrongFocus)
        self.lineEdit().setText(shown_number(value))
        self._mark = UnitMark(self.lineEdit(), dimension) if dimension else None
        self._show_mark()
        self.editingFinished.connect(self._settle)

    @property
    def value(self) -> float:
        return self._value

    def set_value(self, value: float) -> None:
        """Show another value without a signal; what is being typed is not disturbed."""
        self._value = value
        self._show_mark()
        if not is_typed_in(self):
            self.lineEdit().setText(shown_number(value))

    def stepBy(self, steps: int) -> None:
        self._settle()
        if self._value:
            self._choose(rounded(self._value * FACTOR**steps))
        elif steps > 0:
            self._choose(FROM_ZERO)

    def stepEnabled(self) -> QtWidgets.QAbstractSpinBox.StepEnabled:
        return self.StepEnabled(self.StepUpEnabled | self.StepDownEnabled)

    def validate(self, text: str, position: int) -> State:
        typed = self._parsed(text)
        return state_of(typed is not None and self._takes(typed), text, position)

    def _parsed(self, text: str) -> float | None:
        try:
            return parsed(measures.typed(text, self._dimension))
        except ItemError:
            return None

    def _show_mark(self) -> None:
        if self._mark is not None:
            self._mark.show_value(self._value)

    def _takes(self, value: float) -> bool:
        return value > 0 or (self._zero and value == 0)

    def _settle(self) -> None:
        text, kept = self.lineEdit().text(), shown_number(self._value)
        typed = self._parsed(text)
        if typed is None or not self._takes(typed):
            or_zero = "0 or " if self._zero else ""
            explain(self, text, f"{or_zero}a positive number, such as 0.25 or 2e-3", kept)
        elif typed and not _LOWEST <= typed <= _HIGHEST:
            explain(self, text, f"within {_LOWEST:g} and {_HIGHEST:g}", kept)
        elif typed != float(kept):
            self._choose(typed)
            return
        self.lineEdit().setText(kept)

    def _choose(self, value: float) -> None:
        self._value = min(max(value, _LOWEST), _HIGHEST) if value else 0.0
        self._show_mark()
        self.lineEdit().setText(shown_number(self._value))
        self.changed.emit(self._value)
