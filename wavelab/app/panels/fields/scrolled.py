"""Widgets that scroll where there is no room for them, and are as high as they like elsewhere."""

from __future__ import annotations

from wavelab.app.base.qt import QEvent, QSize, Qt, QtCore, QtGui, QtWidgets
from wavelab.app.base.theme import GRID


def scrolling(widget: QtWidgets.QWidget) -> QtWidgets.QScrollArea:
    """Around a widget of a panel below the canvas, which must not take height from that."""
    area = QtWidgets.QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setMinimumHeight(4 * GRID)
    return area


class Scrolled(QtWidgets.QScrollArea):
    """Shows a widget, as high as it is now; may be as low as ``lowest`` pixels.

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
        """With the height of wrapped lines at the present width."""
        hint = self.widget().sizeHint()
        layout = self.widget().layout()
        if layout is not None and layout.hasHeightForWidth():
            hint.setHeight(layout.heightForWidth(self.width()))
        return hint

    def eventFilter(self, watched: QtCore.QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
