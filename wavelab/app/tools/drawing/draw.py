"""Draw a polygon, corner by corner or by free hand, that becomes a new domain or an obstacle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from wavelab.app.base import measures
from wavelab.app.tools.drawing.draft import Draft, Stroke
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import VERTEX_PIXELS, Snapped, snap
from wavelab.app.tools.tool import Overlay, Point, PointerEvent, Tool
from wavelab.scene.model.shapes import Polygon

#: Of a wall by free hand: what a key changes its thickness by, and its least in logical pixels.
THICKNESS_STEP, THINNEST_PIXELS = 1.25, 5.0


class DrawTool(Tool):
    """Click adds a corner; Enter, a double click or the first corner closes the polygon.

    A drag draws by free hand: as the first it closes when it is let go, after corners it adds its
    own, and a straight one is an edge between two corners.  With Shift the first is a wall along
    the line.

    Corners snap to the vertices of the scene and to a grid that follows the zoom, and with
    Shift to the horizontal or vertical through the corner before; Ctrl turns snapping off.
    Backspace takes a corner back, Escape gives up, Tab switches between a new domain and an
    obstacle.  A polygon that is not valid cannot be closed:
    it turns red, and the hint says why and where.

    Parameters
    ----------
    finish : called with a valid polygon.
    purpose : what it becomes.
    snap_points : returns the vertices of the scene to snap to.
    element_size : returns what edges by free hand need not be much shorter than.
    """

    label, icon, shortcut = "Draw polygon", "ph.polygon", "D"
    tooltip = "Draw an obstacle or a new domain: click corners, or drag to draw by free hand"
    gestures = (
        ("Click", "A corner"),
        ("Drag", "By free hand: let go to close"),
        ("Shift + drag", "A wall along the line; [ and ]: its thickness"),
        ("Enter", "Close it (or click the first corner)"),
        ("Backspace", "Take a corner back"),
        ("Esc", "Give up"),
        ("Tab", "An obstacle, or a new domain"),
        ("Shift", "Horizontal or vertical"),
        ("Ctrl", "No snapping"),
    )

    def __init__(
        self,
        finish: Callable[[Polygon], None],
        *,
        purpose: Purpose | None = None,
        snap_points: Callable[[], Sequence[Point]] = tuple,
        element_size: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.purpose = purpose or Purpose()
        self._finish = finish
        self._snap_points = snap_points
        self._element_size = element_size
        self._draft = Draft(self.purpose)
        self._stroke: Stroke | None = None  #: since the button was pressed
        self._thickness = 0.0

    @property
    def vertices(self) -> tuple[Point, ...]:
        """The corners so far."""
        return self._draft.corners

    @property
    def busy(self) -> bool:
        """Whether there are corners already."""
        return bool(self._draft.corners)

    @property
    def hint(self) -> str:
        draft = self._draft
        if draft.problem is not None:
            return f"The outline {draft.problem.message}. {draft.problem.remedy}".strip()
        if draft.free is not None:
            return draft.free.hint(self.purpose, closes=draft.closes)
        if not draft.corners:
            return f"Click corners, or drag a free line: {self.purpose.announcement}; Shift: a wall"
        if len(draft.corners) < 3:
            return (
                "Click the next corner; Shift: horizontal or vertical, Ctrl: no snapping, "
                "Backspace takes one back"
            )
        becomes = self.purpose.becomes(Polygon(draft.corners))
        if draft.closes:
            return f"Click to close: it {becomes}"
        return f"Enter closes it: it {becomes}; Backspace takes a corner back, Esc gives up"

    def press(self, event: PointerEvent) -> None:
        if event.button != "left":
            return
        self._give_up_stroke()
        if event.double and self._draft.corners:
            # The first press of the double click has already placed the last corner.
            self._close()
            return
        target = self._aim(event)
        if self._draft.closes:
            self._close()
            return
        before = self._draft.corners
        if not before or target.point != before[-1]:
            self._change(corners=(*before, target.point))
        # The grid is for corners that are clicked; a hand begins where it is.
        start = event.point if target.to == "grid" and not before else target.point
        thickness = self._thickness_at(event.pixel) if event.shift and not before else 0.0
        self._stroke = Stroke(before, [start], event.pixel, thickness)

    def move(self, event: PointerEvent) -> None:
        stroke = self._stroke
        if stroke is not None and event.button:
            stroke.go_on(event)
        elif stroke is not None and math.dist(event.point, stroke.points[-1]) > 2 * event.pixel:
            self._give_up_stroke()  # it was let go where nobody told
        if self._stroke is not None and self._stroke.free:
            self._redraft(self._stroke)
        self._aim(event)

    def release(self, event: PointerEvent) -> None:
        if event.button != "left" or self._stroke is None:
            return
        if event.lost:
            self._give_up_stroke()
            return
        self.move(event)
        self._stroke = None
        if self._draft.free is not None:
            closes, self._draft = self._draft.closes, self._draft.ended()
            if closes or self._draft.drawn is not None:
                self._close()

    def leave(self) -> None:
        self._change(target=None)

    def wants_key(self, name: str) -> bool:
        corners, stroke = self._draft.corners, self._draft.free
        if stroke is not None:
            switches = stroke.shape is not None and self.purpose.switchable
            thicker = name in ("[", "]") and stroke.thickness > 0
            return thicker or name in ("Backspace", "Escape") or (name == "Tab" and switches)
        if name == "Tab":
            return len(corners) >= 3 and self.purpose.switchable
        return bool(corners) and name in ("Enter", "Backspace", "Escape")

    def use_key(self, name: str) -> None:
        corners, stroke = self._draft.corners, self._draft.free
        match name:
            case "[" | "]":
                assert stroke is not None
                factor = THICKNESS_STEP if name == "]" else 1 / THICKNESS_STEP
                self._thickness = float(f"{stroke.thickness * factor:.2g}")
                stroke.thickness = self._thickness_at(stroke.pixel)
                self._redraft(stroke)
            case "Tab":
                self.purpose.switch((stroke and stroke.shape) or Polygon(corners))
            case "Enter":
                self._close()
            case _ if stroke is not None:
                self._give_up_stroke()
            case _:
                self._change(corners=corners[:-1] if name == "Backspace" else ())

    def overlay(self) -> Overlay:
        draft, target, stroke = self._draft, self._draft.target, self._draft.free
        problem = draft.problem
        told = Overlay(
            invalid=problem is not None,
            trouble=problem.where if problem is not None else None,
            snap_closes=draft.closes,
        )
        if stroke is not None:
            return replace(
                told,
                line=stroke.line,
                closed=stroke.shape is not None,
                vertices=stroke.before,
                snap=target.point if draft.closes and target is not None else None,
                label=stroke.label(self.purpose),
                label_at=stroke.points[-1],
            )
        told = replace(told, line=draft.corners, vertices=draft.corners)
        if target is None:
            return told
        told = replace(told, snap=target.point if target.to else None)
        if not draft.corners:
            label = measures.place(*target.point, "{:.4g}".format)
            return replace(told, label=label, label_at=target.point)
        told = replace(told, pending=(draft.corners[-1], target.point))
        if draft.closes:
            name = self.purpose.name(Polygon(draft.corners))
            return replace(told, label=name, label_at=target.point)
        length = math.dist(*told.pending)
        label = measures.length(length, "{:.3g}".format)
        return replace(told, label=label, label_at=target.point) if length else told

    def _change(self, **changes: Any) -> None:
        self._draft = self._draft.changed(**changes)

    def _aim(self, event: PointerEvent) -> Snapped:
        """Where the pointer snaps to; the first corner attracts even when snapping is off."""
        corners = self._draft.corners
        near = VERTEX_PIXELS * event.pixel
        if self._draft.could_close and math.dist(corners[0], event.point) <= near:
            target = Snapped(corners[0], "vertex")
        else:
            previous = corners[-1] if corners else None
            target = snap(event, (*self._snap_points(), *corners), previous)
        self._change(target=target)
        return target

    def _close(self) -> None:
        """Finish it, or say why it cannot be closed."""
        if (problem := self._draft.closed_problem) is not None:
            self._change(refused=problem)
            return
        shape = self._draft.shape
        self._change(corners=(), target=None)
        self._finish(shape)

    def _redraft(self, stroke: Stroke) -> None:
        """What a line by free hand is so far."""
        stroke.draft(self._element_size())
        self._change(free=stroke)

    def _give_up_stroke(self) -> None:
        """With the corner that it began with, unless that was all of it."""
        if (free := self._draft.free) is not None:
            self._change(corners=free.before, free=None)
        self._stroke = None

    def _thickness_at(self, pixel: float) -> float:
        """Of the next wall: what was chosen last; else half an element, which limits none beside
        it.  It can be seen at any zoom."""
        wished = self._thickness or self._element_size() / 2
        return float(f"{max(wished, THINNEST_PIXELS * pixel):.2g}")
