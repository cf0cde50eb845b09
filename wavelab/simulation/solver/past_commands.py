"""Commands that move a run in its past (``wavelab.simulation.past``)."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.simulation.solver.command import Command
from wavelab.simulation.solver.commands import RunCommand
from wavelab.simulation.solver.run import Run
from wavelab.simulation.solver.runner import Runner

_NO_PAST = "Nothing is kept of the past: give it memory (menu Run, Memory of the past)"
_IN_A_MOVIE = "A movie is being recorded: finish it (F9) before you go back in time"


class PastCommand(RunCommand):
    """Moves the run in its past, and leaves it paused; not while a movie is recorded, in which time
    goes on."""

    def apply(self, runner: Runner) -> None:
        if runner.movie.recording:
            runner.notify(_IN_A_MOVIE)
        elif runner.run is not None and not runner.run.past.kept:
            runner.notify(_NO_PAST)
        elif runner.run is not None:
            runner.playback.play(False)
            runner.framing.changed = True
            self.act(runner, runner.run)


@dataclass(frozen=True)
class GoTo(PastCommand):
    """Be at a step again that was reached, or ``roughly`` there if that takes less time."""

    step: int
    roughly: bool = False

    supersedes = True

    def act(self, runner: Runner, run: Run) -> None:
        runner.travel.go(run, self.step, roughly=self.roughly)


@dataclass(frozen=True)
class StepBack(PastCommand):
    """Take the last ``n`` steps back."""

    n: int = 1

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError(f"{self.n} steps cannot be taken back")

    def act(self, runner: Runner, run: Run) -> None:
        runner.travel.step_back(run, self.n)


@dataclass(frozen=True)
class PlayBack(PastCommand):
    """Let the wave run backwards, to the first moment that is kept."""

    def act(self, runner: Runner, run: Run) -> None:
        runner.travel.run_backwards(run)


@dataclass(frozen=True)
class GoToNewest(PastCommand):
    """Be at the last step that was reached."""

    def act(self, runner: Runner, run: Run) -> None:
        runner.travel.go(run, run.past.newest)


@dataclass(frozen=True)
class SetPastMemory(Command):
    """How many bytes what is kept of a run may take; 0 keeps nothing."""

    n_bytes: int

    def __post_init__(self) -> None:
        if self.n_bytes < 0:
            raise ValueError(f"{self.n_bytes} bytes cannot be kept")

    def apply(self, runner: Runner) -> None:
        runner.set_past(self.n_bytes)
