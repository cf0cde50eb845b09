"""Place sources: a click or a drag places one, a click on one takes it away, a drag on one of its
handles changes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wavelab.app.edge_lines import distance, middle
from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent, Stroke
from wavelab.scene.edge_lines import EdgeLines
from wavelab.scene.source_handles import PLACE, Handle

#: A press this near a handle or an edge, in logical pixels, means it.
GRAB_PIXELS = 10.0
#: A source let go this near to where it was taken, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0

_HINTS = {
    "click": "Click to place a source of waves",
    "line": "Drag a line to place the source along it",
    "box": "Drag a box to place the source in it",
    "edge": "Click the end of a guide to send a mode in",
    "edges": "Click an edge to send a wave in, or drag over several",
}


@dataclass(frozen=True)
class Grip:
    """A handle of a source, by its name."""

    source: str
    handle: Handle


@dataclass(frozen=True)
class Target:
    """Where a handle is dragged to: a point, and the edge that is there.  ``even``: directions are
    whole multiples of 15 degrees."""

    at: Point
    edge: str | None = None
    even: bool = False


@dataclass(frozen=True)
class Preview:
    """How something would look, and a few words on it."""

    strokes: tuple[Stroke, ...] = ()
    label: str = ""


class Sources(Protocol):
    """What the tool asks about the scene, and what it wishes for."""

    def placing(self) -> str:
        """How the next source is placed: "click", "line", "box", "edge" or "edges"."""
        ...

    def grips(self) -> Sequence[Grip]: ...

    def edges(self) -> EdgeLines:
        """The lines of all edges by name."""
        ...

    def obstacle(self, edge: str) -> str:
        """Why the next wave cannot come in through an edge; "" if it can."""
        ...

    def entering(self, edges: Sequence[str]) -> Preview:
        """The next wave, coming in through these edges."""
        ...

    def changing(self, grip: Grip, target: Target) -> Preview:
        """A source with one of its handles elsewhere."""
        ...

    def place(self, start: Point, end: Point) -> None:
        """A new source between two points; twice the same for one that is clicked."""
        ...

    def send_in(self, edges: Sequence[str]) -> None:
        """A new wave through some edges."""
        ...

    def toggle(self, edge: str) -> None:
        """The last plane wave that comes through edges does so here too, or no longer."""
        ...

    def remove(self, name: str) -> None: ...

    def change(self, grip: Grip, target: Target) -> None:
        """A handle was dragged there."""
        ...


class SourceTool:
    """Click or drag to place a source; click one to remove it, drag its handles to change it."""

    gestures = (
        ("Click, drag", "Place a source, as its kind asks for"),
        ("Click an edge", "Send a wave in there, if it comes through walls"),
        ("Shift + click", "The last such wave comes through this edge too"),
        ("Drag a handle", "Move or turn a source (Shift: by 15\u00b0)"),
        ("Click one", "Remove it"),
        ("Esc", "Give up what is being dragged"),
    )
    cursor = "cross"

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._grip: Grip | None = None
        self._edge: str | None = None
        self._start: Point | None = None
        self._through: tuple[str, ...] = ()
        self._pointer: PointerEvent | None = None

    @property
    def hint(self) -> str:
        grip, edge = self._grip, self._edge
        if self._start is not None and grip is not None:
            return f"Release to put {grip.handle.words} here; Esc leaves it where it was"
        if self._through:
            return f"Release to send the wave in through {', '.join(self._through)}; Esc gives up"
        if self._start is not None:
            return "Release to place the source; Esc gives it up"
        if grip is not None and grip.handle.name == PLACE:
            return f"Click to remove {grip.source}, drag to move it"
        if grip is not None:
            even = "; Shift: by 15\u00b0" if grip.handle.name in ("direction", "speed") else ""
            return f"Drag to move {grip.handle.words}{even}"
        if edge is not None:
            reason = self._sources.obstacle(edge)
            more = "; Shift: the last wave comes in here too" if self._collects else ""
            return reason or f"{self._sources.entering((edge,)).label}. Click to send it in{more}"
        return f"{_HINTS[self._sources.placing()]}; drag one to move it, click one to remove it"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._aim(event)
        if self._grip is not None:
            self._start = event.point
        elif self._on_edges:
            if self._edge is not None and event.shift and self._collects:
                self._sources.toggle(self._edge)
            elif self._edge is not None:
                self._start, self._through = event.point, (self._edge,)
        elif self._sources.placing() == "click":
            self._sources.place(event.point, event.point)
        else:
            self._start = event.point
        return True

    def move(self, event: PointerEvent) -> bool:
        if self._start is None:
            self._aim(event)
            return True
        self._pointer = event
        if self._through and self._collects:
            edge = self._nearest_edge(event)
            if edge is not None and edge not in self._through:
                self._through = (*self._through, edge)
        return True

    def release(self, event: PointerEvent) -> bool:
        if event.button != "left" or self._start is None:
            return False
        start, grip, through = self._start, self._grip, self._through
        self._start, self._grip, self._through = None, None, ()
        clicked = math.dist(start, event.point) <= CLICK_PIXELS * event.pixel
        if through:
            self._sources.send_in(through)
        elif grip is None:
            if not clicked:
                self._sources.place(start, event.point)
        elif not clicked:
            self._sources.change(grip, self._target(event))
        elif grip.handle.name == PLACE:
            self._sources.remove(grip.source)
        return True

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        if self._start is None:
            self._grip = self._edge = self._pointer = None
        return True

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and self._start is not None

    def key(self, name: str) -> bool:
        if not self.wants_key(name):
            return False
        self._start, self._grip, self._through = None, None, ()
        return True

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
            preview = self._sources.changing(self._grip, self._target(pointer))
            return Overlay(
                strokes=preview.strokes,
                pending=(self._grip.handle.at, pointer.point),
                snap=pointer.point,
                label=preview.label,
                label_at=pointer.point,
            )
        grips = tuple(grip.handle.at for grip in self._sources.grips())
        if self._grip is not None:
            at, place = self._grip.handle.at, self._grip.handle.name == PLACE
            label = f"remove {self._grip.source}" if place else self._grip.handle.words
            return Overlay(vertices=grips, snap=at, label=label, label_at=at)
        return self._over_edges(grips)

    def _over_edges(self, grips: tuple[Point, ...]) -> Overlay:
        """The edges that the wave would come through, and how it would look."""
        through = self._through or ((self._edge,) if self._edge is not None else ())
        lines = self._sources.edges()
        through = tuple(edge for edge in through if edge in lines)
        if not through:
            return Overlay(vertices=grips)
        reason = self._sources.obstacle(through[0])
        tone = "faint" if reason else "picked" if self._through else "hover"
        marked = tuple(
            Stroke(tuple((float(x), float(y)) for x, y in line), tone)
            for edge in through
            for line in lines[edge]
        )
        preview = Preview() if reason else self._sources.entering(through)
        return Overlay(
            vertices=grips,
            strokes=(*marked, *preview.strokes),
            label=reason or preview.label,
            label_at=middle(lines[through[-1]]),
        )

    @property
    def _on_edges(self) -> bool:
        return self._sources.placing() in ("edge", "edges")

    @property
    def _collects(self) -> bool:
        return self._sources.placing() == "edges"

    def _aim(self, event: PointerEvent) -> None:
        """What is under the pointer."""
        self._pointer = event
        self._grip = self._nearest_grip(event)
        self._edge = None
        if self._grip is None and self._on_edges:
            self._edge = self._nearest_edge(event)

    def _target(self, event: PointerEvent) -> Target:
        return Target(event.point, self._nearest_edge(event), event.shift)

    def _nearest_grip(self, event: PointerEvent) -> Grip | None:
        near = [
            (away, number, grip)
            for number, grip in enumerate(self._sources.grips())
            if (away := math.dist(grip.handle.at, event.point)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near)[2] if near else None

    def _nearest_edge(self, event: PointerEvent) -> str | None:
        near = [
            (away, name)
            for name, lines in self._sources.edges().items()
            if (away := distance(lines, event.x, event.y)) <= GRAB_PIXELS * event.pixel
        ]
        return min(near)[1] if near else None
