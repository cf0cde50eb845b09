"""What is done on the canvas.  An act is a generator that yields the milliseconds until it goes on.

Everything random comes from the act's own generator of random numbers, and places are parts of the
canvas, so that an act is much the same whatever was before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from wavelab.app.base.qt import QCursor, QPoint, Qt
from wavelab.app.tools import TOOLS

if TYPE_CHECKING:
    from scripts.scripted_user.user import User

Act = Iterator[int]
_KEYS = (Qt.NoModifier, Qt.NoModifier, Qt.NoModifier, Qt.ShiftModifier, Qt.ControlModifier,
         Qt.AltModifier)  # fmt: skip


def _spot(user: User, r: Random) -> QPoint:
    size = user.canvas.size()
    return QPoint(round(r.random() * (size.width() - 1)), round(r.random() * (size.height() - 1)))


def _tool(user: User, key: str) -> None:
    user.to_canvas()
    user.hand.key(TOOLS[key].shortcut)


def _drag(user: User, places: list[QPoint], keys: int = 0, button: int = Qt.LeftButton) -> Act:
    hand, canvas = user.hand, user.canvas
    hand.move(canvas, places[0])
    hand.press(canvas, places[0], button, keys)
    for place in places[1:]:
        hand.move(canvas, place)
        yield 8
    hand.release(canvas, places[-1], button, keys)


def _line(r: Random, start: QPoint, end: QPoint) -> list[QPoint]:
    n = r.randint(2, 12)
    return [start + (end - start) * i / n for i in range(n + 1)]


def ping(user: User, r: Random) -> Act:
    _tool(user, "ping")
    match r.randrange(3):
        case 0:
            for _ in range(r.randint(1, 6)):
                user.hand.click(user.canvas, _spot(user, r), keys=r.choice(_KEYS))
                yield r.randrange(100)
        case 1:
            yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)))
        case 2:
            at = _spot(user, r)
            user.hand.press(user.canvas, at)
            yield r.randrange(800)
            user.hand.release(user.canvas, at)


def polygon(user: User, r: Random) -> Act:
    """Around a place, mostly in turn; closed, or given up, in one of the ways there are."""
    user.to_canvas()
    user.hand.key(r.choice(("D", "Shift+D")))
    middle, n = _spot(user, r), r.randint(1, 9)
    radius = r.uniform(0.02, 0.5) * user.canvas.height()
    angles = [2 * math.pi * i / n for i in range(n)]
    if r.random() < 0.2:
        r.shuffle(angles)
    corners = [
        middle + QPoint(round(radius * math.cos(a)), round(radius * math.sin(a))) for a in angles
    ]
    for corner in corners:
        user.hand.click(user.canvas, corner, keys=r.choice(_KEYS))
        yield r.randrange(40)
        if r.random() < 0.05:
            user.hand.key(r.choice(("Backspace", "Tab", "Ctrl+Z", "G")))
    match r.randrange(5):
        case 0:
            user.hand.click(user.canvas, corners[0])
        case 1:
            user.hand.double_click(user.canvas, corners[-1])
        case 2:
            user.hand.key("Backspace", r.randint(1, n))
        case 3:
            user.hand.key("Return")
        case 4:
            user.hand.key("Escape")
    yield 50


def free_hand(user: User, r: Random) -> Act:
    _tool(user, "draw")
    middle, turns = _spot(user, r), r.choice((0.5, 0.95, 1.0, 1.1, 2.3))
    radius, rough = r.uniform(0.02, 0.4) * user.canvas.height(), r.uniform(0, 12)
    n = r.randint(4, 80)
    places = [
        middle
        + QPoint(
            round(radius * math.cos(2 * math.pi * turns * i / n) + r.uniform(-rough, rough)),
            round(radius * math.sin(2 * math.pi * turns * i / n) + r.uniform(-rough, rough)),
        )
        for i in range(n)
    ]
    yield from _drag(user, places, r.choice(_KEYS))
    user.hand.key(r.choice(("Return", "Escape", "[", "]")))


def box(user: User, r: Random) -> Act:
    _tool(user, r.choice(("rectangle", "ellipse")))
    yield 20
    yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)), r.choice(_KEYS))


def place(user: User, r: Random) -> Act:
    """A source, a probe or a monitor, as the page of the tool was left."""
    _tool(user, r.choice(("source", "source", "probe")))
    yield 20
    if r.random() < 0.5:
        user.hand.click(user.canvas, _spot(user, r), keys=r.choice(_KEYS))
    else:
        yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)), r.choice(_KEYS))
    if r.random() < 0.3:
        user.hand.key(r.choice(("Return", "Escape", "Tab", "Delete")))


def wall(user: User, r: Random) -> Act:
    """Of an edge that Tab comes to, or that is clicked; its kind by arrow keys."""
    _tool(user, "wall")
    if r.random() < 0.5:
        user.hand.click(user.canvas, _spot(user, r))
    else:
        user.hand.key("Tab", r.randint(1, 6))
        yield 20
        user.hand.key("Return")
    yield 50
    user.hand.key(r.choice(("Down", "Up")), r.randint(1, 5))
    user.hand.key(r.choice(("Return", "Escape", "Tab")))
    yield 50
    if r.random() < 0.3:
        user.hand.key("Tab", r.randint(1, 4))
        user.hand.key("Return")


def drag_item(user: User, r: Random) -> Act:
    """From a corner or a place of something in the scene, or from anywhere."""
    _tool(user, "select")
    places = [place for place in user.places() if user.canvas.rect().contains(place)]
    start = r.choice(places) if places and r.random() < 0.8 else _spot(user, r)
    if r.random() < 0.6:
        user.hand.click(user.canvas, start, keys=r.choice(_KEYS))
        yield 60
    end = start + (_spot(user, r) - start) * r.choice((0.02, 0.1, 0.3, 1.0))
    moving = _drag(user, _line(r, start, end), r.choice(_KEYS))
    for pause in moving:
        yield pause
        if r.random() < 0.02:
            user.hand.key("Escape")


def item_keys(user: User, r: Random) -> Act:
    user.to_canvas()
    for _ in range(r.randint(1, 5)):
        key = r.choice(
            ("Left", "Right", "Up", "Down", "Shift+Left", "Ctrl+D", "Ctrl+C", "Ctrl+V", "Ctrl+X",
             "Ctrl+A", "Delete", "Escape", "Tab", "[", "]", "R", "X")
        )  # fmt: skip
        user.say(key)
        user.hand.key(key, r.randint(1, 4) if key in ("Left", "Right", "Up", "Down") else 1)
        yield r.randrange(60)


def view(user: User, r: Random) -> Act:
    match r.randrange(4):
        case 0:
            at, notches = _spot(user, r), r.choice((-1, 1))
            for _ in range(r.randint(1, 15)):
                user.hand.wheel(user.canvas, at, notches)
                yield 10
        case 1:
            yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)), 0, Qt.MiddleButton)
        case 2:
            user.to_canvas()
            user.hand.key(r.choice("+-0"), r.randint(1, 6))
        case 3:
            _tool(user, "pan")
            yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)))
    if r.random() < 0.5:
        user.to_canvas()
        user.hand.key("0")


def right_click(user: User, r: Random) -> Act:
    user.hand.click(user.canvas, _spot(user, r), Qt.RightButton)
    yield 100


def ready_made(user: User, r: Random) -> Act:
    """An object, and one of its handles or whatever else is there."""
    _tool(user, "insert")
    button = r.choice(list(user.window.tool_panel.insert.buttons.values()))
    user.hand.click(button, button.rect().center())
    yield 20
    at = _spot(user, r)
    places = [at, at] if r.random() < 0.5 else _line(r, at, _spot(user, r))
    yield from _drag(user, places, r.choice(_KEYS))
    yield 50
    yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)), r.choice(_KEYS))


def ruler(user: User, r: Random) -> Act:
    _tool(user, "ruler")
    page = user.window.tool_panel.ruler
    button = r.choice((*page.measured.values(), page.snapping, page.clear))
    user.hand.click(button, button.rect().center())
    yield 20
    for _ in range(r.randint(1, 3)):
        yield from _drag(user, _line(r, _spot(user, r), _spot(user, r)), r.choice(_KEYS))
    user.hand.key(r.choice(("Escape", "Return", "S", "Delete")))


def wander(user: User, r: Random) -> Act:
    """The pointer of the screen, over everything."""
    for _ in range(r.randint(1, 8)):
        size = user.window.size()
        at = QPoint(round(r.random() * size.width()), round(r.random() * size.height()))
        QCursor.setPos(user.window.mapToGlobal(at))
        yield r.randrange(150)


#: Act -> how often, in proportion.
ON_CANVAS = {
    ping: 8, polygon: 8, free_hand: 3, box: 4, place: 8, wall: 5, drag_item: 8, item_keys: 5,
    view: 4, right_click: 4, ruler: 2, ready_made: 4,
    wander: 3,
}  # fmt: skip
