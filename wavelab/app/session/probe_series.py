"""What the probes recorded, kept for plotting and saving."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    def times(self) -> NDArray[np.float64]:
        """(m,) a view, valid until the next ``add``."""
        return self._times[: self._rows]

    @property
    def values(self) -> NDArray[np.float64]:
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

    def since(self, start: float, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The samples from time ``start`` on, thinned for drawing without losing a peak.

        Parameters
        ----------
        start : simulated time.
        columns : pixel columns the samples will cover.

        Returns
        -------
        times : (n,) increasing.
        values : (n, p).  With many samples, pairs of rows hold the least and the greatest value
            of groups of samples.
        """
        first = max(0, int(np.searchsorted(self.times, start)) - 1)
        group = 1
        while (self._rows - first) // (2 * group) > columns:
            group *= 2
        if group == 1:
            return self.times[first:], self.values[first:]
        # Groups begin at multiples of their size, so that a curve that scrolls does not shimmer.
        first -= first % group
        whole = (self._rows - first) // group * group
        blocks = self.values[first : first + whole].reshape(-1, group, len(self.names))
        pairs = np.stack([blocks.min(axis=1), blocks.max(axis=1)], axis=1)
        middle = self.times[first : first + whole].reshape(-1, group)[:, group // 2]
        # The samples that do not fill a group yet are kept as they are: the live end.
        return (
            np.concatenate([np.repeat(middle, 2), self.times[first + whole :]]),
            np.concatenate([pairs.reshape(-1, len(self.names)), self.values[first + whole :]]),
        )
