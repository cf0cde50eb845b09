"""The heading of a dock, with a button that closes it."""

from __future__ import annotations

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QSize, QtWidgets
from wavelab.app.base.theme import Theme, icon
from wavelab.app.language.language import tr


class DockTitle(QtWidgets.QWidget):
    """Stands in for the platform's title bar, whose button no style sheet reaches."""

    def __init__(self, dock: QtWidgets.QDockWidget, theme: Theme) -> None:
        super().__init__()
        title = QtWidgets.QLabel(dock.windowTitle())
        title.setObjectName("heading")
        self._close = QtWidgets.QToolButton()
        self._close.setIconSize(QSize(12, 12))
        self._close.setToolTip(
            tr("Close; the View menu brings it back: {dock}", dock=dock.windowTitle())
        )
        self._close.setAccessibleName(tr("Close {dock}", dock=dock.windowTitle()))
        self._close.clicked.connect(dock.close)
        row((title, 1), self._close, on=self, margins=(2, 0.5, 1, 0.5), spacing=None)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._close.setIcon(icon("ph.x", theme))
