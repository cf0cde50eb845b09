"""What a headless run writes down while it goes on."""

from __future__ import annotations

from wavelab.simulation.film import Film
from wavelab.simulation.ledger import Ledger, steps_per_look
from wavelab.simulation.probe_traces import ProbeTraces
from wavelab.simulation.simulation import Simulation
from wavelab.simulation.snapshots import SnapshotSeries
from wavelab.timeline import Timeline


class BatchRecords:
    """Samples of probes, and whatever of a film, snapshots and a ledger was asked for.

    Parameters
    ----------
    last : number of the step at which the run ends.
    log : gets the samples of the probes.
    """

    def __init__(
        self,
        simulation: Simulation,
        last: int,
        log: ProbeTraces,
        *,
        film: Film | None,
        series: SnapshotSeries | None,
        ledger: Ledger | None,
        timeline: Timeline,
    ) -> None:
        self._simulation, self._last, self._log = simulation, last, log
        self._timeline = timeline
        self._film, self._series, self._ledger = film, series, ledger
        self._look = steps_per_look(simulation.stepper.scheme)

    def advance(self, most: int) -> int:
        """Take ``most`` steps, or as many as there are before something is due; how many."""
        simulation, steps = self._simulation, min(most, self._last - self._simulation.steps)
        if self._ledger is not None:
            # At steps that do not depend on the batches, so that no number does.
            steps = min(steps, self._look - simulation.steps % self._look)
        if self._film is not None:
            steps = min(steps, self._film.steps_until_picture(simulation))
        if self._series is not None:
            steps = min(steps, self._series.steps_until_due(simulation))
        with self._timeline.span("steps", steps=steps):
            self._log.append(*simulation.advance(steps))
            simulation.stepper.synchronize()
        return steps

    def record(self) -> None:
        """Write down what is due after the steps that were taken."""
        simulation = self._simulation
        if self._ledger is not None and (
            simulation.steps % self._look == 0 or simulation.steps == self._last
        ):
            with self._timeline.span("ledger"):
                self._ledger.update(simulation)
        if self._film is not None:
            self._film.record(simulation)
        if self._series is not None:
            self._series.record(simulation)
