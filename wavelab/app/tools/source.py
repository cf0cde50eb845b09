"""Place sources: a click or a drag places one, a click on one takes it away, a drag on one of its
handles changes it."""

from __future__ import annotations

import math

from wavelab.app.base.edge_lines import nearest_edge
from wavelab.app.tools.snapping import nearest
from wavelab.app.tools.source_access import Preview, SourceGrip, Sources
from wavelab.app.tools.tool import (
    EMPTY,
    GRAB_PIXELS,
    Grip,
    Overlay,
    Point,
    PointerEvent,
    Tool,
    line_marks,
)

#: A source let go this near to where it was taken, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0
#: The label of a handle hangs by so many logical pixels.
LABEL_BELOW = 30.0
_HINTS = {
    "click": "Click to place a source of waves",
    "line": "Drag a line to place the source along it",
    "box": "Drag a box to place the source in it",
    "edge": "Click the end of a guide to send a mode in",
    "edges": "Click an edge to send a wave in, or drag over several",
}
_NO_WAY = {
    "edge": "This mode can come in nowhere here: it needs a straight edge between two parallel "
    "conductors or magnetic walls, and a frequency above its cutoff",
    "edges": "No wall here is straight; let a plane wave come in at the border of a box",
}


class SourceTool(Tool):
    """Click or drag to place a source; click one to remove it, drag its handles to change it."""

    label, icon, shortcut = "Source", "ph.waves", "S"
    tooltip = "Place a source of waves; drag one to move it, click one to remove it"
    gestures = (
        ("Click, drag", "Place a source, as its kind asks for"),
        ("Click an edge", "Send a wave in there, if it comes through walls"),
        ("Shift + click", "The last such wave comes through this edge too"),
        ("Drag a handle", "Move or turn a source (Shift: by 15\u00b0)"),
        ("Click one", "Remove it"),
        ("Esc", "Give up what is being dragged"),
    )

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._grip: SourceGrip | None = None
        self._edge: str | None = None
        self._start: Point | None = None
        self._through: tuple[str, ...] = ()
        self._pointer: PointerEvent | None = None
        self._preview = Preview()

    @property
    def hint(self) -> str:
        grip, edge = self._grip, self._edge
        if self._start is not None and grip is not None:
            if self._preview.refusal:
                return f"Not so: {self._preview.refusal} Released here it stays as it was"
            return f"Release to leave {grip.words} so; Esc gives up"
        if self._through:
            return f"Release to send the wave in through {', '.join(self._through)}; Esc gives up"
        if self._start is not None:
            return "Release to place the source; Esc gives up"
        if grip is not None and grip.places:
            return f"Click to remove {grip.source}, drag to move it"
        if grip is not None:
            if getattr(grip.handle, "name", "") in ("direction", "speed"):
                return f"Drag to change {grip.words}; Shift: by 15\u00b0"
            return f"Drag to move {grip.words}"
        if edge is not None:
            reason = self._sources.obstacle(edge)
            reason = reason[:1].upper() + reason[1:]
            return reason or f"{self._sources.entering((edge,)).label}. {self._offer(edge)}"
        there = self._pointer is not None and self._sources.grips(self._pointer.pixel)
        more = "; drag the marks of a source to change it, click its cross to remove it"
        hint = _HINTS[self._sources.placing()]
        if self._on_edges and not self._sources.any_way():
            hint = _NO_WAY[self._sources.placing()]
        return hint + (more if there else "")

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._aim(event)
        if self._grip is not None:
            self._start, self._preview = event.point, Preview()
        elif self._on_edges:
            if self._edge is not None and event.shift and self._collects:
                self._sources.toggle(self._edge)
            elif self._edge is not None:
                self._start, self._through = event.point, (self._edge,)
        elif self._sources.placing() == "click":
            self._sources.place(event.point, event.point)
        else:
            self._start = event.point

    def move(self, event: PointerEvent) -> None:
        if self._start is None:
            self._aim(event)
            return
        self._pointer = event
        if self._grip is not None and self._moved(self._start, event):
            edge = self._nearest_edge(event)
            self._preview = self._sources.changing(self._grip, event, edge)
        if self._through and self._collects:
            edge = self._nearest_edge(event)
            if edge is not None and edge not in self._through:
                self._through = (*self._through, edge)

    def release(self, event: PointerEvent) -> None:
        if event.button != "left" or self._start is None:
            return
        if event.lost:
            self.key("Escape")
            return
        start, grip, through = self._start, self._grip, self._through
        self._start, self._grip, self._through = None, None, ()
        clicked = not self._moved(start, event)
        if through:
            self._sources.send_in(through)
        elif grip is None:
            if not clicked:
                self._sources.place(start, event.point)
        elif not clicked:
            self._sources.change(grip, event, self._nearest_edge(event))
        elif grip.places:
            self._sources.remove(grip.source)

    def leave(self) -> None:
        if self._start is None:
            self._grip = self._edge = self._pointer = None

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and self._start is not None

    def use_key(self, name: str) -> None:
        self._start, self._grip, self._through = None, None, ()

    def overlay(self) -> Overlay:
        pointer = self._pointer
        if pointer is None:
            return EMPTY
        if self._start is not None and self._grip is None and not self._through:
            (x0, y0), (x1, y1) = self._start, pointer.point
            if self._sources.placing() == "box":
                corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
                return Overlay(line=corners, closed=True)
            return Overlay(line=((x0, y0), (x1, y1)), vertices=((x0, y0), (x1, y1)))
        if self._start is not None and self._grip is not None:
            preview = self._preview
            return Overlay(
                strokes=preview.strokes,
                pending=() if preview.strokes else (self._grip.handle.at, pointer.point),
                invalid=bool(preview.refusal),
                snap=pointer.point,
                label=preview.label,
                label_at=pointer.point,
            )
        grips = tuple(
            Grip(grip.handle.at, grip.kind, hot=grip == self._grip)
            for grip in self._sources.grips(pointer.pixel)
        )
        if (grip := self._grip) is not None:
            label = f"remove {grip.source}" if grip.places else grip.words
            # Below, because the name of the source may stand above.
            x, y = grip.handle.at
            below = (x, y - LABEL_BELOW * pointer.pixel)
            return Overlay(grips=grips, label=label, label_at=below)
        return self._over_edges(grips)

    def _over_edges(self, grips: tuple[Grip, ...]) -> Overlay:
        """The edges that the wave would come through, and how it would look."""
        through = self._through or ((self._edge,) if self._edge is not None else ())
        lines = self._sources.edges()
        through = tuple(edge for edge in through if edge in lines)
        if not through:
            return Overlay(grips=grips)
        reason = self._sources.obstacle(through[0])
        tone = "faint" if reason else "picked" if self._through else "hover"
        marked = line_marks((line for edge in through for line in lines[edge]), tone)
        preview = Preview() if reason else self._sources.entering(through)
        return Overlay(
            grips=grips,
            strokes=(*marked, *preview.strokes),
            label=reason or preview.label,
            label_at=None if self._pointer is None else self._pointer.point,
        )

    def _offer(self, edge: str) -> str:
        """What a click on an edge would do."""
        wave, edges = self._sources.collecting()
        if not self._collects or not wave:
            return "Click to send it in"
        too = "no longer comes in here" if edge in edges else "comes in here too"
        return f"Click to send a new one in; Shift+click: {wave} {too}"

    @staticmethod
    def _moved(start: Point, event: PointerEvent) -> bool:
        return math.dist(start, event.point) > CLICK_PIXELS * event.pixel

    @property
    def _on_edges(self) -> bool:
        return self._sources.placing() in ("edge", "edges")

    @property
    def _collects(self) -> bool:
        return self._sources.placing() == "edges"

    def _aim(self, event: PointerEvent) -> None:
        """What is under the pointer."""
        self._pointer = event
        self._grip = nearest(
            self._sources.grips(event.pixel),
            lambda grip: math.dist(grip.handle.at, event.point),
            GRAB_PIXELS * event.pixel,
        )
        self._edge = None
        if self._grip is None and self._on_edges:
            self._edge = self._nearest_edge(event)

    def _nearest_edge(self, event: PointerEvent) -> str | None:
        return nearest_edge(self._sources.edges(), event.x, event.y, GRAB_PIXELS * event.pixel)
