"""Whole items, several at once too, for the select tool: a box round them, Shift, moving them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wavelab.app.tools.snapping import grid_spacing, to_grid
from wavelab.app.tools.tool import LineMark, Overlay, Point, PointerEvent
from wavelab.output.numbers import MINUS

#: A press that has gone no further than this, in logical pixels, is a click.
START_PIXELS = 3.0
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
    outlines : the points of each chosen one, or only of those that no handles show; a single
        point where it is one.
    step : the distance that an arrow key moves by.
    movable : whether any of them can be moved.
    holds : whether what is at (x, y) within a reach is chosen and can be moved.
    refusal : why they cannot be moved by a distance; "" if they can.
    follow : let the wave run with them moved by a distance, as soon as can be.
    let_stay : all of them are where they were before that.
    move : move all of them by a distance; whether it goes on a run of such steps.
    """

    toggle: Callable[[float, float, float], None] = lambda *_: None
    gather: Callable[[Point, Point, bool], None] = lambda *_: None
    drop: Callable[[], None] = lambda: None
    several: Callable[[], bool] = lambda: False
    outlines: Callable[[bool], Sequence[Sequence[Point]]] = lambda _: ()
    step: Callable[[], float] = lambda: 1.0
    movable: Callable[[], bool] = lambda: False
    holds: Callable[[float, float, float], bool] = lambda *_: False
    refusal: Callable[[Point], str] = lambda _: ""
    follow: Callable[[Point], None] = lambda _: None
    let_stay: Callable[[], None] = lambda: None
    move: Callable[[Point, bool], None] = lambda *_: None


class MultiSelection:
    """Part of the select tool."""

    gestures = (
        ("Drag anything", "Move it, and all that is chosen with it"),
        ("Drag an empty place", "Choose all that lies in a box"),
        ("Shift + drag", "A box from anywhere"),
        ("Shift + click", "Choose one more, or one less"),
        ("Arrow keys", "Move what is chosen (Shift: finely)"),
    )

    def __init__(self, items: ItemAccess) -> None:
        self._items = items
        self._begin: PointerEvent | None = None
        self._end: PointerEvent | None = None
        self._held = False
        self._fresh = False  #: whether what is held was chosen by this press

    @property
    def busy(self) -> bool:
        """Whether something is being dragged."""
        return self._end is not None

    @property
    def box(self) -> tuple[Point, ...]:
        """Corners of the box that is being dragged."""
        if self._begin is None or self._end is None or self._held:
            return ()
        (x0, y0), (x1, y1) = self._begin.point, self._end.point
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

    @property
    def hint(self) -> str:
        """What can be done with several; "" where no more than one is chosen."""
        if self.box:
            return "Released, all that lies in the box is chosen; Esc gives up"
        if (by := self._moved()) is not None:
            refusal = self._items.refusal(by)
            return f"Not so: {refusal}" if refusal else "Released, it moves there; Esc gives up"
        if self._items.several():
            return "Drag it or use the arrow keys to move what is chosen; Esc lets it go"
        return ""

    def press(self, event: PointerEvent, reach: float) -> bool:
        """Perhaps the first corner of a box; whether what is there is chosen and can be dragged.

        Parameters
        ----------
        reach : of a click, in logical pixels.
        """
        self._begin, self._end, self._fresh = event, None, False
        self._held = not event.shift and self._items.holds(event.x, event.y, reach * event.pixel)
        return self._held

    def take_hold(self, event: PointerEvent, reach: float) -> None:
        """The press has chosen something: if it can be moved it goes along at once."""
        self._held = self._fresh = self._items.holds(event.x, event.y, reach * event.pixel)

    def move(self, event: PointerEvent) -> None:
        begin = self._begin
        if begin is not None and (
            self._end is not None
            or math.dist(begin.point, event.point) > START_PIXELS * event.pixel
        ):
            self._end = event
            if (by := self._moved()) is not None:
                self._items.follow(by)

    def release(self, reach: float) -> bool:
        """Whether that was a click on something that was chosen before."""
        begin, box, by = self._begin, self.box, self._moved()
        held = self._held and not self._fresh
        self._forget()
        if begin is None:
            return False
        if box:
            self._items.gather(box[0], box[2], begin.shift)
        elif by is not None:
            self._items.move(by, False)
        elif begin.shift:
            self._items.toggle(begin.x, begin.y, reach * begin.pixel)
        return held and by is None

    def give_up(self) -> None:
        if self._moved() is not None:
            self._items.let_stay()
        self._forget()

    def _forget(self) -> None:
        self._begin = self._end = None
        self._held = False

    def wants_key(self, name: str) -> bool:
        if name == "Escape":
            return self.busy or self._items.several()
        return name.removeprefix("Shift+") in _ARROWS and self._items.movable()

    def key(self, name: str) -> None:
        """Of those that are wanted."""
        if name == "Escape":
            if self.busy:
                self.give_up()
            else:
                self._items.drop()
            return
        x, y = _ARROWS[name.removeprefix("Shift+")]
        step = self._items.step() * (_FINE if name.startswith("Shift+") else 1.0)
        self._items.move((x * step, y * step), True)

    def overlay(self) -> Overlay:
        """What is chosen, the box, or where what is dragged will be."""
        by = self._moved()
        lines = [tuple(line) for line in self._items.outlines(by is not None)]
        if by is None or self._end is None:
            strokes = tuple(LineMark(line, "chosen") for line in lines)
            return Overlay(line=self.box, closed=bool(self.box), strokes=strokes)
        moved = [tuple((x + by[0], y + by[1]) for x, y in line) for line in lines]
        refusal = self._items.refusal(by)
        return Overlay(
            strokes=tuple(LineMark(line, "refused" if refusal else "ghost") for line in moved),
            label=refusal or f"{by[0]:+.4g}, {by[1]:+.4g}".replace("-", MINUS),
            label_at=self._end.point,
        )

    def _moved(self) -> Point | None:
        """The distance that what is chosen is being dragged by."""
        if self._begin is None or self._end is None or not self._held:
            return None
        by = (self._end.x - self._begin.x, self._end.y - self._begin.y)
        if self._end.ctrl:
            return by
        step = grid_spacing(self._end.pixel)
        return to_grid(by[0], step), to_grid(by[1], step)
