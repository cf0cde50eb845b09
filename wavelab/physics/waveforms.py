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


_WAVEFORMS: dict[type, Callable[..., Callable[[float], float]]] = {
    Sine: _sine,
    GaussianPulse: _gaussian,
    Ricker: _ricker,
    FormulaWaveform: _formula,
}
