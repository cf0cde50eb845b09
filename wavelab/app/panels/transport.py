"""The top bar: run, pause, step, reset, how fast, and taking pictures home."""

from __future__ import annotations

import math

from wavelab.app.base import measures
from wavelab.app.base.layouts import row
from wavelab.app.base.numbers import three_figures
from wavelab.app.base.qt import QSize, Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import tr, tr_n
from wavelab.app.panels.fields.labels import WholeLabel
from wavelab.app.session.remote import Recording
from wavelab.scene.model.units import TIME

#: Positions of the slider for a factor of ten in speed.
_PER_DECADE = 50
#: The slider spans these powers of ten of the domain's size per second.
_LOWEST, _HIGHEST = -3, 1
#: Of the speed: the t of the status line.
_UNIT = "t per second"


class _Slider(QtWidgets.QSlider):
    """Gives way in a narrow window."""

    def sizeHint(self) -> QSize:
        return QSize(18 * GRID, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(8 * GRID, super().minimumSizeHint().height())


class SpeedControl(QtWidgets.QWidget):
    """Simulated time per second of wall time, on a logarithmic slider.

    Emits ``wished(speed)``; None stands for as fast as possible.
    """

    wished = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._scale = 1.0
        self.slider = _Slider(Qt.Horizontal)
        self.slider.setRange(_LOWEST * _PER_DECADE, _HIGHEST * _PER_DECADE)
        self.slider.setAccessibleName(tr("Speed"))
        self.slider.setToolTip(
            tr("Simulated time per second of wall time (Ctrl+Left slower, Ctrl+Right faster)")
        )
        self.unlimited = QtWidgets.QCheckBox(tr("As fast as possible"))
        self.unlimited.setToolTip(tr("Run as fast as the device can (U)"))
        self._label = QtWidgets.QLabel()
        self._label.setFont(tabular_font())
        width = self._label.fontMetrics().horizontalAdvance(f"0.00\u00d710\u207b\u2075 {tr(_UNIT)}")
        self._label.setFixedWidth(width + GRID)
        self._label.setToolTip(
            tr(
                "Simulated time units per second of wall time; grey is what the device reaches "
                "when it "
                "cannot do more"
            )
        )
        self.setSizePolicy(QtWidgets.QSizePolicy.Maximum, QtWidgets.QSizePolicy.Preferred)
        label = QtWidgets.QLabel(tr("Speed"))
        row(label, self.slider, self._label, self.unlimited, on=self, margins=(1, 0, 1, 0))
        self.slider.valueChanged.connect(lambda _: self._emit())
        self.unlimited.toggled.connect(lambda _: self._emit())

    @property
    def speed(self) -> float | None:
        """What the user wishes; None is as fast as possible."""
        if self.unlimited.isChecked():
            return None
        return self._scale * 10 ** (self.slider.value() / _PER_DECADE)

    def set_scale(self, scale: float, speed: float) -> None:
        """``scale`` is the size of the domain, the speed at which it is crossed in a second."""
        self._scale = scale
        position = round(_PER_DECADE * math.log10(speed / scale))
        changed = position != self.slider.value()
        self.slider.setValue(position)
        if not changed:
            self._emit()

    def nudge(self, notches: int) -> None:
        """Faster or slower by a tenth of a decade each."""
        self.slider.setValue(self.slider.value() + notches * _PER_DECADE // 10)

    def show_reached(self, speed: float) -> None:
        """The speed measured; said when it is not the one wished for."""
        wished = self.speed
        behind = wished is None or (0 < speed < 0.9 * wished)
        self._write(speed if wished is None or behind else wished, behind)

    def show_units(self) -> None:
        """The same in other units."""
        if (speed := self.speed) is not None:
            self._write(speed, False)

    def _emit(self) -> None:
        self.slider.setEnabled(not self.unlimited.isChecked())
        speed = self.speed
        if speed is not None:
            self._write(speed, False)
        self.wished.emit(speed)

    def _write(self, speed: float, muted: bool) -> None:
        if measures.unit(TIME, speed) is None:
            text = f"{three_figures(speed)} {tr(_UNIT)}"
        else:
            text = tr("{time} per second", time=measures.time(speed))
        if text != self._label.text():
            self._label.setText(text)
        if self._label.isEnabled() == muted:
            self._label.setEnabled(not muted)


class RecordingLabel(WholeLabel):
    """Red while a movie is written: pictures so far."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recording")
        self.setFont(tabular_font())
        self.setMinimumWidth(1)
        self._wide = self.fontMetrics().horizontalAdvance(tr("\u25cf {n} frames", n="00000")) + GRID
        self.setVisible(False)

    def sizeHint(self) -> QSize:
        return QSize(self._wide, super().sizeHint().height())

    def show_recording(self, recording: Recording | None) -> None:
        """The movie under way, if there is one."""
        frames = recording.frames if recording is not None else 0
        text = tr_n("\u25cf {n} frame", "\u25cf {n} frames", frames)
        self.setText(text if recording is not None else "")
        self.setVisible(recording is not None)


class Transport(QtWidgets.QToolBar):
    """``actions`` come first, then the speed; ``record`` and ``picture`` at the right end."""

    def __init__(
        self,
        actions: tuple[QtWidgets.QAction, ...],
        record: QtWidgets.QAction,
        picture: QtWidgets.QAction,
    ) -> None:
        super().__init__(tr("Transport"))
        self.setObjectName("transport")
        self.setMovable(False)
        self.speed = SpeedControl()
        self.readout = WholeLabel()
        self.readout.setObjectName("muted")
        self.readout.setFont(tabular_font(9))
        self.readout.setToolTip(tr("The field under the pointer, and the place"))
        self.readout.setAlignment(Qt.AlignRight | Qt.AlignVCenter)
        self.readout.setMinimumWidth(1)
        self.recording = RecordingLabel()
        # They share what is left, so that the buttons beside them stay in a narrow window.
        numbers = QtWidgets.QWidget()
        numbers.setSizePolicy(QtWidgets.QSizePolicy.Expanding, QtWidgets.QSizePolicy.Preferred)
        row((self.readout, 1), self.recording, on=numbers, margins=(1, 0, 1, 0), spacing=2)
        for action in actions:
            self.addAction(action)
        self.addSeparator()
        self.addWidget(self.speed)
        self.addWidget(numbers)
        self.addAction(record)
        self.addAction(picture)
