"""The present scene against itself without an object: start, progress, a plot and a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wavelab.app.base import measures
from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.plots.spectra_plot import SpectraPlot
from wavelab.scene.model.units import TIME
from wavelab.simulation.studies.reference import Compared, ReferenceRun

INTRODUCTION = (
    "Runs your scene and then the same without an object, both from time 0, and compares what "
    "monitors of power, modes and far fields find at their frequencies. The wave in the window "
    "goes on."
)
EMPTY = "\u201cStart\u201d draws here what the object changes."
_COLUMNS = ("Frequency", "With", "Without", "Difference", "With / without", "Difference / without")
_MEANINGS = (
    "",
    "Mean power in the scene",
    "Mean power without the object",
    "Mean power of the difference of both fields: what the object throws back or scatters",
    "Behind a plate this is its transmission",
    "In front of a plate this is minus its reflection",
)


class ReferenceDialog(StudyDialog):
    """Emits ``started(names, until)`` with what is to be left out."""

    started = Signal(tuple, float)

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        self.object = QtWidgets.QComboBox()
        self.object.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToContents)
        self.object.setToolTip(tr("The material or obstacle that the reference is without"))
        self.until = PositiveField(1.0, dimension=TIME)
        self.until.setToolTip(tr("Simulated time to which both run"))
        settings = (
            QtWidgets.QLabel(tr("Without")), self.object,
            QtWidgets.QLabel(tr("until")), self.until,
        )  # fmt: skip
        super().__init__(
            parent, "Against a reference", INTRODUCTION, settings, columns=len(_COLUMNS)
        )
        self.table.setHorizontalHeaderLabels([tr(name) for name in _COLUMNS])
        for column, meaning in enumerate(_MEANINGS):
            self.table.horizontalHeaderItem(column).setToolTip(tr(meaning))
        self.monitor = QtWidgets.QComboBox()
        self.monitor.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToContents)
        self.monitor.setToolTip(tr("The monitor to look at"))
        self.divided = QtWidgets.QComboBox()
        self.divided.addItems([tr("Divided by the reference"), tr("Powers")])
        self.divided.setToolTip(tr("What is drawn"))
        self.plot = SpectraPlot(theme, EMPTY)
        self.column.addLayout(
            row(QtWidgets.QLabel(tr("Monitor")), self.monitor, self.divided, None)
        )
        self.column.addWidget(self.plot, 2)
        self.column.addWidget(self.table, 1)
        self.setMinimumWidth(104 * GRID)
        self.resize(108 * GRID, 80 * GRID)
        self._objects: tuple[str, ...] = ()
        self._found: ReferenceRun | None = None
        self.start.clicked.connect(self._start)
        self.monitor.currentIndexChanged.connect(self._draw)
        self.divided.currentIndexChanged.connect(self._draw)

    def show_objects(self, names: Sequence[str]) -> None:
        """What can be left out, and all of it together if that is more."""
        if tuple(names) == self._objects:
            return
        self._objects = tuple(names)
        chosen = self.object.currentText()
        self.object.clear()
        self.object.addItems([*([tr("all of them")] if len(names) > 1 else []), *names])
        self.object.setCurrentIndex(max(0, self.object.findText(chosen)))

    def show_found(self, found: ReferenceRun) -> None:
        """What came of both runs."""
        self._found = found
        chosen = self.monitor.currentText()
        self.monitor.blockSignals(True)
        self.monitor.clear()
        self.monitor.addItems(list(found.monitors))
        self.monitor.setCurrentIndex(max(0, self.monitor.findText(chosen)))
        self.monitor.blockSignals(False)
        self._draw()
        self.show_idle(" ".join(f"{notice[0].upper()}{notice[1:]}." for notice in found.notices))

    def _draw(self, *_: object) -> None:
        if self._found is None or self.monitor.currentIndex() < 0:
            return
        compared = self._found[self.monitor.currentText()]
        self._fill(compared)
        with_it, without_it, difference = compared.powers
        if self.divided.currentIndex() == 0:
            spectra = {
                tr("with / without"): compared.quotient,
                tr("difference / without"): compared.difference_quotient,
            }
            self.plot.show_spectra(compared.frequency, tr("parts of the reference"), spectra)
        else:
            spectra = {
                tr("with"): with_it,
                tr("without"): without_it,
                tr("difference"): difference,
            }
            self.plot.show_spectra(compared.frequency, tr("mean power"), spectra)

    def _fill(self, compared: Compared) -> None:
        columns = compared.columns()
        rows = []
        for frequency, *numbers in zip(*columns.values(), strict=True):
            written = ["\u2013" if math.isnan(n) else f"{n:.6g}" for n in map(float, numbers)]
            rows.append([measures.frequency(float(frequency), "{:.6g}".format), *written])
        exact = zip(*(values.tolist() for values in columns.values()), strict=True)
        lines = ["\t".join(columns), *("\t".join(map(repr, line)) for line in exact)]
        self.show_table(rows, "\n".join(lines) + "\n")

    def _start(self) -> None:
        index = self.object.currentIndex() - (len(self._objects) > 1)
        names = self._objects if index < 0 else (self._objects[index],)
        self.started.emit(names, self.until.value)
