"""Widgets that scroll where there is no room for them, and are as high as they like elsewhere."""

from __future__ import annotations

from wavelab.app.qt import QSize, Qt, QtWidgets


class Scrolled(QtWidgets.QScrollArea):
    """Shows a widget; may be as low as ``lowest`` pixels.

    Parameters
    ----------
    widget : as wide as the room there is.
    """

    def __init__(self, widget: QtWidgets.QWidget, lowest: int) -> None:
        super().__init__()
        self.setWidget(widget)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setMinimumHeight(lowest)
        self.setSizePolicy(QtWidgets.QSizePolicy.Preferred, QtWidgets.QSizePolicy.Maximum)

    def sizeHint(self) -> QSize:
        return self.widget().sizeHint()
