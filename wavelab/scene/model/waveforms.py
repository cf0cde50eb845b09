"""What a source does in time, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from wavelab.scene.formulas.formula import Formula

#: A Ricker pulse begins this many periods before its crest, with less than 1e-8 of it.
PERIODS_BEFORE_CREST = 1.5


@dataclass(frozen=True)
class Sine:
    """sin(2 pi frequency (t - delay) + phase), switched on smoothly over ``ramp`` periods."""

    frequency: float
    phase: float = 0.0
    delay: float = 0.0
    ramp: float = 2.0


@dataclass(frozen=True)
class GaussianPulse:
    """exp(-((t - delay) / width)^2 / 2)."""

    width: float
    delay: float


@dataclass(frozen=True)
class Ricker:
    """(1 - 2 u) exp(-u) with u = (pi frequency (t - delay))^2."""

    frequency: float
    delay: float


@dataclass(frozen=True)
class Chirp:
    """A sine whose frequency goes evenly from ``start`` to ``stop`` between ``delay`` and
    ``delay + duration``, and nothing outside.

    Each end rises or falls smoothly over the part ``taper`` of the duration.
    """

    start: float
    stop: float
    duration: float
    delay: float = 0.0
    taper: float = 0.1


@dataclass(frozen=True)
class FormulaWaveform:
    """Any typed formula of t."""

    formula: Formula = field(metadata={"variables": ("t",)})


Waveform = Sine | GaussianPulse | Ricker | Chirp | FormulaWaveform

#: The ``kind`` written in a scene file.
WAVEFORMS: dict[str, type[Waveform]] = {
    "sine": Sine,
    "gaussian": GaussianPulse,
    "ricker": Ricker,
    "chirp": Chirp,
    "formula": FormulaWaveform,
}


def first_felt(waveform: Waveform) -> float:
    """The time before which there is nothing, or less than 1e-8 of the largest value."""
    match waveform:
        case Sine() | Chirp():
            return waveform.delay
        case Ricker(frequency, delay):
            return delay - PERIODS_BEFORE_CREST / frequency
        case GaussianPulse(width, delay):
            return delay - 6.1 * width
    return 0.0
