"""What is done beside the canvas: forms, buttons, menus, files, studies, the window itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

from wavelab.app.base.qt import QApplication, QPoint, QSize, Qt, QtWidgets, QWidget
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.shell.menus.actions import ACTIONS
from wavelab.app.window.docks import DOCKS

if TYPE_CHECKING:
    from scripts.scripted_user.user import User

Act = Iterator[int]
_TEXTS = (
    "0", "1", "-1", "0.5", "2.5e-3", "1e-12", "1e12", "1e400", "nan", "inf", "0,25", "12, 3", "",
    "x", "sin(2*pi*x)", "1/(x-x)", "(", "2**9**9", "exp(-((x-0.5)**2+y**2)/0.01)", "domain.left",
    "<b>x</b> & y", "a name", "'", "[0, 1]", "[[0, 0], [1, 0], [0, 1]]", "true", "1.5 + 0.1*x",
)  # fmt: skip
#: Of the shortcuts none closes the window; those of files and studies have acts of their own.
_NOT_AT_RANDOM = {
    "quit", "open", "save", "save_as", "save_replay", "picture", "field_picture", "fields",
    "record", "probe_series", "monitor_data", "converge", "compare", "doctor", "resonances",
}  # fmt: skip
_KEYS = [key for a in ACTIONS.values() if a.id not in _NOT_AT_RANDOM for key in a.shortcuts]
_KEYS += DOCKS.values()
_SAVING = [
    ACTIONS[id_].shortcuts[0]
    for id_ in ("save", "save_as", "save_replay", "picture", "field_picture", "fields",
                "probe_series", "monitor_data")
]  # fmt: skip
_WORDS = ("wave", "lens", "cavity", "slit", "doppler", "mirror", "welcome", "no such thing")


def _in_sight(user: User, *kinds: type, wanted: Callable[[QWidget], bool] = bool) -> list[QWidget]:
    """Controls that can be reached with the mouse, in all windows that are open."""
    tops = [top for top in QApplication.topLevelWidgets() if top.isVisible() and top.windowHandle()]
    return [
        widget
        for top in sorted(tops, key=lambda top: top is not user.window)
        for kind in kinds
        for widget in top.findChildren(kind)
        if widget.isVisible() and widget.isEnabled() and wanted(widget)
        and not widget.visibleRegion().isEmpty()
    ]  # fmt: skip


def _middle(widget: QWidget) -> QPoint:
    return widget.visibleRegion().boundingRect().center()


def named(widget: QWidget) -> str:
    for of in ("accessibleName", "text", "objectName", "toolTip"):
        told = getattr(widget, of, str)()
        if told:
            return f"{type(widget).__name__} {told.splitlines()[0][:40]!r}"
    return type(widget).__name__


def form(user: User, r: Random) -> Act:
    fields = _in_sight(user, QtWidgets.QLineEdit, wanted=lambda w: not w.isReadOnly())
    if not fields:
        return
    field, text = r.choice(fields), r.choice(_TEXTS)
    user.say(f"{named(field)}: {text!r}")
    user.hand.click(field, _middle(field))
    yield 20
    match r.randrange(4):
        case 0:
            user.hand.key(r.choice(("Up", "Down", "Shift+Up", "PgUp")), r.randint(1, 8))
        case 1:
            user.hand.key("Backspace", r.randint(1, 3))
            user.hand.type(text[:2])
        case _:
            user.hand.key("Ctrl+A")
            user.hand.type(text)
    yield r.randrange(60)
    user.hand.key(r.choice(("Return", "Return", "Tab", "Escape")))
    yield 50


def choice(user: User, r: Random) -> Act:
    boxes = _in_sight(user, QtWidgets.QComboBox)
    if not boxes:
        return
    box = r.choice(boxes)
    user.say(named(box))
    if r.random() < 0.5:
        user.hand.click(box, _middle(box))  # the list that pops up is answered
    else:
        box.setFocus()
        user.hand.key(r.choice(("Down", "Up", "End", "Home")), r.randint(1, 4))
        user.hand.key("Return")
    yield 80


def button(user: User, r: Random) -> Act:
    buttons = _in_sight(user, QtWidgets.QAbstractButton)
    if not buttons:
        return
    pressed = r.choice(buttons)
    user.say(named(pressed))
    user.hand.click(pressed, _middle(pressed))
    yield 80


def slider(user: User, r: Random) -> Act:
    sliders = _in_sight(user, QtWidgets.QAbstractSlider)
    if not sliders:
        return
    moved = r.choice(sliders)
    user.say(named(moved))
    place = moved.rect().topLeft() + QPoint(
        round(r.random() * (moved.width() - 1)), round(r.random() * (moved.height() - 1))
    )
    user.hand.click(moved, place)
    user.hand.wheel(moved, place, r.randint(-3, 3))
    yield 50


def plot(user: User, r: Random) -> Act:
    plots = _in_sight(user, Plot)
    if not plots:
        return
    shown = r.choice(plots)
    user.say(named(shown))
    for _ in range(r.randint(1, 6)):
        box = shown.visibleRegion().boundingRect()
        at = box.topLeft() + QPoint(
            round(r.random() * (box.width() - 1)), round(r.random() * (box.height() - 1))
        )
        match r.randrange(5):
            case 0:
                user.hand.wheel(shown.viewport(), at, r.choice((-2, -1, 1, 2)))
            case 1:
                user.hand.double_click(shown.viewport(), at)
            case 2:
                user.hand.press(shown.viewport(), at)
                user.hand.move(shown.viewport(), at + QPoint(r.randint(-80, 80), r.randint(-9, 9)))
                user.hand.release(shown.viewport(), at)
            case 3:
                user.hand.click(shown.viewport(), at, Qt.RightButton)
            case 4:
                user.hand.key(r.choice(("L", "A", "Left", "Right", "Home", "Escape")))
        yield r.randrange(60)


def keys(user: User, r: Random) -> Act:
    user.to_canvas()
    for _ in range(r.randint(1, 3)):
        key = r.choice(_KEYS)
        user.say(key)
        user.hand.key(key)
        yield r.randrange(150)


def menu(user: User, r: Random) -> Act:
    bar = user.window.menuBar()
    if bar.isVisible():
        title = r.choice(bar.actions())
        user.say(title.text())
        user.hand.click(bar, bar.actionGeometry(title).center())
        yield 80


def undo(user: User, r: Random) -> Act:
    user.to_canvas()
    for key in ("Ctrl+Z", "Ctrl+Y"):
        for _ in range(r.randint(0, 8)):
            user.hand.key(key)
            yield r.choice((0, 0, 30, 200))


def gallery(user: User, r: Random) -> Act:
    user.to_canvas()
    user.hand.key("Ctrl+F")
    user.hand.type(r.choice(_WORDS))
    yield 50
    user.hand.key(r.choice(("Return", "Down", "Escape")))
    shelf = user.window.gallery
    if shelf.isVisible() and r.random() < 0.6:
        rows = [shelf.visualItemRect(shelf.item(row)).center() for row in range(shelf.count())]
        seen = [at for at in rows if shelf.viewport().rect().contains(at)]
        if seen:
            user.hand.click(shelf.viewport(), r.choice(seen))
    yield 200


def resize(user: User, r: Random) -> Act:
    window = user.window
    match r.randrange(5):
        case 0:
            window.showMinimized()
            yield r.randrange(600)
            window.showNormal()
        case 1:
            window.resize(QSize(0, 0))
        case 2:
            window.move(r.randint(-300, 300), r.randint(-300, 300))
        case _:
            window.resize(r.randint(300, 2200), r.randint(300, 1400))
    yield 100


def open_file(user: User, r: Random) -> Act:
    """By the dialog, which is answered, or dropped on the window."""
    if r.random() < 0.5:
        user.to_canvas()
        user.hand.key("Ctrl+O")
    else:
        path = user.files.to_open(r)
        user.say(str(path))
        user.hand.drop([str(path)], QPoint(300, 300))
    yield 200


def save(user: User, r: Random) -> Act:
    user.to_canvas()
    key = r.choice(_SAVING)
    user.say(key)
    user.hand.key(key)
    yield 200


def movie(user: User, r: Random) -> Act:
    """Begins one, and ends it a while later."""
    user.to_canvas()
    user.hand.key("F9")
    yield r.randrange(100, 4000)
    if r.random() < 0.8:
        user.to_canvas()
        user.hand.key("F9")


def study(user: User, r: Random) -> Act:
    user.to_canvas()
    key = r.choice(("Ctrl+K", "Ctrl+Shift+D", "Ctrl+Shift+R"))
    user.say(key)
    user.hand.key(key)
    yield 100
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, QtWidgets.QDialog)]
    for dialog in [d for d in dialogs if d.isVisible()]:
        begin = getattr(dialog, "start", None)
        if begin is not None and begin.isEnabled() and r.random() < 0.8:
            user.hand.click(begin, _middle(begin))
            yield r.randrange(4000)
        if r.random() < 0.6:
            QApplication.setActiveWindow(dialog)
            user.hand.key("Escape")
    yield 50


def wait(user: User, r: Random) -> Act:
    yield r.randrange(300, 3000)


#: Act -> how often, in proportion.
BESIDE = {
    form: 10, choice: 5, button: 6, slider: 2, plot: 4, keys: 8, menu: 3, undo: 6, gallery: 4,
    resize: 3, open_file: 6, save: 5, movie: 3, study: 2, wait: 4,
}  # fmt: skip
