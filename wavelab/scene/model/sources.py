"""What makes waves in a scene, as plain data.

Most sources are a current density Jz, which adds -Jz / epsilon to dEz/dt.  Where ``adds`` is
"field" the same profile is added to dEz/dt as it is, whatever the medium.  A plane wave and a
guided mode are no currents: they come in through faces, and their ``amplitude`` is that of Ez.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.shapes import Point, Shape
from wavelab.scene.model.waveforms import Waveform

#: What a source can add to.
ADDS = ("current", "field")
#: The walls beside a guided mode.
SIDES = ("conductor", "magnetic")


@dataclass(frozen=True)
class PointSource:
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from ``position``."""

    name: str
    position: Point
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = "current"


@dataclass(frozen=True)
class CurrentSource:
    """Current density Jz everywhere, as a formula of x, y and t."""

    name: str
    jz: Formula = field(metadata={"variables": ("x", "y", "t")})


@dataclass(frozen=True)
class LineSource:
    """amplitude exp(-d^2 / (2 radius^2)) f(t), d the distance from a line of two ends."""

    name: str
    start: Point
    end: Point
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = "current"


@dataclass(frozen=True)
class RegionSource:
    """amplitude f(t) everywhere inside ``shape``, 0 outside."""

    name: str
    shape: Shape
    amplitude: float
    waveform: Waveform
    adds: str = "current"


@dataclass(frozen=True)
class ArraySource:
    """``count`` points evenly from ``start`` to ``end``, each a :class:`PointSource` with a delay.

    The delays make the waves of all points arrive together far away in ``direction`` (degrees
    counterclockwise from the x axis), or at the point ``focus``; without either all points are in
    step.  The first ones to send have the delay 0.
    """

    name: str
    start: Point
    end: Point
    count: int
    radius: float
    amplitude: float
    waveform: Waveform
    direction: float | None = None
    focus: Point | None = None
    adds: str = "current"

    def points(self) -> tuple[Point, ...]:
        """Where the elements are."""
        (x0, y0), (x1, y1) = self.start, self.end
        last = max(self.count - 1, 1)
        parts = [i / last for i in range(self.count)]
        return tuple((x0 + (x1 - x0) * p, y0 + (y1 - y0) * p) for p in parts)


@dataclass(frozen=True)
class MovingSource:
    """A point source whose position is a formula of t; silent while it is outside the domain."""

    name: str
    x: Formula = field(metadata={"variables": ("t",)})
    y: Formula = field(metadata={"variables": ("t",)})
    radius: float
    amplitude: float
    waveform: Waveform
    adds: str = "current"


@dataclass(frozen=True)
class PlaneWave:
    """Ez = amplitude f(t - s / c), s the way in ``direction`` from where the wave is first felt.

    ``direction`` is in degrees counterclockwise from the x axis.  The wave comes in at the border
    of ``shape``, inside of which there is the total field and outside only what is scattered, or,
    if there is no shape, through the absorbing ``edges``.
    """

    name: str
    direction: float
    amplitude: float
    waveform: Waveform
    shape: Shape | None = None
    edges: tuple[str, ...] = ()


@dataclass(frozen=True)
class GuidedMode:
    """The mode number ``mode`` of a guide with parallel walls, through its absorbing end ``edge``.

    Ez is amplitude sin(mode pi s / w) f(t) there, between conductors, or with a cosine between
    magnetic ``sides``; s runs along the edge, whose length is w.  ``frequency`` is what the wave's
    impedance is taken at; None takes that of a sine or a Ricker pulse.
    """

    name: str
    edge: str
    amplitude: float
    waveform: Waveform
    mode: int = 1
    sides: str = "conductor"
    frequency: float | None = None


Source = (
    PointSource
    | CurrentSource
    | LineSource
    | RegionSource
    | ArraySource
    | MovingSource
    | PlaneWave
    | GuidedMode
)

#: The ``kind`` written in a scene file.
SOURCES: dict[str, type[Source]] = {
    "point": PointSource,
    "current": CurrentSource,
    "line": LineSource,
    "region": RegionSource,
    "array": ArraySource,
    "moving": MovingSource,
    "plane_wave": PlaneWave,
    "guided_mode": GuidedMode,
}
