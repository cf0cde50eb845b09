"""Amplitude spectra of what the probes recorded."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array

#: Newest samples that are transformed at most: a power of two, and quick enough for ten a second.
_MOST = 1 << 15
_FEWEST = 64
#: Shown up to where the amplitude falls below this part of the largest, and this much more.
_QUIET, _BEYOND = 0.01, 1.25


def amplitude_spectrum(times: Array, values: Array) -> tuple[Array, Array]:
    """Frequencies (m,) and amplitudes (m, p) of series (n, p) by a Hann window.

    A sine of amplitude 1 has a peak of 1.  The times are taken as evenly spread; with too few
    samples there are none.
    """
    times, values = times[-_MOST:], values[-_MOST:]
    n = len(times)
    if n < _FEWEST:
        return np.zeros(0), np.zeros((0, values.shape[1]))
    window = np.hanning(n)
    amplitudes = 2 * np.abs(np.fft.rfft(values * window[:, None], axis=0)) / window.sum()
    spacing = float(times[-1] - times[0]) / (n - 1)
    return np.asarray(np.fft.rfftfreq(n, spacing), np.float64), amplitudes


def shown_band(frequencies: Array, amplitudes: Array) -> float:
    """Highest frequency that is worth showing."""
    loud = amplitudes.max(axis=1) > _QUIET * amplitudes.max()
    highest = frequencies[np.flatnonzero(loud)[-1]] if loud.any() else frequencies[-1]
    return float(min(frequencies[-1], max(_BEYOND * highest, frequencies[min(8, len(loud) - 1)])))
