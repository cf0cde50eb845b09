"""A headed group of rows in the inspector."""

from __future__ import annotations

from wavelab.app.qt import Qt, QtWidgets
from wavelab.app.theme import GRID


class Section(QtWidgets.QWidget):
    """A heading over rows of label and control."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self._layout = QtWidgets.QGridLayout(self)
        self._layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self._layout.setHorizontalSpacing(GRID)
        self._layout.setVerticalSpacing(GRID)
        self._layout.setColumnStretch(1, 1)
        title = QtWidgets.QLabel(heading)
        title.setObjectName("heading")
        self._layout.addWidget(title, 0, 0, 1, 2)

    def add_row(self, label: str, control: QtWidgets.QWidget) -> QtWidgets.QLabel:
        """A new row; returns the label."""
        name = QtWidgets.QLabel(label)
        name.setBuddy(control)
        name.setToolTip(control.toolTip())
        control.setAccessibleName(label.replace("&", ""))
        row = self._layout.rowCount()
        self._layout.addWidget(name, row, 0)
        self._layout.addWidget(control, row, 1)
        return name

    def add_wide(self, widget: QtWidgets.QWidget) -> None:
        self._layout.addWidget(widget, self._layout.rowCount(), 0, 1, 2)


def rule() -> QtWidgets.QFrame:
    """A thin line between sections."""
    line = QtWidgets.QFrame()
    line.setObjectName("rule")
    line.setFixedHeight(1)
    return line


def muted_label(text: str = "") -> QtWidgets.QLabel:
    label = QtWidgets.QLabel(text)
    label.setObjectName("muted")
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignLeft | Qt.AlignTop)
    return label
