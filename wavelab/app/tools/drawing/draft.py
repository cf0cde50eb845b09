"""An outline that is being drawn: what there is of it, and what is wrong with that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wavelab.app.tools.drawing.free_line import TAKE_BACK, FreeOutline, crosses, crossing
from wavelab.app.tools.drawing.stroke import Stroke
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import Snapped
from wavelab.app.tools.tool import Point
from wavelab.meshing.graph.polygons import OutlineProblem, outline_problem
from wavelab.scene.model.shapes import Polygon


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
