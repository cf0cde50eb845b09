"""Time functions of sources: every one is a formula, for NumPy and for kernels alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sources import CurrentSource, GuidedMode, Source
from wavelab.scene.model.waveforms import (
    Chirp,
    FormulaWaveform,
    GaussianPulse,
    Ricker,
    Sine,
    Waveform,
)

#: exp(-u^2 / 2) is less than the rounding of double precision beyond this u.
_OVER = 9.0


@dataclass(frozen=True)
class TimeFunction:
    """f(t), dimensionless.

    Attributes
    ----------
    formula : of ``t``, which here is the time since ``origin``.
    settled : time since the origin from which on f repeats itself with ``period``, or stays 0 if
        that is 0; None if it never does, or nobody knows.
    """

    formula: Formula
    origin: float = 0.0
    settled: float | None = None
    period: float = 0.0

    def __call__(self, t: ArrayLike) -> NDArray[np.float64]:
        """f at these times, in their shape.

        Raises
        ------
        FormulaError : f has no finite value at one of them.
        """
        return self.formula.evaluate(t=np.asarray(t, np.float64) - self.origin)

    def delayed(self, delay: float) -> TimeFunction:
        """f(t - delay)."""
        return replace(self, origin=self.origin + delay)

    def folded(self, t: ArrayLike, span: float) -> NDArray[np.float64]:
        """Times since the origin that give what ``t`` gives, for all delays from 0 to ``span``.

        They stay small however long a run lasts, so that a kernel in single precision can tell a
        phase after a million periods as well as after one.
        """
        since = np.asarray(t, np.float64) - self.origin
        if self.settled is None:
            return since
        last = self.settled + span
        beyond = np.maximum(since - last, 0.0)
        return np.minimum(since, last) + (np.fmod(beyond, self.period) if self.period else 0.0)


def waveform_function(waveform: Waveform) -> TimeFunction:
    """f(t) of a waveform."""
    return _WAVEFORMS[type(waveform)](waveform)


def _of_t(text: str) -> Formula:
    return Formula.parse(text, ("t",))


def _sine(w: Sine) -> TimeFunction:
    rise, turns = w.ramp / w.frequency, 2 * math.pi * w.frequency
    # A raised cosine: a sudden start would ring at every frequency the mesh has.
    envelope = f"(1 if t >= {rise!r} else (1 - cos({math.pi / rise!r}*t))/2)*" if rise else ""
    formula = _of_t(f"{envelope}sin({turns!r}*t + {w.phase!r}) if t > 0 else 0")
    return TimeFunction(formula, w.delay, rise, 1 / w.frequency)


def _gaussian(w: GaussianPulse) -> TimeFunction:
    return TimeFunction(_of_t(f"exp(-(t/{w.width!r})^2/2)"), w.delay, _OVER * w.width)


def _ricker(w: Ricker) -> TimeFunction:
    square = f"({math.pi * w.frequency!r}*t)^2"
    over = _OVER / math.sqrt(2) / (math.pi * w.frequency)
    return TimeFunction(_of_t(f"(1 - 2*{square})*exp(-{square})"), w.delay, over)


def _chirp(w: Chirp) -> TimeFunction:
    first, slope = 2 * math.pi * w.start, math.pi * (w.stop - w.start) / w.duration
    ends = w.taper * w.duration
    # How far into the nearer end, 1 between the ends.
    depth = f"min(min(t, {w.duration!r} - t)/{ends!r}, 1)"
    envelope = f"(1 - cos(pi*{depth}))/2*" if ends else ""
    wave = f"{envelope}sin(({first!r} + {slope!r}*t)*t)"
    return TimeFunction(
        _of_t(f"{wave} if t > 0 and t < {w.duration!r} else 0"), w.delay, w.duration
    )


def _formula(w: FormulaWaveform) -> TimeFunction:
    return TimeFunction(w.formula)


def highest_frequency(waveform: Waveform) -> float | None:
    """Frequency above which the spectrum stays below 1 % of its largest value; None if unknown.

    A sine has its own; switched on smoothly over two periods it has little else.
    """
    match waveform:
        case Sine(frequency):
            return frequency
        case Chirp(start, stop):
            return max(start, stop)
        case GaussianPulse(width):
            # exp(-(2 pi f width)^2 / 2) = 0.01
            return math.sqrt(2 * math.log(100)) / (2 * math.pi * width)
        case Ricker(frequency):
            # u^2 exp(1 - u^2) = 0.01 at u = f / frequency = 2.762
            return 2.762 * frequency
    return None


def source_frequency(source: Source) -> float | None:
    """The highest frequency a source sends, if it is known; a moving one shifts it."""
    return None if isinstance(source, CurrentSource) else highest_frequency(source.waveform)


def lowest_frequency(source: Source) -> float | None:
    """The frequency that a source is known by, the lower one of a chirp's ends; None of a pulse or
    formula that has none of its own."""
    match getattr(source, "waveform", None):
        case Sine(frequency) | Ricker(frequency):
            return frequency
        case Chirp(start, stop):
            return min(start, stop) or max(start, stop)
    return None


def carrier(source: GuidedMode) -> float:
    """The frequency that a guided mode is made for."""
    if source.frequency is not None:
        return source.frequency
    assert isinstance(source.waveform, Sine | Ricker)
    return source.waveform.frequency


_WAVEFORMS: dict[type, Callable[..., TimeFunction]] = {
    Sine: _sine,
    GaussianPulse: _gaussian,
    Ricker: _ricker,
    Chirp: _chirp,
    FormulaWaveform: _formula,
}
