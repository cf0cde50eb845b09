"""Numbers of the panels: single ones, and those along axes."""

from __future__ import annotations

import math

from wavelab.app.base.figures import MINUS, SUPERSCRIPTS, count, power_of_ten, three_figures

__all__ = [
    "MINUS",
    "count",
    "labelled_ticks",
    "nice_ticks",
    "power_of_ten",
    "rounded_up",
    "three_figures",
    "tick_label",
]


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


def rounded_up(value: float) -> float:
    """The next 1, 1.5, 2, 3, 5 or 7.5 times a power of ten: an axis that seldom changes."""
    power = 10.0 ** int(f"{value:e}".partition("e")[2])
    return next(m * power for m in (1, 1.5, 2, 3, 5, 7.5, 10) if m * power >= value * (1 - 1e-9))
