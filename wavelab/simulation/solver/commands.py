"""What the window can ask of the solver thread: frozen values that know what they do.

They are put on ``Runner.commands``, and obeyed by the solver thread between two batches of steps.
What has an answer is a question (``wavelab.simulation.solver.questions``).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace

from wavelab.errors import OutputError
from wavelab.numerics.fields.carrying import Carrying
from wavelab.output.movies.overlay import MovieOverlay
from wavelab.physics.problem import Problem
from wavelab.scene.model.scene import Probe
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.messages.events import MovieFailed
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver.command import Command
from wavelab.simulation.solver.run import Run
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers.opening import Opening
from wavelab.simulation.views.arrows import ArrowPoints


class RunCommand(Command):
    """What needs a run, and is nothing without one; a frame shows what comes of it."""

    def apply(self, runner: Runner) -> None:
        if runner.run is not None:
            runner.arrive()
            self.act(runner, runner.run)
            runner.framing.changed = True

    @abstractmethod
    def act(self, runner: Runner, run: Run) -> None:
        """Do it to ``run``."""


@dataclass(frozen=True)
class OpenDevice(Command):
    """Get a device ready, as long as there is nothing to run on it: that takes a driver a while.
    What is wrong with it shows when it is taken."""

    where: RunnerSettings
    precision: str

    def apply(self, runner: Runner) -> None:
        where = self.where
        Opening(where.backend, where.device, where.variant, self.precision).open()


@dataclass(frozen=True)
class Play(Command):
    """Let the wave run."""

    def apply(self, runner: Runner) -> None:
        runner.play(True)


@dataclass(frozen=True)
class Pause(Command):
    """Stop after the present batch of steps."""

    def apply(self, runner: Runner) -> None:
        runner.play(False)


@dataclass(frozen=True)
class TakeSteps(Command):
    """Take ``n`` steps, then stay paused."""

    n: int = 1
    called = "step"

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError(f"{self.n} steps cannot be taken")

    def apply(self, runner: Runner) -> None:
        runner.travel.backwards = False
        runner.framing.changed |= runner.playback.ask(self.n)


@dataclass(frozen=True)
class Reset(RunCommand):
    """Initial fields, time 0; playing or paused as before."""

    def act(self, runner: Runner, run: Run) -> None:
        try:
            run.reset()
        finally:
            runner.clock_jumped(run)

    def apply(self, runner: Runner) -> None:
        runner.travel.stop()
        super().apply(runner)


@dataclass(frozen=True)
class SetSpeed(Command):
    """Simulated time per second of wall time; None runs as fast as the device can."""

    speed: float | None

    def __post_init__(self) -> None:
        if self.speed is not None and not (math.isfinite(self.speed) and self.speed > 0):
            raise ValueError(f"a speed is positive and finite, not {self.speed}")

    def apply(self, runner: Runner) -> None:
        for pace in (runner.playback.pace, runner.travel.pace):
            pace.set_speed(self.speed)


@dataclass(frozen=True)
class SetTuning(Command):
    """Whether to look for faster kernels behind the wave, for this problem and those to come."""

    wished: bool

    def apply(self, runner: Runner) -> None:
        runner.set_tuning(self.wished)


@dataclass(frozen=True)
class GivePing(RunCommand):
    """Add a ping to Ez now, whatever its time is."""

    ping: Ping
    called = "ping"

    def __post_init__(self) -> None:
        ping = self.ping
        if not all(map(math.isfinite, (*ping.position, ping.radius, ping.amplitude))):
            raise ValueError(f"{ping} is not finite")
        if ping.radius <= 0:
            raise ValueError(f"a ping has a positive radius, not {ping.radius}")

    def act(self, runner: Runner, run: Run) -> None:
        if not run.pings.give_now(self.ping):
            return
        if run.pings.full:
            run.past.restart("there were too many pings")
        else:
            runner.travel.branch(run)


@dataclass(frozen=True)
class Load(Command):
    """Run this problem from now on.

    With ``keep_field`` the running field is carried over to the new mesh and time goes on;
    otherwise the problem's initial fields start at time 0.  Frames of the new problem carry
    ``generation``.  If its stepper cannot be made, the old problem stays.  ``carrying`` is what
    takes the field over, where that was made beforehand.
    """

    problem: Problem
    generation: int
    keep_field: bool = False
    carrying: Carrying | None = None

    supersedes = True

    def after(self, earlier: Load) -> Load:
        """It keeps the field only if all would have kept it."""
        return replace(self, keep_field=self.keep_field and earlier.keep_field)

    def apply(self, runner: Runner) -> None:
        runner.load(self.problem, self.generation, self.keep_field, self.carrying)


@dataclass(frozen=True)
class AwaitLoad(Command):
    """A problem is being prepared, and there in a moment: let steps wait for it."""

    def apply(self, runner: Runner) -> None:
        runner.awaited.begin()


@dataclass(frozen=True)
class SetQuantity(Command):
    """What frames show: one of ``wavelab.scene.view.quantities.QUANTITIES``."""

    quantity: str

    def apply(self, runner: Runner) -> None:
        runner.framing.show(self.quantity)


@dataclass(frozen=True, eq=False)
class ShowArrows(Command):
    """Frames of the problem ``generation`` carry arrows of a kind of
    ``wavelab.scene.view.quantities.ARROWS`` at some points; none if those are None."""

    kind: str
    points: ArrowPoints | None
    generation: int

    def apply(self, runner: Runner) -> None:
        runner.framing.show_arrows(self.kind, self.points, self.generation)


@dataclass(frozen=True)
class SetProbes(RunCommand):
    """Replace the probes; those outside the domain are left out with a ``Notice``."""

    probes: tuple[Probe, ...]

    def act(self, runner: Runner, run: Run) -> None:
        for name in run.simulation.place_probes(self.probes):
            runner.notify(f"Probe {name} lies outside the domain")
        runner.framing.probes_changed(run.simulation)


@dataclass(frozen=True)
class WatchMonitor(Command):
    """Frames carry what this monitor of the scene has measured, by its number; None for none."""

    number: int | None

    def apply(self, runner: Runner) -> None:
        runner.framing.watch(self.number)


@dataclass(frozen=True)
class ShowMap(Command):
    """Of which monitor, and at which of its frequencies, maps show what it has found."""

    monitor: str
    frequency: int = 0

    def apply(self, runner: Runner) -> None:
        runner.show_map(self.monitor, self.frequency)


@dataclass(frozen=True)
class StartMovie(RunCommand):
    """Begin to record, with ``overlay`` over every picture; a recording that is under way is
    finished first.  Without a run it fails, which is told: the window waits for its end."""

    request: MovieRequest
    overlay: MovieOverlay | None = None

    def apply(self, runner: Runner) -> None:
        if runner.run is None:
            path, remedy = self.request.path, "Record once it runs."
            error = OutputError("there is no wave yet", where=str(path), remedy=remedy)
            runner.events.put(MovieFailed(path, error))
            return
        super().apply(runner)

    def act(self, runner: Runner, run: Run) -> None:
        runner.travel.stop()  # in a movie time goes on
        runner.movie.start(self.request, run.simulation, self.overlay)


@dataclass(frozen=True)
class SetMovieOverlay(Command):
    """From now on this lies over the pictures of the movie that is being recorded."""

    overlay: MovieOverlay | None
    called = "veilmovie"

    def apply(self, runner: Runner) -> None:
        runner.movie.set_overlay(self.overlay)


@dataclass(frozen=True)
class StopMovie(Command):
    """Finish the movie file."""

    def apply(self, runner: Runner) -> None:
        runner.movie.stop()


@dataclass(frozen=True)
class Quit(Command):
    """Finish the movie, release the device and end the thread."""

    def apply(self, runner: Runner) -> None:
        runner.close()
