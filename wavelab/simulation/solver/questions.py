"""What can be asked about the running wave, each with its answer beside it.

Every question has one answer among the events, in turn, whatever fails.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeVar

from wavelab.physics.problem import Problem
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.core.state import State
from wavelab.simulation.messages.events import Answer
from wavelab.simulation.solver.command import Command
from wavelab.simulation.solver.run import Run
from wavelab.simulation.solver.runner import Runner

A = TypeVar("A", bound=Answer)


class Question(Command, Generic[A]):
    """Asks for an answer of one type."""

    @property
    @abstractmethod
    def nothing(self) -> A:
        """The answer where nothing runs, or where it cannot be found."""

    @abstractmethod
    def answer(self, run: Run) -> A:
        """What is asked for, of this moment.

        Raises
        ------
        WavelabError : the device cannot be read; so may any error of a driver.
        """

    def apply(self, runner: Runner) -> None:
        found = self.nothing
        try:
            runner.arrive()
            if runner.run is not None:
                found = self.answer(runner.run)
        finally:
            # Before any trouble is told, for who asked waits for it.
            runner.events.put(found)


@dataclass(frozen=True)
class MonitorRead(Answer):
    """All that a monitor has measured up to now; None where there is no such monitor any more, or
    where it could not be read."""

    result: MonitorResult | None = None


@dataclass(frozen=True)
class Measure(Question[MonitorRead]):
    """All that a monitor of the scene has measured, by its number."""

    number: int
    nothing = MonitorRead()

    def answer(self, run: Run) -> MonitorRead:
        simulation = run.simulation
        if self.number >= len(simulation.problem.monitors):
            return self.nothing
        return MonitorRead(simulation.measured_by(self.number))


@dataclass(frozen=True)
class FieldsTaken(Answer):
    """The fields of one moment, on the mesh of ``problem``; None where nothing runs yet, or where
    they could not be read."""

    problem: Problem | None = None
    state: State | None = None


@dataclass(frozen=True)
class TakeFields(Question[FieldsTaken]):
    """All the fields of this moment."""

    nothing = FieldsTaken()

    def answer(self, run: Run) -> FieldsTaken:
        return FieldsTaken(run.simulation.problem, run.simulation.state())


@dataclass(frozen=True)
class PingsTaken(Answer):
    """All pings of a run of ``scene`` up to ``time``; None where they do not tell how the field
    came about, because it was carried over from a run before an edit.  The scene is None where
    nothing runs yet; the window may have a newer one, which is being prepared."""

    scene: Scene | None = None
    pings: tuple[Ping, ...] | None = None
    time: float = 0.0


@dataclass(frozen=True)
class TakePings(Question[PingsTaken]):
    """All pings of this run."""

    nothing = PingsTaken()

    def answer(self, run: Run) -> PingsTaken:
        simulation = run.simulation
        return PingsTaken(simulation.problem.scene, run.pings.replay(), simulation.time)
