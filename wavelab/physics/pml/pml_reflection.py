"""How strong a layer is made, and what then comes back of a wave.

Two things do.  What gets through the layer, is absorbed by the wall behind it but for
(1 - cos) / (1 + cos) of it, and gets through once more is known: of D digits that a layer takes on
the way there and back of a wave that comes straight, D cos(angle) are left for a slanting one
(Berenger, *A perfectly matched layer for the absorption of electromagnetic waves*, 1994), and the
CFS shift takes some from waves that are much longer than the layer is thick.  What the elements
make of the profile was measured and fitted: ``scripts/pml_reflection.py`` prints it,
docs/accuracy.md has the table.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace

#: Digits that a layer takes, by the points across it (order times elements): with more of them it
#: takes more without reflecting.
DIGITS_AT_NONE, DIGITS_PER_POINT, MOST_DIGITS = 2.0, 0.7, 30.0
#: What the layer remembers decays at this rate, times speed over thickness: slowly compared with
#: waves that are not much longer than the layer is thick.
CFS_SHIFT = 0.2
#: What an open wall promises, up to this angle of incidence, in degrees.
PROMISED, UP_TO = 1e-4, 60.0
#: Of the fit: decades of what comes back at no points, what a point and an order change, and what
#: elements do that are as large as a wave.
_DECADES, _PER_POINT, _PER_ORDER, _PER_SIZE = -2.2, -0.28, 0.08, 27.0
#: Size of the elements in wavelengths where that is not known.
_USUAL_SIZE = 0.1
#: Thicker than this many elements nobody makes a layer.
_MOST_ELEMENTS = 40.0


def digits_across(points: float) -> float:
    """Decimal digits that a layer takes of a wave that comes straight, by the points across it."""
    return min(DIGITS_AT_NONE + DIGITS_PER_POINT * points, MOST_DIGITS)


@dataclass(frozen=True)
class Layer:
    """A layer as a wave sees it.

    Attributes
    ----------
    order : of the elements.
    elements : how many lie across.
    size : of an element, in wavelengths; None if these are not known.
    """

    order: int
    elements: float
    size: float | None = None

    @property
    def digits(self) -> float:
        return digits_across(self.order * self.elements)

    def passes(self, angle: float) -> float:
        """Part of the amplitude that goes to the wall and back, at degrees of incidence."""
        cosine, digits = math.cos(math.radians(angle)), self.digits
        if self.size is not None:
            phase = (2 * math.pi * self.size * self.elements) ** 2
            digits *= phase / (phase + CFS_SHIFT**2)
        return float(10 ** (-digits * cosine) * (1 - cosine) / (1 + cosine))

    @property
    def scatters(self) -> float:
        """Part that the elements of the layer send back, at the worst angle up to ``UP_TO``."""
        decades = _DECADES + _PER_POINT * self.order * self.elements + _PER_ORDER * self.order
        size = _USUAL_SIZE if self.size is None else self.size
        return float(10**decades * (1 + _PER_SIZE * size))

    def reflection(self, angle: float = UP_TO) -> float:
        """What comes back at an angle, of the amplitude; at most, up to ``UP_TO``."""
        return min(self.passes(angle) + self.scatters, 1.0)

    def with_mesh(self) -> float:
        """What comes back up to ``UP_TO``, what the mesh before the layer scatters included."""
        scattered = mesh_scatters(self.order, self.size) if self.size is not None else 0.0
        return min(self.reflection() + scattered, 1.0)

    def thick_enough(self) -> Layer | None:
        """The thinnest one of the same elements that keeps the promise; None if none does."""
        quarters = range(math.ceil(4 * self.elements), math.floor(4 * _MOST_ELEMENTS) + 1)
        layers = [replace(self, elements=n / 4) for n in quarters]
        # A thicker one never sends back more.
        first = bisect_left(layers, True, key=lambda layer: layer.with_mesh() <= PROMISED)
        return layers[first] if first < len(layers) else None


def mesh_scatters(order: int, size: float) -> float:
    """What a mesh of elements of ``size`` wavelengths sends back without any layer, as measured."""
    return float(0.55 * order**-2.8 * size ** (order + 1))
