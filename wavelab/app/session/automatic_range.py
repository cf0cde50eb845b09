"""The automatic colour range: up at once, down slowly, never into the rounding noise."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

#: Of what is not quiet, the part that is not brighter than full colour: a source or a focus, which
#: are many times as bright as the wave, do not darken it.
MOST = 0.98
#: Quiet is what is weaker than this part of the largest value; a wave that has just begun is in few
#: places.
QUIET = 2e-3
#: Where the brightest spot counts, full colour is this quantile of |value| everywhere.
QUANTILE = 0.995
#: But at most this factor below the largest value, so that a small wave is not one flat patch.
CLIPPING = 3.0
#: Seconds of wall time in which the range shrinks by a factor e.
SHRINKING_TIME = 2.0
#: Share of the largest range so far below which nothing is magnified further.
FLOOR = 1e-4
#: Values looked at in each frame; more do not change the quantile visibly.
SAMPLES = 20_000


class AutomaticRange:
    """Follows the size of the field from frame to frame.

    Attributes
    ----------
    robust : whether it follows most of the wave, or else its brightest spot.
    """

    def __init__(self, *, robust: bool = True) -> None:
        self.robust = robust
        self.reset()

    def reset(self) -> None:
        """Forget what was seen: another field or another quantity comes."""
        self._limit = 0.0
        self._peak = 0.0

    def update(self, values: NDArray[np.floating], seconds: float) -> float:
        """The limit for these values, ``seconds`` of wall time after the last ones.

        Values that are not finite are left out.  Without any field the limit is 1.
        """
        target = _size(values, self.robust)
        shrunk = self._limit * math.exp(-max(seconds, 0.0) / SHRINKING_TIME)
        self._peak = max(self._peak, target)
        self._limit = max(target, shrunk, FLOOR * self._peak)
        return self._limit if self._limit > 0 else 1.0


def _size(values: NDArray[np.floating], robust: bool) -> float:
    flat = values.reshape(-1)
    # Two passes over large fields take a quarter of the time of their absolute values.  A maximum
    # passes over NaN without a warning only this way.
    highest, lowest = np.fmax.reduce(flat, initial=0.0), np.fmin.reduce(flat, initial=0.0)
    largest = max(float(highest), -float(lowest))
    if not math.isfinite(largest):
        flat = flat[np.isfinite(flat)]
        largest = float(np.abs(flat).max(initial=0.0))
    sample = np.abs(flat[:: max(1, len(flat) // SAMPLES)])
    sample = sample[np.isfinite(sample)]
    if not len(sample):
        return largest
    if robust:
        wave = sample[sample > QUIET * largest]
        return _quantile(wave, MOST) if len(wave) else largest
    return max(_quantile(sample, QUANTILE), largest / CLIPPING)


def _quantile(values: NDArray[np.floating], part: float) -> float:
    index = min(len(values) - 1, int(part * len(values)))
    return float(np.partition(values, index)[index])
