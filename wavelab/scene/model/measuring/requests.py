"""What a monitor asks for, as plain data: where it measures, and what is summed up there.

``wavelab.physics.monitors.monitors`` makes each of these discrete on a mesh.  Beside them stand
``recorded``, the fields kept after every step, and ``energy_every``, the steps from one look at
the energy to the next (:class:`wavelab.scene.model.measuring.monitor.Monitor`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.shapes import Point, Shape, smooth_outline

#: What can be recorded, or summed up.
FIELDS = ("ez", "hx", "hy")
#: Recorded in place of fields: the power through a line to the side of its normals, in a single
#: column that is also integrated over time.
POWER = ("power",)
WINDOWS = ("none", "hann")
#: Where the scalar is 0, and where its normal derivative is.
SCREENS = ("conductor", "magnetic")

# What the fields that several kinds have mean.
VERTICES = about("The corners in order, x and y of each")
FREQUENCIES = about("Frequencies at which it is measured, set apart by commas")
BEGIN = about("Time from which fields are summed up; later than the transients")
END = about("Time to which fields are summed up; empty: as long as the wave runs")
WINDOW = about(
    "Weight over the time that is summed up; \u201chann\u201d needs no whole periods",
    choices=WINDOWS,
)

#: The corners of a line, a shape, or None for everywhere.
Place = tuple[Point, ...] | Shape | None


class _Request:
    """What is the same for all of them unless they say otherwise.

    Attributes
    ----------
    wholly_inside : whether all of its line, or of the rim of its shape, must lie in the domain.
    dashes : of its outline, in widths of the pen; none for a full line.
    directed : whether an arrow shows its normal.
    straight : whether its line has two ends and no other corners.
    """

    wholly_inside: ClassVar[bool] = False
    dashes: ClassVar[tuple[float, ...]] = ()
    directed: ClassVar[bool] = False
    straight: ClassVar[bool] = False


class _OnLine(_Request):
    vertices: tuple[Point, ...]

    @property
    def place(self) -> Place:
        return self.vertices


class _InShape(_Request):
    shape: Shape | None
    closed: ClassVar[bool] = True

    @property
    def place(self) -> Place:
        return self.shape


@dataclass(frozen=True)
class Receivers(_OnLine):
    """``count`` points spread evenly over a polyline, which lies in the domain from end to end."""

    vertices: tuple[Point, ...]
    count: int
    closed: ClassVar[bool] = False
    wholly_inside = True
    dashes = (1.0, 3.0)


@dataclass(frozen=True)
class Section(_OnLine):
    """Quadrature points along what of a polyline lies in the domain.

    Normals point to the right of the way along the vertices, outwards if it is ``closed``.
    """

    vertices: tuple[Point, ...]
    closed: bool = False
    directed = True


@dataclass(frozen=True)
class AcrossGuide(_OnLine):
    """The same along a line straight across a guide, with the first ``modes`` modes that it holds
    together there."""

    vertices: tuple[Point, ...]
    modes: int
    closed: ClassVar[bool] = False
    directed = True
    straight = True


@dataclass(frozen=True)
class Elements(_InShape):
    """The elements whose middle lies in a shape; all without one."""

    shape: Shape | None
    dashes = (2.0, 3.0)


@dataclass(frozen=True)
class Contour(_InShape):
    """Quadrature points round the rim of a shape, all of it in one medium without losses, which is
    taken to go on for ever outside."""

    shape: Shape
    wholly_inside = True
    dashes = (6.0, 3.0)


@dataclass(frozen=True)
class BesideScreen(_OnLine):
    """Quadrature points along an opening in a straight screen that goes on for ever, of one of
    ``SCREENS``; in front of both, to the right of the line, is one medium without losses."""

    vertices: tuple[Point, ...]
    screen: str
    closed: ClassVar[bool] = False
    wholly_inside = True
    directed = True
    straight = True
    dashes = (6.0, 3.0)


Where = Receivers | Section | AcrossGuide | Elements | Contour | BesideScreen


@dataclass(frozen=True)
class Transform:
    """A running Fourier transform of fields, or of their squares.

    Attributes
    ----------
    frequencies : 0 for the plain sum.
    begin, end : simulated times; the end of the run if there is no end.
    window : one of ``WINDOWS``.
    """

    frequencies: tuple[float, ...]
    fields: tuple[str, ...] = FIELDS
    squared: bool = False
    begin: float = 0.0
    end: float | None = None
    window: str = "none"


def outline_of(place: Place) -> tuple[Point, ...]:
    """The points of a line, or of the rim of a shape; none of what is everywhere."""
    if place is None or isinstance(place, tuple):
        return place or ()
    return tuple((float(x), float(y)) for x, y in smooth_outline(place)[0])
