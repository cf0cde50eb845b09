"""The list of everything the keyboard and the mouse can do."""

from __future__ import annotations

from wavelab.app.qt import Qt, QtGui, QtWidgets
from wavelab.app.theme import GRID, tabular_font

#: What the mouse does on the canvas, which no menu can say.
GESTURES = {
    "On the canvas": [
        ("Wheel", "Zoom at the pointer"),
        ("Middle drag", "Move the view"),
        ("Space + drag", "Move the view"),
    ],
    "Ping": [
        ("Click", "A pulse"),
        ("Drag", "A trail of pulses"),
        ("Shift", "The other sign"),
        ("[  ]", "Smaller, larger"),
    ],
    "Draw polygon": [
        ("Click", "A corner"),
        ("Enter", "Close it (or click the first corner)"),
        ("Backspace", "Take a corner back"),
        ("Esc", "Give up"),
        ("Shift", "Horizontal or vertical"),
        ("Ctrl", "No snapping"),
    ],
    "Draw rectangle or ellipse": [
        ("Shift", "Square or circle"),
        ("Alt", "From the centre"),
    ],
}


class ShortcutSheet(QtWidgets.QDialog):
    """``groups`` maps a heading to (keys, what they do), in the order of the menus."""

    def __init__(
        self,
        parent: QtWidgets.QWidget,
        groups: dict[str, list[tuple[str, str]]],
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
        first = dict(list(groups.items())[:3])
        second = dict(list(groups.items())[3:])
        for column in (first, second, GESTURES):
            grid = QtWidgets.QGridLayout()
            grid.setHorizontalSpacing(2 * GRID)
            grid.setVerticalSpacing(GRID // 2)
            for heading, entries in column.items():
                _fill(grid, heading, entries)
            grid.setRowStretch(grid.rowCount(), 1)
            row.addLayout(grid)


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
