"""Point at an item to see what it is called, click it to change its properties, drag the handles of
its shape to change that."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wavelab.app.base.refusal import Refusal
from wavelab.app.tools.handles import EDITS, Dragged, Handle, dragged, handles, straightened
from wavelab.app.tools.selecting.multi_selection import START_PIXELS, ItemAccess, MultiSelection
from wavelab.app.tools.snapping import nearest
from wavelab.app.tools.source_hand import SourceHand
from wavelab.app.tools.tool import (
    GRAB_PIXELS,
    Grip,
    Overlay,
    Point,
    PointerEvent,
    Tool,
    shape_marks,
)
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.model.shapes import Shape

_HINTS = {
    "bow": "Drag to bow this edge into an arc; double click or Backspace: straight again",
    "corner": "Drag to move this corner; Ctrl: no snapping",
    "move": "Drag to move the shape",
}


@dataclass(frozen=True)
class ShapeAccess:
    """What the tool needs to know of the chosen shape, and what it does to it.

    Attributes
    ----------
    shape : returns it, None where nothing with a shape is chosen.
    movable : whether all of it can be moved.
    vertices : returns those of the scene, which attract corners.
    refusal : why a shape may not take its place.
    follow : lets the wave run with a shape in its place, which is being dragged by a handle of a
        kind, as soon as can be.
    give_up : all is as it was before that.
    reshape : puts a shape in its place, with the name of the edit.
    """

    shape: Callable[[], Shape | None] = lambda: None
    movable: Callable[[], bool] = lambda: True
    vertices: Callable[[], Sequence[Point]] = tuple
    refusal: Callable[[Shape], Refusal | None] = lambda _: None
    follow: Callable[[Shape, str], None] = lambda *_: None
    give_up: Callable[[], None] = lambda: None
    reshape: Callable[[Shape, str], None] = lambda *_: None


@dataclass
class _Drag:
    """What is being dragged, and what it has become; nothing before the pointer has moved."""

    handle: Handle
    begin: PointerEvent
    shape: Shape
    now: Dragged | None = None
    refusal: Refusal | None = None


class SelectTool(Tool):
    """Click shows the properties of what is there; handles change the chosen shape.

    The wave follows the hand.  What cannot be is shown in red while it is dragged, and the shape
    stays as it was.

    Parameters
    ----------
    choose : called with (x, y, reach) of a click.
    name_at : returns what is at (x, y) within ``reach``, in words.
    chosen : the shape whose handles are shown.
    items : what is done with whole items, several at once too.
    sources : takes the handles of a chosen source.
    """

    label, icon, shortcut = "Select", "ph.cursor", "V"
    tooltip = "See and change the properties of what you click"
    gestures = (
        ("Click", "Choose what is there and show its properties"),
        *MultiSelection.gestures,
        ("Drag a round handle", "Bow an edge into an arc"),
        ("Double click, Backspace", "On it: the edge is straight again"),
        ("Drag a square handle", "Move a corner or an end, change a radius, turn a source"),
        ("Drag a cross", "Move the shape"),
        ("Shift", "Horizontal or vertical; a circle"),
        ("Ctrl", "No snapping"),
        ("Esc", "Give up what is dragged"),
    )

    def __init__(
        self,
        choose: Callable[[float, float, float], None],
        *,
        name_at: Callable[[float, float, float], str] = lambda *_: "",
        chosen: ShapeAccess | None = None,
        items: ItemAccess | None = None,
        sources: SourceHand | None = None,
    ) -> None:
        self._sources = sources
        self._choose = choose
        self._name_at = name_at
        self._chosen = chosen or ShapeAccess()
        self._multi_selection = MultiSelection(items or ItemAccess())
        self._label = ""
        self._pointer: PointerEvent | None = None
        self._drag: _Drag | None = None

    @property
    def hint(self) -> str:
        drag = self._drag
        if drag is not None and drag.refusal is not None:
            refusal = f"{drag.refusal.text}. {drag.refusal.remedy}".strip()
            return f"Not so: {refusal} Released here the shape stays as it was"
        if drag is not None and drag.now is not None:
            return f"{EDITS[drag.handle.kind]}: {drag.now.label}; Ctrl: no snapping, Esc gives up"
        if self._sources is not None and self._sources.hint:
            return self._sources.hint
        shape, under = self._chosen.shape(), self._under
        if shape is not None and under is not None:
            if under.kind == "radius":
                return shape.knob_meanings()[under.number]
            return _HINTS[under.kind]
        if self._multi_selection.hint:
            return self._multi_selection.hint
        if shape is None:
            return "Click anything to see and change its properties; drag it to move it"
        if not shape.corners():
            return "Click anything to see its properties; drag square handles to change this shape"
        return "Click anything to see its properties; drag round handles to bow edges into arcs"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._pointer = event
        if self._sources is not None:
            self._sources.aim(event)
            if self._sources.press(event):
                return
        shape, under = self._chosen.shape(), self._handle_at(event)
        if shape is None or under is None:
            held = self._multi_selection.press(event, GRAB_PIXELS)
            if not (event.shift or held):
                self._choose(event.x, event.y, GRAB_PIXELS * event.pixel)
                self._take_chosen(event)
        elif event.double and under.kind == "bow":
            self._straighten(shape, under)
        else:
            self._drag = _Drag(under, event, shape)

    def _take_chosen(self, event: PointerEvent) -> None:
        """What this press has chosen goes along with the pointer at once."""
        if self._sources is not None:
            self._sources.aim(event)
            if self._sources.press(event):
                return
        self._multi_selection.take_hold(event, GRAB_PIXELS)

    def move(self, event: PointerEvent) -> None:
        self._pointer = event
        if self._sources is not None and self._sources.dragging:
            self._sources.go_on(event)
            return
        if self._drag is None:
            if self._sources is not None and not self._multi_selection.busy:
                self._sources.aim(event)
            self._multi_selection.move(event)
            self._label = self._name_at(event.x, event.y, GRAB_PIXELS * event.pixel)
            return
        if self._drag.shape is not self._chosen.shape():
            self._drag = None  # an undo took it away meanwhile
        elif self._drag.now is not None or (
            math.dist(event.point, self._drag.begin.point) > START_PIXELS * event.pixel
        ):
            drag = self._drag
            drag.now = now = dragged(drag.shape, drag.handle, event, self._chosen.vertices())
            drag.refusal = Refusal(now.refusal) if now.refusal else self._chosen.refusal(now.shape)
            if drag.refusal is None:
                self._chosen.follow(now.shape, EDITS[drag.handle.kind])

    def release(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        if self._sources is not None and self._sources.dragging:
            if event.lost:
                self._sources.forget()
            elif not self._sources.let_go(event):
                self._choose(event.x, event.y, GRAB_PIXELS * event.pixel)
            return
        if event.lost:
            self._give_up()
            return
        self.move(event)
        if self._drag is None:
            if self._multi_selection.release(GRAB_PIXELS):
                self._choose(event.x, event.y, GRAB_PIXELS * event.pixel)
            return
        drag, self._drag = self._drag, None
        if drag.now is None:
            # A click: something else may be there, such as a wave that comes in at an edge.
            self._choose(event.x, event.y, GRAB_PIXELS * event.pixel)
        elif drag.refusal is None and drag.now.shape != drag.shape:
            self._chosen.reshape(drag.now.shape, EDITS[drag.handle.kind])
        else:
            self._chosen.give_up()

    def leave(self) -> None:
        if self._drag is None and not self._holds_source:
            self._pointer = None

    def wants_key(self, name: str) -> bool:
        if self._drag is not None or self._holds_source:
            return name == "Escape"
        if self._multi_selection.wants_key(name):
            return True
        return name == "Backspace" and (under := self._under) is not None and under.kind == "bow"

    def use_key(self, name: str) -> None:
        if self._sources is not None and self._holds_source:
            self._sources.forget()
        elif self._drag is not None:
            self._give_up()
        elif self._multi_selection.wants_key(name):
            self._multi_selection.key(name)
        elif (shape := self._chosen.shape()) is not None and (under := self._under) is not None:
            self._straighten(shape, under)

    def overlay(self) -> Overlay:
        pointer = self._pointer
        if self._drag is not None and self._drag.now is not None and pointer is not None:
            drag, now = self._drag, self._drag.now
            preview = Overlay(line=_drawable(now.shape), closed=True)
            if not now.shape.solid:
                tone = "ghost" if drag.refusal is None else "refused"
                preview = Overlay(strokes=shape_marks(now.shape, tone))
            return preview.told(now.label, pointer.point, drag.refusal)
        grips, under = tuple[Grip, ...](), self._under
        if (shape := self._chosen.shape()) is not None and pointer is not None:
            found = handles(shape, pointer.pixel, movable=self._chosen.movable())
            grips = tuple(Grip(h.at, h.kind, hot=h == under) for h in found)
        items = self._multi_selection.overlay()
        if self._multi_selection.busy:
            return items
        shown = replace(items, grips=grips)
        if pointer is None:
            return shown
        if self._label and under is None:
            shown = replace(shown, label=self._label, label_at=pointer.point)
        return shown if self._sources is None else self._sources.overlay(shown, pointer)

    def _give_up(self) -> None:
        if self._drag is not None and self._drag.now is not None:
            self._chosen.give_up()
        self._drag = None
        self._multi_selection.give_up()

    @property
    def _holds_source(self) -> bool:
        return self._sources is not None and self._sources.dragging

    @property
    def _under(self) -> Handle | None:
        """The handle under the pointer, of the shape that is chosen now."""
        return None if self._pointer is None else self._handle_at(self._pointer)

    def _handle_at(self, event: PointerEvent) -> Handle | None:
        shape = self._chosen.shape()
        if shape is None:
            return None
        found = handles(shape, event.pixel, movable=self._chosen.movable())
        reach = GRAB_PIXELS * event.pixel
        return nearest(found, lambda handle: math.dist(handle.at, event.point), reach)

    def _straighten(self, shape: Shape, handle: Handle) -> None:
        straight = straightened(shape, handle.number)
        if straight != shape and self._chosen.refusal(straight) is None:
            self._chosen.reshape(straight, "Straighten edge")


def _drawable(shape: Shape) -> tuple[Point, ...]:
    """Its outline; that of an ellipse without width is where it would be, a line."""
    radii = getattr(shape, "radii", None)
    if radii is not None and min(radii) <= 0:
        (x0, y0), (x1, y1) = shape.bounds()
        return ((x0, y0), (x1, y1))
    return outline_of(shape)
