"""Choose monitors, drag them and their handles: the part of the probe tool that places nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import shapely

from wavelab.app.base.refusal import Refusal
from wavelab.app.tools.handles import Handle
from wavelab.app.tools.measuring.measuring import Measuring
from wavelab.app.tools.measuring.monitor_handles import (
    LABELS,
    Changed,
    dragged,
    drawn_line,
    handles,
    without_corner,
)
from wavelab.app.tools.snapping import nearest, snap
from wavelab.app.tools.tool import EMPTY, GRAB_PIXELS, Grip, LineMark, Overlay, Point, PointerEvent
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.monitors import Monitor

#: A press this near a line, in logical pixels, means its monitor.
LINE_PIXELS = 6.0
#: What is let go this near to where it began, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0

_HINTS = {
    "corner": "Drag to move this corner; Ctrl: no snapping",
    "insert": "Drag to give the line a new corner here",
    "bow": "Drag to bow this edge into an arc",
    "radius": "Drag to change this radius; Shift: a circle",
    "move": "Drag to move {name}",
}


@dataclass
class _Drag:
    """A monitor by one of its handles, or by its line (a handle that moves all of it).  ``chosen``:
    its handles were shown already."""

    monitor: Monitor
    handle: Handle
    begin: PointerEvent
    chosen: bool
    now: Changed | None = None
    refusal: Refusal | None = None


class MonitorHand:
    """Holds what is under the pointer and what is being dragged.

    What cannot be is shown in red while it is dragged, and the monitor stays as it was.
    """

    def __init__(self, measuring: Measuring) -> None:
        self._measuring = measuring
        self._handle: Handle | None = None
        self._monitor: Monitor | None = None
        self._drag: _Drag | None = None

    @property
    def dragging(self) -> bool:
        return self._drag is not None

    @property
    def on_handle(self) -> bool:
        """Whether a handle is under the pointer."""
        return self._handle is not None

    @property
    def hint(self) -> str:
        """What can be done with what is under the pointer; "" where that is nothing."""
        drag, chosen = self._drag, self._measuring.chosen()
        if drag is not None and drag.refusal is not None:
            refusal = drag.refusal
            return f"Not so: {refusal.text}. {refusal.remedy} Released here it stays as it was"
        if drag is not None and drag.now is not None:
            return f"{LABELS[drag.handle.kind]}: {drag.now.label}; Ctrl: no snapping, Esc gives up"
        if self._handle is not None and chosen is not None:
            text = _HINTS[self._handle.kind].format(name=chosen.name)
            if without_corner(chosen, self._handle) is not None:
                text += "; Backspace: take it away"
            return f"{text}; Del: remove {chosen.name}"
        if self._monitor is not None:
            return f"Click to choose {self._monitor.name}, drag to move it"
        return ""

    def aim(self, event: PointerEvent) -> None:
        """What is under the pointer: a handle of the chosen monitor, or the line of any."""
        chosen = self._measuring.chosen()
        found = handles(chosen, event.pixel) if chosen is not None else []
        self._handle = nearest(
            found, lambda handle: math.dist(handle.at, event.point), GRAB_PIXELS * event.pixel
        )
        self._monitor = None
        if self._handle is None:
            self._monitor = nearest(
                self._measuring.monitors(),
                lambda monitor: _away(drawn_line(monitor), event.point),
                LINE_PIXELS * event.pixel,
            )

    def forget(self) -> None:
        """Nothing is under the pointer."""
        self._handle = self._monitor = None

    def press(self, event: PointerEvent) -> bool:
        """Take what is under the pointer; False if nothing is."""
        chosen = self._measuring.chosen()
        if self._handle is not None and chosen is not None:
            self._drag = _Drag(chosen, self._handle, event, chosen=True)
        elif self._monitor is not None:
            # From a point of the grid to another, so that what lies on the grid stays on it.
            whole = Handle("move", 0, snap(event, ()).point)
            self._drag = _Drag(self._monitor, whole, event, chosen=self._monitor == chosen)
        return self._drag is not None

    def go_on(self, event: PointerEvent) -> None:
        drag = self._drag
        assert drag is not None
        if drag.monitor not in self._measuring.monitors():
            self._drag = None  # an undo took it away meanwhile
            return
        moved = math.dist(event.point, drag.begin.point) > CLICK_PIXELS * event.pixel
        if drag.now is None and not moved:
            return
        drag.now = dragged(drag.monitor, drag.handle, event, self._measuring.vertices())
        drag.refusal = (
            Refusal(drag.now.refusal)
            if drag.now.refusal
            else self._measuring.changed_refusal(drag.now.monitor)
        )

    def let_go(self, event: PointerEvent) -> None:
        self.go_on(event)
        drag, self._drag = self._drag, None
        if drag is not None and drag.now is None and not drag.chosen:
            self._measuring.choose(drag.monitor.name)
        elif (
            drag is not None
            and drag.now is not None
            and drag.refusal is None
            and drag.now.monitor != drag.monitor
        ):
            self._measuring.change(drag.now.monitor, f"{LABELS[drag.handle.kind]} of monitor")
        self.aim(event)

    def give_up(self) -> None:
        self._drag = None

    def wants_key(self, name: str) -> bool:
        """Backspace takes a corner away, Delete the chosen monitor."""
        if name == "Backspace":
            return self._without_corner() is not None
        return name == "Delete" and self._measuring.chosen() is not None

    def key(self, name: str) -> None:
        chosen, left = self._measuring.chosen(), self._without_corner()
        if name == "Backspace" and left is not None:
            self._measuring.change(left, "Remove corner of monitor")
        elif name == "Delete" and chosen is not None:
            self._measuring.remove(chosen.name)
        self.forget()

    def overlay(self, idle: Overlay, pointer: PointerEvent) -> Overlay:
        """What is dragged or marked; else ``idle``, with the handles of the chosen monitor."""
        drag = self._drag
        if drag is not None and drag.now is not None:
            where = drag.now.monitor.where
            preview = Overlay(line=outline_of(where.place), closed=where.closed)
            return preview.told(drag.now.label, pointer.point, drag.refusal)
        if self._handle is not None:
            idle = EMPTY
        elif self._monitor is not None:
            marked = (LineMark(drawn_line(self._monitor)),)
            idle = Overlay(strokes=marked, label=self._monitor.name, label_at=pointer.point)
        chosen = self._measuring.chosen()
        grips = tuple(
            Grip(h.at, "bow" if h.kind == "insert" else h.kind, hot=h == self._handle)
            for h in (handles(chosen, pointer.pixel) if chosen is not None else ())
        )
        return replace(idle, grips=grips)

    def _without_corner(self) -> Monitor | None:
        chosen = self._measuring.chosen()
        if chosen is None or self._handle is None:
            return None
        return without_corner(chosen, self._handle)


def _away(line: Sequence[Point], at: Point) -> float:
    """From a point to the nearest place on a line; far from none."""
    return float(shapely.LineString(line).distance(shapely.Point(at))) if line else math.inf
