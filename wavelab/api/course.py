"""A run that a program takes step by step, with all that comes in the course of a headless one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wavelab.api.given import real
from wavelab.ctrl_c import Ended
from wavelab.errors import WavelabError
from wavelab.physics.problem import Problem
from wavelab.physics.stepper import Stepper
from wavelab.simulation.core.pacing import BatchController
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.headless.batch_records import BatchRecords
from wavelab.simulation.headless.decay import Decay
from wavelab.simulation.headless.interrupt import first_request
from wavelab.simulation.headless.progress import Progress
from wavelab.simulation.headless.summary import Summary, summary_of
from wavelab.simulation.movies.film import Film
from wavelab.simulation.pings import Pings
from wavelab.simulation.records.probe_record import ProbeRecord
from wavelab.timeline import NO_TIMELINE

#: Wall time between two looks at the progress bar and at signals.
_BATCH_SECONDS = 0.1
#: Part of a step by which a time may be missed.
_ROUNDING = 1e-6


class Course:
    """A simulation with its pings, the records of its probes, its decay and its ledger, which are
    those of a headless run: the numbers are the same.

    Parameters
    ----------
    stepper : of which a whole number of steps leads to the end of the scene.
    ledger : whether the account of energies is kept.
    notify : told of pings that touch nothing.

    Attributes
    ----------
    end : number of the step at which the scene ends.
    seconds : wall time of all steps.
    """

    def __init__(
        self, problem: Problem, stepper: Stepper, ledger: bool, notify: Callable[[str], None]
    ) -> None:
        self.core = core = Simulation(problem, stepper)
        core.check()
        self._initial = float(core.element_energy().sum())
        self.end = problem.steps_to_end()
        self.log = ProbeRecord(problem.probes.names)
        self.decay = Decay(core, self.end)
        self.ledger = Ledger(core, closely=True) if ledger else None
        self.pings = Pings(core, self.ledger, notify=notify)
        self._records = BatchRecords(
            core, self.end, self.log, self.pings, None, None, self.ledger, self.decay, NO_TIMELINE
        )
        self._records.begin()
        self._callbacks: list[tuple[int, Callable[[], object]]] = []
        self._at_work = False
        self.seconds = 0.0

    def every(self, n_steps: int, callback: Callable[[], object]) -> None:
        """Have something called after all steps whose number is a multiple of ``n_steps``."""
        self._callbacks.append((n_steps, callback))

    def advance_to(
        self, step: int, progress: Progress | None = None, *, until_decayed: bool = False
    ) -> None:
        """Take steps up to one, or until the wave has died away.

        Raises
        ------
        UnstableError : the field blew up.
        KeyboardInterrupt : Ctrl-C, between two steps, from where it can go on.
        WavelabError : a callback of a run asks for another one.
        """
        if self._at_work:
            raise WavelabError(
                "the simulation is in the middle of a run",
                remedy="What a callback does must not take steps of the same simulation.",
            )
        core, records = self.core, self._records
        records.last = max(records.last, step)
        batches = BatchController(_BATCH_SECONDS)
        self._at_work = True
        try:
            with first_request() as asked:
                while core.steps < step and not (until_decayed and self.decay.ended):
                    if asked.number:
                        raise Ended(asked.number)
                    began = time.perf_counter()
                    steps = records.advance(min(batches.steps, step - core.steps, self._free()))
                    seconds = time.perf_counter() - began
                    self.seconds += seconds
                    batches.measured(steps, seconds)
                    records.record()
                    if progress is not None:
                        progress.took(steps)
                    for n, callback in tuple(self._callbacks):
                        if core.steps % n == 0:
                            callback()
        finally:
            self._at_work = False

    def step_at(self, until: float) -> int:
        """Number of the first step that is not before a time.

        Raises
        ------
        WavelabError : that has passed, or is no time.
        """
        core = self.core
        ahead = (real(until, "the time to run until") - core.time) / core.dt
        if ahead < -0.5:
            raise WavelabError(
                f"the time {until:g} has passed: it is t = {core.time:.6g}",
                remedy="Give a later one, or make the simulation anew.",
            )
        return core.steps + max(0, math.ceil(ahead - _ROUNDING))

    def _free(self) -> int:
        """Steps before the next callback; at least one."""
        steps = self.core.steps
        return min((n - steps % n for n, _ in self._callbacks), default=self.end + steps)

    @contextmanager
    def filmed(self, film: Film | None) -> Iterator[None]:
        """Pictures are taken meanwhile."""
        self._records.film = film
        try:
            yield
        finally:
            self._records.film = None

    def summary(self) -> Summary:
        """As ``wavelab run --json`` tells it."""
        core = self.core
        core.check()
        found = summary_of(core, self.seconds, self._initial, self.log, core.measured(), self.decay)
        if self.ledger is not None:
            self.ledger.update(core)
            found["ledger"] = self.ledger.account.summary()
        return found
