"""A waveform that a program gives, by its samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from wavelab.scene.model.item_error import ItemPath, require
from wavelab.scene.model.sending.waveform import TimeFunction, Waveform
from wavelab.scene.recordings.recording import LEAST_SAMPLES, Recording
from wavelab.scene.recordings.spline import AHEAD, Spline


@dataclass(frozen=True)
class GivenWaveform(Waveform):
    """Samples in units of time, and a spline through them; 0 before and after.

    No scene file has a name for it: it holds numbers alone.
    """

    calmer: ClassVar[str] = "a higher order, or a slower waveform"

    samples: Recording

    def check(self, item: ItemPath, what: str) -> None:
        count = len(self.samples.values)
        require(
            count >= LEAST_SAMPLES,
            item,
            f"the waveform of {what} has {count} samples",
            f"It must have {LEAST_SAMPLES} or more.",
        )
        require(
            bool(np.isfinite(self.samples.values).all()),
            item,
            f"the waveform of {what} has a sample that is not finite",
        )
        require(
            self.samples.spacing > 0,
            item,
            f"the samples of the waveform of {what} lie {self.samples.spacing:g} apart",
            "Time must go on from one to the next.",
        )

    def function(self) -> TimeFunction:
        spline = _spline(self.samples)
        return TimeFunction(spline, 0.0, max(spline.end, 0.0))

    @property
    def first_felt(self) -> float:
        return self.samples.start - AHEAD * self.samples.spacing

    @property
    def silent(self) -> str:
        return "" if self.samples.values.any() else "give a waveform that is not 0 all the time"

    @property
    def lowest_frequency(self) -> float | None:
        """The strongest one."""
        band = _band(self.samples)
        return None if band is None else band[0]

    @property
    def highest_frequency(self) -> float | None:
        band = _band(self.samples)
        return None if band is None else band[1]


@lru_cache(maxsize=8)
def _spline(samples: Recording) -> Spline:
    return Spline.through(samples.values, samples.spacing, samples.start)


@lru_cache(maxsize=8)
def _band(samples: Recording) -> tuple[float, float] | None:
    return samples.band()
