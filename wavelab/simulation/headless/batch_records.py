"""What a headless run writes down while it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger, steps_per_look
from wavelab.simulation.headless.decay import Decay
from wavelab.simulation.headless.snapshots import SnapshotSeries
from wavelab.simulation.movies.film import Film
from wavelab.simulation.pings import Pings
from wavelab.simulation.records.probe_record import ProbeRecord
from wavelab.timeline import Timeline


@dataclass(eq=False)
class BatchRecords:
    """Samples of probes, and whatever of a film, snapshots and a ledger was asked for.

    Attributes
    ----------
    last : number of the step at which the run ends.
    log : gets the samples of the probes.
    pings : those of the scene, which come after what is written down of their step.
    decay : ends the run before, if the scene says so.
    """

    simulation: Simulation
    last: int
    log: ProbeRecord
    pings: Pings
    film: Film | None
    series: SnapshotSeries | None
    ledger: Ledger | None
    decay: Decay
    timeline: Timeline

    def __post_init__(self) -> None:
        self._looks = _Looks(steps_per_look(self.simulation.stepper.scheme), self.simulation.steps)

    @property
    def ended(self) -> bool:
        """Whether nothing is to come."""
        return self.simulation.steps >= self.last or self.decay.ended

    def advance(self, most: int) -> int:
        """Take ``most`` steps, or as many as there are before something is due; how many."""
        simulation = self.simulation
        steps = min(most, self.last - simulation.steps, self.pings.steps_until_due())
        steps = min(steps, self.decay.steps_until_due())
        if self.ledger is not None:
            steps = min(steps, self._looks.next - simulation.steps)
        if self.film is not None:
            steps = min(steps, self.film.steps_until_picture(simulation))
        if self.series is not None:
            steps = min(steps, self.series.steps_until_due(simulation))
        with self.timeline.span("steps", steps=steps):
            self.log.append(*simulation.advance(steps))
            simulation.stepper.synchronize()
        return steps

    def record(self) -> None:
        """Write down what is due after the steps that were taken."""
        simulation = self.simulation
        if self.ledger is not None and simulation.steps in (self._looks.next, self.last):
            self._looks.taken(simulation.steps)
            with self.timeline.span("ledger"):
                self.ledger.update(simulation)
        if self.film is not None:
            self.film.record(simulation)
        if self.series is not None:
            self.series.record(simulation)
        self.decay.record()
        if self.pings.give_due():
            self._looks.closer(simulation.steps)


class _Looks:
    """Steps at which the ledger looks at the powers: multiples of ``every``, and more after a
    ping, when they change fast.  They do not depend on the batches, so that no number does."""

    def __init__(self, every: int, steps: int) -> None:
        self._every = self._gap = every
        self.taken(steps)

    def taken(self, steps: int) -> None:
        """A look was taken; the gaps to the next ones grow."""
        self._gap = min(self._every, 2 * self._gap)
        usual = steps - steps % self._every + self._every
        self.next = min(usual, steps + self._gap)

    def closer(self, steps: int) -> None:
        """Something came at once."""
        self._gap, self.next = 1, steps + 1
