"""When the next jump comes while a run goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from wavelab.physics.time.jumps import LOOKS, Timed, about
from wavelab.scene.formulas.formula_jumps import Break, merged

#: Steps that are searched at once.
_AHEAD = 64
#: Part of a step in which several jumps count as one.
_AT_ONCE = 1e-9


@lru_cache(maxsize=512)
def _all_breaks(timed: Timed, dt: float) -> tuple[Break, ...] | None:
    found = timed.switches.all_breaks(dt / LOOKS, timed.origin)
    return None if found is None else tuple(found)


class Lookout:
    """Finds the next jump of all.

    Time is searched in windows that begin at multiples of their length, so that the bits of what is
    found do not depend on who asks from when.

    Parameters
    ----------
    dt : time step.
    """

    def __init__(self, followed: Sequence[Timed], dt: float) -> None:
        self._dt = about(dt)
        self._window = _AHEAD * self._dt
        self._found: dict[int, list[Break]] = {}  # of the windows asked for last
        # Many waveforms have a begin and no more: those are not searched for again and again.
        found = [(t, _all_breaks(t, self._dt)) for t in followed]
        self._known = [b for _, breaks in found for b in breaks or ()]
        self._searched = [t for t, breaks in found if breaks is None]

    def next(self, after: float, until: float) -> Break | None:
        """The first jump after a time, unless there is none up to another."""
        if not (self._known or self._searched):
            return None
        first, last = (math.floor(time / self._window) for time in (after, until))
        self._found = {n: found for n, found in self._found.items() if first - 1 <= n <= last + 2}
        # One that begins at the end of a window may end in the next.
        for number in range(first, last + 2):
            for jump in self._begun_in(number):
                if jump.after > after:
                    return jump if jump.before <= until else None
        return None

    def _begun_in(self, number: int) -> list[Break]:
        """Those that end in a window, the next ones counted that are one with them."""
        beside = [b for n in range(max(0, number - 1), number + 2) for b in self._in_window(n)]
        start, end = number * self._window, (number + 1) * self._window
        return [b for b in merged(beside, _AT_ONCE * self._dt) if start < b.after <= end]

    def _in_window(self, number: int) -> list[Break]:
        if number not in self._found:
            start, end = number * self._window, (number + 1) * self._window
            found = [b for b in self._known if start < b.after <= end]
            for timed in self._searched:
                found += timed.breaks(start, end, self._dt)
            self._found[number] = found
        return self._found[number]
