"""The page of the probe tool: what is measured, where, and at which frequencies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wavelab.app.base import measures
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.edits.monitor_edits import (
    SHAPES,
    MeasureSettings,
    measured_of,
    read_frequencies,
    written_frequencies,
)
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.section import Section
from wavelab.errors import WavelabError
from wavelab.scene.model.units import FREQUENCY
from wavelab.scene.systems import System

_TIPS = {
    "rectangle": "Drag it from corner to corner",
    "ellipse": "Drag the box round it",
    "polygon": "Click its corners",
    "everywhere": "All of the domain, with one click",
}


class ProbePage(Section):
    """Emits ``wished(MeasureSettings)`` with what is to be placed from now on, and
    ``failed(WavelabError)`` about what cannot be read."""

    wished = Signal(object)
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__("Probe")
        self._settings = MeasureSettings()
        self.measured = QtWidgets.QComboBox()
        self.measured.setToolTip(tr("What the next click or drag places"))
        self.measured.activated.connect(
            lambda _: self._wish(kind=self.measured.currentData(), shape=self._settings.shape)
        )
        self.add_row("Measure", self.measured)
        self.shape = QtWidgets.QComboBox()
        self.shape.setToolTip(tr("How the region is drawn"))
        self.shape.activated.connect(lambda index: self._wish(shape=self.shape.itemData(index)))
        # As wide as the panel, not as the longest label.
        for box in (self.measured, self.shape):
            box.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self._shape_label = self.add_row("Region", self.shape)
        self.frequencies = QtWidgets.QLineEdit()
        self.frequencies.setPlaceholderText(tr("such as 1.5, 2"))
        self.frequencies.setToolTip(
            tr("Frequencies at which it is measured (c / length unit), with commas between them")
        )
        self.frequencies.editingFinished.connect(self._typed)
        self._frequency_label = self.add_row("Frequencies", self.frequencies)
        self.note = muted_label()
        self.add_wide(self.note)

    def show_settings(self, settings: MeasureSettings) -> None:
        self._settings = settings
        offered = measured_of(settings.physics)
        if [self.measured.itemData(i) for i in range(self.measured.count())] != list(offered):
            self.measured.clear()
            for kind, placing in offered.items():
                self.measured.addItem(tr(placing.label), kind)
        self.measured.setCurrentIndex(self.measured.findData(settings.kind))
        shapes = settings.shapes
        if [self.shape.itemData(i) for i in range(self.shape.count())] != list(shapes):
            self.shape.clear()
            for name in shapes:
                self.shape.addItem(tr(name), name)
        if shapes:
            self.shape.setCurrentIndex(self.shape.findData(settings.placing))
            self.shape.setToolTip(tr(_TIPS[settings.placing]))
        for widget in (self._shape_label, self.shape):
            widget.setVisible(bool(shapes))
        for widget in (self._frequency_label, self.frequencies):
            widget.setVisible(settings.measured.frequencies)
        if not (self.frequencies.hasFocus() and self.frequencies.isModified()):
            self.frequencies.setText(written_frequencies(settings.frequencies))
        self.note.setText(tr(settings.measured.note))

    def offer(self, system: System) -> None:
        """What can be measured of waves of a system."""
        if system.key != self._settings.physics:
            self.wished.emit(self._settings.of(system.key))

    def _typed(self) -> None:
        if not self.frequencies.isModified():
            return
        self.frequencies.setModified(False)
        try:
            self._wish(
                frequencies=read_frequencies(measures.typed(self.frequencies.text(), FREQUENCY))
            )
        except WavelabError as error:
            self.frequencies.setText(written_frequencies(self._settings.frequencies))
            self.failed.emit(error)

    def _wish(self, **changes: Any) -> None:
        kind = changes.get("kind")
        if kind is not None and kind != self._settings.kind:
            # What can be measured everywhere mostly is.
            if measured_of(self._settings.physics)[str(kind)].everywhere:
                changes["shape"] = SHAPES[-1]
            elif self._settings.shape == SHAPES[-1]:
                changes["shape"] = SHAPES[0]
        self.wished.emit(replace(self._settings, **changes))
