"""The pointer of the screen, brought to a widget and waited for.

``QTest.mouseMove`` asks the X server to move the pointer and does not wait until the widget hears
of it: on a busy machine that is later, when a test has looked in vain or has begun to drag.
"""

from __future__ import annotations

import time

from PyQt5.QtCore import QObject

from tests.app.leftovers import PATIENCE
from wavelab.app.base.qt import QApplication, QCursor, QEvent, QPoint


class _Heard(QObject):
    """The last place at which a widget heard of the pointer."""

    def __init__(self, widget):
        super().__init__()
        self.place: QPoint | None = None
        widget.installEventFilter(self)

    def eventFilter(self, _widget, event) -> bool:
        if event.type() == QEvent.MouseMove:
            self.place = event.pos()
        return False


def move_to(widget, place) -> None:
    """Bring the pointer to ``place``, a QPoint of ``widget`` or what gives one when it is called
    (windows are laid out meanwhile), and return when the widget has heard of it."""
    wanted = place if callable(place) else lambda: place
    heard = _Heard(widget)
    try:
        end = time.monotonic() + PATIENCE
        while heard.place != wanted():
            assert time.monotonic() < end, (
                f"the pointer did not get to {wanted()} of {widget}:"
                f" {QApplication.widgetAt(widget.mapToGlobal(wanted()))} is there"
            )
            # A pointer that was left there by an earlier test does not move, which nobody hears.
            for at in (wanted() + QPoint(1, 0), wanted()):
                QCursor.setPos(widget.mapToGlobal(at))
                QApplication.processEvents()
                time.sleep(0.001)
            QApplication.processEvents()
    finally:
        widget.removeEventFilter(heard)
