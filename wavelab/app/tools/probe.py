"""Place probes and monitors: a click or a drag places one, a click on a probe takes it away."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent
from wavelab.scene.scene import Probe

#: A click this near a probe, in logical pixels, means that probe.
GRAB_PIXELS = 10.0
#: What is let go this near to where it began, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0

_HINTS = {
    "click": "Click to place a probe that records Ez there",
    "line": "Drag a line to measure along it",
    "box": "Drag a box to measure in it",
}


class ProbeTool:
    """Click places a probe, or removes the one under the pointer; a drag places a monitor.

    Parameters
    ----------
    place : called with (x, y) of a new probe.
    measure : called with the two points between which a monitor was dragged.
    remove : called with the name of the probe to take away.
    probes : returns the scene's probes now.
    placing : returns how the next one is placed: "click", "line" or "box".
    """

    gestures = (
        ("Click", "Place a probe"),
        ("Drag", "Place a monitor, if one is chosen at the right"),
        ("Click one", "Remove a probe"),
        ("Esc", "Give up what is being dragged"),
    )
    cursor = "cross"

    def __init__(
        self,
        place: Callable[[float, float], None],
        *,
        measure: Callable[[Point, Point], None] = lambda *_: None,
        remove: Callable[[str], None] | None = None,
        probes: Callable[[], Sequence[Probe]] = tuple,
        placing: Callable[[], str] = lambda: "click",
    ) -> None:
        self._place = place
        self._measure = measure
        self._remove = remove
        self._probes = probes
        self._placing = placing
        self._under: Probe | None = None
        self._start: Point | None = None
        self._pointer: PointerEvent | None = None

    @property
    def hint(self) -> str:
        if self._start is not None:
            return "Release to place it; Esc gives it up"
        if self._under is not None:
            return f"Click to remove {self._under.name}"
        return f"{_HINTS[self._placing()]}; click a probe to remove it"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._pointer = event
        self._under = self._nearest(event)
        if self._under is not None and self._remove is not None:
            self._remove(self._under.name)
            self._under = None
        elif self._placing() == "click":
            self._place(event.x, event.y)
        else:
            self._start = event.point
        return True

    def move(self, event: PointerEvent) -> bool:
        before, self._pointer = self._under, event
        self._under = self._nearest(event) if self._start is None else None
        return before != self._under or self._start is not None

    def release(self, event: PointerEvent) -> bool:
        if event.button != "left" or self._start is None:
            return False
        start, self._start = self._start, None
        if math.dist(start, event.point) > CLICK_PIXELS * event.pixel:
            self._measure(start, event.point)
        return True

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        changed, self._under = self._under is not None, None
        return changed

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and self._start is not None

    def key(self, name: str) -> bool:
        if not self.wants_key(name):
            return False
        self._start = None
        return True

    def overlay(self) -> Overlay:
        if self._start is not None and self._pointer is not None:
            (x0, y0), (x1, y1) = self._start, self._pointer.point
            if self._placing() == "box":
                return Overlay(line=((x0, y0), (x1, y0), (x1, y1), (x0, y1)), closed=True)
            return Overlay(line=((x0, y0), (x1, y1)), vertices=((x0, y0), (x1, y1)))
        if self._under is None:
            return EMPTY
        at = self._under.position
        return Overlay(snap=at, label=f"remove {self._under.name}", label_at=at)

    def _nearest(self, event: PointerEvent) -> Probe | None:
        if self._remove is None:
            return None
        near = [
            (distance, probe)
            for probe in self._probes()
            if (distance := math.dist(probe.position, event.point)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near, key=lambda pair: pair[0])[1] if near else None
