"""The field along a line of receivers, from what they recorded lately: its amplitude and its mean
square at each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.measuring.findings import MonitorResult

#: Newest rows of which the strongest frequency is found, and the fewest that will do.
_ROWS, _FEWEST = 2048, 32
#: Receivers that are listened to for it.
_LISTENERS = 24
#: Periods of it over which squares are averaged.  With Hann's weights what a part of a period more
#: or less changes is below 1e-3 of the mean from four periods on.
PERIODS = 8
_LEAST_PERIODS = 4


@dataclass(frozen=True, eq=False)
class Profile:
    """Attributes
    ----------
    along (p,) : way along the line to each receiver.
    points (p, 2) : where they are.
    now (p,) : the newest values.
    mean_square (p,) : by Hann's weights over the last ``duration``.
    duration : simulated time that was averaged over.
    frequency : the strongest in that time; None where there is no such.
    """

    along: Array
    points: Array
    now: Array
    mean_square: Array
    duration: float
    frequency: float | None

    @property
    def amplitude(self) -> Array:
        """(p,) of a steady sine with that mean square."""
        return np.sqrt(2 * self.mean_square)


def profile(result: MonitorResult) -> Profile | None:
    """What a monitor of kind "line" saw lately: over ``PERIODS`` periods of the strongest
    frequency, over what it has if that is less or there is none; None before the first step."""
    times, values = result.arrays["time"], result.arrays["values"]
    if not len(times):
        return None
    frequency = strongest_frequency(times[-_ROWS:], values[-_ROWS:])
    rows = len(times)
    if frequency is not None:
        rows = int(np.count_nonzero(times > times[-1] - PERIODS / frequency))
    times, values = times[-rows:], values[-rows:]
    # Without the zeros at the ends, so that few rows have a mean, too.
    weights = np.hanning(rows + 2)[1:-1]
    return Profile(
        result.arrays["along"],
        result.arrays["points"],
        values[-1],
        weights @ values**2 / weights.sum(),
        float(times[-1] - times[0]),
        frequency,
    )


def strongest_frequency(times: Array, values: Array) -> float | None:
    """Of traces (n, p) by a Hann window; None where there are fewer than a few periods of it, or
    what is slower is stronger.  The times are taken as evenly spread."""
    n = len(times)
    if n < _FEWEST:
        return None
    step = max(1, values.shape[1] // _LISTENERS)
    spectra = np.fft.rfft(values[:, ::step] * np.hanning(n)[:, None], axis=0)
    power = np.square(np.abs(spectra)).sum(axis=1)
    top = int(power.argmax())
    if not _LEAST_PERIODS <= top < len(power) - 1 or not power[top] > 0:
        return None
    # A parabola through the logarithms is near to the peak of Hann's window.
    before, peak, after = np.log(power[top - 1 : top + 2] + 1e-30 * power[top])
    offset = (before - after) / (2 * (before - 2 * peak + after))
    return float((top + offset) * (n - 1) / (n * (times[-1] - times[0])))
