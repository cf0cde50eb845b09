"""How monitors are placed by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wavelab.scene.model.measuring.requests import Place
from wavelab.scene.model.shapes import Point, Shape

#: Degrees from corner to corner of the closed line that an ellipse becomes, through which power is
#: measured, and the digits that its coordinates have.
_TURN, _DIGITS = 7.5, 5

#: On a line that is drawn as a curve.
_FEWEST_RECEIVERS, _MOST_RECEIVERS = 50, 400


@dataclass(frozen=True)
class Drawn:
    """What was drawn for a new monitor.

    Attributes
    ----------
    frequencies : none for what has none.
    nodes_along : how many nodes a line of some length has; None where only the mesh knows.
    """

    name: str
    place: Place
    frequencies: tuple[float, ...] = ()
    nodes_along: Callable[[float], float] | None = None

    @property
    def corners(self) -> tuple[Point, ...]:
        """Of a line, or of a closed line round a shape."""
        if isinstance(self.place, tuple):
            return self.place
        ring, _ = self.shape.outline(math.inf, _TURN)
        if not self.shape.arcs():
            return tuple((float(x), float(y)) for x, y in ring)
        digits = _DIGITS - math.floor(math.log10(float(np.ptp(ring, axis=0).max())))
        return tuple((round(float(x), digits), round(float(y), digits)) for x, y in ring)

    @property
    def shape(self) -> Shape:
        assert self.place is not None
        assert not isinstance(self.place, tuple)
        return self.place

    @property
    def shape_or_none(self) -> Shape | None:
        """None for everywhere."""
        return None if self.place is None else self.shape

    @property
    def as_fine_as_nodes(self) -> int:
        """As many receivers as there are nodes along a line, within reason."""
        if self.nodes_along is None:
            return _MOST_RECEIVERS // 2
        length = sum(math.dist(a, b) for a, b in pairwise(self.corners))
        nodes = math.ceil(self.nodes_along(length))
        return min(max(nodes, _FEWEST_RECEIVERS), _MOST_RECEIVERS)
