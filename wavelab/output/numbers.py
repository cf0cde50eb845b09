"""Numbers as people read them: powers of ten, and round ones along axes."""

from __future__ import annotations

import math

#: A true minus sign is as wide as a digit and does not look like a hyphen.
MINUS = "\u2212"
#: Of a power of ten.
SUPERSCRIPTS = str.maketrans(
    "-0123456789",
    "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
)


def power_of_ten(exponent: int) -> str:
    """10\u207b\u00b3."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def nice_ticks(low: float, high: float, most: int) -> list[float]:
    """At most ``most`` + 1 round numbers (1, 2 or 5 times a power of ten apart) in [low, high]."""
    if not (math.isfinite(low) and math.isfinite(high) and high > low) or most < 1:
        return []
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def labelled_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """The ticks of an axis and what stands beside them; there may be one or none."""
    ticks = nice_ticks(low, high, most)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else high - low
    return [(tick, tick_label(tick, step)) for tick in ticks]


def tick_label(value: float, step: float) -> str:
    """``value`` with as many decimals as the distance of the ticks needs: neighbours differ."""
    if abs(value) < 1e-9 * step:
        return "0"
    finest = math.floor(math.log10(step) + 1e-9)
    figures = math.floor(math.log10(abs(value)) + 1e-9) - finest
    if (abs(value) >= 1e5 or step < 1e-4) and 0 <= figures <= 3:
        mantissa, _, exponent = f"{value:.{figures}e}".partition("e")
        text = f"{mantissa}\u00d710{str(int(exponent)).translate(SUPERSCRIPTS)}"
    else:
        text = f"{value:.{max(0, -finest)}f}"
    return text.replace("-", MINUS)
