"""What the next source the user places is like."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wavelab.scene.scene import Ricker, Sine, Waveform

#: Wavelength of the first source in element sizes.
ELEMENTS_PER_WAVELENGTH = 6.0
#: Radius of a source in wavelengths: nearly a point, and still smooth on such a mesh.
RADIUS = 1 / 12
#: Periods from now to the crest of a pulse; it begins with less than 1e-8 of the crest.
PULSE_DELAY = 1.5


@dataclass(frozen=True)
class SourceSettings:
    """``height`` is the peak of Ez one wavelength away in vacuum; ``pulse`` tells a single pulse
    from a wave that goes on."""

    frequency: float = 1.0
    height: float = 1.0
    pulse: bool = False

    @property
    def radius(self) -> float:
        return RADIUS / self.frequency

    @property
    def amplitude(self) -> float:
        """Peak of Jz.

        A line current I makes Ez = (k / 4) I |H0(k d)| in a vacuum with c = 1; a Gaussian of radius
        r counts as I = 2 pi r^2 exp(-(k r)^2 / 2) Jz, and |H0(k d)| is sqrt(2 / (pi k d)) within
        1 % a wavelength away.
        """
        k = 2 * math.pi * self.frequency
        current = 2 * math.pi * self.radius**2 * math.exp(-((k * self.radius) ** 2) / 2)
        return self.height / (k / 4 * current / math.pi)

    def waveform(self, now: float) -> Waveform:
        """One that begins now, so that it comes into a running field without a jolt."""
        if self.pulse:
            return Ricker(self.frequency, _rounded(now + PULSE_DELAY / self.frequency))
        return Sine(self.frequency, delay=_rounded(now))


def fitting_frequency(edge: float) -> float:
    """A frequency in vacuum that elements with edges of this length carry well."""
    return float(f"{1 / (ELEMENTS_PER_WAVELENGTH * edge):.1e}")


def _rounded(time: float) -> float:
    """What is written in a scene file has no digits that mean nothing."""
    return float(f"{time:.4g}")
