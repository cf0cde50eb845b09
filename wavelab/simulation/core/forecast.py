"""How long something takes, in words."""

from __future__ import annotations

#: What is predicted to take more seconds than this is said before.
LONG = 60.0

_UNITS = (("year", 365.25 * 86400), ("day", 86400.0), ("hour", 3600.0), ("minute", 60.0))


def in_words(seconds: float) -> str:
    """ "about 3 hours": two digits of the largest unit of which there is more than one."""
    for unit, length in _UNITS:
        if seconds >= 1.95 * length:
            return f"about {float(f'{seconds / length:.2g}'):,g} {unit}s"
    return f"about {float(f'{seconds:.2g}'):g} s"
