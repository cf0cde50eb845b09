"""Take sources by their handles or their lines, and drag them: the part of a tool that places
none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.tools.snapping import nearest
from wavelab.app.tools.source_access import Preview, SourceGrip, Sources
from wavelab.app.tools.tool import (
    GRAB_PIXELS,
    Grip,
    Overlay,
    PointerEvent,
    line_marks,
)
from wavelab.output.edge_lines import distance, nearest_edge

#: A source let go this near to where it was taken, in logical pixels, was clicked, not dragged.
CLICK_PIXELS = 4.0
#: A press this near to a line, in logical pixels, means its source.
LINE_PIXELS = 6.0
#: The label of a handle hangs by so many logical pixels.
LABEL_BELOW = 30.0


class SourceHand:
    """Holds what is under the pointer and what is being dragged.

    Parameters
    ----------
    grips : the handles to be shown and taken, where a logical pixel is so long.
    """

    def __init__(
        self, sources: Sources, grips: Callable[[float], Sequence[SourceGrip]] | None = None
    ) -> None:
        self._sources = sources
        self._grips = sources.grips if grips is None else grips
        self._whole = grips is None
        self.grip: SourceGrip | None = None  #: under the pointer, or held
        self._start: PointerEvent | None = None
        self._preview = Preview()

    @property
    def dragging(self) -> bool:
        return self._start is not None

    @property
    def hint(self) -> str:
        """What can be done with what is under the pointer; "" where that is nothing."""
        grip = self.grip
        if grip is None:
            return ""
        if self._start is not None:
            if self._preview.refusal:
                return f"Not so: {self._preview.refusal} Released here it stays as it was"
            return f"Release to leave {grip.words} so; Esc gives up"
        if grip.places:
            return f"Click to see the properties of {grip.source}, drag to move it; Del: remove it"
        if getattr(grip.handle, "name", "") in ("direction", "speed"):
            return f"Drag to change {grip.words}; Shift: by 15\u00b0"
        return f"Drag to move {grip.words}"

    def aim(self, event: PointerEvent) -> None:
        """What is under the pointer: a handle, or else the line of a source."""
        self.grip = nearest(
            self._grips(event.pixel),
            lambda grip: math.dist(grip.handle.at, event.point),
            GRAB_PIXELS * event.pixel,
        )
        if self.grip is None and self._whole:
            found = nearest(
                self._sources.bodies().items(),
                lambda body: distance(body[1], event.x, event.y),
                LINE_PIXELS * event.pixel,
            )
            self.grip = None if found is None else found[0]

    def forget(self) -> None:
        """Nothing is under the pointer, and nothing is held."""
        if self.dragging:
            self._sources.give_up()
        self.grip = self._start = None

    def press(self, event: PointerEvent) -> bool:
        """Take what is under the pointer; False if nothing is."""
        if self.grip is None:
            return False
        self._start, self._preview = event, Preview()
        return True

    def go_on(self, event: PointerEvent) -> None:
        if self.grip is not None and self._moved(event):
            self._preview = self._sources.changing(self.grip, self._there(event), self.edge(event))

    def let_go(self, event: PointerEvent) -> bool:
        """Leave it there; False if it was not dragged."""
        grip, moved, there = self.grip, self._moved(event), self._there(event)
        if grip is not None and moved:
            self._sources.change(grip, there, self.edge(event))
        self.forget()
        return moved

    def edge(self, event: PointerEvent) -> str | None:
        """The edge under the pointer."""
        return nearest_edge(self._sources.edges(), event.x, event.y, GRAB_PIXELS * event.pixel)

    def overlay(self, idle: Overlay, pointer: PointerEvent) -> Overlay:
        """The handles over what else there is to see, or what is being dragged."""
        held, preview = self.grip, self._preview
        if self._start is not None and held is not None:
            return Overlay(
                strokes=preview.strokes,
                pending=() if preview.strokes else (held.handle.at, pointer.point),
                invalid=bool(preview.refusal),
                snap=pointer.point,
                label=preview.label,
                label_at=pointer.point,
            )
        grips = tuple(
            Grip(grip.handle.at, grip.kind, hot=grip == held) for grip in self._grips(pointer.pixel)
        )
        shown = replace(idle, grips=(*idle.grips, *grips))
        if held is None:
            return shown
        body = self._sources.bodies().get(held, ()) if held.places else ()
        # Below, because the name of the source may stand above.
        x, y = held.handle.at
        below = (x, y - LABEL_BELOW * pointer.pixel)
        strokes = (*shown.strokes, *line_marks(body, "hover"))
        return replace(shown, strokes=strokes, label=held.words, label_at=below)

    def _moved(self, event: PointerEvent) -> bool:
        start = self._start
        return start is not None and (
            math.dist(start.point, event.point) > CLICK_PIXELS * event.pixel
        )

    def _there(self, event: PointerEvent) -> PointerEvent:
        """As if what moves all of a source had been taken in its middle."""
        if self.grip is None or self._start is None or not self.grip.places:
            return event
        (x, y), start = self.grip.handle.at, self._start
        return replace(event, x=event.x - (start.x - x), y=event.y - (start.y - y))
