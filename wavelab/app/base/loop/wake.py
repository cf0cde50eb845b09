"""A word to the window's thread that there is something to be looked at."""

from __future__ import annotations

import threading

from wavelab.app.base.qt import QObject, Qt, Signal


class Wake(QObject):
    """Emits ``heard()`` in the thread that made it, soon after :meth:`post` was called in any.

    What is posted before somebody heard is heard once.
    """

    heard = Signal()
    _posted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._waiting = threading.Event()
        self._closed = False
        self._posted.connect(self.settle, Qt.QueuedConnection)

    def post(self, *_: object) -> None:
        """Have it heard; what a signal brings along does not matter."""
        if not (self._waiting.is_set() or self._closed):
            self._waiting.set()
            self._posted.emit()

    def settle(self) -> None:
        """Have it heard now, if it was posted."""
        if self._waiting.is_set() and not self._closed:
            self._waiting.clear()  # first: what comes while it is heard is heard again
            self.heard.emit()

    def close(self) -> None:
        """Have nothing heard any more."""
        self._closed = True
