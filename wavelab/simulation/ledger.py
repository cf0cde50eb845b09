"""The energy ledger: what was put in, what went where, and what cannot be explained.

The powers are exact for the fields at one moment (:mod:`wavelab.physics.power`), and so is the
stored energy.  Over simulated time the powers are integrated by the trapezoidal rule, corrected by
their second difference (the rule of Gill & Miller, *An algorithm for the integration of unequally
spaced data*, 1972), from looks taken now and then.  The loss between the elements, which is dear to
compute and varies slowly, is looked at less often than the rest.  What this misses, with the errors
of the time stepper and of single precision, is the residual, which is shown and not hidden: it is
the honest measure of how good the ledger is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wavelab.numerics.clusters import Clusters
from wavelab.physics.energy import element_energy
from wavelab.physics.local_equations import stored_energy
from wavelab.physics.power import Powers, loss_at_inner_faces, powers, sudden_work
from wavelab.physics.stepper import TimeScheme
from wavelab.simulation.simulation import Simulation

#: Stages between two looks in a headless run, to whole steps: the numbers do not depend on the
#: machine's speed.
_STAGES_PER_LOOK = 10
#: Share of all time that looking may take in the window.
_SHARE = 0.05
#: One look in so many is a full one: at the jumps between elements and the stored energy too.
_LOOKS_PER_FULL_LOOK = 10
#: Places in arrays of powers: what changing media put in, and the loss between elements.
_PARAMETRIC, _NUMERICAL = 1, 4
#: The same for what pings need, while there are any.
_PING_SHARE = 0.1


def steps_per_look(scheme: TimeScheme) -> int:
    """Steps between two looks in a headless run."""
    if isinstance(scheme, Clusters):
        return 1
    return max(1, _STAGES_PER_LOOK // scheme.n_stages)


@dataclass(frozen=True)
class Account:
    """Energies between the simulated times ``since`` and ``until``.

    Attributes
    ----------
    initial : stored at ``since``.
    pings : added by pings.
    sources : put in by the sources; negative if they took out more.
    walls : gone into walls that do not reflect everything, or through open edges: radiated or
        absorbed.
    conductors : turned into heat, where sigma > 0 and in dispersive media.
    numerical : lost by the upwind flux.
    stored : in the fields and in dispersive media at ``until``.
    looks : how often the powers were looked at.
    parametric : put in by media that change in time; negative if they took out more.
    """

    since: float
    until: float
    initial: float
    pings: float
    sources: float
    walls: float
    conductors: float
    numerical: float
    stored: float
    looks: int
    parametric: float = 0.0

    @property
    def put_in(self) -> float:
        return self.initial + self.pings + self.sources + self.parametric

    @property
    def lost(self) -> float:
        return self.walls + self.conductors + self.numerical

    @property
    def residual(self) -> float:
        """Stored energy that the other entries do not explain."""
        return self.stored - (self.put_in - self.lost)

    @property
    def turnover(self) -> float:
        """What the other entries are compared with: the energy handled since ``since``."""
        put_in = self.initial + self.pings + max(self.sources, 0.0) + max(self.parametric, 0.0)
        return max(put_in, self.stored, self.lost)

    def summary(self) -> dict[str, float]:
        """As in ``wavelab run --json``."""
        return {
            "initial": self.initial,
            "sources": self.sources,
            "parametric": self.parametric,
            "walls": self.walls,
            "conductors": self.conductors,
            "numerical": self.numerical,
            "stored": self.stored,
            "residual": self.residual,
        }


class Ledger:
    """Keeps the account of one simulation, from its present state on.

    Parameters
    ----------
    clock : wall time in seconds; what looking costs is measured as processor time of this thread,
        because waiting for others is not a cost.
    """

    def __init__(
        self, simulation: Simulation, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._clock = clock
        self._due = self._ping_due = clock()
        self._mean_cost = 0.0
        self.restart(simulation)

    def restart(self, simulation: Simulation) -> None:
        """Begin anew: the field was replaced."""
        self._totals = np.zeros(5)  # as _as_array has them
        self._pings = 0.0
        self._looks = 0
        self._earlier: tuple[float, np.ndarray] | None = None
        self._since = self._time = simulation.time
        self._look(simulation, full=True)
        self._initial = self._stored
        self._account = self._balance()

    @property
    def account(self) -> Account:
        """As it was at the last full look."""
        return self._account

    def _balance(self) -> Account:
        sources, parametric, walls, conductors, numerical = self._totals.tolist()
        return Account(
            float(self._since), float(self._time), self._initial, self._pings,
            sources, walls, conductors, numerical, self._stored, self._looks, parametric,
        )  # fmt: skip

    def update(self, simulation: Simulation, *, full: bool = True) -> None:
        """Book everything up to now; if not ``full``, with the jumps between elements as they
        were when last looked at."""
        elapsed = simulation.time - self._time
        if elapsed == 0 and (self._inner_time == self._time or not full):
            return
        before, inner, inner_time = self._powers, self._inner, self._inner_time
        then, self._time = self._time, simulation.time
        fields = self._fields
        self._look(simulation, full=full)
        self._integrate(elapsed, before, self._powers)
        if fields is not None and self._fields is not None:
            operator = simulation.problem.operator
            jump = sudden_work(operator, (fields, self._fields), (then, self._time))
            if jump:
                self._totals[_PARAMETRIC] += jump
                self._earlier = None  # the powers have jumped
        if full:
            # Booked so far as if it had stayed as it was then.
            held = self._time - elapsed - inner_time
            self._totals[_NUMERICAL] += (self._inner - inner) / 2 * held
            self._account = self._balance()

    def _integrate(self, elapsed: float, before: Powers, now: Powers) -> None:
        """Add the integral over the last ``elapsed`` and correct the one before it."""
        if elapsed == 0:
            return
        start, end = _as_array(before), _as_array(now)
        self._totals += elapsed * (start + end) / 2
        slope = (end - start) / elapsed
        if self._earlier is not None:
            span, earlier_slope = self._earlier
            second = 2 * (slope - earlier_slope) / (span + elapsed)
            correction = (span**3 + elapsed**3) / 24 * second
            # The jumps between elements are not looked at every time, so have no differences.
            self._totals[:_NUMERICAL] -= correction[:_NUMERICAL]
        self._earlier = (elapsed, slope)

    def update_if_due(self, simulation: Simulation) -> None:
        """Book now and then: often enough to follow, seldom enough to cost next to nothing."""
        now = self._clock()
        if now >= self._due:
            began = time.thread_time()
            self.update(simulation, full=self._looks % _LOOKS_PER_FULL_LOOK == 0)
            cost = time.thread_time() - began
            self._mean_cost += 0.2 * (cost - self._mean_cost)
            self._due = now + self._mean_cost / _SHARE

    def ping(self, simulation: Simulation, act: Callable[[], object]) -> None:
        """Book the energy that ``act`` puts in at once.

        It need not be what the pulse has alone: a pulse on a field of the other sign takes out.
        The powers jump with it, so they are looked at on both sides of it, but for the pings of
        a trail that come too fast for that.
        """
        now, began = self._clock(), time.thread_time()
        looking = now >= self._ping_due
        if looking:
            self.update(simulation)
        before = float(simulation.stepper.element_energy().sum())
        act()
        gained = float(simulation.stepper.element_energy().sum()) - before
        self._pings += gained
        if looking:
            self._look(simulation, full=True)
            self._account = self._balance()
            self._earlier = None  # the powers have jumped
            self._ping_due = now + (time.thread_time() - began) / _PING_SHARE

    def _look(self, simulation: Simulation, *, full: bool) -> None:
        """The powers and the stored energy now."""
        operator, fields = simulation.problem.operator, simulation.stepper.fields()
        local = simulation.problem.local_equations
        self._looks += 1
        self._fields = fields if operator.media.changes else None
        if full:
            self._inner = loss_at_inner_faces(
                operator, fields, simulation.problem.drives, simulation.time
            )
            self._inner_time = simulation.time
            self._stored = float(element_energy(operator, fields, simulation.time).sum())
            self._stored += stored_energy(local, fields.memory, operator.discretization)
        self._powers = powers(
            operator,
            fields,
            simulation.problem.drives,
            simulation.time,
            inner_loss=self._inner,
            local_equations=local,
        )


def _as_array(p: Powers) -> np.ndarray:
    return np.array([p.source, p.parametric, p.wall, p.joule, p.upwind])
