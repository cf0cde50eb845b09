"""Single numbers of the window, with three figures so that nothing jitters."""

from __future__ import annotations

import math

from wavelab.output.numbers import MINUS, SUPERSCRIPTS


def three_figures(value: float) -> str:
    """``value`` with three significant figures: 0.0123, 1.23, 123, 4.57\u00d710\u2075."""
    if not math.isfinite(value):
        return "\u2013"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(float(f"{value:.2e}"))))
    if -3 <= exponent < 5:
        text = f"{value:.{max(0, 2 - exponent)}f}"
    else:
        mantissa = float(f"{value:.2e}".partition("e")[0])
        text = f"{mantissa:.2f}\u00d710{str(exponent).translate(SUPERSCRIPTS)}"
    return text.replace("-", MINUS)


def count(value: float) -> str:
    """A whole number, thousands set apart by thin spaces: 12\u202f345."""
    return f"{round(value):,}".replace(",", "\u202f")


def rounded_up(value: float) -> float:
    """The next 1, 1.5, 2, 3, 5 or 7.5 times a power of ten: an axis that seldom changes."""
    power = 10.0 ** int(f"{value:e}".partition("e")[2])
    return next(m * power for m in (1, 1.5, 2, 3, 5, 7.5, 10) if m * power >= value * (1 - 1e-9))
