"""What is answered to dialogs, menus and lists that wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from wavelab.app.base.qt import QtWidgets, QWidget

if TYPE_CHECKING:
    from scripts.scripted_user.user import User

Act = Iterator[int]


def answer(user: User, asks: QWidget, r: Random) -> Act:
    """One answer; what asks goes on asking where it was none."""
    if isinstance(asks, QtWidgets.QMenu):
        yield from _choose(user, asks, r)
    elif isinstance(asks, QtWidgets.QFileDialog):
        yield from _name(user, asks, r)
    elif isinstance(asks, QtWidgets.QDialog):
        yield from _fill_in(user, asks, r)
    else:  # the list of a combo box
        user.hand.key(r.choice(("Down", "Up")), r.randint(0, 6))
        user.hand.key(r.choice(("Return", "Return", "Escape")))
    yield 60


def _choose(user: User, asks: QtWidgets.QMenu, r: Random) -> Act:
    user.hand.key("Down", r.randint(1, 20))
    yield 30
    chosen = asks.activeAction()
    if chosen is None or chosen.objectName() == "quit" or r.random() < 0.2:
        user.say(f"not {chosen.text() if chosen is not None else chosen}")
        user.hand.key("Escape", 2)
    else:
        user.say(chosen.text())
        user.hand.key("Return")


def _name(user: User, asks: QtWidgets.QFileDialog, r: Random) -> Act:
    if r.random() < 0.1:
        user.hand.key("Escape")
        return
    saving = asks.acceptMode() == QtWidgets.QFileDialog.AcceptSave
    path = (user.files.to_write if saving else user.files.to_open)(r)
    user.say(str(path))
    line = asks.findChild(QtWidgets.QLineEdit)
    line.setFocus()
    user.hand.key("Ctrl+A")
    user.hand.type(str(path))
    yield 30
    user.hand.key("Return")


def _fill_in(user: User, asks: QtWidgets.QDialog, r: Random) -> Act:
    user.say(f"{type(asks).__name__} {asks.windowTitle()!r}")
    fields = asks.findChildren(QtWidgets.QAbstractSpinBox)
    if fields and r.random() < 0.5:
        r.choice(fields).setFocus()
        user.hand.key("Ctrl+A")
        user.hand.type(r.choice(("64", "300", "17", "x", "1e9", "-4", "")))
        user.hand.key("Tab")
        yield 30
    buttons = [b for b in asks.findChildren(QtWidgets.QAbstractButton) if b.isVisible()]
    if buttons and r.random() < 0.7:
        pressed = r.choice(buttons)
        user.say(pressed.text())
        user.hand.click(pressed, pressed.rect().center())
    else:
        user.hand.key(r.choice(("Escape", "Return")))
