"""The recording of a running simulation: at most one, and no trouble of it stops the wave."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

from wavelab.simulation.commands import MovieRequest
from wavelab.simulation.events import Event, MovieDone, MovieFailed, MovieProgress
from wavelab.simulation.frame_clock import FrameClock
from wavelab.simulation.recorder import Recorder
from wavelab.simulation.simulation import Simulation


class MovieDeck:
    """Starts, feeds and ends recordings, reporting to ``events``."""

    def __init__(self, events: queue.SimpleQueue[Event]) -> None:
        self._events = events
        self._recorder: Recorder | None = None
        self._clock: FrameClock | None = None

    def start(self, request: MovieRequest, simulation: Simulation) -> None:
        """Begin with a picture of this moment."""
        self.stop()

        def begin() -> None:
            self._recorder = Recorder(request, simulation.problem.discretization)
            self._clock = FrameClock(simulation.time, request.time_per_frame)

        self._try(request.path, begin)
        self.record(simulation)

    def stop(self) -> None:
        """Finish the file of a recording that is under way."""
        if self._recorder is None:
            return
        recorder, self._recorder = self._recorder, None

        def end() -> None:
            self._events.put(MovieDone(recorder.path, recorder.close()))

        self._try(recorder.path, end)

    def steps_until_picture(self, simulation: Simulation) -> int:
        """Steps that may be taken before the next picture is due."""
        if self._recorder is None or self._clock is None:
            return 2**31
        return self._clock.steps_until(simulation.time, simulation.dt)

    def record(self, simulation: Simulation) -> None:
        """Take the pictures that are due now, if any."""
        if self._recorder is None or self._clock is None:
            return
        due = self._clock.due(simulation.time, simulation.dt)
        if not due:
            return
        recorder, clock = self._recorder, self._clock
        values = simulation.stepper.view(recorder.request.quantity)

        def add() -> None:
            for _ in range(due):
                recorder.add(values)
            clock.take(due)
            self._events.put(MovieProgress(recorder.frames, simulation.time))

        self._try(recorder.path, add)

    def clock_jumped(self, simulation: Simulation) -> None:
        """Go on recording after a reset."""
        if self._clock is not None:
            self._clock.rewind(simulation.time)

    def problem_changed(self, simulation: Simulation, jumped: bool) -> None:
        """Go on recording on another mesh."""
        if self._recorder is None:
            return
        recorder, d = self._recorder, simulation.problem.discretization
        self._try(recorder.path, lambda: recorder.set_discretization(d))
        if jumped:
            self.clock_jumped(simulation)

    def _try(self, path: Path, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            if self._recorder is not None:
                recorder, self._recorder = self._recorder, None
                recorder.abort()
            self._events.put(MovieFailed(path, error))
