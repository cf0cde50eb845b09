"""Damped oscillations in signals: frequencies far finer than one over the length of the record.

Signals that are sums of a few exponentials z_k^n satisfy linear recurrences, so the matrix of their
shifted copies has as many singular values as there are exponentials, and the shift maps its column
space onto itself: ESPRIT (Roy & Kailath, IEEE Trans. ASSP 37 (1989) 984), in the band-limited form
of filter diagonalization (Mandelshtam & Taylor, J. Chem. Phys. 107 (1997) 6756): the band is mixed
down to 0, filtered and thinned out first, so that the matrices stay small however long the record
is and oscillations outside of the band do not matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Complex

#: Of Kaiser's window; what is outside of the band is smaller by about 1e-7.
_KAISER_BETA = 12.0
#: Length of the filter in units of one over its transition band, for this window.
_FILTER_LENGTH = 5.2
#: Samples per bandwidth after thinning out.
_OVERSAMPLING = 2.0
#: Singular values below this part of the largest are noise.
_NOISE = 1e-7
#: Most samples that go into the matrices after thinning out.
_MOST_SAMPLES = 1200


@dataclass(frozen=True, eq=False)
class Oscillation:
    """Re[amplitude exp(-(2 pi i frequency + decay) t)].

    Attributes
    ----------
    frequency : in cycles per time.
    decay : rate, negative for one that grows.
    amplitude : (n_channels,) complex.
    """

    frequency: float
    decay: float
    amplitude: Complex

    @property
    def strength(self) -> float:
        """Root of the sum of the squared amplitudes."""
        return float(np.linalg.norm(self.amplitude))


def oscillations(
    samples: Array, dt: float, band: tuple[float, float], *, threshold: float = 1e-5
) -> list[Oscillation]:
    """All that is in a band, by frequency.

    Parameters
    ----------
    samples : (n, n_channels) real signals with common frequencies; more channels tell close ones
        apart earlier.
    dt : time between samples, the first of which is at time 0.
    band : lowest and highest frequency, below the Nyquist frequency 1 / (2 dt).
    threshold : what is weaker, in parts of the strongest, is left out; root mean square over the
        record, in which a field that leaves at once may begin a thousand times stronger than what
        goes on ringing.

    Raises
    ------
    ValueError : the band is none, or the record is shorter than about ten over its width.
    """
    low, high = band
    if not 0 <= low < high < 0.5 / dt:
        raise ValueError(f"{band} is no band of frequencies below {0.5 / dt}")
    center, width = (low + high) / 2, high - low
    baseband, every, first = _baseband(samples, dt, center, width)
    rate = every * dt
    n, channels = baseband.shape
    if n < 8:
        raise ValueError(f"a record of {len(samples)} samples is too short for the band {band}")
    rows = n // 2
    windows = np.lib.stride_tricks.sliding_window_view(baseband, n - rows + 1, axis=0)
    hankel = windows.reshape(rows, channels * (n - rows + 1))
    left, values, _ = np.linalg.svd(hankel, full_matrices=False)
    rank = min(int(np.sum(values > _NOISE * values[0])) if values[0] > 0 else 0, rows - 1)
    if rank == 0:
        return []
    space = left[:, :rank]
    poles = np.linalg.eigvals(np.linalg.lstsq(space[:-1], space[1:], rcond=None)[0])
    # One that grows by more than this over the record is no part of it.
    poles = poles[(np.abs(poles) ** n < 1e6) & (np.abs(poles) > 1e-6)].astype(np.complex128)
    exponents = np.log(poles) / rate
    # Back up from the middle of the band; the time factor is exp(-2 pi i f t).
    frequency = center - exponents.imag / (2 * np.pi)
    inside = (frequency >= low) & (frequency <= high)
    # A pole that dies within two samples, or grows as fast, is what noise looks like.
    inside &= np.abs(exponents.real) * rate < 2
    if not inside.any():
        return []
    # What the filter lets through beside the band is fitted too, and then left out.
    basis = poles[None, :] ** np.arange(n)[:, None]
    amplitude = np.linalg.lstsq(basis, baseband, rcond=None)[0][inside]
    heard = np.linalg.norm(amplitude, axis=1) * np.linalg.norm(basis[:, inside], axis=0)
    loud = heard > threshold * heard.max()
    inside[inside] = loud
    found = []
    for f, exponent, a in zip(frequency[inside], exponents[inside], amplitude[loud], strict=True):
        # To time 0, and without what the filter did to an exponential like this one.
        at_start = a * np.exp(-(exponent - 2j * np.pi * center) * first * dt)
        found.append(Oscillation(float(f), float(-exponent.real), 2 * at_start))
    return sorted(found, key=lambda o: o.frequency)


def _baseband(samples: Array, dt: float, center: float, width: float) -> tuple[Complex, int, float]:
    """The band around 0, thinned out: samples, how many steps apart, and the step of the first."""
    every = max(1, math.floor(1 / (_OVERSAMPLING * width * dt)))
    while len(samples) // every > _MOST_SAMPLES:
        every += 1
    # Passes half the width, and stops what would fold back into it.
    stop = 1 / (every * dt) - width / 2
    transition = max(stop - width / 2, width / 4)
    taps = 2 * math.ceil(_FILTER_LENGTH / (2 * transition * dt)) + 1
    taps = min(taps, 2 * ((len(samples) // 2 - 1) // 2) + 1)
    m = np.arange(taps) - taps // 2
    cutoff = (width / 2 + transition / 2) * dt
    kernel = 2 * cutoff * np.sinc(2 * cutoff * m) * np.kaiser(taps, _KAISER_BETA)
    kernel /= kernel.sum()
    mixed = samples * np.exp(2j * np.pi * center * dt * np.arange(len(samples)))[:, None]
    starts = range(0, len(samples) - taps + 1, every)
    thinned = np.array([kernel @ mixed[start : start + taps] for start in starts])
    return thinned, every, float(taps // 2)
