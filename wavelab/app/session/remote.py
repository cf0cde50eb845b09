"""The remote control of the solver: running, speed, pings, movies."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wavelab.output.movie_overlay import MovieOverlay
from wavelab.scene.model.scene import Probe
from wavelab.simulation.messages import commands, events
from wavelab.simulation.records.monitor_records import MonitorResult
from wavelab.simulation.views.arrows import ArrowPoints


@dataclass(frozen=True)
class Recording:
    """A movie that is being written."""

    path: Path
    frames: int = 0
    time: float = 0.0


class Remote:
    """Puts commands on the solver's queue and remembers what was asked for.

    Attributes
    ----------
    playing : whether the wave is meant to run.
    stopped_by_failure : whether it would run, had it not failed.
    speed : simulated time per second; None is as fast as possible.
    recording : the movie under way.
    """

    def __init__(self, queue: queue.SimpleQueue[commands.Command]) -> None:
        self._commands = queue
        self.playing = False
        self.stopped_by_failure = False
        self.speed: float | None = None
        self.recording: Recording | None = None
        #: What is to be called with the answers, which come one to each question and in turn.
        self._asked: deque[Callable[[Any], None]] = deque()

    def play(self) -> None:
        self.playing, self.stopped_by_failure = True, False
        self._commands.put(commands.Play())

    def pause(self) -> None:
        self.playing = self.stopped_by_failure = False
        self._commands.put(commands.Pause())

    def toggle(self) -> None:
        """Let the wave run, or pause it."""
        (self.pause if self.playing else self.play)()

    def step(self) -> None:
        self.playing = self.stopped_by_failure = False
        self._commands.put(commands.TakeSteps(1))

    def reset(self) -> None:
        self._commands.put(commands.Reset())

    def set_speed(self, speed: float | None) -> None:
        self.speed = speed
        self._commands.put(commands.SetSpeed(speed))

    def tune(self, wished: bool) -> None:
        """Look for faster kernels, or no more."""
        self._commands.put(commands.SetTuning(wished))

    def ping(self, x: float, y: float, radius: float, amplitude: float) -> None:
        self._commands.put(commands.Ping(x, y, radius, amplitude))

    def set_quantity(self, quantity: str) -> None:
        self._commands.put(commands.SetQuantity(quantity))

    def show_arrows(self, kind: str, points: ArrowPoints | None, generation: int) -> None:
        self._commands.put(commands.ShowArrows(kind, points, generation))

    def set_probes(self, probes: tuple[Probe, ...]) -> None:
        self._commands.put(commands.SetProbes(probes))

    def watch_monitor(self, number: int | None) -> None:
        self._commands.put(commands.WatchMonitor(number))

    def show_map(self, monitor: str, frequency: int) -> None:
        self._commands.put(commands.ShowMap(monitor, frequency))

    def measure(self, number: int, then: Callable[[MonitorResult | None], None]) -> None:
        """Have ``then`` called with all that a monitor has measured; None if it is gone."""
        self._ask(commands.Measure(number), lambda measured: then(measured.result))

    def take_fields(self, then: Callable[[events.FieldsTaken], None]) -> None:
        """Have ``then`` called with all the fields of this moment."""
        self._ask(commands.TakeFields(), then)

    def take_pings(self, then: Callable[[events.PingsTaken], None]) -> None:
        """Have ``then`` called with all pings of this run."""
        self._ask(commands.TakePings(), then)

    def _ask(self, question: commands.Command, then: Callable[[Any], None]) -> None:
        self._asked.append(then)
        self._commands.put(question)

    def start_movie(
        self, request: commands.MovieRequest, overlay: MovieOverlay | None = None
    ) -> None:
        """With ``overlay`` over its pictures until :meth:`set_movie_overlay` gives another."""
        self.recording = Recording(request.path)
        self._commands.put(commands.StartMovie(request, overlay))

    def set_movie_overlay(self, overlay: MovieOverlay | None) -> None:
        self._commands.put(commands.SetMovieOverlay(overlay))

    def stop_movie(self) -> None:
        if self.recording is not None:
            self._commands.put(commands.StopMovie())

    def heard(self, event: events.Event) -> None:
        """Keep up with what the solver tells."""
        match event:
            case events.Failed():
                self.stopped_by_failure |= self.playing
                self.playing = False
            case events.MonitorRead() | events.FieldsTaken() | events.PingsTaken():
                self._asked.popleft()(event)
            case events.MovieProgress(frames, time):
                if self.recording is not None:
                    self.recording = replace(self.recording, frames=frames, time=time)
            case events.MovieDone(path) | events.MovieFailed(path):
                # A recording that replaced another hears of the older one's end first.
                if self.recording is not None and self.recording.path == path:
                    self.recording = None
