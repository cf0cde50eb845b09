"""A wave that goes on."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.sending.waveform import TimeFunction, Waveform


@dataclass(frozen=True)
class Sine(Waveform):
    """sin(2 pi frequency (t - delay) + phase), switched on smoothly over ``ramp`` periods.

    Switched on over two periods it has little beside its own frequency.
    """

    label: ClassVar[str] = "sine"
    tip: ClassVar[str] = "A wave that goes on"

    frequency: float
    phase: float = 0.0
    delay: float = 0.0
    ramp: float = field(default=2.0, metadata=about("Periods in which the sine is switched on"))

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "frequency")
        require(
            self.ramp >= 0,
            (*item, "ramp"),
            f"ramp of {what} is {self.ramp:g}",
            "It must not be negative; 0 starts at once.",
        )

    def function(self) -> TimeFunction:
        rise = self.ramp / self.frequency
        numbers = {"turns": 2 * math.pi * self.frequency, "phase": self.phase}
        text = "sin(turns*t + phase) if t > 0 else 0"
        if rise:
            # A raised cosine: a sudden start would ring at every frequency the mesh has.
            text = f"(1 if t >= rise else (1 - cos(pace*t))/2)*{text}"
            numbers |= {"rise": rise, "pace": math.pi / rise}
        return TimeFunction.of(text, numbers, self.delay, rise, 1 / self.frequency)

    @classmethod
    def starting(cls, frequency: float) -> Sine:
        return cls(frequency)

    @property
    def carrier(self) -> float:
        return self.frequency
