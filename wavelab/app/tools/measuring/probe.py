"""Place probes and monitors, and change monitors by their handles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from wavelab.app.base import measures
from wavelab.app.tools.drawing.draw import DrawTool
from wavelab.app.tools.drawing.shape import EllipseTool, RectangleTool, ShapeTool
from wavelab.app.tools.measuring.measuring import Measuring
from wavelab.app.tools.measuring.monitor_dragging import CLICK_PIXELS, MonitorHand
from wavelab.app.tools.purpose import FixedPurpose
from wavelab.app.tools.snapping import nearest, snap
from wavelab.app.tools.tool import EMPTY, GRAB_PIXELS, Overlay, Point, PointerEvent, Tool
from wavelab.scene.model.scene import Probe

_HINTS = {
    "click": "Click to place a probe that records the field there; drag one to move it",
    "line": "Drag a line: it becomes {noun}; Shift: horizontal or vertical, Ctrl: no snapping",
    "everywhere": "Click anywhere: it becomes {noun} of all of the domain",
}

_DRAWING: dict[str, Callable[..., ShapeTool | DrawTool]] = {
    "rectangle": RectangleTool,
    "ellipse": EllipseTool,
    "polygon": DrawTool,
}


class ProbeTool(Tool):
    """Click or drag to place what is chosen at the right; click a probe or a monitor to see its
    properties, drag it to move it, change a monitor by its handles."""

    label, icon, shortcut = "Probe", "ph.crosshair", "B"
    tooltip = "Place a probe or a monitor; drag one to move it, click one to see its properties"
    gestures = (
        ("Click, drag", "Place a probe or a monitor, as chosen at the right"),
        ("Click one", "Show its properties, and the handles of a monitor"),
        ("Drag one", "Move it"),
        ("Drag a handle", "Move a corner; round ones make new corners, or bow an edge"),
        ("Enter, Backspace", "Close a polygon; take a corner back, or the one pointed at away"),
        ("Delete", "Remove the probe pointed at, or the monitor with the handles"),
        ("Shift, Ctrl", "Horizontal or vertical, a circle; no snapping"),
        ("Esc", "Give up what is being dragged"),
    )

    def __init__(self, measuring: Measuring) -> None:
        self._measuring = measuring
        self._hand = MonitorHand(measuring)
        self._pointer: PointerEvent | None = None
        self._probe: Probe | None = None  #: under the pointer, or held
        self._held: PointerEvent | None = None  #: where the probe was taken
        self._start: Point | None = None
        self._drawing: tuple[str, ShapeTool | DrawTool] | None = None

    @property
    def hint(self) -> str:
        measuring, region = self._measuring, self._region
        if self._hand.dragging:
            return self._hand.hint or "Drag to move it"
        if region is not None and region.busy:
            return region.hint
        if self._start is not None:
            refusal = measuring.refusal(self._line) if self._line else None
            if refusal is not None:
                return f"Not so: {refusal.text}. {refusal.remedy}"
            return "Release to place it; Shift: horizontal or vertical, Esc gives up"
        if self._probe is not None and self._held is not None:
            return f"Release to leave {self._probe.name} here; Esc gives up"
        if self._probe is not None:
            name = self._probe.name
            return f"Click to see the properties of {name}, drag to move it; Del: remove it"
        if self._hand.hint:
            return self._hand.hint
        chosen = measuring.chosen()
        keys = f"; Del: remove {chosen.name}" if chosen is not None else ""
        if region is not None:
            return f"{region.hint}{keys}"
        return f"{_HINTS[measuring.placing()].format(noun=measuring.noun())}{keys}"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        region, placing = self._region, self._measuring.placing()
        if region is not None and region.busy:
            region.press(event)
            return
        self._aim(event)
        if self._probe is not None:
            self._held = event
        elif self._hand.press(event):
            pass
        elif placing == "click":
            self._measuring.place_probe(event.point)
        elif placing == "everywhere":
            self._measuring.place(None)
        elif region is not None:
            region.press(event)
        else:
            self._start = snap(event, self._measuring.vertices()).point

    def move(self, event: PointerEvent) -> None:
        self._pointer = event
        if self._hand.dragging:
            self._hand.go_on(event)
        elif self._start is None and self._held is None:
            region = self._region
            if region is None or not region.busy:
                self._aim(event)
            if region is not None:
                region.move(event)

    def release(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._pointer = event
        if event.lost and self._dragging:
            self.key("Escape")
            return
        if self._held is not None and self._probe is not None:
            probe, to, self._held = self._probe, self._probe_at, None
            if to is None:
                self._measuring.choose_probe(probe.name)
            else:
                self._measuring.move_probe(probe.name, to)
            self._aim(event)
            return
        if self._hand.dragging:
            self._hand.let_go(event)
        elif self._start is not None:
            line, self._start = self._line, None
            if line:
                self._measuring.place(line)
        elif self._region is not None and self._region.busy:
            self._region.release(event)

    def leave(self) -> None:
        if not self._dragging:
            self._pointer = self._probe = None
            self._hand.forget()
            if self._region is not None:
                self._region.leave()

    def wants_key(self, name: str) -> bool:
        if self._dragging:
            return name == "Escape"
        if self._region is not None and self._region.busy:
            return self._region.wants_key(name)
        return (name == "Delete" and self._probe is not None) or self._hand.wants_key(name)

    def use_key(self, name: str) -> None:
        if self._dragging:
            self._hand.give_up()
            self._start = self._held = None
        elif self._region is not None and self._region.busy:
            self._region.key(name)
        elif name == "Delete" and self._probe is not None:
            self._measuring.remove_probe(self._probe.name)
            self._probe = None
        else:
            self._hand.key(name)

    def overlay(self) -> Overlay:
        pointer, region = self._pointer, self._region
        if pointer is None:
            return EMPTY
        if self._hand.dragging:
            return self._hand.overlay(EMPTY, pointer)
        if region is not None and region.busy:
            return region.overlay()
        if self._start is not None:
            return self._line_overlay(self._start, pointer)
        idle = region.overlay() if region is not None else EMPTY
        if self._probe is not None:
            at = self._probe_at or self._probe.position
            idle = Overlay(snap=at, label=self._probe.name, label_at=at)
        elif self._measuring.placing() == "line":
            target = snap(pointer, self._measuring.vertices())
            idle = Overlay(snap=target.point if target.to else None)
        if not idle.label:  # what is chosen at the right may have been chosen long ago
            idle = replace(idle, label=self._measuring.noun(), label_at=pointer.point)
        return self._hand.overlay(idle, pointer)

    @property
    def _dragging(self) -> bool:
        """Whether Escape gives something up that is being placed or moved."""
        return self._hand.dragging or self._start is not None or self._held is not None

    @property
    def _probe_at(self) -> Point | None:
        """Where the probe that is held has been dragged to; None if it was not dragged."""
        held, now = self._held, self._pointer
        if held is None or now is None or self._probe is None:
            return None
        if math.dist(held.point, now.point) <= CLICK_PIXELS * now.pixel:
            return None
        x, y = self._probe.position
        return x + now.x - held.x, y + now.y - held.y

    @property
    def _region(self) -> ShapeTool | DrawTool | None:
        """The tool that draws a region, if the next monitor has one."""
        kind = self._measuring.placing()
        if self._drawing is None or self._drawing[0] != kind:
            self._drawing = None
            if kind in _DRAWING:
                purpose = FixedPurpose(self._measuring.noun, self._measuring.refusal)
                finish, points = self._measuring.place, self._measuring.vertices
                tool = _DRAWING[kind](finish, purpose=purpose, snap_points=points)
                self._drawing = (kind, tool)
        return self._drawing[1] if self._drawing is not None else None

    @property
    def _line(self) -> tuple[Point, ...]:
        """The line in progress; none where nothing is dragged, or not far enough."""
        if self._start is None or self._pointer is None:
            return ()
        end = snap(self._pointer, self._measuring.vertices(), self._start).point
        if math.dist(self._start, end) <= CLICK_PIXELS * self._pointer.pixel:
            return ()
        return (self._start, end)

    def _line_overlay(self, start: Point, pointer: PointerEvent) -> Overlay:
        line = self._line
        if not line:
            return Overlay(snap=start)
        label = f"{measures.length(math.dist(*line), '{:.3g}'.format)}, {self._measuring.noun()}"
        refusal = self._measuring.refusal(line)
        return Overlay(line=line, vertices=line).told(label, pointer.point, refusal)

    def _aim(self, event: PointerEvent) -> None:
        """What is under the pointer: a handle, else a probe, else the line of a monitor."""
        self._pointer = event
        self._hand.aim(event)
        self._probe = None
        if not self._hand.on_handle:
            self._probe = nearest(
                self._measuring.probes(),
                lambda probe: math.dist(probe.position, event.point),
                GRAB_PIXELS * event.pixel,
            )
        if self._probe is not None:
            self._hand.forget()
