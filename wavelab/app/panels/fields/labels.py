"""A line of text that ends in an ellipsis where there is no room for all of it."""

from __future__ import annotations

from wavelab.app.base.foreign_text import as_tip
from wavelab.app.base.qt import Qt, QtWidgets


class ElidedLabel(QtWidgets.QLabel):
    """Never makes what it is in wider.

    Parameters
    ----------
    tells : whether the tooltip is what cannot be read.
    """

    def __init__(self, *, tells: bool = False) -> None:
        super().__init__()
        self._full, self._tells = "", tells
        self.setTextFormat(Qt.PlainText)
        self.setSizePolicy(QtWidgets.QSizePolicy.Ignored, QtWidgets.QSizePolicy.Preferred)

    def text(self) -> str:
        """All of it."""
        return self._full

    def setText(self, text: str) -> None:
        self._full = text
        self._elide()

    def resizeEvent(self, event: object) -> None:
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        shown = self.fontMetrics().elidedText(self._full, Qt.ElideRight, room)
        super().setText(shown)
        if self._tells:
            self.setToolTip(as_tip(self._full) if shown != self._full else "")
