"""What the window can ask of the solver thread: frozen values put on ``Runner.commands``."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from wavelab.output.movie_overlay import MovieOverlay
from wavelab.physics.problem import Problem
from wavelab.scene.model.scene import Probe
from wavelab.simulation.views.arrows import ArrowPoints


@dataclass(frozen=True)
class Play:
    """Let the wave run."""


@dataclass(frozen=True)
class Pause:
    """Stop after the present batch of steps."""


@dataclass(frozen=True)
class TakeSteps:
    """Take ``n`` steps, then stay paused."""

    n: int = 1

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError(f"{self.n} steps cannot be taken")


@dataclass(frozen=True)
class Reset:
    """Initial fields, time 0; playing or paused as before."""


@dataclass(frozen=True)
class SetSpeed:
    """Simulated time per second of wall time; None runs as fast as the device can."""

    speed: float | None

    def __post_init__(self) -> None:
        if self.speed is not None and not (math.isfinite(self.speed) and self.speed > 0):
            raise ValueError(f"a speed is positive and finite, not {self.speed}")


@dataclass(frozen=True)
class SetTuning:
    """Whether to look for faster kernels behind the wave, for this problem and those to come."""

    wished: bool


@dataclass(frozen=True)
class Ping:
    """Add amplitude exp(-d^2 / (2 radius^2)) to Ez around (x, y), in scene coordinates."""

    x: float
    y: float
    radius: float
    amplitude: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.x, self.y, self.radius, self.amplitude))):
            raise ValueError(f"{self} is not finite")
        if self.radius <= 0:
            raise ValueError(f"a ping has a positive radius, not {self.radius}")


@dataclass(frozen=True)
class Load:
    """Run this problem from now on.

    With ``keep_field`` the running field is carried over to the new mesh and time goes on;
    otherwise the problem's initial fields start at time 0.  Frames of the new problem carry
    ``generation``.  If its stepper cannot be made, the old problem stays.
    """

    problem: Problem
    generation: int
    keep_field: bool = False


@dataclass(frozen=True)
class SetQuantity:
    """What frames show: one of ``wavelab.simulation.views.views.VIEWS``."""

    quantity: str


@dataclass(frozen=True, eq=False)
class ShowArrows:
    """Frames of the problem ``generation`` carry arrows of a kind of
    ``wavelab.scene.model.monitors.ARROWS`` at some points; none if those are None."""

    kind: str
    points: ArrowPoints | None
    generation: int


@dataclass(frozen=True)
class SetProbes:
    """Replace the probes; those outside the domain are left out with a ``Notice``."""

    probes: tuple[Probe, ...]


@dataclass(frozen=True)
class WatchMonitor:
    """Frames carry what this monitor of the scene has measured, by its number; None for none."""

    number: int | None


@dataclass(frozen=True)
class ShowMap:
    """Of which monitor, and at which of its frequencies, maps show what it has found."""

    monitor: str
    frequency: int = 0


@dataclass(frozen=True)
class Measure:
    """Tell all that a monitor of the scene has measured, by its number, in one ``MonitorRead``."""

    number: int


@dataclass(frozen=True)
class TakeFields:
    """Tell all the fields of this moment, in one ``FieldsTaken``."""


@dataclass(frozen=True)
class TakePings:
    """Tell all pings of this run, in one ``PingsTaken``."""


@dataclass(frozen=True)
class MovieRequest:
    """A movie in simulated time: the same pictures whatever the frame rate of the window.

    Attributes
    ----------
    path : file to write; its suffix (.mp4, .webm, .gif) chooses the format.
    width, height : pixels, even (see ``wavelab.output.movie.even_size``).
    time_per_frame : simulated time between two pictures.
    fps : pictures per second when played.
    quantity : one of ``wavelab.simulation.views.views.VIEWS``.
    palette : a name in ``wavelab.output.palette.PALETTES``.
    limit : the value shown in full colour; None follows the field.
    extent : (x0, y0, x1, y1) of the picture in scene coordinates; None fits the whole domain.
    arrows : one of ``wavelab.scene.model.monitors.ARROWS``.
    decades : powers of ten below full colour on a logarithmic scale; None for a linear one.
    relief : azimuth and elevation from which the whole domain is seen as a relief, without arrows;
        None for the flat view.
    """

    path: Path
    width: int
    height: int
    time_per_frame: float
    fps: int = 30
    quantity: str = "ez"
    palette: str = "berlin"
    limit: float | None = None
    extent: tuple[float, float, float, float] | None = None
    arrows: str = "none"
    decades: int | None = None
    relief: tuple[float, float] | None = None


@dataclass(frozen=True)
class StartMovie:
    """Begin to record, with ``overlay`` over every picture; a recording that is under way is
    finished first."""

    request: MovieRequest
    overlay: MovieOverlay | None = None


@dataclass(frozen=True)
class SetMovieOverlay:
    """From now on this lies over the pictures of the movie that is being recorded."""

    overlay: MovieOverlay | None


@dataclass(frozen=True)
class StopMovie:
    """Finish the movie file."""


@dataclass(frozen=True)
class Quit:
    """Finish the movie, release the device and end the thread."""


#: Each has one event in answer, see ``wavelab.simulation.solver.answers``.
Question = Measure | TakeFields | TakePings

Command = (
    Play
    | Pause
    | TakeSteps
    | Reset
    | SetSpeed
    | SetTuning
    | Ping
    | Load
    | SetQuantity
    | ShowArrows
    | SetProbes
    | WatchMonitor
    | ShowMap
    | Measure
    | TakeFields
    | TakePings
    | StartMovie
    | StopMovie
    | SetMovieOverlay
    | Quit
)


def without_superseded_loads(commands: Iterable[Command]) -> list[Command]:
    """The commands without loads that a later one makes pointless.

    The last one keeps the field only if all would have kept it.
    """
    commands = list(commands)
    loads = [c for c in commands if isinstance(c, Load)]
    if len(loads) < 2:
        return commands
    last = replace(loads[-1], keep_field=all(load.keep_field for load in loads))
    return [
        last if c is loads[-1] else c for c in commands if not isinstance(c, Load) or c is loads[-1]
    ]
