"""How a source is drawn over the field, and the points by which a hand takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wavelab.arrays import Array
from wavelab.scene.model.shapes import Point

Line = Array
#: Lines (n, 2) of each edge by its name; the domain is on their left.
EdgeLines = Mapping[str, tuple[Line, ...]]

#: The handle that moves all of a source.
PLACE = "place"


@dataclass(frozen=True, eq=False)
class SourceMark:
    """How a source is drawn over the field; all in scene coordinates.

    Attributes
    ----------
    at : beside which its name stands.
    lines : (n, 2) each; a rim repeats its first point.
    dots : single points that send.
    arrow : from where to where, in the direction of the wave or the motion.
    outline : whether the lines only say where something is, and send nothing themselves.
    waves : lines of the wave itself: fronts of a plane one, the profile of a mode.
    """

    name: str
    at: Point
    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    arrow: tuple[Point, Point] | None = None
    outline: bool = False
    waves: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Drag:
    """Of the handle of this name to a point; ``even``: directions are multiples of 15 degrees."""

    handle: str
    to: Point
    even: bool = False


@dataclass(frozen=True)
class Handle:
    """``name`` is "place", "start", "end", "focus", "direction" or "speed"; ``words`` what it is,
    with the name of the source: "the end of lamp"."""

    name: str
    at: Point
    words: str
