"""What is being prepared, with a button to give it up."""

from __future__ import annotations

import time

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QEvent, QObject, Qt, QTimer, QtWidgets, Signal
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr
from wavelab.app.session.dispatched import Stage

#: Seconds of silence: work that is over sooner is not worth a flicker; nor, while something is
#: dragged, what is over while the hand goes on.
PATIENCE, PATIENCE_OF_HANDS = 0.3, 2.0
#: Milliseconds between two looks at the clock while something is being prepared.
_INTERVAL_MS = 100


class ProgressBar(QtWidgets.QFrame):
    """Lies over the lower edge of ``over``; emits ``cancelled``."""

    cancelled = Signal()

    def __init__(self, over: QtWidgets.QWidget) -> None:
        super().__init__(over)
        self.setObjectName("message")
        self._over = over
        self._label = QtWidgets.QLabel()
        self._label.setTextFormat(Qt.PlainText)
        bar = QtWidgets.QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedWidth(12 * GRID)
        self.cancel = QtWidgets.QPushButton(tr("Cancel"))
        self.cancel.setToolTip(tr("Give this up and keep the present wave (Esc)"))
        self.cancel.clicked.connect(self.cancelled)
        row(self._label, bar, self.cancel, on=self, margins=(2, 1, 1, 1), spacing=2)
        self._stage: Stage | None = None
        self._timer = QTimer(self, interval=_INTERVAL_MS, timeout=self._count)
        over.installEventFilter(self)
        self.hide()

    def show_stage(self, stage: Stage | None) -> None:
        """What runs now, with its seconds; None when nothing does."""
        self._stage = stage
        if stage is None:
            self._timer.stop()
            self.hide()
        else:
            self._timer.start()
            self._count()

    def _count(self) -> None:
        stage = self._stage
        assert stage is not None
        seconds = time.monotonic() - stage.since
        if seconds < (PATIENCE_OF_HANDS if stage.tried else PATIENCE):
            self.hide()
            return
        self._label.setText(f"{said(stage.text)}\u2026 {seconds:.0f} s")
        self.cancel.setVisible(stage.can_be_cancelled)
        if self.isHidden():
            self.show()
            self.raise_()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Resize and not self.isHidden():
            self._place()
        return False

    def _place(self) -> None:
        self.adjustSize()
        self.move(
            (self._over.width() - self.width()) // 2,
            self._over.height() - self.height() - 2 * GRID,
        )
