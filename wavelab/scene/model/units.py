"""Lengths, times and frequencies of a scene in metres, seconds and hertz.

A scene is computed in units of its own, see docs/scene_format.md.  What it says of them changes
nothing of the wave, only what is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from wavelab.scene.model.about import about

#: Units of length that a scene can have, as powers of ten of a metre.
LENGTHS = {"nm": -9, "um": -6, "mm": -3, "cm": -2, "m": 0, "km": 3}
#: No unit is chosen.
NO_LENGTH = "none"

LENGTH, TIME, FREQUENCY, SPEED = "length", "time", "frequency", "speed"
#: Units that numbers are shown in, as powers of ten of metres, seconds, hertz and metres a second.
SHOWN: dict[str, dict[str, int]] = {
    LENGTH: {"pm": -12, "nm": -9, "\u00b5m": -6, "mm": -3, "m": 0, "km": 3},
    TIME: {"as": -18, "fs": -15, "ps": -12, "ns": -9, "\u00b5s": -6, "ms": -3, "s": 0},
    FREQUENCY: {
        "mHz": -3, "Hz": 0, "kHz": 3, "MHz": 6, "GHz": 9, "THz": 12, "PHz": 15, "EHz": 18,
    },
    SPEED: {"m/s": 0},
}  # fmt: skip
#: A length is shown in the unit of the scene while its number there is from the first to the last.
_OWN = (0.01, 1000.0)
#: What three figures round up to 1000 has the next prefix.
_UP = 0.9995


@dataclass(frozen=True)
class Units:
    """What the unit of length of a scene is, and the speed 1 in metres per second."""

    length: str = field(
        default=NO_LENGTH,
        metadata=about(
            "Unit of length of all numbers in the scene; none: they are shown as they are",
            choices=(NO_LENGTH, *LENGTHS),
        ),
    )
    speed: float | None = field(
        default=None,
        metadata=about(
            "Metres per second of the speed 1; empty: as is usual for these waves, 343 for sound"
        ),
    )


@dataclass(frozen=True)
class Unit:
    """``name``, and the ``factor`` by which a number of the scene becomes one in it."""

    name: str
    factor: float


@dataclass(frozen=True)
class Scale:
    """How large the units of a scene are.

    Attributes
    ----------
    length : of ``LENGTHS``.
    seconds : in a unit of time; None where the scene does not say how fast the speed 1 is.
    """

    length: str
    seconds: float | None

    @property
    def metres(self) -> float:
        """In a unit of length."""
        return float(f"1e{LENGTHS[self.length]}")

    @property
    def hertz(self) -> float | None:
        """What the frequency 1 is."""
        return None if self.seconds is None else 1 / self.seconds

    def unit(self, dimension: str, value: float) -> Unit | None:
        """That in which a number of the scene reads well, with a prefix that makes it 1 to 1000;
        None where it has no other than that of the scene."""
        if dimension == LENGTH:
            return self._of_length(abs(value))
        if self.seconds is None:
            return None
        size = {TIME: self.seconds, FREQUENCY: 1 / self.seconds, SPEED: self.metres / self.seconds}
        return _prefixed(dimension, size[dimension], abs(value))

    @property
    def own(self) -> Unit:
        """The unit of length of the scene."""
        return Unit(self.length.replace("u", "\u00b5"), 1.0)

    def _of_length(self, value: float) -> Unit:
        least, most = _OWN
        if value == 0 or least <= value < most:
            return self.own
        exponent = _exponent(LENGTH, value * self.metres)
        name = next(name for name, of in SHOWN[LENGTH].items() if of == exponent)
        # A power of ten, without the rounding of a quotient.
        return Unit(name, float(f"1e{LENGTHS[self.length] - exponent}"))

    def summary(self) -> dict[str, Any]:
        """As reports have it."""
        return {
            "length": self.length,
            "metres_per_unit": self.metres,
            "seconds_per_unit": self.seconds,
        }


@dataclass(frozen=True)
class Written:
    """Numbers of a scene as people read them: in its units, if it says what they are.

    Attributes
    ----------
    figures : writes a number.
    """

    scale: Scale | None
    figures: Callable[[float], str]

    def of(self, dimension: str, value: float, least: float = 0.0) -> str:
        """A number with its unit, which is none smaller than suits ``least``."""
        unit = self.scale and self.scale.unit(dimension, max(abs(value), least))
        return f"{self.figures(value * unit.factor)} {unit.name}" if unit else self.figures(value)

    def length(self, value: float) -> str:
        return self.of(LENGTH, value)

    def time(self, value: float) -> str:
        return self.of(TIME, value)

    def frequency(self, value: float) -> str:
        return self.of(FREQUENCY, value)

    def asked(self, frequency: float) -> str:
        """A frequency that somebody has asked for, with all of its figures."""
        return replace(self, figures="{:g}".format).frequency(frequency)


def _prefixed(dimension: str, size: float, value: float) -> Unit:
    exponent = _exponent(dimension, (value or 1.0) * size)
    name = next(name for name, of in SHOWN[dimension].items() if of == exponent)
    return Unit(name, size * float(f"1e{-exponent}"))


def _exponent(dimension: str, value: float) -> int:
    """Of the largest unit of which it is one or more."""
    least, *others = SHOWN[dimension].values()
    return max((e for e in others if value >= _UP * float(f"1e{e}")), default=least)
