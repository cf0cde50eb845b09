"""Going back in the past of a run, and forward again: to a step, or backwards as it once ran.

A step that is not kept is reached by running forward from the moment that is kept before it.  On
the way moments are kept ever closer to the goal, so that the next step back has a short way.
"""

from __future__ import annotations

from collections.abc import Callable

from wavelab.simulation.core.pacing import Pace
from wavelab.simulation.core.playback import Playback
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.solver.framing import Framing
from wavelab.simulation.solver.run import Run
from wavelab.timeline import Timeline

#: Wall time that a rough journey takes, about: so long that a slider is followed at frame rate.
_ROUGH_SECONDS = 0.03
#: A journey that takes longer than this is seen on its way.
_SECRET_SECONDS = 0.25
#: Wall time between two pictures of what runs backwards.
_PICTURE_SECONDS = 1 / 60
#: Batches that a turn backwards goes back by, where it is to be as fast as possible.
_BATCHES = 2


class Travel:
    """Moves a run in its past.

    Attributes
    ----------
    backwards : whether the wave runs backwards.
    goal : the step that it is on its way to; None if it is there.
    rough : whether the last goal was meant roughly, as while a slider is dragged.
    pace : simulated time per second of wall time, backwards.

    Parameters
    ----------
    playback : knows how many steps a batch has.
    framing : what is seen of it.
    clock : wall time in seconds.
    notify : told what the user should know.
    stopped : called when what ran backwards is paused, and nobody has asked for that.
    """

    def __init__(
        self,
        playback: Playback,
        framing: Framing,
        clock: Callable[[], float],
        timeline: Timeline,
        notify: Callable[[str], None],
        stopped: Callable[[], None],
    ) -> None:
        self.backwards = self.rough = False
        self.goal: int | None = None
        self._playback, self._framing = playback, framing
        self._clock, self._timeline, self._notify = clock, timeline, notify
        self._stopped = stopped
        self.pace = Pace()
        self._began = self._pictured = 0.0
        self._per_step = 0.0  # seconds
        self._rung: int | None = None  # where the next moment is to be kept on the way

    @property
    def active(self) -> bool:
        """Whether there is something to be done."""
        return self.backwards or self.goal is not None

    @property
    def secret(self) -> bool:
        """Whether it is on its way, and nobody should see where."""
        soon = self.backwards or self._clock() - self._began < _SECRET_SECONDS
        return self.goal is not None and soon

    def stop(self) -> None:
        """Stay where the run is."""
        backwards, self.backwards, self.rough, self.goal = self.backwards, False, False, None
        if backwards:
            self._framing.changed = True  # it is seen to be paused
            self._stopped()

    def go(self, run: Run, step: int, *, roughly: bool = False) -> None:
        """Be at a step that was reached, or at the nearest one that can be.

        Parameters
        ----------
        roughly : stay some steps before it where the way would take longer than a picture.
        """
        self.backwards, self.rough = False, roughly
        self._set_out(run, step, roughly=roughly)

    def step_back(self, run: Run, steps: int) -> None:
        """So many steps before where it is, or is on its way to."""
        self.go(run, (run.simulation.steps if self.goal is None else self.goal) - steps)

    def run_backwards(self, run: Run) -> None:
        """Play what was, from now on towards the beginning, at the speed of the wave."""
        self.arrive(run)
        self.backwards = True
        self.pace.set_speed(self._playback.pace.speed)

    def branch(self, run: Run) -> None:
        """Another future than the one that there was begins here; if there was one, it is told."""
        gone, now = run.past.branch(), run.simulation.time
        if gone is not None:
            self._notify(
                f"Another future from t = {now:.4g} on; the one up to t = {gone:.4g} is gone"
            )

    def _set_out(self, run: Run, step: int, *, roughly: bool = False) -> None:
        now, past = run.simulation.steps, run.past
        step = min(max(step, past.first), past.newest)
        moment = past.before(step)
        if moment is not None and not moment.step <= now <= step:
            with self._timeline.span("go back"):
                run.return_to(moment)
            now = moment.step
        if roughly and self._per_step:
            step = min(step, now + int(_ROUGH_SECONDS / self._per_step))
        self.goal, self._began = step, self._clock()
        self._rung = self._next_rung(run, now, step)
        self._end(run)

    def _end(self, run: Run) -> None:
        """Have it seen, if it is there."""
        if self.goal is not None and run.simulation.steps >= self.goal:
            self.goal = None
            self._framing.moved()
            self._playback.restart()

    def turn(self, run: Run) -> None:
        """A batch of steps on the way, or the next picture backwards; at the beginning of what is
        kept the wave stays."""
        if self.goal is None:
            if not run.past.reaches_back:
                self.stop()
                return
            now = run.simulation.steps
            steps = self._due_steps(run.simulation)
            if not steps:
                return
            self._pictured = self._clock()
            self._set_out(run, now - steps)
        if self.goal is not None:
            self._advance(run, self.goal)
            self._end(run)

    def arrive(self, run: Run) -> None:
        """Go all the way that is left, at once: what comes next is meant for the goal."""
        while self.goal is not None:
            self.turn(run)

    def wait_seconds(self, simulation: Simulation) -> float:
        """Wall time until there is something to do."""
        if self.goal is not None:
            return 0.0
        now = self._clock()
        to_picture = self._pictured + _PICTURE_SECONDS - now
        to_step = self.pace.wait_seconds(-simulation.time, simulation.dt, now)
        return max(0.0, to_picture, to_step)

    def _due_steps(self, simulation: Simulation) -> int:
        """Steps to go back by now."""
        now = self._clock()
        if now - self._pictured < _PICTURE_SECONDS:
            return 0
        due = self.pace.due_steps(-simulation.time, simulation.dt, now)
        return _BATCHES * self._playback.batches.steps if due is None else due

    def _advance(self, run: Run, goal: int) -> None:
        """Forward by a batch, and no further than where a moment is to be kept."""
        now = run.simulation.steps
        until = goal if self._rung is None else self._rung
        steps = min(until - now, self._playback.batches.steps, run.steps_until_due())
        began = self._clock()
        with self._timeline.span("steps again", steps=steps):
            times, values = run.advance(steps)
        seconds = self._clock() - began
        self._per_step = seconds / steps
        self._playback.batches.measured(steps, seconds)
        self._framing.sampled(times, values)
        there = now + steps == self._rung
        run.look_after(self._timeline, keep=there)
        if there:
            self._rung = self._next_rung(run, now + steps, goal)

    def _next_rung(self, run: Run, now: int, goal: int) -> int | None:
        """Where a moment is worth keeping on the way: when two thirds of it are left, as long as a
        copy costs less than the steps of those."""
        left = 2 * (goal - now) // 3
        return goal - left if left * self._per_step > run.past.cost else None
