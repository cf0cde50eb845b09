"""One message over the canvas: what is wrong and what would be right, or what is going on.

It lies over the picture instead of pushing it down, so that nothing jumps.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.app.qt import QEvent, QObject, Qt, QTimer, QtWidgets
from wavelab.app.theme import GRID

#: Milliseconds after which a message that asks for nothing goes away, at least, and for a letter.
LIFETIME, READING = 8000, 45
#: Seconds within which one piece of news does not push away another.
TOGETHER = 2.0
#: Widest line of text that is comfortable to read, in pixels, and the narrowest beside buttons;
#: where that does not fit they lie below it.
WIDEST, NARROWEST = 720, 320


class MessageBar(QtWidgets.QFrame):
    """Shows one message at a time; a later one takes its place.

    Parameters
    ----------
    over : widget the bar lies over, at its upper edge.
    """

    def __init__(self, over: QtWidgets.QWidget) -> None:
        super().__init__(over)
        self.setObjectName("message")
        self._over = over
        self._text = QtWidgets.QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.PlainText)
        self._text.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self._remedy = QtWidgets.QLabel()
        self._remedy.setObjectName("muted")
        self._remedy.setWordWrap(True)
        self._remedy.setTextFormat(Qt.PlainText)
        self._buttons = QtWidgets.QHBoxLayout()
        self._buttons.setSpacing(GRID)
        self.dismiss = QtWidgets.QToolButton()
        self.dismiss.setText("\u00d7")
        self.dismiss.setToolTip("Dismiss")
        self.dismiss.setAccessibleName("Dismiss")
        self.dismiss.clicked.connect(self.clear)
        texts = QtWidgets.QVBoxLayout()
        texts.setSpacing(GRID // 2)
        texts.addWidget(self._text)
        texts.addWidget(self._remedy)
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        row.setSpacing(GRID)
        self._body = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.LeftToRight)
        self._body.setSpacing(GRID)
        self._body.addLayout(texts, 1)
        self._body.addLayout(self._buttons)
        row.addLayout(self._body, 1)
        row.addWidget(self.dismiss, 0, Qt.AlignTop)
        self._informed_at = float("-inf")
        #: What has been offered and not yet been chosen from, and whether it is on show.
        self._open: tuple[str, dict[str, Callable[[], None]]] | None = None
        self._choosing = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear)
        over.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """Message and remedy; empty when nothing is shown."""
        if self.isHidden():
            return ""
        return "\n".join(part for part in (self._text.text(), self._remedy.text()) if part)

    @property
    def is_error(self) -> bool:
        return not self.isHidden() and self.property("kind") == "error"

    def inform(
        self,
        text: str,
        *,
        buttons: dict[str, Callable[[], None]] | None = None,
        comes_back: bool = False,
    ) -> None:
        """Say what happened; goes away by itself unless there is something to choose.

        News that follow each other at once are shown together, but for what ends in an ellipsis:
        that has come to an end when there is more to say; a question stands alone.  With
        ``comes_back`` the choice is offered again after whatever takes its place, until it is made,
        dismissed or taken back.
        """
        text = text[:1].upper() + text[1:]
        fresh = time.monotonic() - self._informed_at < TOGETHER
        asks = bool(buttons or self._buttons.count())
        if fresh and not self.isHidden() and not asks and not self.is_error:
            still = [s for s in self._text.text().splitlines() if not s.endswith("\u2026")]
            text = "\n".join(dict.fromkeys([*still, text]))
        self._informed_at = time.monotonic()
        self._show("info", text, "", buttons or {})
        if comes_back:
            self._open = (text, buttons or {})
        self._choosing = comes_back
        if not buttons:
            self._timer.start(max(LIFETIME, READING * len(text)))

    def complain(self, text: str, remedy: str = "") -> None:
        """Say what is wrong; stays until dismissed."""
        self._choosing = False
        self._show("error", text, remedy, {})

    def clear(self) -> None:
        """Take the message away, and show the choice again that it took the place of."""
        self._timer.stop()
        self.hide()
        opened, self._open = self._open, None
        if opened is not None and not self._choosing:
            self.inform(opened[0], buttons=opened[1], comes_back=True)

    def withdraw(self, text: str) -> None:
        """Say no longer what is not so any more, alone or among other news."""
        said = self._text.text().splitlines()
        gone = (text[:1].upper() + text[1:]).splitlines()
        if self.isHidden() or self.is_error or not gone or not set(gone) <= set(said):
            return
        if left := [line for line in said if line not in gone]:
            self._text.setText("\n".join(left))
            self._place()
        else:
            self.clear()

    def take_back(self) -> None:
        """Offer no longer what would come back."""
        if self._open is not None and self._choosing:
            self.clear()
        self._open = None

    def button(self, text: str) -> QtWidgets.QPushButton | None:
        for i in range(self._buttons.count()):
            widget = self._buttons.itemAt(i).widget()
            if widget.text() == text:
                return widget
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Resize and not self.isHidden():
            self._place()
        return False

    def _show(
        self, kind: str, text: str, remedy: str, buttons: dict[str, Callable[[], None]]
    ) -> None:
        self._timer.stop()
        self.setProperty("kind", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        self._text.setText(text)
        self._remedy.setText(remedy)
        self._remedy.setVisible(bool(remedy))
        while (item := self._buttons.takeAt(0)) is not None:
            item.widget().hide()  # it is gone only when control is back in the event loop
            item.widget().deleteLater()
        for label, action in buttons.items():
            button = QtWidgets.QPushButton(label)
            button.clicked.connect(self.clear)
            button.clicked.connect(lambda _, action=action: action())
            self._buttons.addWidget(button)
            button.show()  # what is hidden takes no room when the bar is measured
        self.show()
        self._place()
        self.raise_()

    def _place(self) -> None:
        largest = max(1, min(WIDEST, self._over.width() - 4 * GRID))
        # Without a break the text is this wide; a short message hides little of the wave.
        lines = f"{self._text.text()}\n{self._remedy.text()}".splitlines()
        text = max(self.fontMetrics().horizontalAdvance(line) for line in lines)
        buttons = sum(
            self._buttons.itemAt(i).widget().sizeHint().width() + GRID
            for i in range(self._buttons.count())
        )
        around = self.dismiss.sizeHint().width() + 6 * GRID
        below = buttons > 0 and largest - buttons - around < min(text, NARROWEST)
        down, across = QtWidgets.QBoxLayout.TopToBottom, QtWidgets.QBoxLayout.LeftToRight
        self._body.setDirection(down if below else across)
        wanted = max(text, buttons) if below else text + buttons
        width = min(largest, wanted + around)
        self.setFixedWidth(width)
        self.layout().invalidate()
        # The style sheet's border lies outside of what the layout knows of.
        height = self.layout().heightForWidth(width - 2) + 2
        self.setFixedHeight(max(height, self.layout().minimumSize().height()))
        self.move((self._over.width() - width) // 2, 2 * GRID)
