"""The resonances of the present scene: start, progress, a table, and the shape of each mode."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.base import measures
from wavelab.app.base.images import image_of
from wavelab.app.base.qt import QPixmap, Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.picture_label import PictureLabel
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.number_fields import PositiveField, WholeField
from wavelab.scene.model.units import FREQUENCY
from wavelab.simulation.studies.modes.resonances import MOST_MODES, Resonances

INTRODUCTION = (
    "Pings your scene, without its sources and initial fields, and finds what rings: frequency, "
    "quality factor and shape of each mode. The wave in the window goes on."
)
EMPTY = "\u201cStart\u201d lists the modes above; the one that is chosen is shown here."
_SHAPE = (60 * GRID, 40 * GRID)
_COLUMNS = ("Mode", "Frequency", "Q", "Modes at it", "Residual", "Mode volume")
_MEANINGS = (
    "",
    "Waves per length unit where the speed is 1",
    "Quality factor: \u03c0 f / decay. Lossless: nothing in the scene takes energy",
    "How many modes have this frequency",
    "How well the shape fulfils the equations, relative; the frequency is better by far",
    "How much room it takes: the energy of its field over the largest density of that, an area in "
    "length units\u00b2",
)


class ResonanceDialog(StudyDialog):
    """Emits ``started(modes, band)``, either a number or two frequencies, ``chosen(row)`` when a
    mode is to be shown, and ``driven(row)`` when a source is to make it ring."""

    started = Signal(object, object)
    chosen = Signal(int)
    driven = Signal(int)

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        self.modes = WholeField(1, MOST_MODES)
        self.modes.setValue(6)
        self.modes.setToolTip(tr("How many modes at most, the lowest first"))
        self.in_band = QtWidgets.QCheckBox(tr("between"))
        self.in_band.setToolTip(tr("List all between two frequencies, not the lowest ones"))
        self.low = PositiveField(1.0, dimension=FREQUENCY)
        self.high = PositiveField(2.0, dimension=FREQUENCY)
        self.low.setToolTip(tr("Lowest frequency to look at"))
        self.high.setToolTip(tr("Highest frequency to look at"))
        settings = (
            QtWidgets.QLabel(tr("Modes")), self.modes, self.in_band, self.low,
            QtWidgets.QLabel(tr("and")), self.high,
        )  # fmt: skip
        super().__init__(parent, "Find resonances", INTRODUCTION, settings, columns=len(_COLUMNS))
        self.setMinimumWidth(90 * GRID)
        self.table.setHorizontalHeaderLabels([tr(name) for name in _COLUMNS])
        for column, meaning in enumerate(_MEANINGS):
            self.table.horizontalHeaderItem(column).setToolTip(tr(meaning))
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectRows)
        self.table.setSelectionMode(QtWidgets.QAbstractItemView.SingleSelection)
        self.shape = PictureLabel(tr(EMPTY), _SHAPE)
        self.column.addWidget(self.table)
        self.column.addWidget(self.shape, 1)
        self.drive = QtWidgets.QPushButton(tr("Drive this mode"))
        self.drive.setToolTip(
            tr(
                "Place a source of its frequency where the mode is strongest, in the scene that "
                "runs"
            )
        )
        self.drive.setEnabled(False)
        self.drive.clicked.connect(lambda: self.driven.emit(self.table.currentRow()))
        self.column.addWidget(self.drive, 0, Qt.AlignLeft)
        self.resize(90 * GRID, 82 * GRID)
        self.start.clicked.connect(self._start)
        self.in_band.toggled.connect(self.low.setEnabled)
        self.in_band.toggled.connect(self.high.setEnabled)
        self.in_band.toggled.connect(self.modes.setDisabled)
        self.table.currentCellChanged.connect(self._row_changed)
        self.low.setEnabled(False)
        self.high.setEnabled(False)

    @property
    def shape_size(self) -> tuple[int, int]:
        """Pixels for the picture of a mode."""
        ratio = self.devicePixelRatioF()
        return round(ratio * _SHAPE[0]), round(ratio * _SHAPE[1])

    def show_found(self, found: Resonances) -> None:
        table = found.table(measures.scale())
        rows = [line.split("\t") for line in table.splitlines()[1:]]
        self.show_table(rows, table + "\n")
        low, high = (measures.frequency(f, "{:.3g}".format) for f in found.band)
        source = (
            ""
            if found.refined
            else "; numbers from the records, for media are dispersive and formulas"
        )
        here = f"between {low} and {high}"
        counted = f"{len(rows)} modes {here}"
        if found.left_out:
            counted = f"The {len(rows)} lowest of {len(rows) + found.left_out} modes {here}"
        if found.sharper is not None:
            at, quality = found.sharper
            f = measures.frequency(at, "{:.4g}".format)
            source += f"; left out is one of Q {quality:.4g} at {f}: look in a band there"
        self.show_idle(f"{counted}{source}.")
        self.table.setCurrentCell(-1, -1)
        self.table.setCurrentCell(0, 0)

    def show_shape(self, rgb: NDArray[np.uint8]) -> None:
        """(height, width, 3) picture of the chosen mode."""
        self.shape.show_picture(QPixmap.fromImage(image_of(rgb)))

    def _start(self) -> None:
        if self.in_band.isChecked():
            self.started.emit(None, (self.low.value, self.high.value))
        else:
            self.started.emit(self.modes.value(), None)

    def _row_changed(self, row: int, *_: int) -> None:
        self.drive.setEnabled(row >= 0)
        if row >= 0:
            self.chosen.emit(row)
