"""Place sources: a click or a drag places one, a click on one takes it away, a drag moves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent
from wavelab.scene.scene import Source
from wavelab.scene.source_places import anchor

#: A press this near a source, in logical pixels, means that source.
GRAB_PIXELS = 10.0
#: A source let go this near to where it was taken, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0

_HINTS = {
    "click": "Click to place a source of waves",
    "line": "Drag a line to place the source along it",
    "box": "Drag a box to place the source in it",
}


class SourceTool:
    """Click or drag to place a source; click one to remove it, drag one to move it.

    Parameters
    ----------
    place : called with the points between which a new source was dragged; twice the same for one
        that is placed with a click.
    remove : called with the name of the source to take away.
    move_to : called with the name of a source and its new (x, y), once, when it is let go.
    sources : returns the scene's sources now.
    placing : returns how the next one is placed: "click", "line" or "box".
    """

    gestures = (
        ("Click, drag", "Place a source, as its kind asks for"),
        ("Drag one", "Move it"),
        ("Click one", "Remove it"),
        ("Esc", "Give up what is being dragged"),
    )
    cursor = "cross"

    def __init__(
        self,
        place: Callable[[Point, Point], None],
        *,
        remove: Callable[[str], None] = lambda _: None,
        move_to: Callable[[str, float, float], None] = lambda *_: None,
        sources: Callable[[], Sequence[Source]] = tuple,
        placing: Callable[[], str] = lambda: "click",
    ) -> None:
        self._place = place
        self._remove = remove
        self._move_to = move_to
        self._sources = sources
        self._placing = placing
        self._under: Source | None = None
        self._start: Point | None = None
        self._pointer: PointerEvent | None = None

    @property
    def hint(self) -> str:
        if self._start is not None and self._under is not None:
            return f"Release to put {self._under.name} here; Esc leaves it where it was"
        if self._start is not None:
            return "Release to place the source; Esc gives it up"
        if self._under is not None:
            return f"Click to remove {self._under.name}, drag to move it"
        return f"{_HINTS[self._placing()]}; drag one to move it, click one to remove it"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._pointer = event
        self._under = self._nearest(event)
        if self._under is None and self._placing() == "click":
            self._place(event.point, event.point)
        else:
            self._start = event.point
        return True

    def move(self, event: PointerEvent) -> bool:
        self._pointer = event
        if self._start is None:
            self._under = self._nearest(event)
        return True

    def release(self, event: PointerEvent) -> bool:
        if event.button != "left" or self._start is None:
            return False
        start, source = self._start, self._under
        self._start = self._under = None
        clicked = math.dist(start, event.point) <= CLICK_PIXELS * event.pixel
        if source is None:
            if not clicked:
                self._place(start, event.point)
        elif clicked:
            self._remove(source.name)
        else:
            self._move_to(source.name, event.x, event.y)
        return True

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        if self._start is None:
            self._under = None
        return True

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and self._start is not None

    def key(self, name: str) -> bool:
        if not self.wants_key(name):
            return False
        self._start = self._under = None
        return True

    def overlay(self) -> Overlay:
        pointer = self._pointer
        if self._under is None:
            if self._start is None or pointer is None:
                return EMPTY
            (x0, y0), (x1, y1) = self._start, pointer.point
            if self._placing() == "box":
                corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
                return Overlay(line=corners, closed=True)
            return Overlay(line=((x0, y0), (x1, y1)), vertices=((x0, y0), (x1, y1)))
        at = anchor(self._under)
        assert at is not None
        if self._start is not None and pointer is not None:
            return Overlay(pending=(at, pointer.point), snap=pointer.point)
        return Overlay(snap=at, label=f"remove {self._under.name}", label_at=at)

    def _nearest(self, event: PointerEvent) -> Source | None:
        near = [
            (distance, number, source)
            for number, source in enumerate(self._sources())
            if (at := anchor(source)) is not None
            and (distance := math.dist(at, event.point)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near)[2] if near else None
