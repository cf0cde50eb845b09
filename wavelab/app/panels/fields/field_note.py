"""A few words beside a field about what was typed into it."""

from __future__ import annotations

from wavelab.app.base.qt import QEvent, QObject, QPoint, Qt, QTimer, QtWidgets
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said

#: Milliseconds until a note goes away by itself.
LIFETIME = 10_000
WIDTH = 30 * GRID


class FieldNote(QtWidgets.QLabel):
    """Lies over the window, below the field or above it; it goes with the next thing typed there,
    with a click on it, and when the field has moved."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self.setObjectName("note")
        self.setTextFormat(Qt.PlainText)
        self.setWordWrap(True)
        self.setMargin(GRID)
        self.setFixedWidth(WIDTH)
        self._field: QtWidgets.QAbstractSpinBox | None = None
        self._ancestors: list[QtWidgets.QWidget] = []
        self._timer = QTimer(self, singleShot=True, timeout=self.hide)

    def tell(self, field: QtWidgets.QAbstractSpinBox, text: str) -> None:
        self._forget()
        self._field = field
        widget: QtWidgets.QWidget | None = field
        while widget is not None and widget is not self.window():
            self._ancestors.append(widget)
            widget.installEventFilter(self)
            widget = widget.parentWidget()
        field.lineEdit().textEdited.connect(self.hide)
        self.setText(said(text))
        self.ensurePolished()
        # The style sheet's border lies outside of what the label knows of.
        self.setFixedHeight(self.heightForWidth(WIDTH - 2) + 2)
        self._place(field)
        self.show()
        self.raise_()
        self._timer.start(LIFETIME)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Move, QEvent.Hide):
            self.hide()
        return False

    def mousePressEvent(self, event: QEvent) -> None:
        self.hide()

    def hideEvent(self, event: QEvent) -> None:
        self._forget()

    def _forget(self) -> None:
        self._timer.stop()
        for widget in self._ancestors:
            widget.removeEventFilter(self)
        if self._field is not None:
            self._field.lineEdit().textEdited.disconnect(self.hide)
        self._field, self._ancestors = None, []

    def _place(self, field: QtWidgets.QAbstractSpinBox) -> None:
        window = self.window()
        at = field.mapTo(window, QPoint(field.width() - WIDTH, field.height() + GRID // 2))
        if at.y() + self.height() > window.height():
            at.setY(at.y() - field.height() - GRID - self.height())
        self.move(max(0, min(at.x(), window.width() - WIDTH)), max(0, at.y()))


def note_of(field: QtWidgets.QWidget) -> FieldNote | None:
    """The note in the window of a field, if there has been one."""
    return field.window().findChild(FieldNote, options=Qt.FindDirectChildrenOnly)


def explain(field: QtWidgets.QAbstractSpinBox, typed: str, wanted: str, kept: str) -> None:
    """Say that what was typed is not what is ``wanted``, and that the field keeps what it had."""
    typed = typed.strip()
    if len(typed) > 20:
        typed = f"{typed[:19]}\u2026"
    wrong = f"\u201c{typed}\u201d is not {wanted}" if typed else f"This must be {wanted}"
    note = note_of(field) or FieldNote(field.window())
    note.tell(field, f"{wrong}. It stays {kept}.")
