"""What the next source the user places is like."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.scene.editing.moving_path import straight_way
from wavelab.scene.model.scene import (
    ArraySource,
    Chirp,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
    Ricker,
    Sine,
    Source,
    Waveform,
)
from wavelab.scene.model.shapes import Point, Rectangle
from wavelab.scene.model.waveforms import PERIODS_BEFORE_CREST

#: Wavelength of the first source in element sizes.
ELEMENTS_PER_WAVELENGTH = 6.0
#: Radius of a source in wavelengths: nearly a point, and still smooth on such a mesh.
RADIUS = 1 / 12
#: A chirp rises from half the frequency to it in this many periods.
CHIRP_PERIODS = 12.0

#: Kind -> how it is placed: with a click, along a line or over a box that is dragged, or through
#: one edge or several.
PLACING = {
    "point": "click",
    "line": "line",
    "array": "line",
    "moving": "line",
    "region": "box",
    "plane wave": "box",
    "wave through walls": "edges",
    "guided mode": "edge",
}
WAVES = ("sine", "pulse", "chirp")


@dataclass(frozen=True)
class SourceSettings:
    """``height`` is the peak of Ez one wavelength away in vacuum, or of the plane wave.

    Attributes
    ----------
    kind : one of ``PLACING``.
    wave : one of ``WAVES``: a wave that goes on, a single pulse, or one whose frequency rises.
    direction : of a plane wave, or what an array is steered to; degrees counterclockwise from x.
    count : elements of an array.
    speed : of a moving source, which goes on in the direction it was dragged in.
    tilt : of a wave through walls, from straight in, in degrees counterclockwise.
    mode : number of a guided mode.
    """

    frequency: float = 1.0
    height: float = 1.0
    wave: str = "sine"
    kind: str = "point"
    direction: float = 0.0
    count: int = 8
    speed: float = 0.5
    tilt: float = 0.0
    mode: int = 1

    @property
    def placing(self) -> str:
        """ "click", "line", "box", "edge" or "edges"."""
        return PLACING[self.kind]

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

    @property
    def sheet_amplitude(self) -> float:
        """Peak of Jz of a line, which makes Ez = I / 2 on both sides, I the current across it."""
        k = 2 * math.pi * self.frequency
        across = math.sqrt(2 * math.pi) * self.radius * math.exp(-((k * self.radius) ** 2) / 2)
        return 2 * self.height / across

    def waveform(self, now: float) -> Waveform:
        """One that begins now, so that it comes into a running field without a jolt."""
        if self.wave == "pulse":
            return Ricker(self.frequency, _rounded(now + PERIODS_BEFORE_CREST / self.frequency))
        if self.wave == "chirp":
            duration = _rounded(CHIRP_PERIODS / self.frequency)
            return Chirp(_rounded(self.frequency / 2), self.frequency, duration, _rounded(now))
        return Sine(self.frequency, delay=_rounded(now))

    def source(self, name: str, start: Point, end: Point, now: float) -> Source:
        """The source that was placed at ``start``, or dragged from there to ``end``."""
        waveform, radius = self.waveform(now), self.radius
        lower = (min(start[0], end[0]), min(start[1], end[1]))
        upper = (max(start[0], end[0]), max(start[1], end[1]))
        match self.kind:
            case "line":
                return LineSource(name, start, end, radius, self.sheet_amplitude, waveform)
            case "array":
                each = self.amplitude / math.sqrt(self.count)
                return ArraySource(
                    name, start, end, self.count, radius, each, waveform, self.direction
                )
            case "moving":
                pace = self.speed / max(math.dist(start, end), 1e-300)
                speed = (pace * (end[0] - start[0]), pace * (end[1] - start[1]))
                x, y = straight_way(start, speed, now)
                return MovingSource(name, x, y, radius, self.amplitude, waveform)
            case "region":
                # What one wavelength of it makes.
                peak = 2 * math.pi * self.frequency * self.height
                return RegionSource(name, Rectangle(lower, upper), peak, waveform)
            case "plane wave":
                shape = Rectangle(lower, upper)
                return PlaneWave(name, self.direction, self.height, waveform, shape)
        return PointSource(name, start, radius, self.amplitude, waveform)

    def through(
        self, name: str, edges: tuple[str, ...], inward: float, sides: str, now: float
    ) -> PlaneWave | GuidedMode:
        """The wave that comes in through edges.

        Parameters
        ----------
        inward : straight in at the first of them, in degrees counterclockwise from the x axis.
        sides : the walls beside the end of a guide.
        """
        waveform = self.waveform(now)
        if self.kind == "guided mode":
            frequency = None if isinstance(waveform, Sine | Ricker) else self.frequency
            return GuidedMode(name, edges[0], self.height, waveform, self.mode, sides, frequency)
        direction = turned(inward, self.tilt)
        return PlaneWave(name, direction, self.height, waveform, edges=edges)


def turned(direction: float, by: float) -> float:
    """Degrees above -180, up to 180, without digits that mean nothing."""
    return round(180 - (180 - direction - by) % 360, 1)


def fitting_frequency(edge: float) -> float:
    """A frequency in vacuum that elements with edges of this length carry well."""
    return float(f"{1 / (ELEMENTS_PER_WAVELENGTH * edge):.1e}")


def _rounded(time: float) -> float:
    """What is written in a scene file has no digits that mean nothing."""
    return float(f"{time:.4g}")
