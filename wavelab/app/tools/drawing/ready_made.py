"""The objects of a lesson that are put into a scene ready-made, as pure functions.

A new one is one entry of ``READY_MADE``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from wavelab.app.tools.tool import Point
from wavelab.scene.model.shapes import Lens, Mirror, Prism, Rectangle, Screen, Shape

#: Of the refractive index of glass.
GLASS = 1.5
#: Of a screen or a mirror, in wavelengths; at least so many elements.
_THICKNESS, _ELEMENTS = 0.15, 0.75
#: What is put down with a click, in parts of the smaller side of the domain.
_PART = 0.5


@dataclass(frozen=True)
class Room:
    """Where an object is put.

    Attributes
    ----------
    lower, upper : corners of the box round the domain.
    wavelength : by which slits are measured.
    element_size : of the mesh.
    """

    lower: Point
    upper: Point
    wavelength: float
    element_size: float

    @property
    def thickness(self) -> float:
        return _said(max(_THICKNESS * self.wavelength, _ELEMENTS * self.element_size))

    @property
    def usual(self) -> float:
        """Length of an object that is put down with a click."""
        (x0, y0), (x1, y1) = self.lower, self.upper
        return _said(_PART * min(x1 - x0, y1 - y0))


@dataclass(frozen=True)
class Line:
    """The upright of an object: its middle, its length, and the angle by which it leans."""

    center: Point
    length: float
    angle: float = 0.0


@dataclass(frozen=True)
class ReadyMade:
    """One kind of object.

    Attributes
    ----------
    label, tip : what it is called, and what it is for.
    becomes : "holes" or "materials", the items of a scene that it is one of.
    make : the object along a line.
    through : whether a click puts it right across the domain.
    boxed : whether a drag spans it from corner to corner; others lie along the drag.
    """

    label: str
    tip: str
    becomes: str
    make: Callable[[Line, Room], Shape]
    through: bool = False
    boxed: bool = False

    @property
    def name(self) -> str:
        """What one is called in a scene."""
        return self.label.lower()

    def put(self, at: Point, room: Room) -> Shape:
        """With its middle at a point."""
        if not self.through:
            return self.make(Line(at, room.usual), room)
        reach = max(room.upper[1] - at[1], at[1] - room.lower[1])
        return self.make(Line(at, _said(2 * reach, 4)), room)

    def drawn(self, start: Point, end: Point, room: Room) -> Shape:
        """From a point to a point."""
        (x0, y0), (x1, y1) = start, end
        if self.boxed:
            return Rectangle((min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1)))
        # Drawn upwards or downwards, light goes to the right.
        if (y1, -x1) < (y0, -x0):
            x0, y0, x1, y1 = x1, y1, x0, y0
        angle = round(math.degrees(math.atan2(y1 - y0, x1 - x0)) - 90, 2) + 0.0
        center = (_said((x0 + x1) / 2, 6), _said((y0 + y1) / 2, 6))
        return self.make(Line(center, _said(math.dist(start, end), 4), angle), room)


def _screen(slits: int, width: float, separation: float) -> Callable[[Line, Room], Shape]:
    """``width`` and ``separation`` in wavelengths, or less where the screen is short."""

    def made(line: Line, room: Room) -> Shape:
        taken = width + separation * (slits - 1)
        unit = min(room.wavelength, 0.8 * line.length / taken)
        return Screen(
            line.center,
            line.length,
            _said(width * unit),
            slits,
            _said(separation * unit),
            room.thickness,
            angle=line.angle,
        )

    return made


def _lens(part: float) -> Callable[[Line, Room], Shape]:
    """With a focal length in parts of the aperture."""

    def made(line: Line, room: Room) -> Shape:
        focal = _said(part * line.length)
        return Lens(line.center, focal, line.length, GLASS, room.thickness, angle=line.angle)

    return made


def _mirror(line: Line, room: Room) -> Shape:
    return Mirror(
        line.center, _said(line.length / 2), line.length, room.thickness, angle=line.angle
    )


def _prism(line: Line, room: Room) -> Shape:
    return Prism(line.center, _said(line.length / math.cos(math.pi / 6)), angle=line.angle)


def _box(wide: float) -> Callable[[Line, Room], Shape]:
    """Upright, so much wider than high."""

    def made(line: Line, room: Room) -> Shape:
        (x, y), half = line.center, line.length / 2
        low, high = (x - wide * half, y - half), (x + wide * half, y + half)
        return Rectangle(
            (_said(low[0], 6), _said(low[1], 6)), (_said(high[0], 6), _said(high[1], 6))
        )

    return made


#: By the key of each, in the order in which they are offered.
READY_MADE: dict[str, ReadyMade] = {
    "single_slit": ReadyMade(
        "Single slit",
        "A screen with one slit, two wavelengths wide",
        "holes",
        _screen(1, 2.0, 0.0),
        through=True,
    ),
    "double_slit": ReadyMade(
        "Double slit",
        "A screen with two slits, three wavelengths apart",
        "holes",
        _screen(2, 0.75, 3.0),
        through=True,
    ),
    "grating": ReadyMade(
        "Grating",
        "A screen with seven slits, one and a half wavelengths apart",
        "holes",
        _screen(7, 0.75, 1.5),
        through=True,
    ),
    "lens": ReadyMade("Lens", "Glass that collects light in a focus", "materials", _lens(1.0)),
    "hollow_lens": ReadyMade("Hollow lens", "Glass that spreads light", "materials", _lens(-1.0)),
    "mirror": ReadyMade(
        "Parabolic mirror",
        "Collects what comes along its axis in a focus; open to the right",
        "holes",
        _mirror,
    ),
    "prism": ReadyMade("Prism", "A triangle of glass", "materials", _prism),
    "block": ReadyMade("Glass block", "A rectangle of glass", "materials", _box(0.5), boxed=True),
    "box": ReadyMade("Box", "An obstacle with four sides", "holes", _box(1.0), boxed=True),
}


def _said(value: float, digits: int = 2) -> float:
    """As a person would say it."""
    return float(f"{value:.{digits}g}")
