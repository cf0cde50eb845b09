"""The loop of the solver thread: commands in, frames and events out.

``Runner.turn`` is one pass of it and needs no thread, which is how the tests drive it.
"""

from __future__ import annotations

import dataclasses
import math
import queue
import time
from collections.abc import Callable

from wavelab.errors import DeviceError, UnstableError
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import Problem
from wavelab.simulation.core.playback import Playback
from wavelab.simulation.messages.events import EventQueue, Failed, LoadFailed, Notice, Stopped
from wavelab.simulation.messages.frames import Mailbox
from wavelab.simulation.messages.loading import RunnerSettings, loaded_event
from wavelab.simulation.movies.movie_deck import MovieDeck
from wavelab.simulation.solver.anew import Anew, close_unneeded, log_defect
from wavelab.simulation.solver.awaited import Awaited
from wavelab.simulation.solver.command import Command, waiting_commands
from wavelab.simulation.solver.framing import Framing
from wavelab.simulation.solver.next_run import next_run
from wavelab.simulation.solver.run import Run
from wavelab.simulation.solver.travel import Travel
from wavelab.simulation.steppers.steppers import StepperMaker, make_stepper
from wavelab.timeline import NO_TIMELINE, Timeline

#: A paused runner looks for a wanted frame this often while it has one to show ...
_POLL_SECONDS = 0.02
#: ... and otherwise sleeps on its command queue.
_SLEEP_SECONDS = 0.5
#: How long closing waits for a compiler at work, which drivers do not like to be left behind.
_COMPILER_SECONDS = 3.0


class Runner:
    """Owns the simulation and every call of its stepper.

    Attributes
    ----------
    commands : put ``wavelab.simulation.solver.commands`` values here, from any thread.
    mailbox : frames, made only when the window asked for one and something changed.
    events : ``wavelab.simulation.messages.events`` values for the window.
    run : what is loaded, and everything that belongs to it; None before the first.
    playback : whether it plays, and when steps are due.
    framing : what is seen of it.
    movie : what is recorded of it.
    travel : brings it to where it was.
    awaited : whether it waits for what is loaded next.

    Parameters
    ----------
    settings : what steppers it makes, and whether it tunes them.
    make : makes a stepper, called as ``make(operator, dt=, backend=, device=, variant=,
        precision=, notify=)``.
    clock : wall time in seconds.
    timeline : gets what the solver and the movie do; ``make`` has to see to the device.
    woken : called in the solver thread after each event.
    """

    def __init__(
        self,
        settings: RunnerSettings | None = None,
        *,
        make: StepperMaker = make_stepper,
        clock: Callable[[], float] = time.perf_counter,
        timeline: Timeline = NO_TIMELINE,
        woken: Callable[[], None] = lambda: None,
    ) -> None:
        self.commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self.mailbox = Mailbox()
        self.events = EventQueue(woken)
        self._settings = settings or RunnerSettings()
        self._make = make
        self._clock = clock
        self._timeline = timeline
        self.run: Run | None = None
        self._map = ("", 0)
        self._quit = False
        self._unseen = False  # whether a run has just begun
        self._anew = Anew(self._made_anew, self.notify, clock)
        self.awaited = Awaited(clock)
        self.playback = Playback(clock)
        self.movie = MovieDeck(self.events, timeline)
        self.framing = Framing(self.mailbox, clock, timeline)
        self.travel = Travel(
            self.playback, self.framing, clock, timeline, self.notify,
            lambda: self.events.put(Stopped()),
        )  # fmt: skip

    def turn(self) -> bool:
        """One pass: obey all commands, take a batch of steps, make a frame if one is wanted.

        Sleeps on the command queue when there is nothing to do.  False after ``Quit``.
        """
        for command in waiting_commands(self.commands, self._idle_seconds()):
            try:
                with self._timeline.span(command.called or type(command).__name__.lower()):
                    command.apply(self)
            except Exception as error:
                self._fail(error)
            if self._quit:
                return False
        try:
            if self.run is not None:
                self._go_on(self.run)
        except DeviceError as error:
            if not self._anew.begin(self.run, error):
                self._fail(error)
        except Exception as error:
            self._fail(error)
        return True

    def close(self) -> None:
        """Finish the movie and release the device; done by ``Quit`` too."""
        self._quit = True
        self.movie.stop()
        run, self.run = self.run, None
        if run is not None:
            run.stop_tuning(_COMPILER_SECONDS)
        self.framing.delivery.close()
        if run is not None:
            close_unneeded(run)

    def _idle_seconds(self) -> float:
        if (run := self.run) is None:
            return _SLEEP_SECONDS
        if awaited := self._awaiting:
            return awaited
        for active in (self.travel, self.playback):
            if active.active:
                return min(active.wait_seconds(run.simulation), _POLL_SECONDS)
        return _POLL_SECONDS if self.framing.changed or run.tuning else _SLEEP_SECONDS

    @property
    def _awaiting(self) -> float:
        return 0.0 if self.travel.active else self.awaited.seconds

    def play(self, playing: bool) -> None:
        """Go on, or pause; first the wave gets where it is on its way to."""
        self.framing.changed |= self.playback.play(playing) or self.travel.backwards
        self.travel.backwards = False

    def arrive(self) -> None:
        """What comes next is meant for where the wave is on its way to."""
        if self.run is not None:
            self.travel.arrive(self.run)

    def set_past(self, n_bytes: int) -> None:
        """How much of the past to keep from now on."""
        self._settings = dataclasses.replace(self._settings, past_bytes=n_bytes)
        self.framing.changed = True
        if self.run is not None:
            self.travel.stop()
            self.run.set_budget(n_bytes)

    def set_tuning(self, wished: bool) -> None:
        """Whether to look for faster kernels from now on."""
        self._settings = dataclasses.replace(self._settings, tune=wished)
        if self.run is not None:
            self.run.stop_tuning()
            self.run.begin_tuning(self._settings, self._make)

    def show_map(self, monitor: str, frequency: int) -> None:
        """What maps show, in this run and in those to come."""
        self._map = (monitor, frequency)
        self.framing.changed = True
        if self.run is not None:
            self.run.simulation.map = self._map

    def clock_jumped(self, run: Run, *, in_past: bool = False) -> None:
        """The run is at another time than its last step has left it at, of its past or anew."""
        if in_past:
            self.framing.moved()
        else:
            self.framing.restart(run.simulation)
        self.playback.restart()
        self.movie.clock_jumped(run.simulation)

    def notify(self, text: str) -> None:
        """Tell something that is worth a line."""
        self.events.put(Notice(text))

    def load(
        self, problem: Problem, generation: int, keep_field: bool, carrying: Carrying | None
    ) -> None:
        """Replace the run by another one, or leave it as it is."""
        try:
            if keep_field:
                self.arrive()
            self._replace(problem, generation, self.run if keep_field else None, carrying)
        except Exception as error:
            log_defect(error)
            self.events.put(LoadFailed(generation, error))
        finally:
            self.awaited.end()

    def _replace(
        self, problem: Problem, generation: int, carried: Run | None,
        carrying: Carrying | None = None, *, anew: bool = False,
    ) -> Run:  # fmt: skip
        """Replace the run; parameters, result and errors as of :func:`next_run`."""
        old, placed = self.run, None if self.run is None else self.run.simulation.placed
        earlier = -math.inf if old is None else old.simulation.time
        run = next_run(
            problem, generation, self._settings, self._make, self._clock, self.notify,
            carried, carrying=carrying, anew=anew,
        )  # fmt: skip
        self.travel.stop()
        if run.kept and old is not None:
            self.travel.branch(old)
        self.run = run
        self._unseen = True
        run.simulation.map = self._map
        # First, so that what is said of the run outlives its start.
        self.events.put(loaded_event(run.simulation, run.generation, run.kept))
        self.playback.run_changed(same_cost=run.same_cost, goes_on=run.goes_on)
        if run.goes_on and run.simulation.placed == placed:
            self.framing.changed = True
        else:
            self.framing.restart(run.simulation)
        jumped = not run.kept or run.simulation.time < earlier
        self.movie.problem_changed(run.simulation, jumped=jumped)
        if old is not None and old.simulation is not run.simulation:
            close_unneeded(old)
        if not run.same_system:
            run.begin_tuning(self._settings, self._make)
        run.pings.give_due()
        return run

    def _made_anew(self, run: Run) -> Run:
        return self._replace(run.simulation.said, run.generation, run, anew=True)

    def _go_on(self, run: Run) -> None:
        """A batch of steps, a frame, and a slice of tuning, as far as there is reason to."""
        if self._awaiting:
            run.book()  # which is asked for when it is here
            return
        if not self.travel.active:
            if self._unseen and not run.same_nodes:
                self._publish(run)  # what follows a hand is not to wait for a step
            self._take_batch(run)
        else:
            self.travel.turn(run)
        began = self._clock()
        framed = not self.travel.secret and self._publish(run)
        self._unseen = False
        if self.travel.active or run.past.later:
            return  # another stepper would take the past away that is looked at
        # The frame on its way has samples of the probes.
        changed = run.tune(playing=self.playback.active, before_change=self.framing.delivery.settle)
        if framed:
            self.playback.batches.spent_beside(self._clock() - began)
        if changed:
            self.playback.stepper_changed()

    def _take_batch(self, run: Run) -> None:
        due, until = self.playback.due_steps(run.simulation), run.steps_until_due()
        steps = min(due, until, self.movie.steps_until_picture(run.simulation))
        if self._unseen:
            steps = min(steps, 1)  # a number that is turned is seen in what the wave does
        if not steps:
            return
        began = self._clock()
        with self._timeline.span("steps", steps=steps):
            times, values = run.advance(steps)
        self.playback.taken(steps, began)
        self._timeline.count("steps/s", self.playback.meter.rate)
        self.framing.sampled(times, values)
        self.movie.record(run.simulation)
        run.look_after(self._timeline)

    def _publish(self, run: Run) -> bool:
        """Begin a frame if there is a reason to; whether it was."""
        self.framing.delivery.raise_trouble()
        playing = self.playback.playing or self.travel.active or self.travel.rough
        return self.framing.publish(
            run.simulation, run.generation, run.ledger, run.past.span(),
            playing=playing, steps_per_second=self.playback.meter.rate if playing else 0.0,
        )  # fmt: skip

    def _fail(self, error: Exception) -> None:
        """Pause, at the last good state if there is one; the thread goes on."""
        log_defect(error)
        self.play(False)
        self.travel.stop()
        run, restored = self.run, None
        if run is not None and isinstance(error, UnstableError):
            past = run.past
            try:
                restored = run.go_back()
            except Exception as second:  # the device went with it
                log_defect(second)
            self.clock_jumped(run, in_past=run.past is past)
        further = run is not None and restored is not None and run.past.reaches_back
        self.events.put(Failed(-1 if run is None else run.generation, error, restored, further))
