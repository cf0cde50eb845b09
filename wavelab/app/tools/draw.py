"""Draw a polygon, corner by corner, that becomes a new domain or an obstacle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from shapely import LineString

from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import VERTEX_PIXELS, Snapped, snap
from wavelab.app.tools.tool import Overlay, Point, PointerEvent
from wavelab.meshing.polygons import OutlineProblem, outline_problem
from wavelab.scene.shapes import Polygon


def crossing(points: Sequence[Point]) -> Point | None:
    """Where an open line meets itself for the first time, None if it does not.

    A last point on the first one closes the line, which is no crossing.
    """
    if len(points) < 3 or LineString(points).is_simple:
        return None
    for i in range(1, len(points) - 1):
        segment = LineString(points[i : i + 2])
        meeting = segment.intersection(LineString(points[: i + 1]))
        for part in getattr(meeting, "geoms", [meeting]):
            if part.is_empty:
                continue
            for where in (part.coords[0], part.coords[-1]):
                closes = i == len(points) - 2 and where == points[0] == points[-1]
                if where != points[i] and not closes:
                    return where
    return None


class DrawTool:
    """Click adds a corner; Enter, a double click or the first corner closes the polygon.

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
    """

    gestures = (
        ("Click", "A corner"),
        ("Enter", "Close it (or click the first corner)"),
        ("Backspace", "Take a corner back"),
        ("Esc", "Give up"),
        ("Tab", "An obstacle, or a new domain"),
        ("Shift", "Horizontal or vertical"),
        ("Ctrl", "No snapping"),
    )
    cursor = "cross"

    def __init__(
        self,
        finish: Callable[[Polygon], None],
        *,
        purpose: Purpose | None = None,
        snap_points: Callable[[], Sequence[Point]] = tuple,
    ) -> None:
        self.purpose = purpose or Purpose()
        self._finish = finish
        self._snap_points = snap_points
        self._vertices: tuple[Point, ...] = ()
        self._target: Snapped | None = None
        self._length = 0.0
        self._problem = ""
        self._trouble: Point | None = None

    @property
    def vertices(self) -> tuple[Point, ...]:
        """The corners so far."""
        return self._vertices

    @property
    def busy(self) -> bool:
        """Whether there are corners already."""
        return bool(self._vertices)

    @property
    def hint(self) -> str:
        if self._problem:
            return self._problem
        if not self._vertices:
            return (
                f"Click the first corner: {self.purpose.announcement}; corners snap to a grid, "
                "Ctrl turns that off"
            )
        if len(self._vertices) < 3:
            return (
                "Click the next corner (Shift: horizontal or vertical); Backspace takes one "
                "back, Esc gives up"
            )
        becomes = self.purpose.becomes(Polygon(self._vertices))
        if self._closes(self._target):
            return f"Click to close: it {becomes}"
        return (
            f"Closed with Enter, a double click or the first corner it {becomes}; "
            "Backspace takes a corner back, Esc gives up"
        )

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        if event.double:
            # The first press of the double click has already placed the last corner.
            self._close()
            return True
        self._aim(event)
        assert self._target is not None
        if self._closes(self._target):
            self._close()
        elif not self._vertices or self._target.point != self._vertices[-1]:
            self._vertices = (*self._vertices, self._target.point)
            self._check()
        return True

    def move(self, event: PointerEvent) -> bool:
        self._aim(event)
        self._check()
        return True

    def release(self, event: PointerEvent) -> bool:
        return False

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        self._target = None
        self._check()
        return True

    def wants_key(self, name: str) -> bool:
        if name == "Tab":
            return len(self._vertices) >= 3 and self.purpose.switchable
        return bool(self._vertices) and name in ("Enter", "Backspace", "Escape")

    def key(self, name: str) -> bool:
        if not self.wants_key(name):
            return False
        if name == "Enter":
            self._close()
            return True
        if name == "Tab":
            self.purpose.switch(Polygon(self._vertices))
            return True
        self._vertices = self._vertices[:-1] if name == "Backspace" else ()
        self._check()
        return True

    def overlay(self) -> Overlay:
        target = self._target
        pending: tuple[Point, ...] = ()
        label, label_at = "", None
        if target is not None and self._vertices:
            pending = (self._vertices[-1], target.point)
            if self._closes(target):
                label, label_at = self.purpose.name(Polygon(self._vertices)), target.point
            elif (length := math.dist(*pending)) > 0:
                label, label_at = f"{length:.3g}", target.point
        elif target is not None:
            label, label_at = f"{target.point[0]:.4g}, {target.point[1]:.4g}", target.point
        return Overlay(
            line=self._vertices,
            vertices=self._vertices,
            pending=pending,
            invalid=bool(self._problem),
            trouble=self._trouble,
            snap=target.point if target is not None and target.to else None,
            snap_closes=self._closes(target),
            label=label,
            label_at=label_at,
        )

    def _aim(self, event: PointerEvent) -> None:
        """Where the pointer snaps to; the first corner attracts even when snapping is off."""
        if len(self._vertices) >= 3:
            first = self._vertices[0]
            if math.dist(first, event.point) <= VERTEX_PIXELS * event.pixel:
                self._target = Snapped(first, "vertex")
                return
        previous = self._vertices[-1] if self._vertices else None
        self._target = snap(event, (*self._snap_points(), *self._vertices), previous)

    def _closes(self, target: Snapped | None) -> bool:
        return (
            target is not None and len(self._vertices) >= 3 and (target.point == self._vertices[0])
        )

    def _check(self) -> None:
        """Validity of what a click now would leave behind."""
        if self._closes(self._target):
            self._report(self._closed_problem())
            return
        points = self._vertices
        if self._target is not None and points and self._target.point != points[-1]:
            points = (*points, self._target.point)
        where = crossing(points)
        self._trouble = where
        self._problem = (
            f"The outline crosses itself at ({where[0]:.4g}, {where[1]:.4g}). "
            "Backspace takes a corner back."
            if where
            else ""
        )

    def _close(self) -> None:
        problem = self._closed_problem()
        if problem is not None:
            self._report(problem)
            return
        vertices, self._vertices, self._target = self._vertices, (), None
        self._report(None)
        self._finish(Polygon(vertices))

    def _closed_problem(self) -> OutlineProblem | None:
        """What is wrong with the polygon if it is closed now."""
        if (problem := outline_problem(self._vertices)) is not None:
            return problem
        refusal = self.purpose.refusal(Polygon(self._vertices))
        if refusal is None:
            return None
        return OutlineProblem(refusal.text.removeprefix("it "), refusal.where, refusal.remedy)

    def _report(self, problem: OutlineProblem | None) -> None:
        self._problem, self._trouble = "", None
        if problem is not None:
            self._problem = f"The outline {problem.message}. {problem.remedy}".strip()
            self._trouble = problem.where
