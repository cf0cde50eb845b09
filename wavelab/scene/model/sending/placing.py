"""How sources are placed by hand: with which gesture, and what the next one is like."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from wavelab.scene.model.sending.waveform import Waveform
from wavelab.scene.model.shapes import Point, Rectangle

#: Wavelength of the first source in element sizes.
ELEMENTS_PER_WAVELENGTH = 6.0
#: Radius of a source in wavelengths: nearly a point, and still smooth on such a mesh.
RADIUS = 1 / 12
#: With a click, along a line or over a box that is dragged, or through several edges or one.
GESTURES = ("click", "line", "box", "edges", "edge")


@dataclass(frozen=True)
class Number:
    """A number that only some sources have: what the page of settings asks for.

    Attributes
    ----------
    unit : "positive" for a number of any size, "degrees" up to ``most`` either way, or "whole" from
        ``least`` to ``most``.
    start : what it is before anybody chose.
    """

    key: str
    label: str
    tip: str
    start: float
    unit: Literal["positive", "degrees", "whole"] = "positive"
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class Placing:
    """A way to place a source: its name in the window, the gesture, and the numbers it takes."""

    label: str
    gesture: str
    tip: str
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True)
class SourceSettings:
    """What the next source is like.

    Attributes
    ----------
    height : the peak of Ez one wavelength away in vacuum, or of the plane wave.
    wave : what it does in time, by its name in the window.
    kind : the label of a :class:`Placing`.
    own : by key, the numbers that only some sources have.
    """

    frequency: float = 1.0
    height: float = 1.0
    wave: str = "sine"
    kind: str = "point"
    own: Mapping[str, float] = field(default_factory=dict)

    def __getitem__(self, number: Number) -> float:
        return self.own.get(number.key, number.start)

    @property
    def radius(self) -> float:
        return RADIUS / self.frequency

    @property
    def amplitude(self) -> float:
        """Peak of Jz of a point.

        A line current I makes Ez = (k / 4) I |H0(k d)| in a vacuum with c = 1; a Gaussian of radius
        r counts as I = 2 pi r^2 exp(-(k r)^2 / 2) Jz, and |H0(k d)| is sqrt(2 / (pi k d)) within
        1 % a wavelength away.
        """
        k = 2 * math.pi * self.frequency
        current = 2 * math.pi * self.radius**2 * math.exp(-((k * self.radius) ** 2) / 2)
        return self.height / (k / 4 * current / math.pi)


@dataclass(frozen=True)
class Placed:
    """Where the hand put it: a point twice, the ends of a line, corners of a box, or ``edges``.

    Attributes
    ----------
    waveform : one that begins at time 0.
    inward : straight in at the first edge, in degrees counterclockwise from the x axis.
    sides : the walls beside the end of a guide.
    """

    waveform: Waveform
    start: Point = (0.0, 0.0)
    end: Point = (0.0, 0.0)
    edges: tuple[str, ...] = ()
    inward: float = 0.0
    sides: str = "conductor"

    @property
    def box(self) -> Rectangle:
        (x0, y0), (x1, y1) = self.start, self.end
        return Rectangle((min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1)))


def fitting_frequency(edge: float) -> float:
    """A frequency in vacuum that elements with edges of this length carry well."""
    return float(f"{1 / (ELEMENTS_PER_WAVELENGTH * edge):.1e}")
