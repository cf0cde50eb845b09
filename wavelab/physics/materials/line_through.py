"""A straight line through a mesh, and where on it elements and media end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array, Mask
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.interpolation import locator_of
from wavelab.remembered import Remembered

#: Numbers of elements, -1 outside.
Elements = NDArray[np.integer]
#: A way between two points in different elements is cut into so many parts, so often: 48 halvings.
_PARTS, _CUTS = 64, 8
#: Ways out of an element that are remembered: those on the lines of a scene.
_KEPT = 512


@dataclass(frozen=True)
class LineThrough:
    """Elements at places along a line.

    Attributes
    ----------
    start, along : (2,) where places are counted from, and the unit vector along which.
    """

    d: Discretization
    start: Array
    along: Array

    def points(self, places: Array) -> Array:
        """(n, 2) of places (n,)."""
        return self.start + np.atleast_1d(places)[:, None] * self.along

    def __call__(self, places: Array | float) -> Elements:
        return locator_of(self.d).locate(self.points(np.asarray(places)))[0]

    def domain_end(self, inside: float, end: float) -> float:
        """The last place of the domain on the way from a place in it to an end."""
        if self(end)[0] >= 0:
            return end
        return _between(inside, end, lambda places: self(places) >= 0)[0]

    def border(
        self, before: float, after: float, element: int, same: Callable[[Elements], Mask]
    ) -> float:
        """Where, on the way from a place in an element to another, a medium is no more the same.

        Parameters
        ----------
        same : whether elements have it; that of ``after`` has not.
        """
        while True:
            last, before, element = self._way_out(before, after, element)
            # Between two elements there may be nothing, as wide as rounding makes it.
            if before >= after or (element >= 0 and not same(np.array([element]))[0]):
                return (last + before) / 2

    def _way_out(self, before: float, after: float, element: int) -> tuple[float, float, int]:
        """The last place in an element, the next one behind it, and the element there.

        Remembered, since it follows from the mesh alone, and media are turned while a wave runs.
        """

        def found() -> tuple[float, float, int]:
            last, behind = _between(before, after, lambda places: self(places) == element)
            return last, behind, int(self(behind)[0])

        key = (self.start.tobytes(), self.along.tobytes(), before, after, element)
        return _ways_out.get(self.d, key, found)


_ways_out: Remembered[Discretization, tuple[float, float, int]] = Remembered(_KEPT)


def _between(yes: float, no: float, holds: Callable[[Array], Mask]) -> tuple[float, float]:
    """Close to each other, the last place where something holds and one where it does not."""
    for _ in range(_CUTS):
        places = np.linspace(yes, no, _PARTS + 1)
        # Many at once: to find one point in a mesh costs nearly as much.
        there = np.append(holds(places[1:-1]), False)
        first = int(np.argmin(there))
        yes, no = float(places[first]), float(places[first + 1])
    return yes, no
