"""What the next source the user places is like."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.scene.formula import Formula
from wavelab.scene.scene import (
    ArraySource,
    Chirp,
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
from wavelab.scene.shapes import Point, Rectangle

#: Wavelength of the first source in element sizes.
ELEMENTS_PER_WAVELENGTH = 6.0
#: Radius of a source in wavelengths: nearly a point, and still smooth on such a mesh.
RADIUS = 1 / 12
#: Periods from now to the crest of a pulse; it begins with less than 1e-8 of the crest.
PULSE_DELAY = 1.5
#: A chirp rises from half the frequency to it in this many periods.
CHIRP_PERIODS = 12.0

#: Kind -> how it is placed: with a click, along a line or over a box that is dragged.
PLACING = {
    "point": "click",
    "line": "line",
    "array": "line",
    "moving": "line",
    "region": "box",
    "plane wave": "box",
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
    """

    frequency: float = 1.0
    height: float = 1.0
    wave: str = "sine"
    kind: str = "point"
    direction: float = 0.0
    count: int = 8
    speed: float = 0.5

    @property
    def placing(self) -> str:
        """ "click", "line" or "box"."""
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
            return Ricker(self.frequency, _rounded(now + PULSE_DELAY / self.frequency))
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
                x, y = _path(start, end, self.speed, now)
                return MovingSource(name, x, y, radius, self.amplitude, waveform)
            case "region":
                # What one wavelength of it makes.
                peak = 2 * math.pi * self.frequency * self.height
                return RegionSource(name, Rectangle(lower, upper), peak, waveform)
            case "plane wave":
                shape = Rectangle(lower, upper)
                return PlaneWave(name, self.direction, self.height, waveform, shape)
        return PointSource(name, start, radius, self.amplitude, waveform)


def fitting_frequency(edge: float) -> float:
    """A frequency in vacuum that elements with edges of this length carry well."""
    return float(f"{1 / (ELEMENTS_PER_WAVELENGTH * edge):.1e}")


def _path(start: Point, end: Point, speed: float, now: float) -> tuple[Formula, Formula]:
    length = math.dist(start, end)
    formulas = []
    for a, b in zip(start, end, strict=True):
        pace = speed * (b - a) / length if length else 0.0
        formulas.append(Formula.parse(f"{a:.4g} + {pace:.4g}*(t - {_rounded(now):g})", ("t",)))
    return formulas[0], formulas[1]


def _rounded(time: float) -> float:
    """What is written in a scene file has no digits that mean nothing."""
    return float(f"{time:.4g}")
