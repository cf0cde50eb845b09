"""Single numbers as the window writes them: three figures, so that nothing jitters."""

from __future__ import annotations

import math

#: A true minus sign is as wide as a digit and does not look like a hyphen.
MINUS = "\u2212"
#: Of a power of ten.
SUPERSCRIPTS = str.maketrans(
    "-0123456789",
    "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
)


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


def power_of_ten(exponent: int) -> str:
    """10\u207b\u00b3."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def count(value: float) -> str:
    """A whole number, thousands set apart by thin spaces: 12\u202f345."""
    return f"{round(value):,}".replace(",", "\u202f")
