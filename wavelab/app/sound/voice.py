"""What a probe sounds like now: the partials of what it has recorded last.

The run is faster or slower than sound, and its frames come unevenly.  So its samples are not played
themselves: sines of their frequencies go on for as long as the wave does, and the tone is as steady
as the wave is.
"""

from __future__ import annotations

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.sound.partials import NONE, Partials, partials
from wavelab.simulation.records.probe_sound import HIGHEST, LOWEST

#: No sample is louder, in parts of full scale.
LOUDEST = 0.5
#: Periods, at the pitch of 440 Hz, of the newest part of a record that is heard: 55 ms.
_SPAN = 24 / 440
#: Seconds in which the loudness that is taken as full halves where the wave becomes weaker, and the
#: part of the strongest wave below which it is not taken: what is 60 dB weaker fades away.
_HALVES, _CAP = 3.0, 1e-3


class Voice:
    """Parameters
    ----------
    highest : frequency in hertz above which nothing can be played.
    """

    def __init__(self, highest: float) -> None:
        self._highest = min(highest, HIGHEST)
        self._until = 0.0
        self._full = self._strongest = 0.0

    def heard(
        self, times: Array, values: Array, hertz: float, *, floor: float, seconds: float
    ) -> Partials:
        """Partials in hertz, whose total is ``LOUDEST`` at most.

        Parameters
        ----------
        times, values : (n,) all that was recorded.
        hertz : what the frequency 1 is heard as.
        floor : what is smaller is rounding and silent.
        seconds : of sound since the last call.
        """
        if len(times) < 2:
            return NONE
        if times[-1] < self._until:  # the wave has begun afresh
            self._full = self._strongest = 0.0
        self._until = float(times[-1])
        first = int(np.searchsorted(times, times[-1] - _SPAN * hertz))
        found = _partials(times[first:], values[first:])
        found = found.scaled(hertz, 1.0).between(LOWEST, self._highest)
        total = found.total
        if not total > max(floor, np.finfo(float).tiny):
            return NONE
        self._strongest = max(self._strongest, total)
        fading = self._full * 0.5 ** (seconds / _HALVES)
        self._full = max(total, fading, _CAP * self._strongest)
        return found.scaled(1.0, LOUDEST / self._full)


def _partials(times: Array, values: Array) -> Partials:
    """Of what may have been recorded in other steps before."""
    if len(times) < 2 or not times[-1] > times[0]:
        return NONE
    even = np.linspace(times[0], times[-1], len(times))
    spacing = float(even[1] - even[0])
    if float(np.abs(even - times).max()) > 1e-3 * spacing:
        values = np.interp(even, times, values)
    return partials(values, spacing)
