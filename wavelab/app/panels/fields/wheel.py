"""What a wheel does over a field of a panel."""

from __future__ import annotations

from typing import Any

from wavelab.app.base.qt import QtGui

#: The widget that the mixin is mixed into is known only there.
_Mixin: Any = object


class WheelWhenChosen(_Mixin):
    """Mixin before a widget: a wheel turned over it scrolls the panel unless it was chosen before.

    The widget's focus policy has to be ``Qt.StrongFocus``, or the wheel would choose it.
    """

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
