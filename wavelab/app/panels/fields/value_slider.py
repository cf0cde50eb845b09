"""A slider for a real number between two ends, in steps if it has any."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.app.base.qt import Qt, QtCore, QtGui, QtWidgets, Signal
from wavelab.app.panels.fields.wheel import WheelWhenChosen

#: Without a step of its own a slider has at least so many places, a power of ten apart.
_PLACES = 256
#: No slider has more.
_MOST = 100_000


@dataclass(frozen=True)
class Notches:
    """The values of a slider from ``low`` to ``high``: every ``step`` from ``low`` on, and both
    ends; numbers that are short to read if there is no step."""

    low: float
    high: float
    step: float | None = None

    @property
    def spacing(self) -> float:
        """From one value to the next."""
        span = self.high - self.low
        if self.step is None:
            return 10.0 ** math.floor(math.log10(span / _PLACES))
        return self.step * max(1, math.ceil(span / self.step / _MOST))

    @property
    def last(self) -> int:
        """The number of the last one; the first is 0."""
        return max(1, math.ceil((self.high - self.low) / self.spacing - 1e-6))

    def value(self, notch: int) -> float:
        if notch <= 0 or notch >= self.last:
            return self.low if notch <= 0 else self.high
        return float(f"{self.low + notch * self.spacing:.12g}")

    def nearest(self, value: float) -> int:
        """The number of the one that is nearest to a value."""
        if value >= (self.value(self.last - 1) + self.high) / 2:
            return self.last
        return min(max(round((value - self.low) / self.spacing), 0), self.last - 1)


class ValueSlider(WheelWhenChosen, QtWidgets.QSlider):
    """A press beside the handle brings it there, held.

    Emits ``slid(value)`` while it is held, ``let_go()`` at the end of that, ``stepped(value)`` at a
    key or a notch of the wheel, and ``twice()`` at a double click.
    """

    slid = Signal(float)
    let_go = Signal()
    stepped = Signal(float)
    twice = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Horizontal)
        self._notches = Notches(0.0, 1.0)
        self._grip = 0  #: pixels from the left of the handle to where it was taken
        self._off = 0  #: notches that it was away then from where its pixel is
        self.setFocusPolicy(Qt.StrongFocus)
        self.setContextMenuPolicy(Qt.NoContextMenu)
        self.valueChanged.connect(self._changed)

    @property
    def shown(self) -> float:
        """The value where the handle is."""
        return self._notches.value(self.value())

    @property
    def held(self) -> bool:
        """Whether a hand has it."""
        return self.isSliderDown()

    def show_value(self, notches: Notches, value: float) -> None:
        """Show a value without a signal."""
        with QtCore.QSignalBlocker(self):
            if notches != self._notches or self.maximum() != notches.last:
                self._notches = notches
                self.setRange(0, notches.last)
                self.setSingleStep(1 if notches.step else max(1, notches.last // 100))
                self.setPageStep(max(self.singleStep(), notches.last // 10))
            self.setValue(notches.nearest(value))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.LeftButton:
            event.ignore()
            return
        handle = self._handle()
        self.setSliderDown(True)
        self._grip, self._off = handle.width() // 2, 0
        if handle.adjusted(-2, -2, 2, 2).contains(event.pos()):
            self._grip = event.x() - handle.left()
            self._off = self.value() - self._notch(event.x())
        else:
            self._go_to(event.x())
        event.accept()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.held:
            self._go_to(event.x())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.held and event.button() == Qt.LeftButton:
            self.setSliderDown(False)
            self.let_go.emit()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.LeftButton:
            self.twice.emit()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        if self.held:  # no release would come any more
            self.setSliderDown(False)
            self.let_go.emit()
        super().hideEvent(event)

    def _handle(self) -> QtCore.QRect:
        option = QtWidgets.QStyleOptionSlider()
        self.initStyleOption(option)
        style, part = QtWidgets.QStyle.CC_Slider, QtWidgets.QStyle.SC_SliderHandle
        return self.style().subControlRect(style, option, part, self)

    def _notch(self, x: int) -> int:
        """Of the handle, if the pixel at which it was taken is there."""
        room = self.width() - self._handle().width()
        at = x - self._grip
        return int(QtWidgets.QStyle.sliderValueFromPosition(0, self.maximum(), at, room))

    def _go_to(self, x: int) -> None:
        self.setValue(self._notch(x) + self._off)

    def _changed(self, notch: int) -> None:
        value = self._notches.value(notch)
        (self.slid if self.held else self.stepped).emit(value)
