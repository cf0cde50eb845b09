"""Put a ready-made object where one clicks, or along a drag."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.tools.drawing.ready_made import READY_MADE, ReadyMade, Room
from wavelab.app.tools.drawing.shape import SMALLEST_PIXELS
from wavelab.app.tools.snapping import snap
from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent, Tool, shape_marks
from wavelab.scene.model.shapes import Shape


class InsertTool(Tool):
    """A click puts an object down, a drag from end to end says how long it is and how it leans.

    Parameters
    ----------
    finish : called with what was put, and its shape.
    room : where it is put; None where there is no domain that is drawn.
    snap_points : returns the vertices of the scene to snap to.

    Attributes
    ----------
    chosen : the key in ``READY_MADE`` of what is put next.
    """

    label, icon, shortcut = "Add object", "ph.puzzle-piece", "A"
    tooltip = "Add a slit, a grating, a lens, a mirror, a prism or a box, ready-made"
    gestures = (
        ("Click", "Put the chosen object there"),
        ("Drag", "From end to end of it: its length, and how it leans"),
        ("Shift", "Upright or level"),
        ("Ctrl", "No snapping"),
        ("Esc", "Give up"),
    )

    def __init__(
        self,
        finish: Callable[[ReadyMade, Shape], None],
        *,
        room: Callable[[], Room | None] = lambda: None,
        snap_points: Callable[[], Sequence[Point]] = tuple,
    ) -> None:
        self.chosen = next(iter(READY_MADE))
        self._finish = finish
        self._room = room
        self._snap_points = snap_points
        self._start: PointerEvent | None = None
        self._pointer: PointerEvent | None = None

    @property
    def ready_made(self) -> ReadyMade:
        return READY_MADE[self.chosen]

    @property
    def hint(self) -> str:
        noun = self.ready_made.name
        if self._room() is None:
            return f"A {noun} can only be put into a domain that is drawn, not into a mesh file"
        if self._start is not None:
            return f"Release to put the {noun}; Shift: upright or level, Esc gives up"
        return (
            f"Click to put a {noun}, or drag from end to end of it; then its handles and the form "
            "(Y) change it"
        )

    def press(self, event: PointerEvent) -> None:
        if event.button == "left":
            self._start = self._pointer = event

    def move(self, event: PointerEvent) -> None:
        self._pointer = event

    def release(self, event: PointerEvent) -> None:
        if self._start is None or event.button != "left":
            return
        self._pointer = event
        shape = self._shape()
        self._start = None
        if shape is not None and not event.lost:
            self._finish(self.ready_made, shape)

    def leave(self) -> None:
        if self._start is None:
            self._pointer = None

    def let_go(self) -> None:
        """Whatever was half done when another tool was taken."""
        self._start = self._pointer = None

    def wants_key(self, name: str) -> bool:
        return name == "Escape" and self._start is not None

    def use_key(self, name: str) -> None:
        self._start = None

    def overlay(self) -> Overlay:
        shape = self._shape()
        if shape is None or self._pointer is None:
            return EMPTY
        at = snap(self._pointer, self._snap_points()).point
        return Overlay(strokes=shape_marks(shape, "ghost")).told(self.ready_made.name, at)

    def _shape(self) -> Shape | None:
        """What would be put now."""
        room, pointer = self._room(), self._pointer
        if room is None or pointer is None:
            return None
        vertices = self._snap_points()
        if self._start is None:
            return self.ready_made.put(snap(pointer, vertices).point, room)
        start = snap(self._start, vertices).point
        upright = pointer.shift and not self.ready_made.boxed
        end = snap(pointer, vertices, start if upright else None).point
        spans = [abs(b - a) for a, b in zip(start, end, strict=True)]
        span = min(spans) if self.ready_made.boxed else math.hypot(*spans)
        if span < SMALLEST_PIXELS * pointer.pixel:
            return self.ready_made.put(start, room)
        return self.ready_made.drawn(start, end, room)
