"""Draw a polygon, corner by corner or by free hand, that becomes a new domain or an obstacle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from wavelab.app.tools.free_line import TAKE_BACK, FreeOutline, crosses, crossing
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.snapping import VERTEX_PIXELS, Snapped, snap
from wavelab.app.tools.stroke import Stroke
from wavelab.app.tools.tool import Overlay, Point, PointerEvent
from wavelab.meshing.polygons import OutlineProblem, outline_problem
from wavelab.scene.shapes import Polygon

#: Of a wall by free hand: what a key changes its thickness by, and its least in logical pixels.
THICKNESS_STEP, THINNEST_PIXELS = 1.25, 5.0


class DrawTool:
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
    cursor = "cross"

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
        self._vertices: tuple[Point, ...] = ()
        self._target: Snapped | None = None
        self._stroke: Stroke | None = None
        self._thickness = 0.0
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
        if (stroke := self._free) is not None:
            return stroke.hint(self.purpose, closes=self._closes(self._target))
        if not self._vertices:
            return f"Click corners, or drag a free line: {self.purpose.announcement}; Shift: a wall"
        if len(self._vertices) < 3:
            return (
                "Click the next corner; Shift: horizontal or vertical, Ctrl: no snapping, "
                "Backspace takes one back"
            )
        becomes = self.purpose.becomes(Polygon(self._vertices))
        if self._closes(self._target):
            return f"Click to close: it {becomes}"
        return f"Enter closes it: it {becomes}; Backspace takes a corner back, Esc gives up"

    def press(self, event: PointerEvent) -> bool:
        if event.button != "left":
            return False
        self._give_up_stroke()
        if event.double and self._vertices:
            # The first press of the double click has already placed the last corner.
            self._close()
            return True
        self._aim(event)
        assert self._target is not None
        if self._closes(self._target):
            self._close()
            return True
        before, target = self._vertices, self._target
        if not before or target.point != before[-1]:
            self._vertices = (*before, target.point)
            self._check()
        # The grid is for corners that are clicked; a hand begins where it is.
        start = event.point if target.to == "grid" and not before else target.point
        thickness = self._thickness_at(event.pixel) if event.shift and not before else 0.0
        self._stroke = Stroke(before, [start], event.pixel, thickness)
        return True

    def move(self, event: PointerEvent) -> bool:
        stroke = self._stroke
        if stroke is not None and event.button:
            stroke.go_on(event)
        elif stroke is not None and math.dist(event.point, stroke.points[-1]) > 2 * event.pixel:
            self._give_up_stroke()  # it was let go where nobody told
        if (free := self._free) is not None:
            free.draft(self._element_size())
        self._aim(event)
        self._check()
        return True

    def release(self, event: PointerEvent) -> bool:
        if event.button != "left" or self._stroke is None:
            return False
        if event.lost:
            self._give_up_stroke()
            self._check()
            return True
        self.move(event)
        if (free := self._free) is not None:
            self._end(free)
        self._stroke = None
        return True

    def hold(self) -> bool:
        return False

    def leave(self) -> bool:
        self._target = None
        self._check()
        return True

    def wants_key(self, name: str) -> bool:
        if (stroke := self._free) is not None:
            switches = stroke.shape is not None and self.purpose.switchable
            thicker = name in ("[", "]") and stroke.thickness > 0
            return thicker or name in ("Backspace", "Escape") or (name == "Tab" and switches)
        if name == "Tab":
            return len(self._vertices) >= 3 and self.purpose.switchable
        return bool(self._vertices) and name in ("Enter", "Backspace", "Escape")

    def key(self, name: str) -> bool:
        if not self.wants_key(name):
            return False
        if (stroke := self._free) is not None:
            if name in ("[", "]"):
                factor = THICKNESS_STEP if name == "]" else 1 / THICKNESS_STEP
                self._thickness = float(f"{stroke.thickness * factor:.2g}")
                stroke.thickness = self._thickness_at(stroke.pixel)
                stroke.draft(self._element_size())
                self._check()
            elif name != "Tab":
                self._give_up_stroke()
                self._check()
            elif stroke.shape is not None:
                self.purpose.switch(stroke.shape)
            return True
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
        if (stroke := self._free) is not None:
            closes = target is not None and self._closes(target)
            return Overlay(
                line=stroke.line,
                closed=stroke.shape is not None,
                vertices=stroke.before,
                invalid=bool(self._problem),
                trouble=self._trouble,
                snap=target.point if closes and target is not None else None,
                snap_closes=closes,
                label=stroke.label(self.purpose),
                label_at=stroke.points[-1],
            )
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

    # By free hand

    @property
    def _free(self) -> Stroke | None:
        """What is being drawn by free hand."""
        return self._stroke if self._stroke is not None and self._stroke.free else None

    def _thickness_at(self, pixel: float) -> float:
        """Of the next wall: what was chosen last; else half an element, which limits none beside
        it.  It can be seen at any zoom."""
        wished = self._thickness or self._element_size() / 2
        return float(f"{max(wished, THINNEST_PIXELS * pixel):.2g}")

    def _check_stroke(self, stroke: Stroke) -> None:
        """What is wrong with it so far, where that cannot come right."""
        if (drawn := stroke.drawn) is not None:
            problem = drawn.problem if drawn.lasting else None
        else:
            end = self._vertices[0] if self._closes(self._target) else stroke.corners[-1]
            where = crossing((*self._vertices, *stroke.corners[1:-1], end))
            problem = None if where is None else crosses(where)
        if problem is not None and problem.remedy == TAKE_BACK:
            # While the button is down Backspace takes the whole stroke back.
            problem = replace(problem, remedy=f"Let go, then {TAKE_BACK}")
        self._report(problem)

    def _end(self, stroke: Stroke) -> None:
        """It was let go."""
        assert self._target is not None
        closes, self._stroke = self._closes(self._target), None
        if len(stroke.corners) < 3 and stroke.shape is None:
            # A straight one is an edge, as two clicks make it.
            if not closes and self._target.point != self._vertices[-1]:
                self._vertices = (*self._vertices, self._target.point)
        elif stroke.drawn is None:
            more = stroke.corners[1:-1] if closes else stroke.corners[1:]
            self._vertices = (*self._vertices, *more)
        else:
            self._vertices = stroke.corners
            self._close(stroke.drawn)
            return
        if closes:
            self._close()
        else:
            self._check()

    def _give_up_stroke(self) -> None:
        """With the corner that it began with, unless that was all of it."""
        if (stroke := self._free) is not None:
            self._vertices = stroke.before
        self._stroke = None

    # Corners

    def _aim(self, event: PointerEvent) -> None:
        """Where the pointer snaps to; the first corner attracts even when snapping is off."""
        if self._could_close:
            first = self._vertices[0]
            if math.dist(first, event.point) <= VERTEX_PIXELS * event.pixel:
                self._target = Snapped(first, "vertex")
                return
        previous = self._vertices[-1] if self._vertices else None
        self._target = snap(event, (*self._snap_points(), *self._vertices), previous)

    def _closes(self, target: Snapped | None) -> bool:
        return target is not None and self._could_close and target.point == self._vertices[0]

    @property
    def _could_close(self) -> bool:
        """Whether the first corner closes: there are three, or a stroke goes on from fewer."""
        free = self._free
        if free is None:
            return len(self._vertices) >= 3
        return bool(free.before) and len(self._vertices) + len(free.corners) >= 4

    def _check(self) -> None:
        """Validity of what a click now would leave behind, or letting go."""
        if (stroke := self._free) is not None:
            self._check_stroke(stroke)
            return
        if self._closes(self._target):
            self._report(self._closed_problem())
            return
        points = self._vertices
        if self._target is not None and points and self._target.point != points[-1]:
            points = (*points, self._target.point)
        where = crossing(points)
        self._report(None if where is None else crosses(where))

    def _close(self, drawn: FreeOutline | None = None) -> None:
        """Finish what was drawn by free hand, or the polygon of the corners."""
        problem = self._closed_problem(drawn)
        if problem is not None:
            self._report(problem)
            return
        shape = drawn.shape if drawn is not None and drawn.shape else Polygon(self._vertices)
        self._vertices, self._target = (), None
        self._report(None)
        self._finish(shape)

    def _closed_problem(self, drawn: FreeOutline | None = None) -> OutlineProblem | None:
        """What is wrong with it if it is closed now."""
        problem = outline_problem(self._vertices) if drawn is None else drawn.problem
        if problem is not None:
            return problem
        shape = drawn.shape if drawn is not None and drawn.shape else Polygon(self._vertices)
        refusal = self.purpose.refusal(shape)
        if refusal is None:
            return None
        return OutlineProblem(refusal.text.removeprefix("it "), refusal.where, refusal.remedy)

    def _report(self, problem: OutlineProblem | None) -> None:
        self._problem, self._trouble = "", None
        if problem is not None:
            self._problem = f"The outline {problem.message}. {problem.remedy}".strip()
            self._trouble = problem.where
