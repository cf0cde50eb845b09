"""The energy ledger: what was put in, what went where, and what cannot be explained.

The powers are exact for the fields at one moment (:mod:`wavelab.physics.power.power`), and so is
the stored energy.  Over simulated time they are integrated
(:mod:`wavelab.simulation.records.power_integral`) in three parts, by what it costs to see them:

- what walls, conductors, open walls and dispersive media take, and sources with a fixed profile and
  waves that come in give: the stepper samples it after every few steps, whatever else happens
  (:mod:`wavelab.physics.power.sampled_power`);
- what changing media and all other sources do: from the whole field, at looks some steps apart;
- the loss between the elements, which is dear to compute and small: at full looks further apart,
  which see the stored energy too, and close together where the field has just changed.

All are tied to steps, that is to simulated time.  Looks may be further apart than they should be
where they would cost too much.  What this misses, with the errors of the time stepper and of single
precision, is the residual, which is shown and not hidden: it is the honest measure of how good the
ledger is.  ``doubt`` says how much of it the looks may have caused.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from wavelab.numerics.time.clusters import Clusters
from wavelab.physics.materials.auxiliary_energy import stored_energy
from wavelab.physics.operator.fields import Fields
from wavelab.physics.power.full_field_power import (
    FullFieldLoss,
    full_field_powers,
    has_full_field_powers,
    sudden_work,
)
from wavelab.physics.power.power_terms import Term
from wavelab.physics.power.sampled_power import SampledPowers
from wavelab.physics.stepper import TimeScheme
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.core.stored import has_energies_of
from wavelab.simulation.energy.account import Account
from wavelab.simulation.energy.look_schedule import LookSchedule
from wavelab.simulation.records.power_integral import PowerIntegral

#: Stages between two looks in a headless run, and between two samples of walls and sources, to
#: whole steps: the numbers do not depend on the machine's speed.
_STAGES_PER_LOOK, _STAGES_PER_SAMPLE = 10, 16


def steps_per_look(scheme: TimeScheme, stages: int = _STAGES_PER_LOOK) -> int:
    """Steps between two looks in a headless run."""
    if isinstance(scheme, Clusters):
        return 1
    return max(1, stages // scheme.n_stages)


#: What a ledger has come to, beside the fields of its last look.
_MARKED = (
    "_sampled", "_seen", "_jumps", "_given", "_looks", "_stored", "_time", "account", "_schedule",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LedgerMark:
    """What was booked up to a moment.

    Attributes
    ----------
    before : the fields of the last look, if media change.
    """

    values: dict[str, Any]
    before: tuple[Fields, np.ndarray] | None

    @property
    def n_bytes(self) -> int:
        return 0 if self.before is None else self.before[0].n_bytes


class Ledger:
    """Keeps the account of one simulation, from its present state on.

    Parameters
    ----------
    clock : wall time in seconds, for :meth:`update_if_due`.
    earlier : the account up to now, of a problem that this one has taken the place of.
    other_mesh : whether that was on another mesh.
    closely : take all the time for what comes at once, so that no number depends on it.
    before : of the wave up to now on the same nodes, booked just now.  Other numbers of sources or
        media change the field by and by, so that looks stay as far apart as they are.
    fields : those of now, if they have been read.

    Attributes
    ----------
    account : as it was at the last full look.
    """

    def __init__(
        self,
        simulation: Simulation,
        clock: Callable[[], float] = time.perf_counter,
        earlier: Account | None = None,
        *,
        other_mesh: bool = False,
        closely: bool = False,
        before: Ledger | None = None,
        fields: Fields | None = None,
    ) -> None:
        self._earlier, self._closely = earlier, closely
        self._other_mesh = other_mesh
        simulation.around_jump = partial(self._jump, simulation)
        problem, scheme = simulation.problem, simulation.stepper.scheme
        self._problem = problem
        self._powers = SampledPowers.of(
            problem.operator, problem.source_terms, problem.auxiliary_equations
        )
        self._loss = FullFieldLoss.of(problem.operator, self._powers.incident)
        simulation.set_sampling(self._powers.sampling, steps_per_look(scheme, _STAGES_PER_SAMPLE))
        looks = has_full_field_powers(problem.operator, problem.source_terms)
        self._schedule: LookSchedule = (
            LookSchedule(steps_per_look(scheme), looks, simulation.steps, clock)
            if before is None
            else before._schedule.followed(looks, simulation.steps)
        )
        self._sampled, self._seen = PowerIntegral(len(Term)), PowerIntegral(len(Term))
        self._jumps = PowerIntegral(1)
        self._given = {"pings": 0.0, "media": 0.0}  # at once
        self._looks = 0
        self._stored = 0.0
        self._before: tuple[Fields, np.ndarray] | None = None  # of the last look, if media change
        self._since = self._time = simulation.time
        self._sample(simulation)
        same = before is not None and has_energies_of(problem, before._problem)
        stored = before._stored if before is not None and same else None
        self._look(simulation, full=True, stored=stored, fields=fields)
        self._initial = self._stored
        self.account = self._balance()
        self._schedule.looked()

    def _balance(self) -> Account:
        totals = self._sampled.total + self._seen.total
        totals[Term.UPWIND] += self._jumps.total[0]
        of = dict(zip(Term, totals.tolist(), strict=True))
        doubt = self._sampled.doubt + self._seen.doubt + self._jumps.doubt
        account = Account(
            since=float(self._since),
            until=float(self._time),
            initial=self._initial,
            pings=self._given["pings"],
            sources=of[Term.SOURCE],
            walls=of[Term.WALL],
            conductors=of[Term.JOULE],
            numerical=of[Term.UPWIND],
            stored=self._stored,
            looks=self._looks,
            parametric=of[Term.PARAMETRIC] + self._given["media"],
            doubt=doubt,
        )
        if self._earlier is None:
            return account
        return self._earlier.followed_by(account, other_mesh=self._other_mesh)

    def update(
        self, simulation: Simulation, *, full: bool = True, fields: Fields | None = None
    ) -> None:
        """Book everything up to now; if not ``full``, without the jumps between elements.  Fields
        are those of now, if they have been read."""
        if full:
            if self._time == simulation.time:
                return
            self._sample(simulation)
        self._look(simulation, full=full, fields=fields)
        if full:
            self.account = self._balance()

    def mark(self, simulation: Simulation) -> LedgerMark:
        """What is booked up to now, for :meth:`go_to`."""
        self._read_samples(simulation)
        # Where looks are close, the schedule decides on nothing.
        names = [name for name in _MARKED if not (self._closely and name == "_schedule")]
        return LedgerMark({name: copy(getattr(self, name)) for name in names}, self._before)

    def go_to(self, mark: LedgerMark) -> None:
        """The simulation is where it was at a mark."""
        for name, value in mark.values.items():
            setattr(self, name, copy(value))
        self._before = mark.before
        self._schedule.looked()

    def steps_until_look(self, simulation: Simulation) -> int:
        """Steps after which :meth:`update_if_due` has something to do."""
        return self._schedule.steps_until_look(simulation.steps)

    def update_if_due(self, simulation: Simulation) -> None:
        """Book now and then: often enough to follow, seldom enough to cost next to nothing."""
        schedule = self._schedule
        schedule.seen(simulation.steps)
        if schedule.full_due:
            with schedule.spent_on("full"):
                self.update(simulation)
        elif schedule.look_due:
            with schedule.spent_on("look"):
                self.update(simulation, full=False)
        else:
            self._read_samples(simulation)

    def ping(self, simulation: Simulation, act: Callable[[], object]) -> None:
        """Book the energy that ``act`` puts in at once.

        It need not be what the ping has alone: a ping on a field of the other sign takes out.
        """
        self._at_once(simulation, act, "pings")

    def _jump(self, simulation: Simulation, act: Callable[[], object]) -> None:
        """Book what media put in that ``act`` makes jump, with D and B as they are; a source that
        jumps puts in nothing at once."""
        self._at_once(simulation, act, "media")

    def _at_once(self, simulation: Simulation, act: Callable[[], object], giver: str) -> None:
        """Book what ``act`` puts in.

        The powers jump with it, so they are looked at on both sides of it, but for the jumps
        between elements if there are too many for that, as in a trail of pings.
        """
        stepper, full = simulation.stepper, self._closely or self._schedule.may_look_closely
        with self._schedule.spent_on("ping"):
            self._sample(simulation)
            self._look(simulation, full=full)
            before = float(stepper.element_energy().sum())
            act()
            self._given[giver] += float(stepper.element_energy().sum()) - before
            for integral in (self._sampled, self._seen, *([self._jumps] if full else [])):
                integral.jump()
            self._sample(simulation)
            self._look(simulation, full=full)
            if full:
                self.account = self._balance()
            else:
                self._time = -math.inf  # what was known of now is not so any more
        self._schedule.jumped(simulation.steps)

    def _read_samples(self, simulation: Simulation) -> None:
        """Book what is sampled."""
        times, values = simulation.read_sampled()
        if len(times):
            self._sampled.add(times, self._powers.table(times, values))

    def _sample(self, simulation: Simulation) -> None:
        """The same, up to now."""
        self._read_samples(simulation)
        now = simulation.time
        if len(self._powers.sampling) and self._sampled.time != now:
            values = simulation.stepper.sample_now()[None]
            self._sampled.add(np.array([now]), self._powers.table(np.array([now]), values))

    def _look(
        self, simulation: Simulation, *, full: bool, stored: float | None = None,
        fields: Fields | None = None,
    ) -> None:  # fmt: skip
        """The other powers, and if ``full`` the stored energy, now, unless it is known."""
        if not (full or self._schedule.looks):
            return  # what is sampled is all there is
        problem, now = simulation.problem, simulation.time
        operator, local = problem.operator, problem.auxiliary_equations
        fields = simulation.stepper.fields() if fields is None else fields
        self._looks += 1
        if self._schedule.looks:
            found = full_field_powers(operator, fields, problem.source_terms, now)
            self._book(simulation, fields, found.row[None])
        if full:
            if self._jumps.time == now:  # and something has come since
                self._jumps.jump()
            self._jumps.add(np.array([now]), np.array([[self._loss.power(fields, now)]]))
            if stored is None:
                stored = float(operator.element_energy(fields, now).sum())
                stored += stored_energy(local, fields.auxiliary, operator.discretization)
            self._stored, self._time = stored, now

    def _book(self, simulation: Simulation, fields: Fields, values: np.ndarray) -> None:
        """The powers of a look, with what media put in that have changed at once since the last."""
        operator, now = simulation.problem.operator, np.array([simulation.time])
        seen, before, then = self._seen, self._before, self._seen.time
        self._before = (fields, values) if operator.media.changes else None
        if before is not None and then is not None and then < simulation.time:
            jump = sudden_work(operator, (before[0], fields), (then, simulation.time))
            if jump:
                # The powers have jumped: by the mean of both sides, and nothing learnt from it.
                self._given["media"] += jump
                seen.jump()
                seen.add(np.array([then]), before[1])
                seen.add(now, values)
                seen.jump()
        seen.add(now, values)
