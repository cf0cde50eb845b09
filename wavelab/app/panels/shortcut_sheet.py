"""The list of everything the keyboard and the mouse can do."""

from __future__ import annotations

from wavelab.app.qt import Qt, QtWidgets
from wavelab.app.theme import GRID, tabular_font

#: What the mouse does on the canvas, which no menu can say.
GESTURES = (
    ("Wheel", "Zoom at the pointer"),
    ("Middle button, or Space and drag", "Move the view"),
    ("Click, drag (Ping)", "A pulse, a trail of pulses; Shift turns the sign"),
    ("[  ]", "Smaller, larger pulse"),
    ("Click (Draw)", "A corner; Enter or the first corner closes, Backspace takes one back"),
    ("Shift, Ctrl (Draw)", "Horizontal or vertical; no snapping"),
    ("Shift, Alt (Rectangle, Ellipse)", "Square or circle; from the centre"),
)


class ShortcutSheet(QtWidgets.QDialog):
    """``groups`` maps a heading to (keys, what they do)."""

    def __init__(self, parent: QtWidgets.QWidget, groups: dict[str, list[tuple[str, str]]]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys and gestures")
        columns = QtWidgets.QHBoxLayout(self)
        columns.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 3 * GRID)
        columns.setSpacing(4 * GRID)
        everything = groups | {"On the canvas": list(GESTURES)}
        # Two columns of about the same number of lines.
        half = sum(len(rows) + 2 for rows in everything.values()) / 2
        column, lines = _column(columns), 0.0
        for heading, rows in everything.items():
            if lines and lines + (len(rows) + 2) / 2 > half:
                column, lines = _column(columns), float("-inf")
            _fill(column, heading, rows)
            lines += len(rows) + 2
        for i in range(columns.count()):
            columns.itemAt(i).layout().setRowStretch(200, 1)


def _column(columns: QtWidgets.QHBoxLayout) -> QtWidgets.QGridLayout:
    grid = QtWidgets.QGridLayout()
    grid.setHorizontalSpacing(2 * GRID)
    grid.setVerticalSpacing(GRID // 2)
    columns.addLayout(grid)
    return grid


def _fill(grid: QtWidgets.QGridLayout, heading: str, rows: list[tuple[str, str]]) -> None:
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
