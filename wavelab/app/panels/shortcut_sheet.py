"""The list of everything the keyboard and the mouse can do."""

from __future__ import annotations

from collections.abc import Sequence

from wavelab.app.qt import Qt, QtGui, QtWidgets
from wavelab.app.theme import GRID, tabular_font

#: (keys, what they do).
Rows = Sequence[tuple[str, str]]
#: Side by side, so that the sheet is no higher than a small screen.
_COLUMNS = 4


class ShortcutSheet(QtWidgets.QDialog):
    """``groups`` maps a heading to (keys, what they do), in the order they are shown in."""

    def __init__(
        self,
        parent: QtWidgets.QWidget,
        groups: dict[str, Rows],
        close_keys: tuple[str, ...] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys and gestures")
        # Esc closes every dialog; here the key that opened it does too.
        for key in close_keys:
            QtWidgets.QShortcut(QtGui.QKeySequence(key), self, self.close)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 3 * GRID)
        row.setSpacing(5 * GRID)
        for column in _columns(groups):
            grid = QtWidgets.QGridLayout()
            grid.setHorizontalSpacing(2 * GRID)
            grid.setVerticalSpacing(GRID // 2)
            for heading, entries in column.items():
                _fill(grid, heading, entries)
            grid.setRowStretch(grid.rowCount(), 1)
            row.addLayout(grid)


def _columns(groups: dict[str, Rows]) -> list[dict[str, Rows]]:
    """The groups in their order, in columns of about the same height."""
    # A heading takes as much as two rows.
    total = sum(len(rows) + 2 for rows in groups.values())
    columns: list[dict[str, Rows]] = [{} for _ in range(_COLUMNS)]
    above = 0
    for heading, rows in groups.items():
        middle = above + (len(rows) + 2) / 2
        columns[int(middle / total * _COLUMNS)][heading] = rows
        above += len(rows) + 2
    return [column for column in columns if column]


def _fill(grid: QtWidgets.QGridLayout, heading: str, rows: Rows) -> None:
    title = QtWidgets.QLabel(heading)
    title.setObjectName("heading")
    title.setContentsMargins(0, GRID, 0, 0)
    grid.addWidget(title, grid.rowCount(), 0, 1, 2)
    for keys, text in rows:
        row = grid.rowCount()
        shown = QtWidgets.QLabel(keys)
        shown.setFont(tabular_font())
        grid.addWidget(shown, row, 0, Qt.AlignTop)
        grid.addWidget(QtWidgets.QLabel(text), row, 1, Qt.AlignTop)
