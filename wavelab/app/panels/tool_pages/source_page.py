"""The settings of the source tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavelab.app.base.qt import Qt, QtWidgets, Signal
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.number_fields import DegreesField, PositiveField, WholeField
from wavelab.app.panels.fields.section import Section
from wavelab.scene.model.sending.placing import Number, SourceSettings
from wavelab.scene.model.units import FREQUENCY
from wavelab.scene.sources import PLACINGS
from wavelab.scene.waveforms import WAVES


@dataclass(frozen=True, eq=False)
class _Row:
    """A number that only some sources have."""

    number: Number
    field: Any
    label: QtWidgets.QLabel

    @property
    def value(self) -> float:
        value = self.field.value
        return value if self.number.unit == "positive" else value()

    def show(self, value: float) -> None:
        self.field.set_value(int(value) if self.number.unit == "whole" else value)


class SourcePage(Section):
    """Emits ``wished(SourceSettings)`` when the user changes one.

    Attributes
    ----------
    own : by key, the fields of the numbers that only some kinds have.
    """

    wished = Signal(object)

    def __init__(self) -> None:
        super().__init__("Source")
        self.kind, self.wave = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        self._fill(self.kind, {label: placing.tip for label, (placing, _) in PLACINGS.items()})
        self._fill(self.wave, {label: wave.tip for label, wave in WAVES.items()})
        for box in (self.kind, self.wave):
            box.activated.connect(self._wish)
        self.frequency = PositiveField(1.0, dimension=FREQUENCY)
        self.strength = PositiveField(1.0)
        self.kind.setToolTip(tr("What the next source is"))
        self.wave.setToolTip(tr("What it does in time"))
        self.frequency.setToolTip(
            tr("Periods per time unit; where the speed is 1 the wavelength is 1 / frequency")
        )
        self.strength.setToolTip(
            tr("Largest field one wavelength from the source, or of the plane wave")
        )
        self.add_row("Kind", self.kind)
        self.add_row("Waveform", self.wave)
        self.add_row("Frequency", self.frequency)
        self.add_row("Amplitude", self.strength)
        for positive in (self.frequency, self.strength):
            positive.changed.connect(self._wish)
        numbers = {n.key: n for placing, _ in PLACINGS.values() for n in placing.numbers}
        self._numbers = {key: self._row(number) for key, number in numbers.items()}
        self.own = {key: row.field for key, row in self._numbers.items()}
        self._enable()

    def offer(self, kinds: Mapping[str, str]) -> None:
        """Only these kinds, with their tips; the one on show stays if it is among them."""
        chosen = self.kind.currentData()
        self.kind.clear()
        self._fill(self.kind, kinds)
        self.kind.setCurrentIndex(max(0, self.kind.findData(chosen)))
        self._enable()

    @staticmethod
    def _fill(box: QtWidgets.QComboBox, tips: Mapping[str, str]) -> None:
        for i, (name, tip) in enumerate(tips.items()):
            box.addItem(tr(name), name)
            box.setItemData(i, tr(tip), Qt.ToolTipRole)

    def show_settings(self, settings: SourceSettings) -> None:
        """Show settings without a signal."""
        self.blockSignals(True)
        self.kind.setCurrentIndex(self.kind.findData(settings.kind))
        self.wave.setCurrentIndex(self.wave.findData(settings.wave))
        self.frequency.set_value(settings.frequency)
        self.strength.set_value(settings.height)
        for row in self._numbers.values():
            row.show(settings[row.number])
        self.blockSignals(False)
        self._enable()

    def _row(self, number: Number) -> _Row:
        field: Any
        match number.unit:
            case "positive":
                field = PositiveField(number.start)
                changed = field.changed
            case "degrees":
                field = DegreesField(number.most, whole_turn=number.most >= 180)
                changed = field.valueChanged
            case "whole":
                field = WholeField(number.least, number.most)
                changed = field.valueChanged
        field.setToolTip(tr(number.tip))
        row = _Row(number, field, self.add_row(number.label, field))
        row.show(number.start)
        changed.connect(self._wish)
        return row

    def _wish(self) -> None:
        self._enable()
        self.wished.emit(
            SourceSettings(
                frequency=self.frequency.value,
                height=self.strength.value,
                wave=self.wave.currentData(),
                kind=self.kind.currentData(),
                own={key: row.value for key, row in self._numbers.items()},
            )
        )

    def _enable(self) -> None:
        """Only what the kind has."""
        placing, _ = PLACINGS[self.kind.currentData()]
        for row in self._numbers.values():
            shown = row.number in placing.numbers
            row.field.setVisible(shown)
            row.label.setVisible(shown)
