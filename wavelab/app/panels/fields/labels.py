"""Labels for words that come from elsewhere, or that have little room."""

from __future__ import annotations

from wavelab.app.base.foreign_text import as_tip
from wavelab.app.base.qt import Qt, QtGui, QtWidgets


def plain_label(text: str = "", *, name: str = "", selectable: bool = False) -> QtWidgets.QLabel:
    """Wrapped, and never taken for HTML; ``name`` is that of its colours in the style sheet."""
    label = QtWidgets.QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.PlainText)
    label.setWordWrap(True)
    if selectable:
        label.setTextInteractionFlags(Qt.TextSelectableByMouse)
    return label


def muted_label(text: str = "") -> QtWidgets.QLabel:
    label = plain_label(text, name="muted")
    label.setAlignment(Qt.AlignLeft | Qt.AlignTop)
    return label


class ElidedLabel(QtWidgets.QLabel):
    """A line of text that ends in an ellipsis where there is no room for all of it.

    Never makes what it is in wider.

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


class WholeLabel(QtWidgets.QLabel):
    """A text that is shown whole or not at all: half a number is another number.

    Blank where there is no room for all of it, as at the edge of a narrow window.
    """

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        room = self.visibleRegion().boundingRect().right() + 1
        if self.fontMetrics().horizontalAdvance(self.text()) <= room:
            super().paintEvent(event)
