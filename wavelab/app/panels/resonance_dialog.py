"""The resonances of the present scene: start, progress, a table, and the shape of each mode."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavelab.app.panels.positive_field import PositiveField
from wavelab.app.panels.section import muted_label
from wavelab.app.qt import QImage, QPixmap, Qt, QtGui, QtWidgets, Signal
from wavelab.app.theme import GRID, tabular_font
from wavelab.simulation.resonances import MOST_MODES, Resonances

INTRODUCTION = (
    "Pings your scene, without its sources and initial fields, and finds what rings: frequency, "
    "quality factor and shape of each mode. The wave in the window goes on."
)
_SHAPE = (60 * GRID, 40 * GRID)
_COLUMNS = ("Mode", "Frequency", "Q", "Modes at it", "Residual")
_MEANINGS = (
    "",
    "Waves of vacuum per length unit",
    "Quality factor: \u03c0 f / decay. Lossless: nothing in the scene takes energy",
    "How many modes have this frequency",
    "How well the shape fulfils the equations, relative; the frequency is better by far",
)


class ResonanceDialog(QtWidgets.QDialog):
    """Emits ``started(modes, band)``, band being None or two frequencies, ``cancelled()`` and
    ``chosen(row)`` when a mode is to be shown; knows nothing of how it is done."""

    started = Signal(int, object)
    cancelled = Signal()
    chosen = Signal(int)

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find resonances")
        self.setMinimumWidth(90 * GRID)
        self.setAttribute(Qt.WA_DeleteOnClose, False)
        self.modes = QtWidgets.QSpinBox()
        self.modes.setRange(1, MOST_MODES)
        self.modes.setValue(6)
        self.modes.setToolTip("How many modes at most, the lowest first")
        self.in_band = QtWidgets.QCheckBox("between")
        self.in_band.setToolTip("Look between two frequencies, not from the lowest mode on")
        self.low, self.high = PositiveField(1.0), PositiveField(2.0)
        self.low.setToolTip("Lowest frequency to look at")
        self.high.setToolTip("Highest frequency to look at")
        self.start = QtWidgets.QPushButton("Start")
        self.cancel = QtWidgets.QPushButton("Cancel")
        self.copy = QtWidgets.QPushButton("Copy numbers")
        self.copy.setToolTip("Put the table on the clipboard, columns separated by tabs")
        self.table = QtWidgets.QTableWidget(0, len(_COLUMNS))
        self.table.setFont(tabular_font(9))
        self.table.setHorizontalHeaderLabels(_COLUMNS)
        for column, meaning in enumerate(_MEANINGS):
            self.table.horizontalHeaderItem(column).setToolTip(meaning)
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.NoEditTriggers)
        self.table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectRows)
        self.table.setSelectionMode(QtWidgets.QAbstractItemView.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(3 * GRID)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.Stretch)
        self.table.setMinimumHeight(22 * GRID)
        self.shape = QtWidgets.QLabel()
        self.shape.setAlignment(Qt.AlignCenter)
        self.shape.setMinimumSize(*_SHAPE)
        self._bar = QtWidgets.QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._stage = muted_label()
        self._found: Resonances | None = None
        self._lay_out()
        self.start.clicked.connect(self._start)
        self.cancel.clicked.connect(self.cancelled)
        self.copy.clicked.connect(self._copy)
        self.in_band.toggled.connect(self.low.setEnabled)
        self.in_band.toggled.connect(self.high.setEnabled)
        self.table.currentCellChanged.connect(self._row_changed)
        self.low.setEnabled(False)
        self.high.setEnabled(False)
        self.show_idle()

    def _lay_out(self) -> None:
        row = QtWidgets.QHBoxLayout()
        row.setSpacing(GRID)
        for widget in (
            QtWidgets.QLabel("Modes"), self.modes, self.in_band, self.low,
            QtWidgets.QLabel("and"), self.high, self.start, self.cancel,
        ):  # fmt: skip
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.copy)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(muted_label(INTRODUCTION))
        column.addLayout(row)
        column.addWidget(self._bar)
        column.addWidget(self._stage)
        column.addWidget(self.table)
        column.addWidget(self.shape, 1)

    @property
    def shape_size(self) -> tuple[int, int]:
        """Pixels for the picture of a mode."""
        ratio = self.devicePixelRatioF()
        return round(ratio * _SHAPE[0]), round(ratio * _SHAPE[1])

    def show_idle(self, text: str = "") -> None:
        """Nothing runs; ``text`` says why if that is not as wished."""
        self.start.setEnabled(True)
        self.cancel.setEnabled(False)
        self.copy.setEnabled(self._found is not None)
        self._bar.setValue(0)
        self._stage.setText(text)

    def show_progress(self, part: float, text: str) -> None:
        self.start.setEnabled(False)
        self.cancel.setEnabled(True)
        self._bar.setValue(round(1000 * part))
        self._stage.setText(f"{text}\u2026" if text else "Starting\u2026")

    def show_found(self, found: Resonances) -> None:
        self._found = found
        rows = [line.split("\t") for line in found.table().splitlines()[1:]]
        self.table.setRowCount(len(rows))
        for i, cells in enumerate(rows):
            for j, text in enumerate(cells):
                item = QtWidgets.QTableWidgetItem(text)
                item.setTextAlignment(int(Qt.AlignRight | Qt.AlignVCenter))
                self.table.setItem(i, j, item)
        low, high = found.band
        source = "" if found.refined else "; numbers from the records, for media have a memory"
        self.show_idle(f"{len(rows)} modes between {low:.3g} and {high:.3g}{source}.")
        self.table.setCurrentCell(-1, -1)
        self.table.setCurrentCell(0, 0)

    def show_shape(self, rgb: NDArray[np.uint8]) -> None:
        """(height, width, 3) picture of the chosen mode."""
        rgb = np.ascontiguousarray(rgb)
        height, width, _ = rgb.shape
        image = QImage(rgb.data, width, height, 3 * width, QImage.Format_RGB888).copy()
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        self.shape.setPixmap(pixmap)

    def _start(self) -> None:
        band = (self.low.value, self.high.value) if self.in_band.isChecked() else None
        self.started.emit(self.modes.value(), band)

    def _row_changed(self, row: int, *_: int) -> None:
        if row >= 0:
            self.chosen.emit(row)

    def _copy(self) -> None:
        if self._found is not None:
            QtGui.QGuiApplication.clipboard().setText(self._found.table() + "\n")
