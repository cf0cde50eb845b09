"""The scattering parameters of the present scene: start, progress, a plot and a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavelab.app.base import measures
from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.study_dialog import StudyDialog
from wavelab.app.panels.fields.number_fields import PositiveField
from wavelab.app.panels.plots.spectra_plot import SpectraPlot
from wavelab.scene.model.units import TIME
from wavelab.simulation.studies.scattering import Scattering

INTRODUCTION = (
    "Sends each mode of each port in a run of its own and finds how much of it comes out of every "
    "port. Ports are monitors of modes whose arrows lead into the device. The wave in the window "
    "goes on."
)
EMPTY = "\u201cStart\u201d draws the scattering parameters here."
_DRAWN = ("Decibels", "Part of the power", "Phase")


class ScatteringDialog(StudyDialog):
    """Emits ``started(ports, until)``, the ports empty for all, and ``save_wished(found)`` when the
    matrix is to be saved."""

    started = Signal(tuple, float)
    save_wished = Signal(object)

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        self.ports = QtWidgets.QComboBox()
        self.ports.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToContents)
        self.ports.setToolTip(tr("The ports that send, and that are looked at"))
        self.until = PositiveField(1.0, dimension=TIME)
        self.until.setToolTip(
            tr("A run ends when the wave has died away, and at this time at the latest")
        )
        settings = (
            QtWidgets.QLabel(tr("Ports")), self.ports,
            QtWidgets.QLabel(tr("until")), self.until,
        )  # fmt: skip
        super().__init__(parent, "Scattering parameters", INTRODUCTION, settings, columns=1)
        self.drawn = QtWidgets.QComboBox()
        self.drawn.addItems([tr(name) for name in _DRAWN])
        self.drawn.setToolTip(tr("What is drawn"))
        self.sending = QtWidgets.QComboBox()
        self.sending.setSizeAdjustPolicy(QtWidgets.QComboBox.AdjustToContents)
        self.sending.setToolTip(tr("The mode that is sent"))
        self.save = QtWidgets.QPushButton(tr("Save table\u2026"))
        self.save.setToolTip(
            tr("All of the matrix S as CSV, a row for each pair, or as a Touchstone file")
        )
        self.save.setEnabled(False)
        self.plot = SpectraPlot(theme, EMPTY)
        self.column.addLayout(
            row(QtWidgets.QLabel(tr("Sent")), self.sending, self.drawn, None, self.save)
        )
        self.column.addWidget(self.plot, 2)
        self.column.addWidget(self.table, 1)
        self.setMinimumWidth(90 * GRID)
        self.resize(104 * GRID, 82 * GRID)
        self.found: Scattering | None = None
        self._ports: tuple[str, ...] = ()
        self.save.clicked.connect(lambda: self.save_wished.emit(self.found))
        self.start.clicked.connect(self._start)
        self.sending.currentIndexChanged.connect(self._draw)
        self.drawn.currentIndexChanged.connect(self._draw)

    def show_ports(self, names: Sequence[str]) -> None:
        """The ports of the scene, which all send, or one alone."""
        if tuple(names) == self._ports:
            return
        self._ports = tuple(names)
        self.ports.clear()
        self.ports.addItems([tr("all of them"), *names])

    def show_found(self, found: Scattering) -> None:
        """What came of the runs."""
        self.found = found
        chosen = max(0, self.sending.currentIndex())
        self.sending.blockSignals(True)
        self.sending.clear()
        self.sending.addItems(
            [
                tr("{port}, mode {mode}", port=channel.port, mode=channel.mode)
                for channel in found.channels
            ]
        )
        self.sending.setCurrentIndex(min(chosen, len(found.channels) - 1))
        self.sending.blockSignals(False)
        self.save.setEnabled(True)
        self._fill(found)
        self._draw()
        self.show_idle(" ".join(f"{notice[0].upper()}{notice[1:]}." for notice in found.notices))

    def _fill(self, found: Scattering) -> None:
        names = [f"|S{found.digits(*pair)}|\u00b2" for pair in found.pairs]
        self.table.setColumnCount(1 + len(names))
        self.table.setHorizontalHeaderLabels([tr("Frequency"), *names])
        rows = [
            [
                measures.frequency(float(f), "{:.6g}".format),
                *(f"{abs(s[pair]) ** 2:.6f}" for pair in found.pairs),
            ]
            for f, s in zip(found.frequencies, found.s, strict=True)
        ]
        columns = found.columns()
        exact = zip(*(values.tolist() for values in columns.values()), strict=True)
        lines = ["\t".join(columns), *("\t".join(map(repr, line)) for line in exact)]
        self.show_table(rows, "\n".join(lines) + "\n")

    def _draw(self, *_: object) -> None:
        found, sent = self.found, self.sending.currentIndex()
        if found is None or sent < 0:
            return
        values = found.s[:, :, sent]
        with np.errstate(divide="ignore"):
            drawn, label = (
                (20 * np.log10(np.abs(values)), "dB"),
                (np.abs(values) ** 2, tr("part of the power")),
                (np.degrees(np.angle(values)), tr("phase (degrees)")),
            )[self.drawn.currentIndex()]
        spectra = {f"S{found.digits(j, sent)}": drawn[:, j] for j in range(values.shape[1])}
        self.plot.show_spectra(found.frequencies, label, spectra)

    def _start(self) -> None:
        index = self.ports.currentIndex()
        self.started.emit((self._ports[index - 1],) if index > 0 else (), self.until.value)
