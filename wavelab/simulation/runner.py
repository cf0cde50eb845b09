"""The loop of the solver thread: commands in, frames and events out.

``Runner.turn`` is one pass of it and needs no thread, which is how the tests drive it.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable
from dataclasses import replace

from wavelab.errors import UnstableError, WavelabError
from wavelab.simulation.commands import (
    Command,
    Load,
    Measure,
    Pause,
    Ping,
    Play,
    Quit,
    Reset,
    SetProbes,
    SetQuantity,
    SetSpeed,
    SetTuning,
    ShowArrows,
    ShowMap,
    StartMovie,
    Step,
    StopMovie,
    TakeFields,
    TakePings,
    VeilMovie,
    WatchMonitor,
    without_superseded_loads,
)
from wavelab.simulation.events import (
    Event,
    Failed,
    FieldsTaken,
    LoadFailed,
    Measured,
    Notice,
    PingsTaken,
)
from wavelab.simulation.frames import Mailbox
from wavelab.simulation.framing import Framing
from wavelab.simulation.loading import RunnerSettings, StepperMaker, loaded_event
from wavelab.simulation.monitor_records import MonitorResult
from wavelab.simulation.movie_deck import MovieDeck
from wavelab.simulation.playback import Playback
from wavelab.simulation.run import Run
from wavelab.simulation.steppers import make_stepper
from wavelab.timeline import NO_TIMELINE, Timeline

log = logging.getLogger(__name__)

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
    commands : put ``wavelab.simulation.commands`` values here, from any thread.
    mailbox : frames, made only when the window asked for one and something changed.
    events : ``wavelab.simulation.events`` values for the window.
    run : what is loaded, and everything that belongs to it; None before the first.

    Parameters
    ----------
    settings : what steppers it makes, and whether it tunes them.
    make : makes a stepper, called as ``make(operator, dt=, backend=, device=, design=,
        precision=, notify=)``.
    clock : wall time in seconds.
    timeline : gets what the solver and the movie do; ``make`` has to see to the device.
    """

    def __init__(
        self,
        settings: RunnerSettings | None = None,
        *,
        make: StepperMaker = make_stepper,
        clock: Callable[[], float] = time.perf_counter,
        timeline: Timeline = NO_TIMELINE,
    ) -> None:
        self.commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self.mailbox = Mailbox()
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._settings = settings or RunnerSettings()
        self._make = make
        self._clock = clock
        self._timeline = timeline
        self.run: Run | None = None
        self._map = ("", 0)
        self._quit = False
        self._playback = Playback(clock)
        self._movie = MovieDeck(self.events, timeline)
        self._framing = Framing(self.mailbox, clock, timeline)

    def turn(self) -> bool:
        """One pass: obey all commands, take a batch of steps, make a frame if one is wanted.

        Sleeps on the command queue when there is nothing to do.  False after ``Quit``.
        """
        for command in self._waiting_commands():
            try:
                with self._timeline.span(type(command).__name__.lower()):
                    self._obey(command)
            except Exception as error:
                self._fail(error)
            if self._quit:
                return False
        try:
            if self.run is not None:
                self._go_on(self.run)
        except Exception as error:
            self._fail(error)
        return True

    def close(self) -> None:
        """Finish the movie and release the device; done by ``Quit`` too."""
        self._quit = True
        self._movie.stop()
        run, self.run = self.run, None
        if run is not None:
            run.stop_tuning(_COMPILER_SECONDS)
        self._framing.close()
        if run is not None:
            run.close()

    # -- commands ---------------------------------------------------------------------------

    def _waiting_commands(self) -> list[Command]:
        commands = []
        wait = self._idle_seconds()
        try:
            commands.append(self.commands.get(timeout=wait) if wait else self.commands.get_nowait())
            while True:
                commands.append(self.commands.get_nowait())
        except queue.Empty:
            return without_superseded_loads(commands)

    def _idle_seconds(self) -> float:
        run = self.run
        if run is None:
            return _SLEEP_SECONDS
        if self._playback.active:
            return min(self._playback.wait_seconds(run.simulation), _POLL_SECONDS)
        return _POLL_SECONDS if self._framing.changed or run.tuning else _SLEEP_SECONDS

    def _obey(self, command: Command) -> None:
        match command:
            case Quit():
                self.close()
            case Play():
                self._show_change(self._playback.play(True))
            case Pause():
                self._show_change(self._playback.play(False))
            case Step(n):
                self._show_change(self._playback.ask(n))
            case SetSpeed(speed):
                self._playback.set_speed(speed)
            case SetTuning(wished):
                self._set_tuning(wished)
            case WatchMonitor(number):
                self._framing.watch(number)
            case ShowMap(monitor, frequency):
                self._map = (monitor, frequency)
                self._framing.changed = True
                if self.run is not None:
                    self.run.simulation.map = self._map
            case Measure(number):
                self._answer(lambda: Measured(self._measured(number)), Measured(None))
            case TakeFields():
                self._answer(self._fields, FieldsTaken(None, None))
            case TakePings():
                self._answer(self._given, PingsTaken(None, None, 0.0))
            case SetQuantity(quantity):
                self._framing.show(quantity)
            case ShowArrows():
                self._framing.show_arrows(command)
            case Load():
                self._load(command)
            case StopMovie():
                self._movie.stop()
            case VeilMovie(veil):
                self._movie.set_veil(veil)
            case _ if self.run is not None:
                self._act_on(self.run, command)

    def _act_on(self, run: Run, command: Command) -> None:
        """What needs a run, and is nothing without one."""
        match command:
            case Ping(x, y, radius, amplitude):
                run.pings.add(x, y, radius, amplitude)
            case Reset():
                try:
                    run.reset()
                finally:
                    self._clock_jumped(run)
            case SetProbes(probes):
                for name in run.simulation.place_probes(probes):
                    self._notify(f"Probe {name} lies outside the domain")
                self._framing.probes_changed(run.simulation)
            case StartMovie(request, veil):
                self._movie.start(request, run.simulation, veil)
        self._framing.changed = True

    def _answer(self, find: Callable[[], Event], nothing: Event) -> None:
        """One event for each question, for who asked waits for it: ``nothing`` if it cannot be
        found, before the trouble is told."""
        answer = nothing
        try:
            answer = find()
        finally:
            self.events.put(answer)

    def _measured(self, number: int) -> MonitorResult | None:
        if self.run is None or number >= len(self.run.simulation.problem.monitors):
            return None
        return self.run.simulation.measured_by(number)

    def _fields(self) -> FieldsTaken:
        if self.run is None:
            return FieldsTaken(None, None)
        simulation = self.run.simulation
        return FieldsTaken(simulation.problem, simulation.state())

    def _given(self) -> PingsTaken:
        if self.run is None:
            return PingsTaken(None, None, 0.0)
        simulation = self.run.simulation
        return PingsTaken(simulation.problem.scene, self.run.pings.replay(), simulation.time)

    def _set_tuning(self, wished: bool) -> None:
        self._settings = replace(self._settings, tune=wished)
        if self.run is not None:
            self.run.stop_tuning()
            self.run.begin_tuning(self._settings, self._make)

    def _show_change(self, changed: bool) -> None:
        self._framing.changed |= changed

    def _clock_jumped(self, run: Run) -> None:
        """The run is at another time than its last step has left it at."""
        self._framing.restart(run.simulation)
        self._playback.restart()
        self._movie.clock_jumped(run.simulation)

    # -- problems ---------------------------------------------------------------------------

    def _load(self, command: Load) -> None:
        """Replace the run by another one, or leave it as it is."""
        old = self.run
        try:
            run = Run.loaded(command, self._settings, self._make, self._clock, self._notify, old)
        except Exception as error:
            _log_defect(error)
            self.events.put(LoadFailed(command.generation, error))
            return
        self.run = run
        run.simulation.map = self._map
        # First, so that what is said of the run outlives its start.
        self.events.put(loaded_event(run.simulation, run.generation, run.kept))
        self._playback.stepper_changed()
        self._playback.restart()
        self._framing.restart(run.simulation)
        self._movie.problem_changed(run.simulation, jumped=not run.kept)
        if old is not None:
            _close_replaced(old)
        run.begin_tuning(self._settings, self._make)
        run.pings.give_due()

    def _notify(self, text: str) -> None:
        self.events.put(Notice(text))

    # -- steps ------------------------------------------------------------------------------

    def _go_on(self, run: Run) -> None:
        """A batch of steps, a frame, and a slice of tuning, as far as there is reason to."""
        self._take_batch(run)
        began = self._clock()
        framed = self._publish(run)
        # The frame on its way has samples of the probes.
        changed = run.tune(playing=self._playback.active, before_change=self._framing.settle)
        if framed:
            self._playback.spent_beside(self._clock() - began)
        if changed:
            self._playback.stepper_changed()

    def _take_batch(self, run: Run) -> None:
        steps = min(
            self._playback.due_steps(run.simulation),
            run.steps_until_due(),
            self._movie.steps_until_picture(run.simulation),
        )
        if not steps:
            return
        began = self._clock()
        with self._timeline.span("steps", steps=steps):
            times, values = run.advance(steps)
        self._playback.taken(steps, began)
        self._timeline.count("steps/s", self._playback.rate)
        self._framing.sampled(times, values)
        self._movie.record(run.simulation)
        run.look_after(self._timeline)

    def _publish(self, run: Run) -> bool:
        """Begin a frame if there is a reason to; whether it was."""
        self._framing.raise_trouble()
        playing = self._playback.playing
        return self._framing.publish(
            run.simulation,
            run.generation,
            run.ledger,
            playing=playing,
            steps_per_second=self._playback.rate if playing else 0.0,
        )

    # -- trouble ----------------------------------------------------------------------------

    def _fail(self, error: Exception) -> None:
        """Pause, at the last good state if there is one; the thread goes on."""
        _log_defect(error)
        self._show_change(self._playback.play(False))
        run, restored = self.run, None
        if run is not None and isinstance(error, UnstableError):
            try:
                restored = run.go_back()
            except Exception as second:  # the device went with it
                _log_defect(second)
            self._clock_jumped(run)
        self.events.put(Failed(run.generation if run is not None else -1, error, restored))


def _close_replaced(run: Run) -> None:
    """Nobody needs it any more, so nobody needs to know if its device fails now."""
    try:
        run.close()
    except Exception as error:
        log.warning("a run that was replaced could not be closed", exc_info=error)


def _log_defect(error: Exception) -> None:
    if not isinstance(error, WavelabError):
        log.error("the solver thread caught an exception", exc_info=error)
