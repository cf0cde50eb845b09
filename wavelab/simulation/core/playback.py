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
    batches : how many steps a batch may have, which knows what frames cost beside them.
    pace : simulated time per second of wall time.
    meter : steps per second of wall time.

    Parameters
    ----------
    clock : wall time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.playing = False
        self.steps_asked = 0
        self._clock = clock
        self.batches = BatchController()
        self.pace = Pace()
        self.meter = StepMeter()

    @property
    def active(self) -> bool:
        """Whether steps are to be taken, if not at this moment."""
        return self.playing or self.steps_asked > 0

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

    def restart(self) -> None:
        """What was measured so far says nothing about what comes."""
        self.pace.restart()
        self.meter.clear()

    def stepper_changed(self) -> None:
        """Steps cost something else from now on."""
        self.batches = BatchController()

    def run_changed(self, *, same_cost: bool, goes_on: bool) -> None:
        """Another run has taken the place of one; whether a step costs as much, and whether it goes
        on from there."""
        if not same_cost:
            self.stepper_changed()
        if not goes_on:
            self.restart()

    def wait_seconds(self, simulation: Simulation) -> float:
        """Wall time until the next step is due while it is active, 0 if it is."""
        if self.steps_asked:
            return 0.0
        return self.pace.wait_seconds(simulation.time, simulation.dt, self._clock())

    def due_steps(self, simulation: Simulation) -> int:
        """Steps that a batch has now."""
        steps = self.batches.steps
        if self.steps_asked:
            return min(steps, self.steps_asked)
        if not self.playing:
            return 0
        due = self.pace.due_steps(simulation.time, simulation.dt, self._clock())
        return steps if due is None else min(steps, due)

    def taken(self, steps: int, began: float) -> None:
        """A batch of so many steps has just ended; at which wall time it began."""
        ended = self._clock()
        self.batches.measured(steps, ended - began)
        self.meter.add(steps, ended)
        self.steps_asked = max(0, self.steps_asked - steps)
