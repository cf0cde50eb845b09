"""What the solver thread tells the window: frozen values on ``Runner.events``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavelab.physics.problem import Problem
from wavelab.scene.model.pings import Ping
from wavelab.scene.model.scene import Scene
from wavelab.simulation.core.simulation import State
from wavelab.simulation.records.monitor_records import MonitorResult


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
    was put back to it, else None.
    """

    generation: int
    error: Exception
    restored: float | None = None


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


@dataclass(frozen=True)
class MonitorRead:
    """All that a monitor has measured up to now; None where there is no such monitor any more, or
    where it could not be read."""

    result: MonitorResult | None


@dataclass(frozen=True)
class FieldsTaken:
    """The fields of one moment, on the mesh of ``problem``; None where nothing runs yet, or where
    they could not be read."""

    problem: Problem | None
    state: State | None


@dataclass(frozen=True)
class PingsTaken:
    """All pings of a run of ``scene`` up to ``time``; None where they do not tell how the field
    came about, because it was carried over from a run before an edit.  The scene is None where
    nothing runs yet; the window may have a newer one, which is being prepared."""

    scene: Scene | None
    pings: tuple[Ping, ...] | None
    time: float


@dataclass(frozen=True)
class Notice:
    """Something worth a line in the status bar."""

    text: str


Event = (
    Loaded
    | LoadFailed
    | Failed
    | MovieProgress
    | MovieDone
    | MovieFailed
    | MonitorRead
    | FieldsTaken
    | PingsTaken
    | Notice
)
