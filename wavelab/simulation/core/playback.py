"""When the next steps are due: playing or paused, at what speed, or some steps alone."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.simulation.core.pacing import BatchController, Pace, StepMeter
from wavelab.simulation.core.simulation import Simulation


class Playback:
    """What was asked for, and how many steps at once that makes.

    Attributes
    ----------
    playing : whether steps go on until a pause.
    steps_asked : steps that are still to be taken in a pause.

    Parameters
    ----------
    clock : wall time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.playing = False
        self.steps_asked = 0
        self._clock = clock
        self._batches = BatchController()
        self._pace = Pace()
        self._meter = StepMeter()

    @property
    def active(self) -> bool:
        """Whether steps are to be taken, if not at this moment."""
        return self.playing or self.steps_asked > 0

    @property
    def rate(self) -> float:
        """Steps per second of wall time."""
        return self._meter.rate

    def play(self, playing: bool) -> bool:
        """Go on, or pause; whether that is a change.  Steps asked for before are forgotten."""
        changed = playing != self.playing
        self.playing, self.steps_asked = playing, 0
        if changed:
            self.restart()
        return changed

    def ask(self, steps: int) -> bool:
        """Take so many steps, then stay paused; whether it was playing."""
        changed = self.play(False)
        self.steps_asked = steps
        return changed

    def set_speed(self, speed: float | None) -> None:
        """Simulated time per second of wall time; None for as fast as the device can."""
        self._pace.set_speed(speed)

    def restart(self) -> None:
        """What was measured so far says nothing about what comes."""
        self._pace.restart()
        self._meter.clear()

    def stepper_changed(self) -> None:
        """Steps cost something else from now on."""
        self._batches = BatchController()

    def wait_seconds(self, simulation: Simulation) -> float:
        """Wall time until the next step is due while it is active, 0 if it is."""
        if self.steps_asked:
            return 0.0
        return self._pace.wait_seconds(simulation.time, simulation.dt, self._clock())

    def due_steps(self, simulation: Simulation) -> int:
        """Steps that a batch has now."""
        steps = self._batches.steps
        if self.steps_asked:
            return min(steps, self.steps_asked)
        if not self.playing:
            return 0
        due = self._pace.due_steps(simulation.time, simulation.dt, self._clock())
        return steps if due is None else min(steps, due)

    def taken(self, steps: int, began: float) -> None:
        """A batch of so many steps has just ended; at which wall time it began."""
        ended = self._clock()
        self._batches.measured(steps, ended - began)
        self._meter.add(steps, ended)
        self.steps_asked = max(0, self.steps_asked - steps)

    def spent_beside(self, seconds: float) -> None:
        """A frame took so much wall time."""
        self._batches.spent_beside(seconds)
