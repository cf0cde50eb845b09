"""The remote control of the solver: what was asked of it, and what is to be remembered of that."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from wavelab.scene.model.scene import Probe
from wavelab.simulation.messages import events
from wavelab.simulation.solver import commands, past_commands
from wavelab.simulation.solver.command import Command
from wavelab.simulation.solver.questions import Question

A = TypeVar("A", bound=events.Answer)


@dataclass(frozen=True)
class Recording:
    """A movie that is being written."""

    path: Path
    frames: int = 0
    time: float = 0.0


class Remote:
    """Puts commands on the solver's queue.

    Attributes
    ----------
    playing : whether the wave is meant to run.
    backwards : whether it is meant to run backwards.
    in_past : whether it was last seen before the newest step that it has reached: no other future
        than that is to begin unasked.
    stopped_by_failure : whether it would run, had it not failed.
    speed : simulated time per second; None is as fast as possible.  Every scene brings its own.
    tuning : whether faster kernels are to be looked for.
    recording : the movie under way.
    placed : the probes that the running simulation has.

    Parameters
    ----------
    changed : called when one of them may be another.
    """

    def __init__(
        self,
        queue: queue.SimpleQueue[Command],
        *,
        tuning: bool = False,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._commands = queue
        self._changed = changed
        self.playing = self.backwards = self.in_past = False
        self.stopped_by_failure = False
        self.speed: float | None = 1.0
        self.tuning = tuning
        self.recording: Recording | None = None
        self.placed: tuple[Probe, ...] = ()
        #: What is to be called with the answers, which come one to each question and in turn.
        self._asked: deque[Callable[[Any], None]] = deque()

    def send(self, command: Command) -> None:
        """Have the solver obey, and keep in mind what that means."""
        match command:
            case commands.Play():
                self.playing, self.backwards, self.stopped_by_failure = True, False, False
            case commands.Pause() | commands.TakeSteps() | past_commands.PastCommand():
                self.playing = self.stopped_by_failure = False
                self.backwards = isinstance(command, past_commands.PlayBack)
            case commands.SetSpeed(speed):
                self.speed = speed
            case commands.SetTuning(wished):
                self.tuning = wished
            case commands.StartMovie(request):
                self.backwards = False
                self.recording = Recording(request.path)
        self._commands.put(command)
        self._changed()

    def toggle(self) -> None:
        """Let the wave run, or pause it."""
        self.send(commands.Pause() if self.playing or self.backwards else commands.Play())

    def place_probes(self, probes: tuple[Probe, ...]) -> None:
        """Have these, if it has others."""
        if probes != self.placed:
            self.send(commands.SetProbes(probes))
            self.placed = probes

    def ask(self, question: Question[A], then: Callable[[A], None]) -> None:
        """Have ``then`` called with the answer."""
        self._asked.append(then)
        self._commands.put(question)

    def heard(self, event: events.Event) -> None:
        """Keep up with what the solver tells."""
        match event:
            case events.Failed():
                self.stopped_by_failure |= self.playing
                self.playing = self.backwards = False
            case events.Stopped():
                self.backwards = False
            case events.Answer():
                self._asked.popleft()(event)
            case events.MovieProgress(frames, time):
                if self.recording is not None:
                    self.recording = replace(self.recording, frames=frames, time=time)
            case events.MovieDone(path) | events.MovieFailed(path):
                # A recording that replaced another hears of the older one's end first.
                if self.recording is not None and self.recording.path == path:
                    self.recording = None
        self._changed()
