"""A line of text whose numbers go up and down by keys and wheel, wherever they stand in it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from wavelab.app.base.qt import Qt, QtGui, QtWidgets, Signal
from wavelab.app.panels.fields.wheel import WheelWhenChosen

#: A number that is no part of a name, such as the 2 of atan2.
_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
#: What a minus that belongs to a number may stand behind.
_BEFORE_SIGN = ("", *"[(,+-*/^=<>")
#: Parts of a step with Shift.
_FINE = 0.1
#: What one notch of a wheel counts as.
_NOTCH = 120


@dataclass(frozen=True)
class NumberAt:
    """A number in a text: where it starts and ends, and what it is."""

    start: int
    end: int
    value: float


def number_at(text: str, cursor: int) -> NumberAt | None:
    """The number that a cursor is in or beside, else the next one, else the last."""
    found = [_signed(text, match) for match in _NUMBER.finditer(text)]
    return next((n for n in found if cursor <= n.end), found[-1] if found else None)


def usual_step(value: float) -> float:
    """One in the second figure of a number: 0.1 of 3 and of 2.25, 1 of 45."""
    if value == 0 or not math.isfinite(value):
        return 0.1
    # Of what is read: 0.99999... is 1.
    return 10.0 ** (int(f"{abs(value):.6e}".partition("e")[2]) - 1)


def replaced(text: str, number: NumberAt, value: float) -> tuple[str, NumberAt]:
    """The text with another number in that place."""
    value = float(f"{value:.12g}")
    written = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    whole = f"{text[: number.start]}{written}{text[number.end :]}"
    return whole, NumberAt(number.start, number.start + len(written), value)


def _signed(text: str, match: re.Match[str]) -> NumberAt:
    start = match.start()
    if text[start - 1 : start] == "-" and text[: start - 1].rstrip()[-1:] in _BEFORE_SIGN:
        start -= 1
    return NumberAt(start, match.end(), float(text[start : match.end()]))


class NudgedLine(WheelWhenChosen, QtWidgets.QLineEdit):
    """Up and Down, Page Up and Page Down, and the wheel once it was chosen, change the number at
    the cursor.

    A run of them keeps its step, so that it goes through 0.

    Parameters
    ----------
    whole : whether its numbers are whole.

    Attributes
    ----------
    step : what they go up and down by, if that does not follow from their size.

    Emits ``nudged()``.
    """

    nudged = Signal()

    def __init__(self, *, whole: bool = False) -> None:
        super().__init__()
        self._whole = whole
        self.step: float | None = None
        self._run: tuple[int, float] | None = None  #: where the number starts, and the step
        self.setFocusPolicy(Qt.StrongFocus)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        notches = {Qt.Key_Up: 1, Qt.Key_Down: -1, Qt.Key_PageUp: 10, Qt.Key_PageDown: -10}
        count = notches.get(event.key(), 0)
        if count and self.nudge(count, fine=bool(event.modifiers() & Qt.ShiftModifier)):
            event.accept()
            return
        self._run = None
        super().keyPressEvent(event)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        # With Alt some systems turn the wheel sideways; a touch pad tells parts of a notch.
        turned = event.angleDelta().y()
        if self.hasFocus() and abs(turned) >= _NOTCH:
            fine = bool(event.modifiers() & Qt.ShiftModifier)
            self.nudge(round(turned / _NOTCH), fine=fine)
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._run = None
        super().mousePressEvent(event)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self._run = None
        super().focusOutEvent(event)

    def nudge(self, count: int, *, fine: bool) -> bool:
        """By so many steps; False if there is no number, or none that is so large."""
        number = number_at(self.text(), self.cursorPosition())
        if number is None or self.isReadOnly():
            return False
        if self._run is None or self._run[0] != number.start:
            self._run = (number.start, usual_step(number.value))
        step = self.step or self._run[1] * (_FINE if fine else 1.0)
        if self._whole:
            step = max(1.0, round(step))
        value = number.value + count * step
        if not math.isfinite(value):
            return False
        text, now = replaced(self.text(), number, value)
        self.setText(text)
        # The cursor stays in it, so that the next press means the same number.
        self.setCursorPosition(now.end)
        self.setModified(True)
        self.nudged.emit()
        return True
