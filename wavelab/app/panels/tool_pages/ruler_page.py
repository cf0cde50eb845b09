"""The page of the ruler."""

from __future__ import annotations

from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.language.language import tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.fields.section import Section
from wavelab.app.tools.measuring.ruler import MEASURED
from wavelab.scene.model.units import FREQUENCY

_TIPS = {
    "length": "A drag measures a length, in wavelengths and the time that a wave takes, too",
    "angle": "A drag from an edge, a wall or the border of a material, along a ray measures its "
    "angle to the normal of that edge",
}


class RulerPage(Section):
    """Emits ``wished(float)`` with another frequency, ``measuring_wished(str)`` with what the next
    drag measures, ``snapping_wished(bool)`` and ``clear_wished()``."""

    wished = Signal(float)
    measuring_wished = Signal(str)
    snapping_wished = Signal(bool)
    clear_wished = Signal()

    def __init__(self) -> None:
        super().__init__("Ruler")
        self.measured: dict[str, QtWidgets.QRadioButton] = {}
        for key, label in MEASURED.items():
            button = self.measured[key] = QtWidgets.QRadioButton(tr(label))
            button.setToolTip(tr(_TIPS[key]))
            button.clicked.connect(lambda _, key=key: self.measuring_wished.emit(key))
            self.add_row("" if len(self.measured) > 1 else "Measures", button)
        self.measured["length"].setChecked(True)
        self.snapping = QtWidgets.QCheckBox(tr("Corners, edges, grid"))
        self.snapping.setChecked(True)
        self.snapping.setToolTip(
            tr(
                "Ends go to a corner that is near, angles begin on an edge, or else they go to a "
                "grid of round numbers; Ctrl while dragging does it the other way"
            )
        )
        self.snapping.clicked.connect(self.snapping_wished)
        self.add_row("Snaps to", self.snapping)
        self.frequency = PositiveField(1.0, dimension=FREQUENCY)
        self.frequency.setToolTip(
            tr(
                "Wavelengths are counted at this frequency (c / length unit); at first the "
                "lowest of the sources"
            )
        )
        self.frequency.changed.connect(self.wished)
        self.add_row("Frequency", self.frequency)
        self.clear = QtWidgets.QPushButton(tr("Clear rulers"))
        self.clear.setToolTip(tr("Take all rulers and angles away"))
        self.clear.clicked.connect(self.clear_wished)
        self.add_wide(self.clear)
        self.add_wide(
            muted_label(
                tr(
                    "Rulers stay until they are deleted: click one, then drag it or press Delete. "
                    "Click where a wave is, and again where it has come to, for its speed."
                )
            )
        )
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """How many rulers there are."""
        self.clear.setEnabled(count > 0)
