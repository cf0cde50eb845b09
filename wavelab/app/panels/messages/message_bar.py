"""One message over the canvas: what is wrong and what would be right, or what is going on.

It lies over the picture instead of pushing it down, so that nothing jumps.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from wavelab.app.base.layouts import column, row
from wavelab.app.base.qt import QEvent, QObject, QRect, Qt, QTimer, QtWidgets
from wavelab.app.base.theme import GRID
from wavelab.app.language.language import said, tr
from wavelab.app.panels.fields.labels import plain_label
from wavelab.app.panels.messages.told import Told

#: Milliseconds after which a message that asks for nothing goes away, at least, and for a letter.
LIFETIME, READING = 8000, 45
#: Seconds within which one message does not push away another.
TOGETHER = 2.0
#: Lines that news take at most; a button shows what is left out.
MOST_LINES = 4
#: Widest line of text that is comfortable to read, in pixels, and the narrowest beside buttons;
#: where that does not fit they lie below it.
WIDEST, NARROWEST = 720, 320

_Buttons = dict[str, Callable[[], None]]


class MessageBar(QtWidgets.QFrame):
    """Shows what came at one time; something later takes its place, but an error stays until there
    was time to read it.

    Parameters
    ----------
    over : widget the bar lies over, at its upper edge.
    """

    def __init__(self, over: QtWidgets.QWidget) -> None:
        super().__init__(over)
        self.setObjectName("message")
        self._over = over
        self._told = Told()
        self._text = plain_label(selectable=True)
        self._below = plain_label(name="muted", selectable=True)
        self.more = QtWidgets.QToolButton()
        self.more.setObjectName("more")
        self.more.setToolTip(tr("Show all that was said"))
        self.more.clicked.connect(self._show_all)
        self._buttons = row()
        self.dismiss = QtWidgets.QToolButton()
        self.dismiss.setText("\u00d7")
        self.dismiss.setToolTip(tr("Dismiss"))
        self.dismiss.setAccessibleName(tr("Dismiss"))
        self.dismiss.clicked.connect(self.clear)
        self._texts = column(self._text, self._below, self.more, spacing=0.5)
        self._texts.setAlignment(self.more, Qt.AlignLeft)
        self._body = row((self._texts, 1), self._buttons)
        whole = row((self._body, 1), self.dismiss, on=self, margins=(2, 1, 1, 1))
        whole.setAlignment(self.dismiss, Qt.AlignTop)
        self._told_at = float("-inf")
        self._read_at = float("-inf")  #: when there was time to read the errors
        self._all = False
        #: What has been offered and not yet been chosen from, and whether it is on show.
        self._open: tuple[str, _Buttons] | None = None
        self._choosing = False
        self._timer = QTimer(self, singleShot=True, timeout=self._pass)
        over.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """Message and remedy, with what does not fit; empty when nothing is shown."""
        if self.isHidden():
            return ""
        lines = [part for error in self._told.errors for part in error if part]
        return "\n".join([*lines, *self._told.news])

    @property
    def shown(self) -> bool:
        """Whether anything is said."""
        return not self.isHidden()

    @property
    def is_error(self) -> bool:
        return not self.isHidden() and bool(self._told.errors)

    def inform(
        self, text: str, *, buttons: _Buttons | None = None, comes_back: bool = False
    ) -> None:
        """Say what happened; goes away by itself unless there is something to choose.

        News that follow each other at once are shown together, but for what ends in an ellipsis:
        that has come to an end when there is more to say; a question stands alone.  With
        ``comes_back`` the choice is offered again after whatever takes its place, until it is made,
        dismissed or taken back.
        """
        text = _shown(text)
        now = time.monotonic()
        asks = bool(buttons or self._buttons.count())
        if now > (self._told_at + TOGETHER if buttons else self._read_at):
            self._told.errors = []
        together = not asks and now < self._told_at + TOGETHER and not self.isHidden()
        self._told.inform(text, together=together)
        self._told_at = now
        self._show(buttons or {})
        if comes_back:
            self._open = (text, buttons or {})
        self._choosing = comes_back
        if not buttons:
            self._timer.start(_reading(self._told.news))

    def complain(self, text: str, remedy: str = "") -> None:
        """Say what is wrong; stays until dismissed, or until something is said after there was time
        to read it."""
        text, remedy = said(text), said(remedy)
        self._choosing = False
        now = time.monotonic()
        together = now < self._told_at + TOGETHER and not self.isHidden()
        self._told.complain(text, remedy, together=together and not self._buttons.count())
        self._told_at = now
        self._read_at = now + 1e-3 * _reading([*self._told.errors[0]])
        self._show({})

    def clear(self) -> None:
        """Take the message away, and show the choice again that it took the place of."""
        self._timer.stop()
        self._told = Told()
        self.hide()
        opened, self._open = self._open, None
        if opened is not None and not self._choosing:
            self.inform(opened[0], buttons=opened[1], comes_back=True)

    def withdraw(self, text: str) -> None:
        """Say no longer what is not so any more, alone or among others."""
        if not self.isHidden() and self._told.withdraw(_shown(text)):
            self._keep()

    def forgive(self) -> None:
        """The errors are out of date."""
        if self.is_error:
            self._told.errors = []
            self._keep()

    def take_back(self) -> None:
        """Offer no longer what would come back."""
        if self._open is not None and self._choosing:
            self.clear()
        self._open = None

    def button(self, text: str) -> QtWidgets.QPushButton | None:
        for i in range(self._buttons.count()):
            widget = self._buttons.itemAt(i).widget()
            if widget.text() == tr(text):
                return widget
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Resize and not self.isHidden():
            self._write()
        return False

    def _pass(self) -> None:
        """News go by themselves."""
        self._told.news = []
        self._keep()

    def _keep(self) -> None:
        """What is left of it, if anything is."""
        if self._told:
            self._write()
        else:
            self.clear()

    def _show_all(self) -> None:
        self._all = True
        self._timer.start(_reading(self._told.news))
        self._write()

    def _show(self, buttons: _Buttons) -> None:
        self._timer.stop()
        self._all = False
        while (item := self._buttons.takeAt(0)) is not None:
            item.widget().hide()  # it is gone only when control is back in the event loop
            item.widget().deleteLater()
        for label, action in buttons.items():
            button = QtWidgets.QPushButton(tr(label))
            button.clicked.connect(lambda _, action=action: self._choose(action))
            self._buttons.addWidget(button)
            button.show()  # what is hidden takes no room when the bar is measured
        self.show()
        self._write()
        self.raise_()

    def _choose(self, action: Callable[[], None]) -> None:
        self.clear()  # first: what is done may have more to say
        action()

    def _write(self) -> None:
        kind = "error" if self._told.errors else "info"
        if kind != self.property("kind"):
            self.setProperty("kind", kind)
            self.style().unpolish(self)
            self.style().polish(self)
        room = [self._lines(line) for line in self._told.news]
        most = sum(room) if self._all or self._buttons.count() else MOST_LINES
        news = self._told.newest(room, most)
        left = len(self._told.news) - len(news)
        self.more.setText(tr("{left} more", left=left))
        self.more.setVisible(left > 0)
        main, below = "\n".join(news), ""
        if self._told.errors:
            (main, remedy), *others = self._told.errors
            also = [
                tr("Also: {text}. {advice}", text=text, advice=advice).strip()
                for text, advice in others
            ]
            below = "\n".join(part for part in (remedy, *also, *news) if part)
        self._text.setText(main)
        self._below.setText(below)
        self._below.setVisible(bool(below))
        self._place()

    def _lines(self, text: str) -> int:
        """That a text takes where the bar is as wide as it may be."""
        width = self._widest() - self.dismiss.sizeHint().width() - 6 * GRID
        metrics = self.fontMetrics()
        box = metrics.boundingRect(QRect(0, 0, width, 0), int(Qt.TextWordWrap), text)
        return max(1, round(box.height() / metrics.lineSpacing()))

    def _widest(self) -> int:
        return max(1, min(WIDEST, self._over.width() - 4 * GRID))

    def _place(self) -> None:
        largest = self._widest()
        # Without a break the text is this wide; a short message hides little of the wave.
        lines = f"{self._text.text()}\n{self._below.text()}".splitlines()
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
        for layout in (self._texts, self._body, self.layout()):
            layout.invalidate()
        # The style sheet's border lies outside of what the layout knows of.
        height = self.layout().heightForWidth(width - 2) + 2
        self.setFixedHeight(max(height, self.layout().minimumSize().height()))
        self.move((self._over.width() - width) // 2, 2 * GRID)


def _shown(text: str) -> str:
    """Each line in the language of the window, the first with a capital."""
    text = said(text)
    return text[:1].upper() + text[1:]


def _reading(lines: list[str]) -> int:
    """Milliseconds that it takes to read them."""
    return max(LIFETIME, READING * sum(map(len, lines)))
