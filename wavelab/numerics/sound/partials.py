"""The sines that something recorded is made of, as far as they stand out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array

#: Partials that are kept, and the part of the strongest that each must have: 60 dB below.
MOST, _LEAST = 24, 1e-3
#: Of Blackman and Harris: beside a sine it leaves nothing above -92 dB that would pass for another
#: (Harris, *On the use of windows for harmonic analysis with the DFT*, 1978).
_WINDOW = (0.35875, -0.48829, 0.14128, -0.01168)
_SWINGS = 4
#: How much finer than it resolves a spectrum is sampled: peaks are then found within 1e-4 of that.
_FINER = 4
#: Samples that are transformed; more are joined by their means before.
_SAMPLES = 1 << 14


@dataclass(frozen=True, eq=False)
class Partials:
    """Sines: (n,) frequencies and amplitudes each."""

    frequencies: Array
    amplitudes: Array

    @property
    def total(self) -> float:
        """What no sum of them exceeds."""
        return float(self.amplitudes.sum())

    def scaled(self, pitch: float, gain: float) -> Partials:
        """Of other frequencies and amplitudes, by two factors."""
        return Partials(self.frequencies * pitch, self.amplitudes * gain)

    def between(self, low: float, high: float) -> Partials:
        """Those within a band."""
        within = (self.frequencies >= low) & (self.frequencies <= high)
        return Partials(self.frequencies[within], self.amplitudes[within])


NONE = Partials(np.zeros(0), np.zeros(0))


def partials(values: Array, spacing: float) -> Partials:
    """The partials of samples (n,) that are ``spacing`` apart, the strongest first.

    Peaks of the spectrum, between whose samples a parabola through the logarithm is followed.  What
    swings less than ``_SWINGS`` times cannot be told from a mean value, and is not counted.
    """
    joined = max(1, len(values) // _SAMPLES)
    if joined > 1:
        values = values[len(values) % joined :].reshape(-1, joined).mean(axis=1)
        spacing *= joined
    n = len(values)
    if n < 8 or not np.isfinite(values).all():
        return NONE
    angle = 2 * np.pi * (np.arange(n) + 0.5) / n
    window = np.cos(angle[:, None] * np.arange(len(_WINDOW))) @ np.array(_WINDOW)
    length = _FINER * (1 << (n - 1).bit_length())
    strength = np.abs(np.fft.rfft((values - values.mean()) * window, length)) * 2 / window.sum()
    inner = strength[1:-1]
    floor = max(_LEAST * float(strength.max()), np.finfo(float).tiny)
    peak = (inner > strength[:-2]) & (inner >= strength[2:]) & (inner >= floor)
    at = np.flatnonzero(peak) + 1
    at = at[at * n >= _SWINGS * length]
    at = at[np.argsort(-strength[at], kind="stable")[:MOST]]
    below, here, above = (np.log(np.maximum(strength[at + i], floor / 1e9)) for i in (-1, 0, 1))
    bend = below - 2 * here + above
    aside = np.where(bend < 0, 0.5 * (below - above) / np.where(bend < 0, bend, -1.0), 0.0)
    top = np.exp(here - 0.25 * (below - above) * aside)
    return Partials((at + aside) / (length * spacing), top)


def strongest_frequency(values: Array, spacing: float) -> float | None:
    """Of samples that are ``spacing`` apart; None of what does not swing."""
    found = partials(values, spacing)
    return float(found.frequencies[0]) if len(found.frequencies) else None
