"""What a headless run writes down while it goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wavelab.arrays import Array
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger, steps_per_look
from wavelab.simulation.headless.decay import Decay, DecayMark
from wavelab.simulation.headless.snapshots import SeriesMark, SnapshotSeries
from wavelab.simulation.movies.film import Film, FilmMark
from wavelab.simulation.past.past import RunMoment, moment_of, return_to
from wavelab.simulation.pings import Pings
from wavelab.simulation.records.probe_record import ProbeRecord
from wavelab.timeline import Timeline


@dataclass(frozen=True, eq=False)
class BatchMark:
    """All that a headless run has come to between two steps.

    Attributes
    ----------
    moment : of what runs.
    recorded, probed : times and values of the series of each monitor, and of the probes.
    pings : those that were given.
    looks : of the ledger, its gap and the step of the next.
    """

    moment: RunMoment
    recorded: list[tuple[Array, Array]]
    probed: tuple[Array, Array]
    pings: list[tuple[int, Ping]]
    looks: tuple[int, int]
    decay: DecayMark
    film: FilmMark | None
    series: SeriesMark | None


@dataclass(eq=False)
class BatchRecords:
    """Samples of probes, and whatever of a film, snapshots and a ledger was asked for.

    Attributes
    ----------
    last : number of the step at which the run ends.
    log : gets the samples of the probes.
    pings : those of the scene, which come after what is written down of their step.
    decay : ends the run before, if the scene says so.
    sampled : times and values of the probes of the last steps.
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
    sampled: tuple[Array, Array] = field(default=(np.zeros(0), np.zeros((0, 0))), init=False)

    def __post_init__(self) -> None:
        self._looks = _Looks(steps_per_look(self.simulation.stepper.scheme), self.simulation.steps)

    @property
    def ended(self) -> bool:
        """Whether nothing is to come."""
        return self.simulation.steps >= self.last or self.decay.ended

    def begin(self) -> None:
        """Write down the beginning; pings of time 0 come after that, as all others after what is
        written down of their step."""
        if self.series is not None:
            self.series.record(self.simulation)
        self.pings.give_due()

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
            self.sampled = simulation.advance(steps)
            self.log.append(*self.sampled)
            simulation.stepper.synchronize()
        return steps

    def pinged(self, step: int) -> None:
        """A ping came from outside."""
        self._looks.closer(step)

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

    @property
    def settled(self) -> bool:
        """Whether the ledger has booked all up to now: rounding depends on how it is parted."""
        return self.ledger is None or self.ledger.account.until == self.simulation.time

    def mark(self) -> BatchMark:
        """For :meth:`resume`, between two steps, where all is :attr:`settled`.

        Raises
        ------
        DeviceError, OutputError : the device cannot be read, or the movie not be written.
        """
        simulation = self.simulation
        return BatchMark(
            moment_of(simulation, self.ledger, self.pings),
            simulation.monitors.recorded(),
            self.log.rows(),
            self.pings.log,
            (self._looks.gap, self._looks.next),
            self.decay.mark(),
            self.film.mark() if self.film is not None else None,
            self.series.mark() if self.series is not None else None,
        )

    def resume(self, mark: BatchMark) -> None:
        """Be as the records of another process were that had this mark; the film is already."""
        return_to(mark.moment, self.simulation, self.ledger, self.pings)
        self.simulation.monitors.resume(mark.moment.simulation.records, mark.recorded)
        self.pings.resume(mark.moment.pings, mark.pings)
        self.log.resume(len(mark.probed[0]), *mark.probed)
        self._looks.gap, self._looks.next = mark.looks
        self.decay.go_to(mark.decay)
        if self.series is not None and mark.series is not None:
            self.series.go_to(mark.series)


class _Looks:
    """Steps at which the ledger looks at the powers: multiples of ``every``, and more after a
    ping, when they change fast.  They do not depend on the batches, so that no number does."""

    def __init__(self, every: int, steps: int) -> None:
        self._every = self.gap = every
        self.taken(steps)

    def taken(self, steps: int) -> None:
        """A look was taken; the gaps to the next ones grow."""
        self.gap = min(self._every, 2 * self.gap)
        usual = steps - steps % self._every + self._every
        self.next = min(usual, steps + self.gap)

    def closer(self, steps: int) -> None:
        """Something came at once."""
        self.gap, self.next = 1, steps + 1
