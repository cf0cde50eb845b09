"""What is being prepared, with a button to give it up."""

from __future__ import annotations

from wavelab.app.base.layouts import row
from wavelab.app.base.qt import QEvent, QObject, Qt, QtWidgets, Signal
from wavelab.app.base.theme import GRID

#: Seconds of silence: work that is over sooner is not worth a flicker.
PATIENCE = 0.3


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
        self.cancel = QtWidgets.QPushButton("Cancel")
        self.cancel.setToolTip("Give this up and keep the present wave (Esc)")
        self.cancel.clicked.connect(self.cancelled)
        row(self._label, bar, self.cancel, on=self, margins=(2, 1, 1, 1), spacing=2)
        over.installEventFilter(self)
        self.hide()

    def show_stage(
        self, stage: str | None, seconds: float, *, can_be_cancelled: bool = True
    ) -> None:
        """``stage`` runs since ``seconds``; None when nothing does."""
        if stage is None or seconds < PATIENCE:
            if not self.isHidden():
                self.hide()
            return
        self._label.setText(f"{stage}\u2026 {seconds:.0f} s")
        self.cancel.setVisible(can_be_cancelled)
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
