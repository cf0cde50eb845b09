"""A headed group of rows in the inspector."""

from __future__ import annotations

from wavelab.app.base.layouts import column
from wavelab.app.base.qt import Qt, QtWidgets
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import tr


class Section(QtWidgets.QWidget):
    """A heading over rows of label and control.

    Parameters
    ----------
    foldable : whether a click on the heading hides the rows and shows them again.

    Attributes
    ----------
    title : what the heading says.
    heading : what is clicked.
    """

    def __init__(self, heading: str, *, foldable: bool = False) -> None:
        super().__init__()
        self.title = heading
        self._rows = QtWidgets.QWidget()
        self._layout = QtWidgets.QGridLayout(self._rows)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(GRID)
        self._layout.setVerticalSpacing(GRID)
        self._layout.setColumnStretch(1, 1)
        self.heading = QtWidgets.QToolButton() if foldable else QtWidgets.QLabel()
        self.heading.setText(tr(heading))
        self.heading.setObjectName("heading")
        column(self.heading, self._rows, on=self, margins=(2, 1, 2, 1))
        if foldable:
            self.heading.setToolButtonStyle(Qt.ToolButtonTextBesideIcon)
            self.heading.setFocusPolicy(Qt.TabFocus)
            self.heading.clicked.connect(lambda: self.set_folded(not self.folded))
            self.set_folded(False)

    @property
    def folded(self) -> bool:
        """Whether only the heading is there."""
        return self._rows.isHidden()

    def set_folded(self, folded: bool) -> None:
        self._rows.setVisible(not folded)
        self.heading.setArrowType(Qt.RightArrow if folded else Qt.DownArrow)
        self.heading.setToolTip(tr("Show these settings") if folded else tr("Hide these settings"))

    def add_row(self, label: str, control: QtWidgets.QWidget) -> QtWidgets.QLabel:
        """A new row; returns the label."""
        label = tr(label)
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
