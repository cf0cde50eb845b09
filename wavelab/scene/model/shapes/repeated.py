"""A shape that is repeated: to all others one in several parts, which are its copies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.shapes.arcs import Arc, Point
from wavelab.scene.model.shapes.repeat import Repeat
from wavelab.scene.model.shapes.shape import MOST_TURN, Ring, Shape

#: Of all copies together: what one can have is drawn by hand or comes from a file.
MOST_VERTICES = 500_000


@dataclass(frozen=True)
class Repeated(Shape):
    """Copies of a ``shape``, as ``repeat`` says.

    Its edges are those of the shape, each with the lines of all copies, and it is taken by hand at
    its first copy.  This is the one place that makes copies: others ask for :meth:`parts` and
    :meth:`rings`, as of any shape.
    """

    solid: ClassVar[bool] = False

    shape: Shape
    repeat: Repeat = field(metadata=about("Copies of the shape, in a row or in a grid"))

    def parts(self) -> tuple[Shape, ...]:
        return self._copies

    def single(self) -> Shape:
        return self.shape

    def with_first(self, shape: Shape) -> Repeated:
        x, y = self._places()[0]
        return replace(self, shape=_displaced(shape, (-x, -y)))

    def outline(self, element_size: float, most_turn: float = MOST_TURN) -> Ring:
        (x0, y0), (x1, y1) = self.bounds()
        names = self.edge_names()
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), (names[0],) * 4

    def rings(self, element_size: float, most_turn: float = MOST_TURN) -> tuple[Ring, ...]:
        return tuple(ring for part in self.parts() for ring in part.rings(element_size, most_turn))

    def arcs(self) -> dict[str, Arc]:
        """Those of its first copy: only their names are those of all."""
        return self.first().arcs()

    def bounds(self) -> tuple[Point, Point]:
        (x0, y0), (x1, y1) = self.shape.bounds()
        places = np.array(self._places())
        (left, low), (right, high) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        return (x0 + left, y0 + low), (x1 + right, y1 + high)

    def edge_names(self) -> tuple[str, ...]:
        return self.shape.edge_names()

    def shifted(self, by: Point) -> Repeated:
        return replace(self, shape=self.shape.shifted(by))

    def corners(self) -> tuple[Point, ...]:
        return self.first().corners()

    def attracting(self) -> tuple[Point, ...]:
        return tuple(point for part in self.parts() for point in part.attracting())

    def with_corner(self, number: int, to: Point) -> tuple[Repeated, str]:
        changed, label = self.first().with_corner(number, to)
        return self.with_first(changed), label

    def knobs(self) -> tuple[Point, ...]:
        return self.first().knobs()

    def with_knob(self, number: int, to: Point, even: bool) -> tuple[Repeated, str]:
        changed, label = self.first().with_knob(number, to, even)
        return self.with_first(changed), label

    def knob_meanings(self) -> tuple[str, ...]:
        return self.shape.knob_meanings()

    def middle(self) -> Point:
        return self.first().middle()

    def _check(self, item: ItemPath, what: str) -> None:
        self.shape.check(item, what)
        self.repeat.check((*item, "repeat"), what)
        copies, vertices = len(self._places()), len(self.shape.attracting())
        require(
            copies * vertices <= MOST_VERTICES,
            (*item, "repeat"),
            f"{what} has {copies:,} copies with {vertices:,} vertices each",
            f"Together there can be {MOST_VERTICES:,}.",
        )

    def _places(self) -> list[Point]:
        return [by for _, by in self.repeat.places()]

    # Not by equality: shapes are equal whose numbers are written in other ways.
    @cached_property
    def _copies(self) -> tuple[Shape, ...]:
        return tuple(_displaced(self.shape, by) for by in self._places())


def _displaced(shape: Shape, by: Point) -> Shape:
    """One that stays keeps its formulas of parameters."""
    return shape if by == (0.0, 0.0) else shape.shifted(by)
