"""A text that is shown whole or not at all: half a number is another number."""

from __future__ import annotations

from wavelab.app.base.qt import QtGui, QtWidgets


class WholeLabel(QtWidgets.QLabel):
    """Blank where there is no room for all of it, as at the edge of a narrow window."""

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        room = self.visibleRegion().boundingRect().right() + 1
        if self.fontMetrics().horizontalAdvance(self.text()) <= room:
            super().paintEvent(event)
