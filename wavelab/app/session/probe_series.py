"""What the probes recorded, kept for plotting and saving."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.simulation.messages.frames import ProbeSamples

#: Numbers kept over all probes, 32 MB; older ones are dropped.
CAPACITY = 4_000_000


class ProbeSeries:
    """Grows with every frame; a new series of samples starts it afresh.

    Attributes
    ----------
    names : (p,) the probes.
    """

    def __init__(self) -> None:
        self._series: int | None = None
        self.clear()

    def clear(self) -> None:
        self.names: tuple[str, ...] = ()
        self._rows = 0
        self._times = np.zeros(0)
        self._values = np.zeros((0, 0))

    @property
    def times(self) -> Array:
        """(m,) a view, valid until the next ``add``."""
        return self._times[: self._rows]

    @property
    def values(self) -> Array:
        """(m, p) a view, valid until the next ``add``."""
        return self._values[: self._rows]

    def add(self, samples: ProbeSamples) -> None:
        if samples.series != self._series or samples.names != self.names:
            self.clear()
            self._series, self.names = samples.series, samples.names
            self._values = np.zeros((0, len(samples.names)))
        n = len(samples)
        if n == 0 or not self.names:
            return
        largest = max(1, CAPACITY // len(self.names))
        if self._rows + n > largest:
            # Half is dropped at a time, so that the copying is rare.
            keep = min(self._rows, max(0, largest // 2 - n))
            self._times[:keep] = self._times[self._rows - keep : self._rows].copy()
            self._values[:keep] = self._values[self._rows - keep : self._rows].copy()
            self._rows = keep
        if self._rows + n > len(self._times):
            size = max(1024, 2 * (self._rows + n))
            self._times = np.resize(self._times, size)
            grown = np.zeros((size, len(self.names)))
            grown[: self._rows] = self._values[: self._rows]
            self._values = grown
        self._times[self._rows : self._rows + n] = samples.times
        self._values[self._rows : self._rows + n] = samples.values
        self._rows += n
