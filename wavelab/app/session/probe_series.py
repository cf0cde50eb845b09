"""What the probes recorded, kept for plotting and saving."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.simulation.messages.frames import Frame, ProbeSamples

#: Numbers kept over all probes, 32 MB; older ones are dropped.
CAPACITY = 4_000_000


class ProbeSeries:
    """Grows with every frame; a new series of samples starts it afresh.

    Where the wave goes back it is shown up to then, and what comes after is kept until another
    future takes its place.

    Attributes
    ----------
    names : (p,) the probes.
    """

    def __init__(self) -> None:
        self._series: int | None = None
        self.clear()

    def clear(self) -> None:
        self.names: tuple[str, ...] = ()
        self._rows = self._shown = 0
        self._times = np.zeros(0)
        self._values = np.zeros((0, 0))

    @property
    def times(self) -> Array:
        """(m,) a view, valid until the next ``add``."""
        return self._times[: self._shown]

    @property
    def values(self) -> Array:
        """(m, p) a view, valid until the next ``add``."""
        return self._values[: self._shown]

    def show(self, frame: Frame) -> None:
        """What the probes have seen up to a frame."""
        self.add(frame.probes)
        if frame.past is not None:
            within = 0.5 * frame.dt
            known = self._times[: self._rows]
            self._rows = int(known.searchsorted(frame.past.newest_time + within))
            self._shown = int(known[: self._rows].searchsorted(frame.time + within))

    def add(self, samples: ProbeSamples) -> None:
        """Those since the frame before, in place of what was there at their times."""
        if samples.series != self._series or samples.names != self.names:
            self.clear()
            self._series, self.names = samples.series, samples.names
            self._values = np.zeros((0, len(samples.names)))
        if len(samples) and self.names:
            # Each time that the wave went back they begin again.
            again = 1 + np.flatnonzero(np.diff(samples.times) <= 0)
            for first, end in zip([0, *again], [*again, len(samples)], strict=True):
                self._put(samples.times[first:end], samples.values[first:end])
        self._shown = self._rows

    def _put(self, times: Array, values: Array) -> None:
        known = self._times[: self._rows]
        if self._rows and times[0] <= known[-1]:
            first, end = known.searchsorted([times[0], times[-1]], side="left")
            same = min(int(end) + 1, self._rows) - int(first)
            if same == len(times) and np.array_equal(known[first : first + same], times):
                self._values[first : first + same] = values
                return
            self._rows = int(first)
        self._append(times, values)

    def _append(self, times: Array, values: Array) -> None:
        n = len(times)
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
        self._times[self._rows : self._rows + n] = times
        self._values[self._rows : self._rows + n] = values
        self._rows += n
