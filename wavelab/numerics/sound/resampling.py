"""Band-limited samples at another rate."""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array

#: Zeros after the samples: part of them, and how many at least.
_ZEROS, _LEAST = 8, 256
#: Lengths that are tried.
_TRIED = 4096


def resampled(values: Array, rate: float, new_rate: float) -> Array:
    """Samples at 0, 1 / new_rate, ... of what is band-limited below half of both rates.

    The trigonometric polynomial through ``values`` and some zeros, whose number makes the period a
    whole number of samples at both rates, but for 1e-3 of one: so no frequency is off by more than
    that over the whole length.

    Parameters
    ----------
    values : (n,) at 0, 1 / rate, ...; what is above half of the new rate is left out.

    Returns
    -------
    (m,) with m the largest number that ends no later.
    """
    ratio = new_rate / rate
    lengths = len(values) + max(_LEAST, len(values) // _ZEROS) + np.arange(_TRIED)
    news = np.maximum(np.rint(lengths * ratio), 2)
    best = int(np.argmin(np.abs(lengths * ratio - news) / news))
    length, new = int(lengths[best]), int(news[best])
    spectrum = np.fft.rfft(values, length)
    kept = (min(length, new) + 1) // 2
    found = np.zeros(new // 2 + 1, dtype=complex)
    found[:kept] = spectrum[:kept]
    count = int((len(values) - 1) * ratio * (1 + 1e-12)) + 1
    return np.fft.irfft(found, new)[:count] * (new / length)


def faded(values: Array, length: int) -> Array:
    """The same with both ends rising and falling over ``length`` samples, as a raised cosine."""
    n = len(values)
    into = np.minimum(np.arange(n), np.arange(n)[::-1]) / max(1, min(length, n // 2))
    return values * (1 - np.cos(np.pi * np.minimum(into, 1.0))) / 2
