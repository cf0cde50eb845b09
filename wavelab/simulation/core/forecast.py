"""How long something takes, foretold by what has been done of it, and in words."""

from __future__ import annotations

import time
from collections.abc import Callable

#: What is predicted to take more seconds than this is said before.
LONG = 60.0

_UNITS = (("year", 365.25 * 86400), ("day", 86400.0), ("hour", 3600.0), ("minute", 60.0))


def in_words(seconds: float) -> str:
    """ "about 3 hours": two digits of the largest unit of which there is more than one."""
    for unit, length in _UNITS:
        if seconds >= 1.95 * length:
            return f"about {float(f'{seconds / length:.2g}'):,g} {unit}s"
    return f"about {float(f'{seconds:.2g}'):g} s"


class Intervals:
    """When the next line of a log is due: ten seconds after the last, and later a twentieth of the
    time that has passed, so that a night makes about a hundred."""

    APART, PART = 10.0, 0.05

    def __init__(self, began: float) -> None:
        self._began = self._last = began

    def due(self, now: float) -> bool:
        """Whether it is; then the next one is looked for."""
        if now - self._last < max(self.APART, self.PART * (now - self._began)):
            return False
        self._last = now
        return True


class Forecast:
    """Of work that tells now and then which part of it is done, from 0 to 1.

    Parameters
    ----------
    clock : seconds of wall time.
    """

    #: Seconds after which there is something to go by.
    LOOK = 3.0
    #: What is done in less than this of all may have waited for kernels to be compiled.
    FIRST = 0.05

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or time.monotonic
        self._began: tuple[float, float] | None = None
        self._goes_on = False

    def left(self, part: float) -> float | None:
        """Seconds that the rest takes if it goes on as it has; None as long as nobody can know."""
        now = self._clock()
        if self._began is None:
            self._began = now, part
        began, before = self._began
        if not self._goes_on and part > before:
            self._goes_on = True
            if part - before < self.FIRST:
                self._began = began, before = now, part
        if now - began < self.LOOK or part <= before:
            return None
        return (now - began) * (1 - part) / (part - before)
