"""Time functions of sources."""

from __future__ import annotations

import math
from collections.abc import Callable

from wavelab.scene.scene import FormulaWaveform, GaussianPulse, Ricker, Sine, Waveform


def waveform_function(waveform: Waveform) -> Callable[[float], float]:
    """f(t) of a waveform, dimensionless."""
    return _WAVEFORMS[type(waveform)](waveform)


def _sine(w: Sine) -> Callable[[float], float]:
    rise = w.ramp / w.frequency

    def f(t: float) -> float:
        since = t - w.delay
        if since <= 0:
            return 0.0
        # A raised cosine: a sudden start would ring at every frequency the mesh has.
        envelope = 1.0 if since >= rise else (1 - math.cos(math.pi * since / rise)) / 2
        return envelope * math.sin(2 * math.pi * w.frequency * since + w.phase)

    return f


def _gaussian(w: GaussianPulse) -> Callable[[float], float]:
    return lambda t: math.exp(-(((t - w.delay) / w.width) ** 2) / 2)


def _ricker(w: Ricker) -> Callable[[float], float]:
    def f(t: float) -> float:
        u = (math.pi * w.frequency * (t - w.delay)) ** 2
        return (1 - 2 * u) * math.exp(-u)

    return f


def _formula(w: FormulaWaveform) -> Callable[[float], float]:
    return lambda t: float(w.formula.evaluate(t=t))


def highest_frequency(waveform: Waveform) -> float | None:
    """Frequency above which the spectrum stays below 1 % of its largest value; None if unknown.

    A sine has its own; switched on smoothly over two periods it has little else.
    """
    match waveform:
        case Sine(frequency):
            return frequency
        case GaussianPulse(width):
            # exp(-(2 pi f width)^2 / 2) = 0.01
            return math.sqrt(2 * math.log(100)) / (2 * math.pi * width)
        case Ricker(frequency):
            # u^2 exp(1 - u^2) = 0.01 at u = f / frequency = 2.762
            return 2.762 * frequency
    return None


_WAVEFORMS: dict[type, Callable[..., Callable[[float], float]]] = {
    Sine: _sine,
    GaussianPulse: _gaussian,
    Ricker: _ricker,
    FormulaWaveform: _formula,
}
