"""What the solver thread tells the window: frozen values on ``Runner.events``."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Loaded:
    """A problem runs now.  ``kept`` says whether the field before was carried over; ``clusters``
    how many elements take which steps with local time stepping, the shortest first."""

    generation: int
    device: str
    backend: str
    precision: str
    order: int
    elements: int
    unknowns: int
    dt: float
    kept: bool
    clusters: tuple[int, ...] = ()


@dataclass(frozen=True)
class LoadFailed:
    """The problem of this generation could not be started; what ran before goes on."""

    generation: int
    error: Exception


@dataclass(frozen=True)
class Failed:
    """The run stopped: the field blew up, or the device failed.

    The runner is paused.  ``restored`` is the simulated time of the last good state if the field
    was put back to it, else None; ``further`` whether one can go back further from there.
    """

    generation: int
    error: Exception
    restored: float | None = None
    further: bool = False


@dataclass(frozen=True)
class Stopped:
    """What ran backwards is paused: it has come to the first moment that is kept, or another run
    has begun."""


@dataclass(frozen=True)
class MovieProgress:
    """Pictures taken so far, and the simulated time of the last."""

    frames: int
    time: float


@dataclass(frozen=True)
class MovieDone:
    """The file is complete."""

    path: Path
    frames: int


@dataclass(frozen=True)
class MovieFailed:
    """The recording ended without a file; the wave goes on."""

    path: Path
    error: Exception


class Answer:
    """What a question was answered (see ``wavelab.simulation.solver.questions``)."""


@dataclass(frozen=True)
class Notice:
    """Something worth a line in the status bar."""

    text: str


Event = (
    Loaded
    | LoadFailed
    | Failed
    | Stopped
    | MovieProgress
    | MovieDone
    | MovieFailed
    | Answer
    | Notice
)


class EventQueue(queue.SimpleQueue[Event]):
    """Events on their way to the window.

    Parameters
    ----------
    woken : called after each in the thread that it comes from.
    """

    def __init__(self, woken: Callable[[], None]) -> None:
        self._woken = woken

    def put(self, item: Event, block: bool = True, timeout: float | None = None) -> None:
        super().put(item, block, timeout)
        self._woken()
