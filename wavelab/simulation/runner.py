"""The loop of the solver thread: commands in, frames and events out.

``Runner.turn`` is one pass of it and needs no thread, which is how the tests drive it.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable

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
    ShowArrows,
    ShowMap,
    StartMovie,
    Step,
    StopMovie,
    TakeFields,
    TakePings,
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
from wavelab.simulation.last_good import LastGoodState
from wavelab.simulation.ledger import Ledger
from wavelab.simulation.loading import (
    RunnerSettings,
    StepperMaker,
    loaded_event,
    start_simulation,
)
from wavelab.simulation.movie_deck import MovieDeck
from wavelab.simulation.pings import Pings
from wavelab.simulation.playback import Playback
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.steppers import make_stepper
from wavelab.simulation.tuning import BackgroundTuning, begin_tuning
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
        self._simulation: Simulation | None = None
        self._ledger: Ledger | None = None
        self._pings: Pings | None = None
        self._tuning: BackgroundTuning | None = None
        self._generation = -1
        self._map = ("", 0)
        self._quit = False
        self._last_good = LastGoodState(clock)
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
            self._run_batch()
            began = self._clock()
            if self._publish():
                self._playback.spent_beside(self._clock() - began)
            self._tune()
        except Exception as error:
            self._fail(error)
        return True

    def close(self) -> None:
        """Finish the movie and release the device; done by ``Quit`` too."""
        self._quit = True
        self._movie.stop()
        self._stop_tuning(_COMPILER_SECONDS)
        self._framing.close()
        if self._simulation is not None:
            simulation, self._simulation = self._simulation, None
            simulation.close()

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
        simulation = self._simulation
        if simulation is not None and self._playback.active:
            return min(self._playback.wait_seconds(simulation), _POLL_SECONDS)
        busy = self._framing.changed or self._tuning is not None
        return _POLL_SECONDS if busy and simulation is not None else _SLEEP_SECONDS

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
            case WatchMonitor(number):
                self._framing.watch(number)
            case ShowMap(monitor, frequency):
                self._map = (monitor, frequency)
                self._framing.changed = True
                if self._simulation is not None:
                    self._simulation.map = self._map
            case Measure(number):
                simulation, result = self._simulation, None
                if simulation is not None and number < len(simulation.problem.monitors):
                    result = simulation.measured_by(number)
                self.events.put(Measured(result))
            case TakeFields():
                self.events.put(self._fields())
            case TakePings():
                self.events.put(self._given())
            case SetQuantity(quantity):
                self._framing.show(quantity)
            case ShowArrows():
                self._framing.show_arrows(command)
            case Load():
                self._load(command)
            case StopMovie():
                self._movie.stop()
            case _ if self._simulation is not None:
                self._act_on(self._simulation, command)

    def _act_on(self, simulation: Simulation, command: Command) -> None:
        match command:
            case Ping(x, y, radius, amplitude):
                assert self._pings is not None  # begun with the simulation
                self._pings.add(x, y, radius, amplitude)
            case Reset():
                simulation.reset()
                self._restart(simulation)
                self._movie.clock_jumped(simulation)
            case SetProbes(probes):
                for name in simulation.place_probes(probes):
                    self._notify(f"Probe {name} lies outside the domain")
                self._framing.probes_changed(simulation)
            case StartMovie(request):
                self._movie.start(request, simulation)
        self._framing.changed = True

    def _fields(self) -> FieldsTaken:
        simulation = self._simulation
        if simulation is None:
            return FieldsTaken(None, None)
        return FieldsTaken(simulation.problem, simulation.state())

    def _given(self) -> PingsTaken:
        if self._simulation is None or self._pings is None:
            return PingsTaken(None, None, 0.0)
        simulation = self._simulation
        return PingsTaken(simulation.problem.scene, self._pings.replay(), simulation.time)

    def _show_change(self, changed: bool) -> None:
        self._framing.changed |= changed

    def _restart(
        self, simulation: Simulation, *, carried: Pings | None = None, earlier: Pings | None = None
    ) -> None:
        self._framing.restart(simulation)
        self._ledger = Ledger(simulation, self._clock)
        self._pings = Pings(
            simulation, self._ledger, earlier=earlier, carried=carried, notify=self._notify
        )
        self._playback.restart()
        self._last_good.forget()

    # -- problems ---------------------------------------------------------------------------

    def _load(self, command: Load) -> None:
        old = self._simulation
        running = old if command.keep_field else None
        try:
            simulation, kept = start_simulation(
                command.problem, self._settings, self._make, self._notify, running
            )
        except Exception as error:
            _log_defect(error)
            self.events.put(LoadFailed(command.generation, error))
            return
        self._simulation = simulation
        simulation.map = self._map
        self._generation = command.generation
        self._playback.stepper_changed()
        # First, so that what is said of the run outlives its start.
        self.events.put(loaded_event(simulation, command.generation, kept))
        self._restart(simulation, carried=self._pings if kept else None)
        self._movie.problem_changed(simulation, jumped=not kept)
        self._stop_tuning()
        if old is not None:
            old.close()
        self._tuning = begin_tuning(simulation, self._settings, self._make, self._clock)

    def _notify(self, text: str) -> None:
        self.events.put(Notice(text))

    # -- steps ------------------------------------------------------------------------------

    def _run_batch(self) -> None:
        simulation = self._simulation
        if simulation is None:
            return
        steps = self._due_steps(simulation)
        if not steps:
            return
        began = self._clock()
        with self._timeline.span("steps", steps=steps):
            times, values = simulation.advance(steps)
            simulation.stepper.synchronize()
        self._playback.taken(steps, began)
        self._timeline.count("steps/s", self._playback.rate)
        self._framing.sampled(times, values)
        self._movie.record(simulation)
        with self._timeline.span("keep a copy"):
            self._last_good.offer(simulation)
        if self._ledger is not None:
            with self._timeline.span("ledger"):
                self._ledger.update_if_due(simulation)
        if self._pings is not None:
            self._pings.give_due()

    def _due_steps(self, simulation: Simulation) -> int:
        steps = self._playback.due_steps(simulation)
        if steps and self._ledger is not None:
            steps = min(steps, self._ledger.steps_until_look(simulation))
        if self._pings is not None:
            steps = min(steps, self._pings.steps_until_due())
        return min(steps, self._movie.steps_until_picture(simulation))

    def _publish(self) -> bool:
        """Begin a frame if there is a reason to; whether it was."""
        self._framing.raise_trouble()
        return self._simulation is not None and self._framing.publish(
            self._simulation,
            self._generation,
            self._ledger,
            playing=self._playback.playing,
            steps_per_second=self._playback.rate if self._playback.playing else 0.0,
        )

    # -- tuning -----------------------------------------------------------------------------

    def _tune(self) -> None:
        """A slice of the search for faster kernels; swaps the stepper when it has found some."""
        simulation, tuning = self._simulation, self._tuning
        if simulation is None or tuning is None:
            return
        faster = tuning.turn(playing=self._playback.active)
        if tuning.done:
            self._tuning = None
        if faster is not None:
            self._framing.settle()  # the frame on its way has samples of the probes
            simulation.change_stepper(faster)
            self._playback.stepper_changed()

    def _stop_tuning(self, patience: float = 0.0) -> None:
        tuning, self._tuning = self._tuning, None
        if tuning is not None:
            tuning.close(patience)

    # -- trouble ----------------------------------------------------------------------------

    def _fail(self, error: Exception) -> None:
        """Pause, at the last good state if there is one; the thread goes on."""
        _log_defect(error)
        self._show_change(self._playback.play(False))
        restored = None
        simulation = self._simulation
        if simulation is not None and isinstance(error, UnstableError):
            try:
                self._last_good.restore(simulation)
                restored = simulation.time
                self._restart(simulation, earlier=self._pings)
                self._movie.clock_jumped(simulation)
            except Exception as second:  # the device went with it
                _log_defect(second)
        self.events.put(Failed(self._generation, error, restored))


def _log_defect(error: Exception) -> None:
    if not isinstance(error, WavelabError):
        log.error("the solver thread caught an exception", exc_info=error)
