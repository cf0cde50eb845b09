"""A wave packet: a sine under a Gaussian envelope."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.sending.waveform import OVER, TimeFunction, Waveform, rounded

#: In widths: the envelope is below 1e-8 of its peak further away ...
_FIRST_FELT = 6.1
#: ... and its transform, in 1 / (2 pi width), below 1 % of its largest value.
_BAND = 3.035
#: Of one that is placed by hand.
PERIODS_IN_WIDTH = 1.0


@dataclass(frozen=True)
class ModulatedGaussian(Waveform):
    """sin(2 pi frequency (t - delay) + phase) exp(-((t - delay) / width)^2 / 2).

    Its spectrum is a Gaussian around ``frequency`` with the width 1 / (2 pi width).
    """

    label: ClassVar[str] = "wave packet"
    tip: ClassVar[str] = "A few periods of a sine that swell and fade: a narrow band"

    frequency: float
    width: float = field(
        metadata=about("Of the envelope: it is above 0.6 of its peak for twice this time")
    )
    delay: float
    phase: float = 0.0

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "frequency", "width")

    def function(self) -> TimeFunction:
        turns = 2 * math.pi * self.frequency
        return TimeFunction.of(
            "sin(turns*t + phase)*exp(-(t/width)^2/2)",
            {"turns": turns, "phase": self.phase, "width": self.width},
            self.delay,
            OVER * self.width,
        )

    @classmethod
    def starting(cls, frequency: float) -> ModulatedGaussian:
        width = PERIODS_IN_WIDTH / frequency
        return cls(frequency, rounded(width), rounded(_FIRST_FELT * width))

    @property
    def first_felt(self) -> float:
        return self.delay - _FIRST_FELT * self.width

    @property
    def carrier(self) -> float:
        return self.frequency

    @property
    def highest_frequency(self) -> float:
        return self.frequency + _BAND / (2 * math.pi * self.width)
