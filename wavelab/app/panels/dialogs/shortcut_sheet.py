"""The list of everything the keyboard and the mouse can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import Qt, QtCore, QtGui, QtWidgets
from wavelab.app.base.screens import Dialog
from wavelab.app.base.theme import GRID, tabular_font
from wavelab.app.language.language import said, tr

#: (keys, what they do).
Rows = Sequence[tuple[str, str]]
#: As many as fit side by side, so that the sheet is no higher than it must be.
_MOST_COLUMNS = 5
#: Of the screen, which a sheet leaves free.
_MARGIN = 8 * GRID


class ShortcutSheet(Dialog):
    """``groups`` maps a heading to (keys, what they do), in the order they are shown in."""

    def __init__(
        self,
        parent: QtWidgets.QWidget,
        groups: Mapping[str, Rows],
        close_keys: tuple[str, ...] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keys and gestures"))
        # Esc closes every dialog; here the key that opened it does too.
        for key in close_keys:
            QtWidgets.QShortcut(QtGui.QKeySequence(key), self, self.close)
        screen = self.screen() or QtWidgets.QApplication.primaryScreen()
        room = screen.availableGeometry().size() - QtCore.QSize(_MARGIN, _MARGIN)
        area = QtWidgets.QScrollArea()
        area.setFrameShape(QtWidgets.QFrame.NoFrame)
        area.setWidget(widest_list(groups, room.width()))
        row(area, on=self)
        wanted = area.widget().sizeHint()
        if wanted.height() > room.height():
            wanted += QtCore.QSize(area.verticalScrollBar().sizeHint().width(), 0)
        self.resize(wanted.boundedTo(room))


def widest_list(groups: Mapping[str, Rows], width: int) -> QtWidgets.QWidget:
    """Everything, in as many columns as are no wider than so many pixels."""
    for n_columns in range(_MOST_COLUMNS, 0, -1):
        found = _list(groups, n_columns)
        if found.sizeHint().width() <= width:
            break
    return found


def _list(groups: Mapping[str, Rows], n_columns: int) -> QtWidgets.QWidget:
    content = QtWidgets.QWidget()
    columns = row(on=content, margins=(3, 2, 3, 3), spacing=5)
    for column in _columns(groups, n_columns):
        grid = QtWidgets.QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        for heading, entries in column.items():
            _fill(grid, heading, entries)
        grid.setRowStretch(grid.rowCount(), 1)
        columns.addLayout(grid)
    return content


def _columns(groups: Mapping[str, Rows], n_columns: int) -> list[dict[str, Rows]]:
    """The groups in their order, in columns of about the same height."""
    # A heading takes as much as two rows.
    total = sum(len(rows) + 2 for rows in groups.values())
    columns: list[dict[str, Rows]] = [{} for _ in range(n_columns)]
    above = 0
    for heading, rows in groups.items():
        middle = above + (len(rows) + 2) / 2
        columns[int(middle / total * n_columns)][heading] = rows
        above += len(rows) + 2
    return [column for column in columns if column]


def _fill(grid: QtWidgets.QGridLayout, heading: str, rows: Rows) -> None:
    title = QtWidgets.QLabel(tr(heading))
    title.setObjectName("heading")
    title.setContentsMargins(0, GRID, 0, 0)
    grid.addWidget(title, grid.rowCount(), 0, 1, 2)
    for keys, text in rows:
        row = grid.rowCount()
        shown = QtWidgets.QLabel(said(keys))
        shown.setFont(tabular_font())
        grid.addWidget(shown, row, 0, Qt.AlignTop)
        grid.addWidget(QtWidgets.QLabel(said(text)), row, 1, Qt.AlignTop)
