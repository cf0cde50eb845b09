"""Pings of a run: those of the scene, given when their time comes, and a log of all.

A run that goes back in it gives those that hands gave once more, after the same steps, until it is
told that another future begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wavelab.scene.model.sending.pings import MOST_PINGS, Ping
from wavelab.simulation.core.frame_clock import HALF, NO_LIMIT
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger


@dataclass(frozen=True)
class PingsMark:
    """How far the pings of a run had come."""

    given: int
    until: float
    waiting: tuple[Ping, ...]
    missed: int


class Pings:
    """Gives nothing by itself: the first ones wait for :meth:`give_due` or :meth:`advance`.

    Parameters
    ----------
    simulation : at the beginning of a run.
    ledger : books them; None where none is kept.
    earlier : of a run that goes back in it, to :attr:`~Simulation.steps` of ``simulation``.
    carried : of the run that the field comes from, which may have had other steps: what it has
        given is not given again, and what it has not is.
    notify : told of the first one of the scene that touches no element.

    Attributes
    ----------
    missed : how many of the scene have touched no element.
    log : those given in this run, each with the step after which it was.
    """

    def __init__(
        self,
        simulation: Simulation,
        ledger: Ledger | None = None,
        *,
        earlier: Pings | None = None,
        carried: Pings | None = None,
        notify: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._simulation = simulation
        self._ledger, self._notify = ledger, notify
        self._whole: bool = carried is None and (earlier is None or earlier._whole)
        self.missed = 0
        # Step of the beginning, and the time up to which the field had got its pings before it.
        self._began, self._before = simulation.steps, -math.inf
        self._until: float  # the same, up to now
        if carried is not None:
            self._until = self._before = carried._until
        else:
            if earlier is not None and simulation.steps > earlier._began:
                # After what was carried over, not before it, as at time 0.
                self._began, self._before = earlier._began, earlier._before
            # A state that is gone back to was kept before the pings of its step.
            self._until = max(self._before, simulation.time - HALF * simulation.dt)
        coming = [ping for ping in simulation.problem.scene.pings if ping.time > self._until]
        # The next one last; of those at one time the first one.
        self._waiting = sorted(coming, key=lambda ping: ping.time)[::-1]
        # After the first so many those that are to be given again.
        self._log: list[tuple[int, Ping]] = [
            (step, ping)
            for step, ping in (earlier.log if earlier is not None else ())
            if step < simulation.steps
        ]
        self._given = len(self._log)

    @property
    def log(self) -> list[tuple[int, Ping]]:
        """In order."""
        return self._log[: self._given]

    @property
    def full(self) -> bool:
        """Whether the next one is not logged any more."""
        return len(self._log) > MOST_PINGS

    def mark(self) -> PingsMark:
        """For :meth:`go_to`."""
        return PingsMark(self._given, self._until, tuple(self._waiting), self.missed)

    def go_to(self, mark: PingsMark) -> None:
        """The run is where it was at a mark."""
        self._given, self._until, self.missed = mark.given, mark.until, mark.missed
        self._waiting = list(mark.waiting)

    def resume(self, mark: PingsMark, log: Sequence[tuple[int, Ping]]) -> None:
        """Be as others were that had this mark and this :attr:`log`."""
        self._log = list(log)
        self.go_to(mark)

    def forget_later(self) -> None:
        """Another future begins here."""
        del self._log[self._given :]

    def steps_until_due(self) -> int:
        """Steps that may be taken before the next one is due."""
        simulation, until = self._simulation, NO_LIMIT
        if self._given < len(self._log):
            until = self._log[self._given][0] - simulation.steps
        if self._waiting:
            ahead = (self._waiting[-1].time - simulation.time) / simulation.dt
            until = min(until, math.ceil(min(ahead - HALF, NO_LIMIT)))
        return max(1, until)

    def give_due(self) -> int:
        """Give those of the scene that are due at this step; how many there were."""
        simulation, before = self._simulation, len(self._waiting)
        self._until = max(self._until, simulation.time + HALF * simulation.dt)
        while self._waiting and self._waiting[-1].time <= self._until:
            ping = self._waiting.pop()
            if not self._give(ping):
                if not self.missed:
                    x, y = ping.position
                    self._notify(f"The ping of the scene at ({x:g}, {y:g}) touches no element")
                self.missed += 1
        # Those of the scene are given again by now.
        while self._given < len(self._log) and self._log[self._given][0] == simulation.steps:
            self._give(self._log[self._given][1])
        return before - len(self._waiting)

    def give_now(self, ping: Ping) -> bool:
        """Give one more, whatever its time is, and with it another future; whether it touches an
        element, for else nothing is changed."""
        later = self._log[self._given :]
        self.forget_later()
        touches = self._give(replace(ping, time=self._simulation.time))
        if not touches:
            self._log += later
        return touches

    def _give(self, ping: Ping) -> bool:
        """Whether it touches an element."""
        simulation = self._simulation
        (x, y), touches = ping.position, False

        def act() -> None:
            nonlocal touches
            touches = simulation.ping(x, y, ping.radius, ping.amplitude)

        if self._ledger is not None:
            self._ledger.ping(simulation, act)
        else:
            act()
        if touches and self._given < len(self._log):
            self._given += 1  # once more
        elif touches and not self.full:  # one that is too many is kept, so that it shows
            self._log.append((simulation.steps, ping))
            self._given += 1
        return touches

    def advance(self, n_steps: int) -> None:
        """Give those that are due, take steps, and give those that become due."""
        self.give_due()
        while n_steps > 0:
            steps = min(n_steps, self.steps_until_due())
            self._simulation.advance(steps)
            self.give_due()
            n_steps -= steps

    def replay(self) -> tuple[Ping, ...] | None:
        """All that were given, at the times of their steps; None where they do not say how the
        field came about, because it was carried over."""
        if not self._whole:
            return None
        dt = self._simulation.dt
        return tuple(replace(ping, time=step * dt) for step, ping in self.log)
