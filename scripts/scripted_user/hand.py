"""Mouse and keys, sent to top-level windows as a screen sends them.

Qt then finds out by itself who is meant: what a popup grabs, a modal dialog blocks or a shortcut
takes does not get through, as with a person.
"""

from __future__ import annotations

from collections.abc import Iterable

from PyQt5.QtTest import QTest

from wavelab.app.base.qt import (
    QApplication,
    QKeySequence,
    QPoint,
    QPointF,
    Qt,
    QtCore,
    QtGui,
    QUrl,
    QWidget,
)


def asked() -> QWidget | None:
    """What waits for an answer before anything else can be done."""
    return QApplication.activePopupWidget() or QApplication.activeModalWidget()


class Hand:
    """Of the user of ``window``."""

    def __init__(self, window: QWidget) -> None:
        self.window = window

    # The mouse; places are pixels of a widget

    def move(self, widget: QWidget, at: QPoint, keys: int = 0) -> None:
        QTest.mouseMove(*_on_top(widget, at))

    def press(
        self, widget: QWidget, at: QPoint, button: int = Qt.LeftButton, keys: int = 0
    ) -> None:
        top, place = _on_top(widget, at)
        QTest.mousePress(top, Qt.MouseButton(button), Qt.KeyboardModifiers(keys), place)

    def release(
        self, widget: QWidget, at: QPoint, button: int = Qt.LeftButton, keys: int = 0
    ) -> None:
        top, place = _on_top(widget, at)
        QTest.mouseRelease(top, Qt.MouseButton(button), Qt.KeyboardModifiers(keys), place)

    def click(
        self, widget: QWidget, at: QPoint, button: int = Qt.LeftButton, keys: int = 0
    ) -> None:
        self.move(widget, at)
        self.press(widget, at, button, keys)
        self.release(widget, at, button, keys)

    def double_click(self, widget: QWidget, at: QPoint) -> None:
        top, place = _on_top(widget, at)
        QTest.mouseDClick(top, Qt.LeftButton, Qt.NoModifier, place)

    def wheel(self, widget: QWidget, at: QPoint, notches: int) -> None:
        event = QtGui.QWheelEvent(
            QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, 120 * notches),
            Qt.NoButton, Qt.NoModifier, Qt.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)

    # The keys, for whoever has the focus

    def key(self, sequence: str, times: int = 1) -> None:
        """Such as "Ctrl+Z"."""
        combination = QKeySequence(sequence)[0]
        keys = Qt.KeyboardModifiers(combination & int(Qt.KeyboardModifierMask))
        code = Qt.Key(combination & ~int(Qt.KeyboardModifierMask))
        for _ in range(times):
            # The press may close the window that heard it.
            QTest.keyPress(self._listening(), code, keys)
            QTest.keyRelease(self._listening(), code, keys)

    def type(self, text: str) -> None:
        """Printable ASCII."""
        for letter in text:
            QTest.keyPress(self._listening(), letter)
            QTest.keyRelease(self._listening(), letter)

    def _listening(self) -> QtGui.QWindow:
        top = asked() or QApplication.activeWindow() or self.window
        return top.window().windowHandle() or self.window.windowHandle()

    # Files

    def drop(self, paths: Iterable[str], at: QPoint) -> None:
        data = QtCore.QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
        common = (Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier)
        enter = QtGui.QDragEnterEvent(at, *common)
        QApplication.sendEvent(self.window, enter)
        if enter.isAccepted():
            QApplication.sendEvent(self.window, QtGui.QDropEvent(QPointF(at), *common))


def _on_top(widget: QWidget, at: QPoint) -> tuple[QtGui.QWindow, QPoint]:
    top = widget.window()
    place = widget.mapTo(top, at)
    # QTest takes a null point for the middle.
    return top.windowHandle(), place if not place.isNull() else QPoint(1, 0)
