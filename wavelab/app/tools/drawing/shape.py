"""Draw a rectangle or an ellipse by dragging from corner to corner."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from wavelab.app.base import measures
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import snap
from wavelab.app.tools.tool import EMPTY, Overlay, Point, PointerEvent, Tool
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.model.shapes import Ellipse, Rectangle, Shape

#: A drag shorter than this, in logical pixels, in either direction is taken back.
SMALLEST_PIXELS = 4.0


class ShapeTool(Tool):
    """Drag spans the bounding box; Shift makes a square or circle, Alt starts from the centre.

    Tab, while dragging, switches between a new domain and an obstacle.

    Parameters
    ----------
    finish : called with the finished shape.
    purpose : what the shape becomes.
    snap_points : returns the vertices of the scene to snap to.

    Attributes
    ----------
    noun, regular : the shape, and what Shift makes of it.
    make : the shape between the lower left and the upper right corner of its box.
    """

    noun: str
    regular: str
    make: Callable[[Point, Point], Shape]

    gestures = (
        ("Drag", "From corner to corner"),
        ("Shift", "Square or circle"),
        ("Alt", "From the centre"),
        ("Tab", "An obstacle, or a new domain"),
        ("Ctrl", "No snapping"),
        ("Esc", "Give up"),
    )

    def __init__(
        self,
        finish: Callable[[Shape], None],
        *,
        purpose: Purpose | None = None,
        snap_points: Callable[[], Sequence[Point]] = tuple,
    ) -> None:
        self.purpose = purpose or Purpose()
        self._finish = finish
        self._snap_points = snap_points
        self._start: Point | None = None
        self._pointer: PointerEvent | None = None
        self._message = ""

    @property
    def hint(self) -> str:
        if self._message:
            return self._message
        if self._start is not None:
            box = self._box()
            if box is not None and (refusal := self.purpose.refusal(self.make(*box))) is not None:
                return f"Not so: {refusal.text}. {refusal.remedy}"
            released = "Release to finish"
            if box is not None:
                released = f"Released it {self.purpose.becomes(self.make(*box))}"
            return f"{released}; Shift: {self.regular}, Alt: from the centre, Esc gives up"
        article = "an" if self.noun[0] in "aeiou" else "a"
        return f"Drag {article} {self.noun}: {self.purpose.announcement}; Ctrl: no snapping"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._message = ""
        self._pointer = event
        self._start = snap(event, self._snap_points()).point

    def move(self, event: PointerEvent) -> None:
        self._pointer = event

    @property
    def busy(self) -> bool:
        """Whether something is being dragged."""
        return self._start is not None

    def release(self, event: PointerEvent) -> None:
        self._pointer = event
        if self._start is None or event.button != "left":
            return
        box = self._box()
        self._start = None
        if event.lost:
            return
        if box is None:
            self._message = f"Too small: drag the {self.noun} from one corner to the other"
            return
        self._finish(self.make(*box))

    def leave(self) -> None:
        self._pointer = self._pointer if self._start is not None else None

    def wants_key(self, name: str) -> bool:
        tab = name == "Tab" and self.purpose.switchable
        return (name == "Escape" or tab) and self._start is not None

    def use_key(self, name: str) -> None:
        if name == "Escape":
            self._start = None
        elif (box := self._box()) is not None:
            self.purpose.switch(self.make(*box))

    def overlay(self) -> Overlay:
        if self._pointer is None:
            return EMPTY
        corner = snap(self._pointer, self._snap_points())
        if self._start is None:
            return Overlay(snap=corner.point if corner.to else None)
        box = self._box()
        if box is None:
            return Overlay(snap=self._start)
        shape = self.make(*box)
        (x0, y0), (x1, y1) = box
        across, up = (measures.length(side, "{:.3g}".format) for side in (x1 - x0, y1 - y0))
        label = f"{across} \u00d7 {up}, {self.purpose.name(shape)}"
        return Overlay(
            line=outline_of(shape), closed=True, snap=corner.point if corner.to else None
        ).told(label, corner.point, self.purpose.refusal(shape))

    def _box(self) -> tuple[Point, Point] | None:
        """Lower left and upper right corner of what the drag spans, None if too small."""
        assert self._start is not None
        assert self._pointer is not None
        event, (x0, y0) = self._pointer, self._start
        x1, y1 = snap(event, self._snap_points()).point
        if event.shift:
            side = max(abs(x1 - x0), abs(y1 - y0))
            x1, y1 = x0 + math.copysign(side, x1 - x0), y0 + math.copysign(side, y1 - y0)
        if min(abs(x1 - x0), abs(y1 - y0)) < SMALLEST_PIXELS * event.pixel:
            return None
        if event.alt:
            x0, y0 = 2 * x0 - x1, 2 * y0 - y1
        return (min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))


class RectangleTool(ShapeTool):
    """Drags out a rectangle."""

    label, icon, shortcut = "Draw rectangle", "ph.rectangle", "R"
    tooltip = "Drag a rectangle; Shift makes a square, Alt starts from the centre"
    noun, regular = "rectangle", "square"
    make = Rectangle


class EllipseTool(ShapeTool):
    """Drags out an ellipse."""

    label, icon, shortcut = "Draw ellipse", "ph.circle", "E"
    tooltip = "Drag an ellipse; Shift makes a circle, Alt starts from the centre"
    noun, regular = "ellipse", "circle"

    @staticmethod
    def make(low: Point, high: Point) -> Ellipse:
        (x0, y0), (x1, y1) = low, high
        return Ellipse(((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) / 2, (y1 - y0) / 2))
