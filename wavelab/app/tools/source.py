"""Place sources: a click or a drag places one, a click on one shows its properties, a drag moves
it or one of its handles."""

from __future__ import annotations

import math
from dataclasses import replace

from wavelab.app.tools.source_access import Preview, Sources
from wavelab.app.tools.source_hand import CLICK_PIXELS, SourceHand
from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent, Tool, line_marks

_HINTS = {
    "click": "Click to place a source of waves",
    "line": "Drag a line to place the source along it",
    "box": "Drag a box to place the source in it",
    "edge": "Click the end of a guide to send a mode in",
    "edges": "Click an edge to send a wave in, or drag over several",
}
_NO_WAY = {
    "edge": "This mode can come in nowhere here: it needs a straight edge between two parallel "
    "walls that send all of a wave back, and a frequency above its cutoff",
    "edges": "No wall here is straight; let a plane wave come in at the border of a box",
}


class SourceTool(Tool):
    """Click or drag to place a source; click one to see its properties, drag it or its handles to
    change it."""

    label, icon, shortcut = "Source", "ph.waves", "S"
    tooltip = "Place a source of waves; drag one to move it, click one to see its properties"
    gestures = (
        ("Click, drag", "Place a source, as its kind asks for"),
        ("Click an edge", "Send a wave in there, if it comes through walls"),
        ("Shift + click", "The last such wave comes through this edge too"),
        ("Drag one", "Move it, by its cross or any part of its line"),
        ("Drag a handle", "Move an end, turn a source (Shift: by 15\u00b0)"),
        ("Click one", "Show its properties"),
        ("Delete", "Remove the one pointed at"),
        ("Esc", "Give up what is being dragged"),
    )

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._hand = SourceHand(sources)
        self._edge: str | None = None
        self._start: Point | None = None
        self._through: tuple[str, ...] = ()
        self._pointer: PointerEvent | None = None

    @property
    def hint(self) -> str:
        edge = self._edge
        if self._hand.hint:
            return self._hand.hint
        if self._through:
            return f"Release to send the wave in through {', '.join(self._through)}; Esc gives up"
        if self._start is not None:
            return "Release to place the source; Esc gives up"
        if edge is not None:
            reason = self._sources.obstacle(edge)
            reason = reason[:1].upper() + reason[1:]
            return reason or f"{self._sources.entering((edge,)).label}. {self._offer(edge)}"
        there = self._pointer is not None and self._sources.grips(self._pointer.pixel)
        more = "; drag one or its marks to change it"
        hint = _HINTS[self._sources.placing()]
        if self._on_edges and not self._sources.any_way():
            hint = _NO_WAY[self._sources.placing()]
        return hint + (more if there else "")

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._aim(event)
        if self._hand.press(event):
            return
        if self._on_edges:
            if self._edge is not None and event.shift and self._collects:
                self._sources.toggle(self._edge)
            elif self._edge is not None:
                self._start, self._through = event.point, (self._edge,)
        elif self._sources.placing() == "click":
            self._sources.place(event.point, event.point)
        else:
            self._start = event.point

    def move(self, event: PointerEvent) -> None:
        if not self._busy:
            self._aim(event)
            return
        self._pointer = event
        self._hand.go_on(event)
        if self._through and self._collects:
            edge = self._hand.edge(event)
            if edge is not None and edge not in self._through:
                self._through = (*self._through, edge)

    def release(self, event: PointerEvent) -> None:
        if event.button != "left" or not self._busy:
            return
        if event.lost:
            self.key("Escape")
            return
        if self._hand.dragging:
            grip = self._hand.grip
            if not self._hand.let_go(event) and grip is not None:
                self._sources.choose(grip.source)
            return
        start, through = self._start, self._through
        self._start, self._through = None, ()
        if through:
            self._sources.send_in(through)
        elif start is not None and math.dist(start, event.point) > CLICK_PIXELS * event.pixel:
            self._sources.place(start, event.point)

    def leave(self) -> None:
        if not self._busy:
            self._edge = self._pointer = None
            self._hand.forget()

    def wants_key(self, name: str) -> bool:
        grip = self._hand.grip
        points = grip is not None and not self._busy
        return (name == "Escape" and self._busy) or (name == "Delete" and points)

    def use_key(self, name: str) -> None:
        if name == "Delete" and self._hand.grip is not None:
            self._sources.remove(self._hand.grip.source)
        self._start, self._through = None, ()
        self._hand.forget()

    def overlay(self) -> Overlay:
        pointer = self._pointer
        if pointer is None:
            return EMPTY
        if self._start is not None and not self._through:
            (x0, y0), (x1, y1) = self._start, pointer.point
            if self._sources.placing() == "box":
                corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
                return Overlay(line=corners, closed=True)
            return Overlay(line=((x0, y0), (x1, y1)), vertices=((x0, y0), (x1, y1)))
        idle = self._over_edges()
        if not idle.label:  # what is chosen at the right may have been chosen long ago
            idle = replace(idle, label=self._sources.next_kind(), label_at=pointer.point)
        return self._hand.overlay(idle, pointer)

    def _over_edges(self) -> Overlay:
        """The edges that the wave would come through, and how it would look."""
        through = self._through or ((self._edge,) if self._edge is not None else ())
        lines = self._sources.edges()
        through = tuple(edge for edge in through if edge in lines)
        if not through:
            return EMPTY
        reason = self._sources.obstacle(through[0])
        tone = "faint" if reason else "picked" if self._through else "hover"
        marked = line_marks((line for edge in through for line in lines[edge]), tone)
        preview = Preview() if reason else self._sources.entering(through)
        return Overlay(
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

    @property
    def _busy(self) -> bool:
        """Whether something is being placed or dragged."""
        return self._start is not None or self._hand.dragging

    @property
    def _on_edges(self) -> bool:
        return self._sources.placing() in ("edge", "edges")

    @property
    def _collects(self) -> bool:
        return self._sources.placing() == "edges"

    def _aim(self, event: PointerEvent) -> None:
        """What is under the pointer."""
        self._pointer = event
        self._hand.aim(event)
        on_edge = self._hand.grip is None and self._on_edges
        self._edge = self._hand.edge(event) if on_edge else None
