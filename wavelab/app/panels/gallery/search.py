"""The field above the gallery in which one says what a scene is to be about."""

from __future__ import annotations

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QEvent, Qt, QtGui, QtWidgets, Signal
from wavelab.app.language.language import tr
from wavelab.app.panels.gallery.gallery import Gallery


class Search(QtWidgets.QWidget):
    """What is typed leaves those scenes that have all of its words, or the nearest; Enter opens the
    first, the arrow down goes to the list, Escape shows all again, as choosing a scene does.  Emits
    ``finished()`` when the keys are no longer needed here."""

    finished = Signal()

    def __init__(self, gallery: Gallery) -> None:
        super().__init__()
        self._gallery = gallery
        self.line = _Line()
        self.line.setPlaceholderText(tr("Find a scene"))
        self.line.setToolTip(
            tr("What it is about: interference, sound, lens \u2026 (Ctrl+F); Enter opens the first")
        )
        self.line.setAccessibleName(tr("Find a scene"))
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(gallery.show_wanted)
        gallery.chosen.connect(self.line.clear)
        row(self.line, on=self, margins=(2, 1, 2, 1))
        self.setFocusProxy(self.line)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Keys that the line has no use for."""
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self._gallery.choose_first()
            self.finished.emit()
        elif event.key() == Qt.Key_Down:
            self._gallery.setFocus()
        elif event.key() == Qt.Key_Escape:
            self.line.clear()
            self.finished.emit()
        else:
            super().keyPressEvent(event)


class _Line(QtWidgets.QLineEdit):
    """Keeps Escape to itself, which is a shortcut of the window."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ShortcutOverride and event.key() == Qt.Key_Escape:
            event.accept()
            return True
        return super().event(event)
