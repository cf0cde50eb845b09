"""A press of the draw tool that may become a line by free hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.app.tools.drawing.free_line import FreeOutline, free_corners, free_outline, free_wall
from wavelab.app.tools.purpose import Purpose
from wavelab.app.tools.tool import Point, PointerEvent
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
        thick = f"{self.thickness:.3g} thick, " if self.thickness else ""
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
