"""Timing two kernel configs by turns, in slices of a few thousandths of a second."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from statistics import median

from wavelab.opencl.stepper import OpenCLStepper

#: What a slice of a duel takes, if a step does not take longer: a frame of the window that waits
#: for one is none the later.
_SLICE_SECONDS = 0.003
#: Pairs of slices in a duel: as many as the time allows, but enough to tell skill from chance.
_DUEL_SECONDS = 0.5
_MOST_PAIRS, _FEWEST_PAIRS = 24, 6
#: A challenger this much slower after a slice gets no other one ...
_HOPELESS = 1.5
#: ... and one wins that is this much faster in its best slice and in the median of all pairs, and
#: faster in so many of them: less is chance, of which there is much where other programs run.
_MARGIN = 0.97
_PAIRS_WON = 0.75


class Slices:
    """How long a slice is, by the first contestant.

    Parameters
    ----------
    clock : wall time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._count, self._slice_seconds = 1, _SLICE_SECONDS

    def measure(self, stepper: OpenCLStepper) -> None:
        """So many steps as take long enough with this one."""
        count = 1
        while (seconds := self._seconds(stepper, count)) < _SLICE_SECONDS:
            wanted = math.ceil(1.1 * count * _SLICE_SECONDS / seconds)
            count = max(count + 1, min(16 * count, wanted))
        self._count, self._slice_seconds = count, seconds

    def race(
        self, champion: OpenCLStepper, challenger: OpenCLStepper
    ) -> Generator[None, None, tuple[list[float], list[float]]]:
        """Seconds per step of both, slice by slice; each ``next`` takes one slice."""
        times: tuple[list[float], list[float]] = ([], [])
        # First a short one, so that a hopeless challenger does not stall what else runs.
        for count in (max(1, self._count // 8), *(self._pairs() * [self._count])):
            for seconds, stepper in zip(times, (champion, challenger), strict=True):
                seconds.append(self._seconds(stepper, count) / count)
                yield
            if min(times[1]) > _HOPELESS * min(times[0]):
                break
        return times

    def _pairs(self) -> int:
        wished = _DUEL_SECONDS / (2 * self._slice_seconds)
        return round(min(max(wished, _FEWEST_PAIRS), _MOST_PAIRS))

    def _seconds(self, stepper: OpenCLStepper, n_steps: int) -> float:
        stepper.synchronize()
        began = self._clock()
        stepper.advance(n_steps)
        stepper.synchronize()
        return max(self._clock() - began, 1e-9)


def is_faster(champion: list[float], challenger: list[float]) -> bool:
    """Whether a challenger's seconds, in turns with the champion's, are less by more than chance
    would have it."""
    ratios = [own / other for own, other in zip(challenger, champion, strict=True)]
    won = sum(ratio < 1 for ratio in ratios)
    return (
        min(challenger) < _MARGIN * min(champion)
        and median(ratios) < _MARGIN
        and won >= _PAIRS_WON * len(ratios)
    )
