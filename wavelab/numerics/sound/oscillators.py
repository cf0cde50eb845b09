"""Sines that go on while their frequencies and amplitudes glide: sound without clicks."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.sound.partials import Partials

#: Part of its frequency by which a sine glides; what is farther away is another one.
_SAME = 0.03


class Oscillators:
    """Plays partials one after another, each block of samples going from the last ones to new ones.

    Frequencies and amplitudes change linearly within a block, and phases go on, so that nothing
    jumps; a sine that ends fades out, and one that begins fades in.  No sample is larger than the
    larger total of the partials at both ends of its block.

    Parameters
    ----------
    rate : samples in a second.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._frequencies = self._amplitudes = self._phases = np.zeros(0)

    @property
    def silent(self) -> bool:
        """Whether nothing sounds at the end of the last block."""
        return not self._amplitudes.any()

    def played(self, new: Partials, count: int) -> Array:
        """(count,) the next samples, at the end of which the partials are ``new``."""
        old = len(self._frequencies)
        begins, ends = self._frequencies.copy(), self._frequencies.copy()
        first, last = self._amplitudes.copy(), np.zeros(old)
        free = np.ones(old, dtype=bool)
        others: list[int] = []
        for i, frequency in enumerate(new.frequencies):
            away = np.where(free, np.abs(begins - frequency), np.inf)
            nearest = int(np.argmin(away)) if old else -1
            if old and away[nearest] <= _SAME * frequency:
                free[nearest] = False
                ends[nearest], last[nearest] = frequency, new.amplitudes[i]
            else:
                others.append(i)
        added = np.zeros(len(others))
        begins = np.concatenate([begins, new.frequencies[others]])
        ends = np.concatenate([ends, new.frequencies[others]])
        first = np.concatenate([first, added])
        last = np.concatenate([last, new.amplitudes[others]])
        phases = np.concatenate([self._phases, added])[:, None]
        n = np.arange(1, count + 1)
        turns = begins[:, None] * n + (ends - begins)[:, None] * n**2 / (2 * count)
        angles = phases + 2 * np.pi / self._rate * turns
        found = ((first[:, None] + (last - first)[:, None] * n / count) * np.sin(angles)).sum(0)
        kept = last > 0
        self._frequencies, self._amplitudes = ends[kept], last[kept]
        self._phases = np.fmod(angles[kept, -1], 2 * np.pi)
        return found
