"""What is kept of a run, so that it can be gone back in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.core.state import Moment
from wavelab.simulation.energy.ledger import Ledger, LedgerMark
from wavelab.simulation.messages.frames import PastSpan
from wavelab.simulation.past.ring import Ring
from wavelab.simulation.pings import Pings, PingsMark

#: Wall time between two moments that are kept, at least, and the share of all time that this may
#: take.
_SECONDS, _SHARE = 0.02, 0.02
#: By which factor the cost of a moment may grow from one to the next.
_SLOWER = 1.5
#: Bytes that a moment takes beside its arrays, about.
_BESIDE = 8192


@dataclass(frozen=True, eq=False)
class RunMoment:
    """Everything in a run at the begin of a step, before the pings of that step."""

    step: int
    time: float
    simulation: Moment
    ledger: LedgerMark | None
    pings: PingsMark

    @property
    def n_bytes(self) -> int:
        of_ledger = self.ledger.n_bytes if self.ledger is not None else 0
        return self.simulation.kept.n_bytes + of_ledger + _BESIDE


def moment_of(simulation: Simulation, ledger: Ledger | None, pings: Pings) -> RunMoment:
    """Where a run is, between two steps.

    Raises
    ------
    DeviceError : the device cannot be read.
    """
    booked = ledger.mark(simulation) if ledger is not None else None
    return RunMoment(simulation.steps, simulation.time, simulation.moment(), booked, pings.mark())


def return_to(
    moment: RunMoment, simulation: Simulation, ledger: Ledger | None, pings: Pings
) -> None:
    """Have a run be where it was then."""
    simulation.return_to(moment.simulation)
    pings.go_to(moment.pings)
    if ledger is not None and moment.ledger is not None:
        ledger.go_to(moment.ledger)


class Past:
    """Moments of one run, as many as fit into a memory budget, from here on.

    From a moment that is kept the run goes on bit for bit as it did, pings of the hand included, so
    all steps up to the newest can be reached; another future begins with :meth:`branch`.

    Parameters
    ----------
    simulation, ledger, pings : of the run.
    budget : bytes; 0 keeps nothing.
    clock : wall time in seconds.
    since : what there is before, in words: what the past begins with.

    Attributes
    ----------
    newest : the last step that was reached.
    cost : wall time in seconds that it takes to keep a moment.
    """

    def __init__(
        self,
        simulation: Simulation,
        ledger: Ledger | None,
        pings: Pings,
        budget: int,
        clock: Callable[[], float],
        *,
        since: str,
    ) -> None:
        self._simulation, self._ledger, self._pings = simulation, ledger, pings
        self._ring: Ring[RunMoment] = Ring(budget)
        self._clock, self._since = clock, since
        self._due = -math.inf
        self.cost = 0.0
        self.newest = simulation.steps
        self._newest_time = simulation.time
        self._needed = 0  # bytes of a moment that does not fit

    @property
    def kept(self) -> bool:
        """Whether there is a past."""
        return bool(self._ring.moments)

    @property
    def first(self) -> int:
        """The first step that can be reached."""
        return self._ring.moments[0].step if self.kept else self._simulation.steps

    @property
    def reaches_back(self) -> bool:
        """Whether one can go back from here."""
        return self.first < self._simulation.steps

    @property
    def later(self) -> bool:
        """Whether the run is before its newest step."""
        return self._simulation.steps < self.newest

    def span(self) -> PastSpan | None:
        """What there is, for the window; None where nothing is kept by wish."""
        if not self._ring.budget:
            return None
        moments = self._ring.moments
        begin = moments[0] if moments else None
        return PastSpan(
            begin.step if begin is not None else self._simulation.steps,
            begin.time if begin is not None else self._simulation.time,
            self.newest,
            self._newest_time,
            len(moments),
            self._ring.n_bytes,
            self._since,
            self._needed,
        )

    def set_budget(self, budget: int) -> None:
        """Keep so many bytes from now on."""
        self._ring.budget, self._needed = budget, 0
        self._ring.fit(self._simulation.steps)
        if not self.kept:
            self.restart("there is memory for it")

    def restart(self, since: str) -> None:
        """What was before is of no use any more: begin from here."""
        self._ring.clear()
        self._since, self._needed = since, 0
        self.branch()
        self.keep()

    def keep(self) -> None:
        """Keep this moment, between two steps.

        Raises
        ------
        DeviceError : the device cannot be read.
        """
        if not self._ring.budget or self._needed:
            return
        began, simulation = self._clock(), self._simulation
        moment = moment_of(simulation, self._ledger, self._pings)
        self._ring.put(moment, simulation.steps)
        if not self.kept:
            self._needed = moment.n_bytes
        # A moment in which others had the processor says nothing about the next.
        self.cost = min(self._clock() - began, _SLOWER * (self.cost or math.inf))
        self._due = self._clock() + max(_SECONDS, self.cost / _SHARE)

    def offer(self) -> None:
        """Steps were taken: keep this moment if it is time to."""
        if self._clock() >= self._due:
            self.keep()

    def follow(self) -> None:
        """Steps were taken: this may be the newest."""
        if self._simulation.steps > self.newest:
            self.newest, self._newest_time = self._simulation.steps, self._simulation.time

    def before(self, step: int) -> RunMoment | None:
        """The last moment that is kept at or before a step."""
        return self._ring.before(step)

    def return_to(self, moment: RunMoment) -> None:
        """Have the run be where it was then; the pings of that step are not given yet."""
        return_to(moment, self._simulation, self._ledger, self._pings)

    def branch(self) -> float | None:
        """What comes now is another future than the one that there was; up to when that went, if
        there was one."""
        gone = self._newest_time if self.later else None
        now = self._simulation.steps
        self._ring.forget_after(now)
        self._pings.forget_later()
        self._simulation.monitors.forget_later()
        self.newest, self._newest_time = now, self._simulation.time
        return gone
