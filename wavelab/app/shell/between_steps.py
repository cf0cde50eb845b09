"""Pictures between two steps that are far apart, so that a slow wave glides.

A coarse mesh of a high order takes steps that are seen one by one at the speed of the picture, and
any does in slow motion.  From one to the next the field that is shown goes in a straight line, as
long as the solver keeps up with the speed: what is seen is then behind by up to a step, and so is
the time that is told.  A wave that rests, and what a device can only just compute, are shown as
they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.views.between import arrows_between, values_between

#: Steps at least so many seconds apart are seen one by one.  At most: what is set in motion by hand
#: is not to be waited for.
_SEEN, _LONGEST = 0.018, 2.0
#: The way takes a little longer than a step, so that the next one comes before it is at its end.
_LONGER = 1.15
#: Of the speed that is asked for, the part at which the solver keeps up.
_KEEPS_UP = 0.8


class BetweenSteps:
    """What is to be shown now, of frames as they come.

    Parameters
    ----------
    speed : simulated time per second that is asked for; None is as fast as possible.
    """

    def __init__(self, speed: Callable[[], float | None]) -> None:
        self._speed = speed
        self._start: Frame | None = None  # on show when the goal came
        self._goal: Frame | None = None  # the newest; on show if there is no start
        self._began = self._seconds = 0.0

    def shown(self, newest: Frame | None, now: float) -> Frame | None:
        """What to show at ``now`` (seconds); None if that is on show already.

        Parameters
        ----------
        newest : a frame that has just come.
        """
        if newest is None:
            return self._next(now)
        before = self._at(now)
        seconds = 0.0 if before is None or self._goal is None else self._way(self._goal, newest)
        if self._start is not None and self._goal is not None and _same_step(self._goal, newest):
            seconds = self._began + self._seconds - now  # a ping, say, on the way there
        self._start = before if seconds > 0 else None
        self._goal, self._began, self._seconds = newest, now, seconds
        if self._start is None:
            return newest
        return _between(self._start, newest, 0.0)

    def _next(self, now: float) -> Frame | None:
        if self._start is None:
            return None
        found = self._at(now)
        if now >= self._began + self._seconds:
            self._start = None
        # All but the field has been shown.
        return None if found is None else replace(found, probes=found.probes.none(), monitor=None)

    def _at(self, now: float) -> Frame | None:
        """What there is to be seen."""
        if self._start is None or self._goal is None or now >= self._began + self._seconds:
            return self._goal
        return _between(self._start, self._goal, (now - self._began) / self._seconds)

    def _way(self, before: Frame, frame: Frame) -> float:
        """Seconds from one step to the next; 0 where what is between is not to be seen."""
        speed = self._speed()
        if speed is None or not _alike(before, frame) or not (before.playing and frame.playing):
            return 0.0
        seconds = (frame.time - before.time) / speed
        keeps_up = frame.steps_per_second * frame.dt >= _KEEPS_UP * speed
        # Not where the clock has jumped.
        one_step = 0 < frame.steps - before.steps <= 1
        return _LONGER * seconds if one_step and keeps_up and _SEEN <= seconds <= _LONGEST else 0.0


def _alike(one: Frame, other: Frame) -> bool:
    """Whether one picture can become the other."""
    return (
        one.generation == other.generation
        and one.quantity == other.quantity
        and one.values.shape == other.values.shape
    )


def _same_step(one: Frame, other: Frame) -> bool:
    return _alike(one, other) and other.playing and one.steps == other.steps


def _between(start: Frame, goal: Frame, part: float) -> Frame:
    """The goal, with the field and the time of this part of the way there."""
    return replace(
        goal,
        values=values_between(start.values, goal.values, part),
        time=start.time + part * (goal.time - start.time),
        arrows=arrows_between(start.arrows, goal.arrows, part),
    )
