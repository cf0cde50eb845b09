"""Point at an item to see what it is called, click it to see and change its properties."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.app.tools.tool import EMPTY, Overlay, PointerEvent

#: A click this near a point or an edge, in logical pixels, means it.
GRAB_PIXELS = 10.0


class SelectTool:
    """Click shows the properties of what is there.

    Parameters
    ----------
    choose : called with (x, y, reach) of a click.
    name_at : returns what is at (x, y) within ``reach``, in words.
    """

    gestures = (("Click", "Show the properties of what is there"),)
    cursor = "cross"
    hint = "Click anything in the picture to see and change its properties"

    def __init__(
        self,
        choose: Callable[[float, float, float], None],
        *,
        name_at: Callable[[float, float, float], str] = lambda *_: "",
    ) -> None:
        self._choose = choose
        self._name_at = name_at
        self._label = ""
        self._pointer: PointerEvent | None = None

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._choose(event.x, event.y, GRAB_PIXELS * event.pixel)
        return True

    def move(self, event: PointerEvent) -> bool:
        self._pointer = event
        self._label = self._name_at(event.x, event.y, GRAB_PIXELS * event.pixel)
        return True

    def release(self, event: PointerEvent) -> bool:
        return False

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        self._pointer = None
        return True

    def wants_key(self, name: str) -> bool:
        return False

    def key(self, name: str) -> bool:
        return False

    def overlay(self) -> Overlay:
        if self._pointer is None or not self._label:
            return EMPTY
        return Overlay(label=self._label, label_at=self._pointer.point)
