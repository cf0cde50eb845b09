"""A sine whose frequency changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.sending.waveform import TimeFunction, Waveform, rounded

#: One that is placed by hand rises from half the frequency to it in this many periods.
CHIRP_PERIODS = 12.0


@dataclass(frozen=True)
class Chirp(Waveform):
    """A sine whose frequency goes evenly from ``start`` to ``stop`` between ``delay`` and
    ``delay + duration``, and nothing outside.

    Each end rises or falls smoothly over the part ``taper`` of the duration.
    """

    label: ClassVar[str] = "chirp"
    tip: ClassVar[str] = "The frequency rises from half of this one to it in 12 periods"

    start: float = field(metadata=about("Frequency at the beginning"))
    stop: float = field(metadata=about("Frequency at the end"))
    duration: float = field(metadata=about("How long the chirp sounds"))
    delay: float = 0.0
    taper: float = field(
        default=0.1, metadata=about("Part of the duration in which each end rises or falls")
    )

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "start", "stop", "duration")
        require(
            0 <= self.taper <= 0.5,
            (*item, "taper"),
            f"taper of {what} is {self.taper:g}",
            "It is the part of the duration that each end takes, 0 to 0.5.",
        )

    def function(self) -> TimeFunction:
        numbers = {
            "first": 2 * math.pi * self.start,
            "slope": math.pi * (self.stop - self.start) / self.duration,
            "duration": self.duration,
        }
        ends = self.taper * self.duration
        text = "sin((first + slope*t)*t) if t > 0 and t < duration else 0"
        if ends:
            # How far into the nearer end, 1 between the ends.
            depth = "min(min(t, duration - t)/ends, 1)"
            text = f"(1 - cos(pi*{depth}))/2*{text}"
            numbers["ends"] = ends
        return TimeFunction.of(text, numbers, self.delay, self.duration)

    @classmethod
    def starting(cls, frequency: float) -> Chirp:
        duration = rounded(CHIRP_PERIODS / frequency)
        return cls(rounded(frequency / 2), frequency, duration)

    @property
    def lowest_frequency(self) -> float:
        return min(self.start, self.stop) or max(self.start, self.stop)

    @property
    def highest_frequency(self) -> float:
        return max(self.start, self.stop)
