"""The settings of the source tool."""

from __future__ import annotations

from wavelab.app.base.qt import Qt, QtWidgets, Signal
from wavelab.app.edits.source_settings import PLACING, WAVES, SourceSettings
from wavelab.app.panels.fields.number_fields import DegreesField, WholeField
from wavelab.app.panels.fields.positive_field import PositiveField
from wavelab.app.panels.fields.section import Section

_KIND_TIPS = {
    "point": "A round spot; click to place it",
    "line": "Drag from one end to the other",
    "array": "Points in a row that send one after the other; drag from the first to the last",
    "moving": "A spot that starts where the drag starts and goes on in its direction",
    "region": "All of a box swings in step; drag from corner to corner",
    "plane wave": "Comes in at the border of a box, inside of which the field is all of it and "
    "outside only what is scattered; drag from corner to corner",
    "wave through walls": "A plane wave that comes in through edges, which absorb what leaves; "
    "click one, or drag over several",
    "guided mode": "A mode between parallel walls; click the end of the guide",
}
#: Kind -> the number that it alone has.
_OWN = {
    "array": "Direction",
    "plane wave": "Direction",
    "moving": "Speed",
    "wave through walls": "Angle",
    "guided mode": "Mode",
}
_WAVE_TIPS = {
    "sine": "A wave that goes on",
    "pulse": "A single pulse around this frequency",
    "chirp": "The frequency rises from half of this one to it in 12 periods",
}


class SourcePage(Section):
    """Emits ``wished(SourceSettings)`` when the user changes one."""

    wished = Signal(object)

    def __init__(self) -> None:
        super().__init__("Source")
        self.kind, self.wave = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for box, names, tips in ((self.kind, PLACING, _KIND_TIPS), (self.wave, WAVES, _WAVE_TIPS)):
            for i, name in enumerate(names):
                box.addItem(name)
                box.setItemData(i, tips[name], Qt.ToolTipRole)
            box.activated.connect(self._wish)
        self.frequency, self.strength = PositiveField(1.0), PositiveField(1.0)
        self.speed = PositiveField(0.5)
        self.direction, self.tilt = DegreesField(180, whole_turn=True), DegreesField(85)
        self.count, self.mode = WholeField(1, 1000), WholeField(0, 99)
        self.kind.setToolTip("What the next source is")
        self.wave.setToolTip("What it does in time")
        self.frequency.setToolTip(
            "Periods per time unit; in vacuum the wavelength is 1 / frequency"
        )
        self.strength.setToolTip("Largest Ez one wavelength from the source, or of the plane wave")
        self.direction.setToolTip(
            "Where the plane wave goes or the array sends, counterclockwise from the right"
        )
        self.count.setToolTip("Elements of the array")
        self.tilt.setToolTip("From straight in through the edge, counterclockwise")
        self.mode.setToolTip("Half waves across the guide; 0 between magnetic walls alone")
        self.speed.setToolTip("Of the moving source; light in vacuum has 1")
        self.add_row("Kind", self.kind)
        self.add_row("Waveform", self.wave)
        self.add_row("Frequency", self.frequency)
        self.add_row("Amplitude", self.strength)
        self.own = QtWidgets.QStackedWidget()
        for widget in (QtWidgets.QWidget(), self.direction, self.speed, self.tilt, self.mode):
            self.own.addWidget(widget)
        self._own_label = self.add_row("Direction", self.own)
        self._count_label = self.add_row("Elements", self.count)
        for field in (self.frequency, self.strength, self.speed):
            field.changed.connect(self._wish)
        for spin in (self.direction, self.count, self.tilt, self.mode):
            spin.valueChanged.connect(self._wish)
        self._enable()

    def show_settings(self, settings: SourceSettings) -> None:
        """Show settings without a signal."""
        self.blockSignals(True)
        self.kind.setCurrentText(settings.kind)
        self.wave.setCurrentText(settings.wave)
        self.frequency.set_value(settings.frequency)
        self.strength.set_value(settings.height)
        self.speed.set_value(settings.speed)
        self.direction.setValue(settings.direction)
        self.count.setValue(settings.count)
        self.tilt.setValue(settings.tilt)
        self.mode.setValue(settings.mode)
        self.blockSignals(False)
        self._enable()

    def _wish(self) -> None:
        self._enable()
        self.wished.emit(
            SourceSettings(
                self.frequency.value,
                self.strength.value,
                self.wave.currentText(),
                self.kind.currentText(),
                self.direction.value(),
                self.count.value(),
                self.speed.value,
                self.tilt.value(),
                self.mode.value(),
            )
        )

    def _enable(self) -> None:
        """Only what the kind has."""
        kind = self.kind.currentText()
        label = _OWN.get(kind, "")
        pages = {
            "Direction": self.direction,
            "Speed": self.speed,
            "Angle": self.tilt,
            "Mode": self.mode,
        }
        self.own.setCurrentWidget(pages.get(label, self.own.widget(0)))
        self._own_label.setText(label)
        self._own_label.setToolTip(self.own.currentWidget().toolTip())
        for widget in (self.own, self._own_label):
            widget.setVisible(bool(label))
        for widget in (self.count, self._count_label):
            widget.setVisible(kind == "array")
