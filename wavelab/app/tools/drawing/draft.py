"""An outline that is being drawn, and a line by free hand in it: what there is, what is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wavelab.app.base import measures
from wavelab.app.tools.drawing.free_line import (
    TAKE_BACK,
    FreeOutline,
    crosses,
    crossing,
    free_corners,
    free_outline,
    free_wall,
)
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import Snapped
from wavelab.app.tools.tool import Point, PointerEvent
from wavelab.meshing.graph.polygons import OutlineProblem, outline_problem
from wavelab.scene.model.measuring.requests import outline_of
from wavelab.scene.model.shapes import Polygon

#: A press that goes further than this before it is let go, in logical pixels, draws by free hand.
FREE_PIXELS = 10.0
#: What moves less, in logical pixels, is not written down.
_STEP_PIXELS = 1.0


@dataclass
class Stroke:
    """Where the pointer went since it was pressed.

    Attributes
    ----------
    before : the corners there were.
    points : where it went; ``pixel`` is the length of a logical pixel.
    thickness : of the wall that it is; 0 if it is the rim of something.
    free : whether it has gone so far that it is no click.
    drawn : what it is, closed, if there were no corners.
    corners : of it as it is.
    """

    before: tuple[Point, ...]
    points: list[Point]
    pixel: float
    thickness: float = 0.0
    free: bool = False
    drawn: FreeOutline | None = None
    corners: tuple[Point, ...] = ()

    def go_on(self, event: PointerEvent) -> None:
        if math.dist(event.point, self.points[-1]) >= _STEP_PIXELS * self.pixel:
            self.points.append(event.point)
        away = math.dist(event.point, self.points[0])
        self.free = self.free or away > FREE_PIXELS * self.pixel

    def draft(self, element_size: float) -> None:
        """Find what it is so far."""
        if self.before:
            self.corners = free_corners(self.points, self.pixel)
            return
        points, pixel = self.points, self.pixel
        if self.thickness:
            self.drawn = free_wall(points, pixel, element_size, self.thickness)
        else:
            self.drawn = free_outline(points, pixel, element_size)
        self.corners = self.drawn.corners

    @property
    def shape(self) -> Polygon | None:
        return self.drawn.shape if self.drawn is not None else None

    @property
    def line(self) -> tuple[Point, ...]:
        """What is drawn of it: the rim of a wall, or where the pointer went."""
        if self.shape is not None and self.thickness:
            return outline_of(self.shape)
        return (*self.before, *self.points)

    def label(self, purpose: Purpose) -> str:
        """What stands beside it."""
        if self.shape is None:
            return ""
        thickness = measures.length(self.thickness, "{:.3g}".format)
        thick = f"{thickness} thick, " if self.thickness else ""
        return f"{thick}{purpose.name(self.shape)}"

    def hint(self, purpose: Purpose, *, closes: bool) -> str:
        """``closes``: whether it ends where the first corner is."""
        if self.shape is not None and self.thickness:
            becomes = purpose.becomes(self.shape)
            return f"Let go and the wall {becomes}; [ and ]: its thickness, Esc gives up"
        if self.shape is not None:
            return f"Let go to close: it {purpose.becomes(self.shape)}; Esc gives up"
        if not self.before:
            return "Draw round what is meant and let go to close; Esc gives up"
        if closes:
            return "Let go to close; Esc gives up the line"
        return "Let go to end the line, or at the first corner to close; Esc gives up the line"


@dataclass(frozen=True)
class Draft:
    """One moment of a drawing.

    Attributes
    ----------
    purpose : what it becomes.
    corners : those so far; with a line by free hand the one that it began at, too.
    target : where the pointer snaps to.
    free : the line that is being drawn by free hand.
    drawn : what such a line was, closed, when it was let go just now.
    refused : why it could not be closed just now.
    """

    purpose: Purpose
    corners: tuple[Point, ...] = ()
    target: Snapped | None = None
    free: Stroke | None = None
    drawn: FreeOutline | None = None
    refused: OutlineProblem | None = None

    def changed(self, **changes: Any) -> Draft:
        """The next moment: what was just now is over."""
        return replace(self, **({"drawn": None, "refused": None} | changes))

    @property
    def could_close(self) -> bool:
        """Whether the first corner closes: there are three, or a line goes on from fewer."""
        if self.free is None:
            return len(self.corners) >= 3
        return bool(self.free.before) and len(self.corners) + len(self.free.corners) >= 4

    @property
    def closes(self) -> bool:
        """Whether a click now, or letting go, closes it."""
        return self.target is not None and self.could_close and self.target.point == self.corners[0]

    @cached_property
    def problem(self) -> OutlineProblem | None:
        """Of what a click now would leave behind, or letting go."""
        if self.refused is not None:
            return self.refused
        if self.free is not None:
            return self._problem_of(self.free)
        if self.closes:
            return self.closed_problem
        points = self.corners
        if self.target is not None and points and self.target.point != points[-1]:
            points = (*points, self.target.point)
        where = crossing(points)
        return None if where is None else crosses(where)

    def _problem_of(self, stroke: Stroke) -> OutlineProblem | None:
        """What is wrong with a line so far, where that cannot come right."""
        if (drawn := stroke.drawn) is not None:
            problem = drawn.problem if drawn.lasting else None
        else:
            end = self.corners[0] if self.closes else stroke.corners[-1]
            where = crossing((*self.corners, *stroke.corners[1:-1], end))
            problem = None if where is None else crosses(where)
        if problem is not None and problem.remedy == TAKE_BACK:
            # While the button is down Backspace takes the whole line back.
            problem = replace(problem, remedy=f"Let go, then {TAKE_BACK}")
        return problem

    def ended(self) -> Draft:
        """Without the line, which was let go: its corners are among the others."""
        stroke, target = self.free, self.target
        assert stroke is not None
        assert target is not None
        if len(stroke.corners) < 3 and stroke.shape is None:
            # A straight one is an edge, as two clicks make it.
            is_new = not self.closes and target.point != self.corners[-1]
            corners = (*self.corners, target.point) if is_new else self.corners
        elif stroke.drawn is None:
            more = stroke.corners[1:-1] if self.closes else stroke.corners[1:]
            corners = (*self.corners, *more)
        else:
            return self.changed(corners=stroke.corners, free=None, drawn=stroke.drawn)
        return self.changed(corners=corners, free=None)

    @property
    def shape(self) -> Polygon:
        """What it is if it is closed now."""
        return (self.drawn and self.drawn.shape) or Polygon(self.corners)

    @property
    def closed_problem(self) -> OutlineProblem | None:
        """What is wrong with that."""
        drawn = self.drawn
        problem = outline_problem(self.corners) if drawn is None else drawn.problem
        if problem is not None or (refusal := self.purpose.refusal(self.shape)) is None:
            return problem
        return OutlineProblem(refusal.text.removeprefix("it "), refusal.where, refusal.remedy)
