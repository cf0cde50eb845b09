"""A single pulse around a frequency."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.sending.waveform import OVER, TimeFunction, Waveform, rounded

#: It begins this many periods before its crest, with less than 1e-8 of it.
PERIODS_BEFORE_CREST = 1.5


@dataclass(frozen=True)
class Ricker(Waveform):
    """(1 - 2 u) exp(-u) with u = (pi frequency (t - delay))^2."""

    label: ClassVar[str] = "pulse"
    tip: ClassVar[str] = "A single pulse around this frequency"

    frequency: float
    delay: float

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "frequency")

    def function(self) -> TimeFunction:
        pace = math.pi * self.frequency
        text = "(1 - 2*(pace*t)^2)*exp(-(pace*t)^2)"
        return TimeFunction.of(text, {"pace": pace}, self.delay, OVER / math.sqrt(2) / pace)

    @classmethod
    def starting(cls, frequency: float) -> Ricker:
        return cls(frequency, rounded(PERIODS_BEFORE_CREST / frequency))

    @property
    def first_felt(self) -> float:
        return self.delay - PERIODS_BEFORE_CREST / self.frequency

    @property
    def carrier(self) -> float:
        return self.frequency

    @property
    def highest_frequency(self) -> float:
        # u^2 exp(1 - u^2) = 0.01 at u = f / frequency = 2.762
        return 2.762 * self.frequency
