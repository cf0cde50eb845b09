"""What Qt's events of the mouse and the keys say, in the words of tools."""

from __future__ import annotations

from pathlib import Path

from wavelab.app.base.qt import QPointF, Qt, QtGui

_KEYS = {
    Qt.Key_Return: "Enter",
    Qt.Key_Enter: "Enter",
    Qt.Key_Backspace: "Backspace",
    Qt.Key_Delete: "Delete",
    Qt.Key_Escape: "Escape",
    Qt.Key_Tab: "Tab",
    Qt.Key_Left: "Left",
    Qt.Key_Right: "Right",
    Qt.Key_Up: "Up",
    Qt.Key_Down: "Down",
}
MODIFIERS = {
    Qt.Key_Shift: Qt.ShiftModifier,
    Qt.Key_Control: Qt.ControlModifier,
    Qt.Key_Alt: Qt.AltModifier,
}


def xy_of(point: QPointF) -> tuple[float, float]:
    """In logical pixels."""
    return point.x(), point.y()


def key_name(event: QtGui.QKeyEvent) -> str:
    """As tools call it; "" for what is the window's."""
    name = _KEYS.get(event.key(), event.text())
    if event.key() not in (Qt.Key_Left, Qt.Key_Right, Qt.Key_Up, Qt.Key_Down):
        return name
    if event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
        return ""  # the window's
    return f"Shift+{name}" if event.modifiers() & Qt.ShiftModifier else name


def local_file(event: QtGui.QDropEvent) -> Path | None:
    """The first file of this machine that is being dragged."""
    urls = event.mimeData().urls()
    return next((Path(url.toLocalFile()) for url in urls if url.isLocalFile()), None)
