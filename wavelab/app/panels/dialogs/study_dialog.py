"""What the dialogs of long studies have in common: start, cancel, progress, a table to copy."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import Qt, QtGui, QtWidgets, Signal
from wavelab.app.base.screens import Dialog, fit_on_screen
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import muted_label
from wavelab.simulation.core.forecast import LONG, Forecast, in_words


class StudyDialog(Dialog):
    """Emits ``cancelled()``; knows nothing of how a study is done.

    Parameters
    ----------
    introduction : what the study does.
    settings : widgets before the buttons.
    columns : how many the table has.

    Attributes
    ----------
    bar, stage : how far a study is, and at what, or what came of it.
    column : the layout of it all, for what comes below the progress.
    """

    cancelled = Signal()

    def __init__(
        self,
        parent: QtWidgets.QWidget,
        title: str,
        introduction: str,
        settings: Sequence[QtWidgets.QWidget],
        columns: int,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr(title))
        self.setAttribute(Qt.WA_DeleteOnClose, False)
        self.start = QtWidgets.QPushButton(tr("Start"))
        self.cancel = QtWidgets.QPushButton(tr("Cancel"))
        self.copy = QtWidgets.QPushButton(tr("Copy numbers"))
        self.copy.setToolTip(tr("Put the table on the clipboard, columns separated by tabs"))
        self.table = QtWidgets.QTableWidget(0, columns)
        self.table.setFont(tabular_font(9))
        self.table.setEditTriggers(QtWidgets.QAbstractItemView.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(3 * GRID)
        self.table.horizontalHeader().setSectionResizeMode(QtWidgets.QHeaderView.Stretch)
        self.table.setMinimumHeight(10 * GRID)
        self.bar = QtWidgets.QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.stage = muted_label()
        self._numbers = ""
        self._forecast = Forecast()
        buttons = row(*settings, self.start, self.cancel, None, self.copy)
        self.column = column(
            muted_label(tr(introduction)),
            buttons,
            self.bar,
            self.stage,
            on=self,
            margins=(2, 2, 2, 2),
        )
        self.cancel.clicked.connect(self.cancelled)
        self.copy.clicked.connect(self._copy)
        self.show_idle()

    def show_idle(self, text: str = "") -> None:
        """Nothing runs; ``text`` says what came of the last run."""
        self.start.setEnabled(True)
        self.cancel.setEnabled(False)
        self.copy.setEnabled(bool(self._numbers))
        self.bar.setValue(0)
        self.stage.setText(said(text))
        self._make_room()

    def show_progress(self, part: float, text: str) -> None:
        """What is done now, how far it is, and how long the rest takes if that is more than a
        minute."""
        if not self.cancel.isEnabled():
            self._forecast = Forecast()
        self.start.setEnabled(False)
        self.cancel.setEnabled(True)
        self.bar.setValue(round(1000 * part))
        left = self._forecast.left(part)
        rest = ""
        if left is not None and left > LONG:
            rest = "; " + tr("{left} left", left=said(in_words(left)))
        self.stage.setText(f"{said(text or 'Starting')}\u2026{rest}")

    def show_table(self, rows: Sequence[Sequence[str]], numbers: str) -> None:
        """``numbers`` is what goes to the clipboard."""
        self._numbers = numbers
        self.table.setRowCount(len(rows))
        for i, cells in enumerate(rows):
            for j, text in enumerate(cells):
                item = QtWidgets.QTableWidgetItem(text)
                item.setTextAlignment(int(Qt.AlignRight | Qt.AlignVCenter))
                self.table.setItem(i, j, item)
        self._make_room()

    def _make_room(self) -> None:
        """Grow by the lines that sentences have come to have; else parts would overlap."""
        needed = self.column.totalHeightForWidth(self.width())
        if needed > self.height():
            self.resize(self.width(), needed)
            if self.isVisible():
                fit_on_screen(self)

    def _copy(self) -> None:
        QtGui.QGuiApplication.clipboard().setText(self._numbers)
