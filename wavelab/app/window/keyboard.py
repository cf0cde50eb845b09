"""Whose the keys are: the canvas's, but for the time that something is being typed into a field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wavelab.app.base.qt import QApplication, QEvent, QObject, QTimer, QtWidgets, Signal
from wavelab.app.window.docks import is_in_front


class Keyboard(QObject):
    """Gives the keys back to the canvas of a window once something was typed.

    Return does so in every field, and so does a field that is hidden while it has them, or whose
    dock goes behind another: Qt would hand them on to whichever field comes next, unseen.  What was
    typed is settled then, as it is whenever a field loses the keys.

    Parameters
    ----------
    window, docks : where the fields are.
    canvas : what has the keys otherwise.

    Emits ``given_up(field)`` when what was being typed there is forgotten.
    """

    given_up = Signal(object)

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        canvas: QtWidgets.QWidget,
        docks: Iterable[QtWidgets.QDockWidget],
    ) -> None:
        super().__init__(window)
        self._window, self._canvas = window, canvas
        # Whether a dock is in front is known once the window is laid out.
        self._soon = QTimer(self, singleShot=True, interval=0, timeout=self._check)
        for dock in docks:
            dock.visibilityChanged.connect(lambda _: self._soon.start())
        QApplication.instance().focusChanged.connect(self._moved)

    def give_back(self) -> None:
        """To the canvas; what was typed is settled."""
        self._canvas.setFocus()

    def give_up(self) -> bool:
        """What is being typed is forgotten, and the canvas has the keys; False if it had them."""
        field = self._field()
        if field is None:
            return False
        if (line := _line_of(field)) is not None:
            # The first of its texts is the one that was put there last.
            while line.isUndoAvailable():
                line.undo()
            line.setModified(False)
            self.given_up.emit(field)
        self.give_back()
        return line is not None or isinstance(field, QtWidgets.QPlainTextEdit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Hide and watched is self._field():
            self.give_back()
        return False

    def _moved(self, _: QtWidgets.QWidget | None, now: Any) -> None:
        field = self._field()
        if field is None or field is not now:
            return
        self._soon.start()
        if not field.property("returns"):
            field.setProperty("returns", True)
            field.installEventFilter(self)
            if (line := _line_of(field)) is not None:
                line.returnPressed.connect(self.give_back)

    def _check(self) -> None:
        """A field that nobody sees keeps no keys."""
        widget: QtWidgets.QWidget | None = self._field()
        while widget is not None:
            if isinstance(widget, QtWidgets.QDockWidget) and not is_in_front(widget):
                self.give_back()
                return
            widget = widget.parentWidget()

    def _field(self) -> QtWidgets.QWidget | None:
        """What has the keys in the window, unless it is the canvas."""
        now = QApplication.focusWidget()
        inside = now is not None and now is not self._canvas and now.window() is self._window
        return now if inside else None


def _line_of(field: QtWidgets.QWidget) -> QtWidgets.QLineEdit | None:
    """The line in which one types there."""
    line = field.lineEdit() if isinstance(field, QtWidgets.QAbstractSpinBox) else field
    return line if isinstance(line, QtWidgets.QLineEdit) else None
