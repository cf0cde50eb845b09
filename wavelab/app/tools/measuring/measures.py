"""What a hand has measured and what stays on the picture: lengths, and angles to a normal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

from wavelab.app.base import measures
from wavelab.app.base.numbers import three_figures
from wavelab.app.tools.measuring.survey import Survey
from wavelab.app.tools.tool import LineMark, Point
from wavelab.output.numbers import MINUS

#: Half the length of the marks at whole wavelengths, and how near they may be, in logical pixels.
MARK_PIXELS, CROWDED_PIXELS = 4.0, 6.0
#: The arc of an angle, in parts of its arm, and the pieces it is drawn in.
_ARC, _PIECES = 0.4, 24


@dataclass(frozen=True)
class Ruler:
    """A length from ``start`` to ``end``."""

    start: Point
    end: Point

    @property
    def ends(self) -> tuple[Point, Point]:
        return self.start, self.end

    @property
    def empty(self) -> bool:
        return self.start == self.end

    def away(self, point: Point) -> float:
        """How far a point is from it."""
        (x0, y0), (x1, y1) = self.ends
        dx, dy = x1 - x0, y1 - y0
        part = ((point[0] - x0) * dx + (point[1] - y0) * dy) / max(dx * dx + dy * dy, 1e-300)
        part = min(max(part, 0.0), 1.0)
        return math.dist(point, (x0 + part * dx, y0 + part * dy))

    def with_end(self, number: int, to: Point, survey: Survey) -> Self:
        """With one of its ends elsewhere."""
        return replace(self, start=to) if number == 0 else replace(self, end=to)

    def moved(self, by: Point, survey: Survey) -> Self:
        start, end = ((x + by[0], y + by[1]) for x, y in self.ends)
        return replace(self, start=start, end=end)

    def label(self, survey: Survey) -> str:
        """What stands beside it."""
        label = f"{measures.length(math.dist(*self.ends))}, {_direction(*self.ends)}"
        path = None if self.empty else survey.path(*self.ends)
        if path is None:
            return label
        return f"{label}, {three_figures(path.wavelengths)} \u03bb, t {measures.time(path.time)}"

    def words(self, survey: Survey) -> str:
        """The same in words."""
        told = f"{measures.length(math.dist(*self.ends))} long at {_direction(*self.ends)}"
        path = None if self.empty else survey.path(*self.ends)
        if path is None:
            return f"{told}; wavelengths are counted inside the domain"
        frequency = measures.frequency(survey.frequency())
        return (
            f"{told}: {three_figures(path.wavelengths)} wavelengths of frequency {frequency}, "
            f"a wave takes {measures.time(path.time)}"
        )

    def marks(self, survey: Survey, pixel: float) -> list[LineMark]:
        """Small lines across it after each whole wavelength, where there is room for them."""
        length = math.dist(*self.ends)
        path = survey.path(*self.ends) if length > 0 else None
        if path is None or length < CROWDED_PIXELS * pixel * path.wavelengths:
            return []
        (x0, y0), (x1, y1) = self.ends
        dx, dy = x1 - x0, y1 - y0
        size = MARK_PIXELS * pixel / length
        marks = []
        for part in path.marks.tolist():
            x, y = x0 + part * dx, y0 + part * dy
            ends = ((x - size * dy, y + size * dx), (x + size * dy, y - size * dx))
            marks.append(LineMark(ends, "ghost"))
        return marks


@dataclass(frozen=True)
class Protractor(Ruler):
    """The angle between the arm from ``start`` to ``end`` and the ``normal`` of the edge nearest to
    ``start``, a unit vector."""

    normal: Point = (0.0, 1.0)

    @classmethod
    def at(cls, start: Point, end: Point, survey: Survey) -> Protractor | None:
        """None where there is no edge."""
        foot = survey.foot(start)
        return None if foot is None else cls(start, end, foot.normal)

    @property
    def degrees(self) -> float:
        """From 0 to 90."""
        (x0, y0), (x1, y1), (nx, ny) = self.start, self.end, self.normal
        along = abs((x1 - x0) * nx + (y1 - y0) * ny)
        across = abs((x1 - x0) * ny - (y1 - y0) * nx)
        return math.degrees(math.atan2(across, along))

    def with_end(self, number: int, to: Point, survey: Survey) -> Self:
        if number == 1:
            return replace(self, end=to)
        foot = survey.foot(to)
        return replace(self, start=to, normal=self.normal if foot is None else foot.normal)

    def moved(self, by: Point, survey: Survey) -> Self:
        start, end = ((x + by[0], y + by[1]) for x, y in self.ends)
        return replace(self.with_end(0, start, survey), end=end)

    def label(self, survey: Survey) -> str:
        return f"{self.degrees:.1f}\u00b0 to the normal"

    def words(self, survey: Survey) -> str:
        return f"{self.degrees:.1f}\u00b0 to the normal, {90 - self.degrees:.1f}\u00b0 to the edge"

    def marks(self, survey: Survey, pixel: float) -> list[LineMark]:
        """The normal on both sides, dashed, and the arc between it and the arm."""
        (x, y), reach = self.start, math.dist(*self.ends)
        if reach == 0:
            return []
        arm = math.atan2(self.end[1] - y, self.end[0] - x)
        nx, ny = self.normal
        side = 1 if (self.end[0] - x) * nx + (self.end[1] - y) * ny >= 0 else -1
        upright = math.atan2(side * ny, side * nx)
        turn = (arm - upright + math.pi) % (2 * math.pi) - math.pi
        angles = [upright + turn * i / _PIECES for i in range(_PIECES + 1)]
        r = _ARC * reach
        arc = tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)
        line = ((x - reach * nx, y - reach * ny), (x + reach * nx, y + reach * ny))
        return [LineMark(line, "chosen"), LineMark(arc, "ghost")]


def _direction(start: Point, end: Point) -> str:
    turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    # No -0, which would be written.
    return f"{round(turn, 1) + 0.0:.1f}\u00b0".replace("-", MINUS)
