"""Place point sources: a click places one, a click on one takes it away, a drag moves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent
from wavelab.scene.scene import PointSource, Source

#: A press this near a source, in logical pixels, means that source.
GRAB_PIXELS = 10.0
#: A source let go this near to where it was taken, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0


class SourceTool:
    """Click places a source or removes the one under the pointer; dragging one moves it.

    Parameters
    ----------
    place : called with (x, y) of a new source.
    remove : called with the name of the source to take away.
    move_to : called with the name of a source and its new (x, y), once, when it is let go.
    sources : returns the scene's sources now.
    """

    cursor = "cross"

    def __init__(
        self,
        place: Callable[[float, float], None],
        *,
        remove: Callable[[str], None] = lambda _: None,
        move_to: Callable[[str, float, float], None] = lambda *_: None,
        sources: Callable[[], Sequence[Source]] = tuple,
    ) -> None:
        self._place = place
        self._remove = remove
        self._move_to = move_to
        self._sources = sources
        self._under: PointSource | None = None
        self._start: Point | None = None
        self._pointer: PointerEvent | None = None

    @property
    def hint(self) -> str:
        if self._start is not None and self._under is not None:
            return f"Release to put {self._under.name} here; Esc leaves it where it was"
        if self._under is not None:
            return f"Click to remove {self._under.name}, drag to move it"
        return "Click to place a source of waves; drag one to move it, click one to remove it"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._pointer = event
        self._under = self._nearest(event)
        if self._under is None:
            self._place(event.x, event.y)
        else:
            self._start = event.point
        return True

    def move(self, event: PointerEvent) -> bool:
        self._pointer = event
        if self._start is None:
            self._under = self._nearest(event)
        return True

    def release(self, event: PointerEvent) -> bool:
        if event.button != "left" or self._start is None or self._under is None:
            return False
        start, source = self._start, self._under
        self._start = self._under = None
        if math.dist(start, event.point) <= CLICK_PIXELS * event.pixel:
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
        if self._under is None:
            return EMPTY
        if self._start is not None and self._pointer is not None:
            return Overlay(
                pending=(self._under.position, self._pointer.point), snap=self._pointer.point
            )
        at = self._under.position
        return Overlay(snap=at, label=f"remove {self._under.name}", label_at=at)

    def _nearest(self, event: PointerEvent) -> PointSource | None:
        near = [
            (distance, source)
            for source in self._sources()
            if isinstance(source, PointSource)
            and (distance := math.dist(source.position, event.point)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near, key=lambda pair: pair[0])[1] if near else None
