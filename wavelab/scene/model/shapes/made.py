"""What the ready-made objects of a lesson have in common: their outline follows from a few numbers.

Each lies in a frame of its own, with the origin at ``center`` and the x axis turned
counterclockwise by ``angle`` degrees: the way that light takes through it.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.shapes.arcs import MOST_SIDES, Arc, Point
from wavelab.scene.model.shapes.shape import MOST_TURN, Ring, Shape, shifted_point

#: Pieces by which an arc is measured.
_FINE = 64
#: Degrees to which a turn by hand is rounded, without Shift and with it.
TURNS = (1.0, 15.0)


@dataclass(frozen=True)
class Side:
    """A straight edge from a point to a point, or an arc of an ellipse, the shorter way."""

    name: str
    start: Point
    end: Point
    arc: Arc | None = None

    def points(self, longest: float, most_turn: float) -> Array:
        """(n, 2) without the last: no piece is longer than ``longest``, and none turns by more than
        ``most_turn`` degrees."""
        if self.arc is None:
            return np.array([self.start])
        (a, b), turn = self.arc.radii, math.radians(self.arc.angle)
        rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        center = np.array(self.arc.center)
        ends = (np.array([self.start, self.end]) - center) @ rotation.T / (a, b)
        first, last = np.arctan2(ends[:, 1], ends[:, 0])
        last = first + (last - first + math.pi) % (2 * math.pi) - math.pi
        fine = np.linspace(first, last, _FINE + 1)
        speed = np.hypot(a * np.sin(fine), b * np.cos(fine)) * abs(last - first)
        bend = np.degrees(
            a * b * abs(last - first) / np.hypot(a * np.sin(fine), b * np.cos(fine)) ** 2
        )
        count = max(speed.max() / longest, bend.max() / most_turn)
        n = max(1, math.ceil(min(count, MOST_SIDES) - 1e-9))
        theta = first + (last - first) * np.arange(n) / n
        found = np.column_stack([a * np.cos(theta), b * np.sin(theta)]) @ rotation + center
        found[0] = self.start
        return found


@dataclass(frozen=True)
class Made(Shape):
    """One kind of ready-made object.

    A kind says its sides (``_chains``), by which points it is changed (``_grips``) and what it
    becomes when one is dragged (``_gripped``), all in its own frame, and its rules (``_check``).
    The last of its knobs turns it.
    """

    center: Point = field(metadata=about("Where its middle is"))
    angle: float = field(
        default=0.0,
        kw_only=True,
        metadata=about("Degrees by which it is turned counterclockwise"),
    )

    @abstractmethod
    def _chains(self) -> tuple[tuple[Side, ...], ...]:
        """The sides of each of its parts, counterclockwise, in its own frame."""

    @abstractmethod
    def _grips(self) -> tuple[Point, ...]: ...

    @abstractmethod
    def _gripped(self, number: int, to: Point) -> tuple[Self, str]: ...

    @abstractmethod
    def _turner(self) -> Point:
        """The point by which it is turned."""

    def rings(self, element_size: float, most_turn: float = MOST_TURN) -> tuple[Ring, ...]:
        found = []
        for chain in self._placed_chains():
            pieces = [side.points(element_size, most_turn) for side in chain]
            names = [side.name for side, own in zip(chain, pieces, strict=True) for _ in own]
            found.append((np.concatenate(pieces), tuple(names)))
        return tuple(found)

    def outline(self, element_size: float, most_turn: float = MOST_TURN) -> Ring:
        return self.rings(element_size, most_turn)[0]

    def arcs(self) -> dict[str, Arc]:
        return {s.name: s.arc for chain in self._placed_chains() for s in chain if s.arc}

    def attracting(self) -> tuple[Point, ...]:
        return tuple(side.start for chain in self._placed_chains() for side in chain)

    def edge_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(s.name for chain in self._chains() for s in chain))

    def bounds(self) -> tuple[Point, Point]:
        points = np.concatenate([ring for ring, _ in self.rings(math.inf, 1.0)])
        (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return (x0, y0), (x1, y1)

    def shifted(self, by: Point) -> Self:
        return replace(self, center=shifted_point(self.center, by))

    def knobs(self) -> tuple[Point, ...]:
        return tuple(self._placed(p) for p in (*self._grips(), self._turner()))

    def with_knob(self, number: int, to: Point, even: bool) -> tuple[Shape, str]:
        """``even``: turned by steps of 15 degrees."""
        grips = self._grips()
        if number < len(grips):
            return self._gripped(number, self._local(to))
        (x0, y0), (x, y) = self.center, to
        turned = math.degrees(math.atan2(y - y0, x - x0))
        own = math.degrees(math.atan2(*self._turner()[::-1]))
        step = TURNS[even]
        angle = (round((turned - own) / step) * step + 180) % 360 - 180
        return replace(self, angle=angle), f"angle {angle:g}\u00b0"

    def knob_meanings(self) -> tuple[str, ...]:
        return (*self._grip_meanings(), "Drag to turn it; Shift: in steps of 15\u00b0")

    @abstractmethod
    def _grip_meanings(self) -> tuple[str, ...]: ...

    def middle(self) -> Point:
        return self.center

    def _placed_chains(self) -> tuple[tuple[Side, ...], ...]:
        return tuple(
            tuple(
                Side(s.name, self._placed(s.start), self._placed(s.end), self._placed_arc(s.arc))
                for s in chain
            )
            for chain in self._chains()
        )

    def _placed_arc(self, arc: Arc | None) -> Arc | None:
        if arc is None:
            return None
        return Arc(self._placed(arc.center), arc.radii, arc.angle + self.angle)

    def _axes(self) -> Point:
        """Cosine and sine of its angle, without the noise of a right one."""
        turn = math.radians(self.angle)
        return round(math.cos(turn), 15), round(math.sin(turn), 15)

    def _placed(self, point: Point) -> Point:
        (cos, sin), (x, y) = self._axes(), point
        return self.center[0] + cos * x - sin * y, self.center[1] + sin * x + cos * y

    def _local(self, point: Point) -> Point:
        cos, sin = self._axes()
        x, y = point[0] - self.center[0], point[1] - self.center[1]
        return cos * x + sin * y, cos * y - sin * x

    def _check_lengths(self, item: ItemPath, what: str, *names: str) -> None:
        for name in names:
            words = name.replace("_", " ")
            check_length(getattr(self, name), (*item, name), f"the {words} of {what}")


def joined(*corners: tuple[str, Point], arcs: Sequence[Arc | None] = ()) -> tuple[Side, ...]:
    """Sides from corner to corner and back to the first, each with the name of the side that begins
    there and its arc."""
    ends = [point for _, point in (*corners[1:], corners[0])]
    bent = arcs or [None] * len(corners)
    return tuple(
        Side(name, start, end, arc)
        for (name, start), end, arc in zip(corners, ends, bent, strict=True)
    )


def told(value: float) -> float:
    """A length from a hand, with as many digits as a person would say."""
    return float(f"{value:.4g}")
