"""Several items at once, for the select tool: a box round them, Shift, and the arrow keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wavelab.app.tools.snapping import grid_spacing
from wavelab.app.tools.tool import Point, PointerEvent, Stroke

#: A press that has gone no further than this, in logical pixels, is a click.
START_PIXELS = 3.0
#: Half the size of the mark at something that is a point, in logical pixels.
MARK_PIXELS = 9.0
#: Parts of the grid that an arrow key moves by with Shift.
_FINE = 0.1
_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, 1), "Down": (0, -1)}


@dataclass(frozen=True)
class ItemAccess:
    """What the tool asks and does about whole items.

    Attributes
    ----------
    toggle : called with (x, y, reach): choose what is there too, or no longer.
    gather : called with two corners of a box and whether what was chosen stays so.
    drop : choose nothing.
    several : whether more than one is chosen.
    outlines : the points of each chosen one that no handles show; a single one of a point.
    movable : whether any of them can be moved.
    nudge : move all of them by a distance.
    """

    toggle: Callable[[float, float, float], None] = lambda *_: None
    gather: Callable[[Point, Point, bool], None] = lambda *_: None
    drop: Callable[[], None] = lambda: None
    several: Callable[[], bool] = lambda: False
    outlines: Callable[[], Sequence[Sequence[Point]]] = tuple
    movable: Callable[[], bool] = lambda: False
    nudge: Callable[[Point], None] = lambda _: None


class Gathering:
    """Part of the select tool."""

    gestures = (
        ("Drag a box", "Choose all that lies in it"),
        ("Shift + click", "Choose one more, or one less"),
        ("Arrow keys", "Move what is chosen (Shift: finely)"),
    )

    def __init__(self, items: ItemAccess) -> None:
        self._items = items
        self._begin: PointerEvent | None = None
        self._end: PointerEvent | None = None

    @property
    def box(self) -> tuple[Point, ...]:
        """Corners of the box that is being dragged."""
        if self._begin is None or self._end is None:
            return ()
        (x0, y0), (x1, y1) = self._begin.point, self._end.point
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

    @property
    def hint(self) -> str:
        """What can be done with several; "" where no more than one is chosen."""
        if self.box:
            return "Released, all that lies in the box is chosen; Esc gives up"
        if self._items.several():
            return "Arrow keys move what is chosen, Ctrl+C copies, Del removes it; Esc lets it go"
        return ""

    def press(self, event: PointerEvent) -> None:
        """Perhaps the first corner of a box."""
        self._begin, self._end = event, None

    def move(self, event: PointerEvent) -> None:
        begin = self._begin
        if begin is not None and (
            self._end is not None
            or math.dist(begin.point, event.point) > START_PIXELS * event.pixel
        ):
            self._end = event

    def release(self, reach: float) -> None:
        """``reach`` is that of a click, in logical pixels."""
        begin, box = self._begin, self.box
        self.give_up()
        if begin is None:
            return
        if box:
            self._items.gather(box[0], box[2], begin.shift)
        elif begin.shift:
            self._items.toggle(begin.x, begin.y, reach * begin.pixel)

    def give_up(self) -> None:
        self._begin = self._end = None

    def wants_key(self, name: str) -> bool:
        if name == "Escape":
            return bool(self.box) or self._items.several()
        return name.removeprefix("Shift+") in _ARROWS and self._items.movable()

    def key(self, name: str, pixel: float) -> None:
        """Of those that are wanted."""
        if name == "Escape":
            if self.box:
                self.give_up()
            else:
                self._items.drop()
            return
        x, y = _ARROWS[name.removeprefix("Shift+")]
        step = grid_spacing(pixel) * (_FINE if name.startswith("Shift+") else 1.0)
        self._items.nudge((x * step, y * step))

    def strokes(self, pixel: float) -> tuple[Stroke, ...]:
        """Marks of what is chosen where a logical pixel is so long."""
        return tuple(Stroke(_drawn(line, pixel), "chosen") for line in self._items.outlines())


def _drawn(line: Sequence[Point], pixel: float) -> tuple[Point, ...]:
    if len(line) > 1:
        return tuple(line)
    (x, y), size = line[0], MARK_PIXELS * pixel
    left, right, low, high = x - size, x + size, y - size, y + size
    return ((left, low), (right, low), (right, high), (left, high), (left, low))
