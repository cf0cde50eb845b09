"""The loop of the solver thread: commands in, frames and events out.

``Runner.turn`` is one pass of it and needs no thread, which is how the tests drive it.
"""

from __future__ import annotations

import logging
import math
import queue
import time
from collections.abc import Callable
from dataclasses import replace

from wavelab.errors import DeviceError, UnstableError, WavelabError
from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import Problem
from wavelab.simulation.core.playback import Playback
from wavelab.simulation.messages.events import EventQueue, Failed, LoadFailed, Notice
from wavelab.simulation.messages.frames import Mailbox
from wavelab.simulation.messages.loading import RunnerSettings, loaded_event
from wavelab.simulation.movies.movie_deck import MovieDeck
from wavelab.simulation.solver.command import Command, without_superseded
from wavelab.simulation.solver.framing import Framing
from wavelab.simulation.solver.run import Run
from wavelab.simulation.steppers.steppers import StepperMaker, make_stepper
from wavelab.timeline import NO_TIMELINE, Timeline

log = logging.getLogger(__name__)

#: A paused runner looks for a wanted frame this often while it has one to show ...
_POLL_SECONDS = 0.02
#: ... and otherwise sleeps on its command queue.
_SLEEP_SECONDS = 0.5
#: A device that fails again within this time is not begun with anew a second time.
_ANEW_SECONDS = 10.0
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
        self._anew = -math.inf  #: when the device was last begun with anew
        self.playback = Playback(clock)
        self.movie = MovieDeck(self.events, timeline)
        self.framing = Framing(self.mailbox, clock, timeline)

    def turn(self) -> bool:
        """One pass: obey all commands, take a batch of steps, make a frame if one is wanted.

        Sleeps on the command queue when there is nothing to do.  False after ``Quit``.
        """
        for command in self._waiting_commands():
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
            if not self._started_anew(error):
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
            run.close_unneeded()

    def _waiting_commands(self) -> list[Command]:
        commands: list[Command] = []
        wait = self._idle_seconds()
        try:
            commands.append(self.commands.get(timeout=wait) if wait else self.commands.get_nowait())
            while True:
                commands.append(self.commands.get_nowait())
        except queue.Empty:
            return without_superseded(commands)

    def _idle_seconds(self) -> float:
        run = self.run
        if run is None:
            return _SLEEP_SECONDS
        if self.playback.active:
            return min(self.playback.wait_seconds(run.simulation), _POLL_SECONDS)
        return _POLL_SECONDS if self.framing.changed or run.tuning else _SLEEP_SECONDS

    def play(self, playing: bool) -> None:
        """Go on, or pause."""
        self.framing.changed |= self.playback.play(playing)

    def set_tuning(self, wished: bool) -> None:
        """Whether to look for faster kernels from now on."""
        self._settings = replace(self._settings, tune=wished)
        if self.run is not None:
            self.run.stop_tuning()
            self.run.begin_tuning(self._settings, self._make)

    def show_map(self, monitor: str, frequency: int) -> None:
        """What maps show, in this run and in those to come."""
        self._map = (monitor, frequency)
        self.framing.changed = True
        if self.run is not None:
            self.run.simulation.map = self._map

    def clock_jumped(self, run: Run) -> None:
        """The run is at another time than its last step has left it at."""
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
            self._replace(problem, generation, self.run if keep_field else None, carrying)
        except Exception as error:
            _log_defect(error)
            self.events.put(LoadFailed(generation, error))

    def _replace(
        self,
        problem: Problem,
        generation: int,
        carried: Run | None,
        carrying: Carrying | None = None,
        *,
        anew: bool = False,
    ) -> None:
        """Replace the run, or raise what :meth:`Run.loaded` raises, whose parameters these are, and
        leave it as it was."""
        old, placed = self.run, None if self.run is None else self.run.simulation.placed
        earlier = -math.inf if old is None else old.simulation.time
        run = Run.loaded(
            problem,
            generation,
            self._settings,
            self._make,
            self._clock,
            self.notify,
            carried,
            carrying=carrying,
            anew=anew,
        )
        self.run = run
        run.simulation.map = self._map
        # First, so that what is said of the run outlives its start.
        self.events.put(loaded_event(run.simulation, run.generation, run.kept))
        if not run.same_cost:
            self.playback.stepper_changed()
        if not run.goes_on:
            self.playback.restart()
        if run.goes_on and run.simulation.placed == placed:
            self.framing.changed = True
        else:
            self.framing.restart(run.simulation)
        jumped = not run.kept or run.simulation.time < earlier
        self.movie.problem_changed(run.simulation, jumped=jumped)
        if old is None or old.simulation is not run.simulation:
            if old is not None:
                old.close_unneeded()
            run.begin_tuning(self._settings, self._make)
        run.pings.give_due()

    def _go_on(self, run: Run) -> None:
        """A batch of steps, a frame, and a slice of tuning, as far as there is reason to."""
        self._take_batch(run)
        began = self._clock()
        framed = self._publish(run)
        # The frame on its way has samples of the probes.
        changed = run.tune(playing=self.playback.active, before_change=self.framing.delivery.settle)
        if framed:
            self.playback.batches.spent_beside(self._clock() - began)
        if changed:
            self.playback.stepper_changed()

    def _take_batch(self, run: Run) -> None:
        steps = min(
            self.playback.due_steps(run.simulation),
            run.steps_until_due(),
            self.movie.steps_until_picture(run.simulation),
        )
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
        playing = self.playback.playing
        return self.framing.publish(
            run.simulation,
            run.generation,
            run.ledger,
            playing=playing,
            steps_per_second=self.playback.meter.rate if playing else 0.0,
        )

    def _started_anew(self, error: DeviceError) -> bool:
        """Whether the run goes on, on a device that is begun with anew: one that was reset, as
        after a sleep of the computer, has lost all that was on it.  Not again and again."""
        run, before = self.run, self._anew
        self._anew = self._clock()
        if run is None or self._anew - before < _ANEW_SECONDS:
            return False
        try:
            self._replace(run.simulation.said, run.generation, run, anew=True)
        except Exception as second:  # the first is told
            _log_defect(second)
            return False
        assert self.run is not None
        time, device = self.run.simulation.time, self.run.simulation.stepper.device
        self.notify(
            f"{error.where or 'The device'} failed ({error.message}); "
            f"the wave goes on from t = {time:.6g}, on {device}"
        )
        return True

    def _fail(self, error: Exception) -> None:
        """Pause, at the last good state if there is one; the thread goes on."""
        _log_defect(error)
        self.play(False)
        run, restored = self.run, None
        if run is not None and isinstance(error, UnstableError):
            try:
                restored = run.go_back()
            except Exception as second:  # the device went with it
                _log_defect(second)
            self.clock_jumped(run)
        self.events.put(Failed(run.generation if run is not None else -1, error, restored))


def _log_defect(error: Exception) -> None:
    if not isinstance(error, WavelabError):
        log.error("the solver thread caught an exception", exc_info=error)
