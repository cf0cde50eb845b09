"""How wrong the present setting is: start, progress, plot, numbers."""

from __future__ import annotations

from wavelab.app.panels.convergence_plot import ConvergencePlot
from wavelab.app.panels.positive_field import PositiveField
from wavelab.app.panels.section import muted_label
from wavelab.app.qt import Qt, QtGui, QtWidgets, Signal
from wavelab.app.theme import GRID, Theme, tabular_font
from wavelab.simulation.convergence import Study

INTRODUCTION = (
    "Runs your scene again, from its initial fields with its sources, on smaller elements and at "
    "higher orders, and compares the fields at the end. Pings made by hand are not repeated."
)


class ConvergenceDialog(QtWidgets.QDialog):
    """Emits ``started(until)`` and ``cancelled()``; knows nothing of how it is done."""

    started = Signal(float)
    cancelled = Signal()

    def __init__(self, parent: QtWidgets.QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle("Check convergence")
        self.setMinimumWidth(84 * GRID)
        self.setAttribute(Qt.WA_DeleteOnClose, False)
        self.until = PositiveField(1.0)
        self.until.setToolTip("Simulated time at which the fields are compared")
        self.start = QtWidgets.QPushButton("Start")
        self.start.setToolTip("Run the scene on all settings; the wave in the window goes on")
        self.cancel = QtWidgets.QPushButton("Cancel")
        self.copy = QtWidgets.QPushButton("Copy numbers")
        self.copy.setToolTip("Put the table on the clipboard, columns separated by tabs")
        self.plot = ConvergencePlot(theme)
        self.sentence = QtWidgets.QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.table = QtWidgets.QTableWidget(0, 6)
        self.table.setFont(tabular_font(9))
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.Stretch)
        self.table.setMinimumHeight(22 * GRID)
        self.table.verticalHeader().setDefaultSectionSize(3 * GRID)
        self._bar = QtWidgets.QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._stage = muted_label()
        row = QtWidgets.QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(QtWidgets.QLabel("Compare at time"))
        row.addWidget(self.until)
        row.addWidget(self.start)
        row.addWidget(self.cancel)
        row.addStretch(1)
        row.addWidget(self.copy)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(muted_label(INTRODUCTION))
        column.addLayout(row)
        column.addWidget(self._bar)
        column.addWidget(self._stage)
        column.addWidget(self.sentence)
        column.addWidget(self.plot, 1)
        column.addWidget(self.table)
        self.start.clicked.connect(lambda: self.started.emit(self.until.value))
        self.cancel.clicked.connect(self.cancelled)
        self.copy.clicked.connect(self._copy)
        self._study: Study | None = None
        self.show_idle()

    def show_idle(self, text: str = "") -> None:
        """Nothing runs; ``text`` says why if that is not as wished."""
        self.start.setEnabled(True)
        self.cancel.setEnabled(False)
        self.copy.setEnabled(self._study is not None)
        self._bar.setValue(0)
        self._stage.setText(text)

    def show_progress(self, part: float, text: str) -> None:
        self.start.setEnabled(False)
        self.cancel.setEnabled(True)
        self._bar.setValue(round(1000 * part))
        self._stage.setText(f"{text}\u2026" if text else "Starting\u2026")

    def show_study(self, study: Study) -> None:
        self._study = study
        self.plot.show_study(study)
        self.sentence.setText(study.sentence())
        header, *rows = (line.split("\t") for line in study.table().splitlines())
        self.table.setHorizontalHeaderLabels([name.capitalize() for name in header])
        self.table.setRowCount(len(rows))
        for i, cells in enumerate(rows):
            for j, text in enumerate(cells):
                item = QtWidgets.QTableWidgetItem(text)
                item.setTextAlignment(int(Qt.AlignRight | Qt.AlignVCenter))
                self.table.setItem(i, j, item)
        exact = study.reference == "exact"
        against = "the exact solution" if exact else f"a run of {study.reference}"
        self.show_idle(f"Measured against {against}; the error falls as h^{study.rate:.1f}.")

    def _copy(self) -> None:
        if self._study is not None:
            text = f"{self._study.sentence()}\n{self._study.table()}\n"
            QtGui.QGuiApplication.clipboard().setText(text)
