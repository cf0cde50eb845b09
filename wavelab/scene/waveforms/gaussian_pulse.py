"""A single bump in time, of all frequencies up to some."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from wavelab.scene.model.about import about
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.sending.waveform import OVER, TimeFunction, Waveform


@dataclass(frozen=True)
class GaussianPulse(Waveform):
    """exp(-((t - delay) / width)^2 / 2)."""

    width: float = field(
        metadata=about("Of the pulse: it is above 0.6 of its peak for twice this time")
    )
    delay: float

    def check(self, item: ItemPath, what: str) -> None:
        self._check_positive(item, what, "width")

    def function(self) -> TimeFunction:
        text, numbers = "exp(-(t/width)^2/2)", {"width": self.width}
        return TimeFunction.of(text, numbers, self.delay, OVER * self.width)

    @property
    def first_felt(self) -> float:
        return self.delay - 6.1 * self.width

    @property
    def highest_frequency(self) -> float:
        # exp(-(2 pi f width)^2 / 2) = 0.01
        return math.sqrt(2 * math.log(100)) / (2 * math.pi * self.width)
