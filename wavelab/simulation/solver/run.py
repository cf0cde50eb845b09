"""One simulation in the solver thread, with everything that belongs to it and to no other."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from wavelab.arrays import Array
from wavelab.errors import UnstableError
from wavelab.physics.operator.fields import Fields
from wavelab.physics.problem import Problem
from wavelab.simulation.core.last_good import LastGoodState
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.core.state import State
from wavelab.simulation.energy.account import Account
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.past.past import Past, RunMoment
from wavelab.simulation.pings import Pings
from wavelab.simulation.solver.died_away import DiedAway
from wavelab.simulation.steppers.steppers import StepperMaker
from wavelab.simulation.tuning.tuning import BackgroundTuning, begin_tuning
from wavelab.timeline import Timeline

#: What the past of a run begins with.
EDITED, ANEW = "the last edit", "the device began anew"

#: Factor between numbers of nodes below which a batch of steps may stay as long as it is.
_SIMILAR = 1.5


class Run:
    """What a load makes, and what the next one replaces as a whole.

    Parameters
    ----------
    simulation : closed by :meth:`close`.
    generation : of the edit that it shows.
    clock : wall time in seconds.
    notify : told what a user should know although all goes well.
    carried : the run whose field this one goes on with.
    live : whether that is its field of now, and not of a moment before.
    budget : bytes for what is kept of its past.
    since : what that begins with, unless it is time 0, in words.
    now : the state it goes on from, if it has been read.
    same_system : whether that was of the same operator, so that a search for kernels goes on.

    Attributes
    ----------
    goes_on : whether that is its field of now, so that series and accounts go on too.
    same_nodes : whether that is on the same nodes as well.
    same_cost : whether a step has about as much to do.
    same_system : as given.
    ledger : what is booked; None only where the device failed when the field was to go back.
    pings : those of the scene, and the log of all; the first ones are not given yet.
    last_good : the state to go back to.
    past : what of it can be gone back to at will.
    kept : whether it goes on with a field that was there before.
    """

    def __init__(
        self,
        simulation: Simulation,
        generation: int,
        clock: Callable[[], float],
        notify: Callable[[str], None],
        carried: Run | None = None,
        *,
        live: bool = True,
        budget: int = 0,
        since: str = EDITED,
        now: State | None = None,
        same_system: bool = False,
    ) -> None:
        self.simulation, self.generation = simulation, generation
        self.kept = carried is not None
        self.goes_on, problem = live and carried is not None, simulation.problem
        self.same_nodes = live and carried is not None and _on_same_nodes(carried, problem)
        self.same_cost = live and carried is not None and _of_similar_size(carried, problem)
        self.same_system = same_system
        self.last_good = LastGoodState(clock)
        self._clock, self._notify, self.budget = clock, notify, budget
        self._since = since
        self._tuning: BackgroundTuning | None = None
        self._begin(
            carried=carried.pings if carried is not None else None,
            account=carried.account if carried is not None and self.goes_on else None,
            before=carried.ledger if carried is not None and self.same_nodes else None,
            now=now,
        )

    def book(self, fields: Fields | None = None) -> None:
        """Have the account of this moment, with these fields if they have been read."""
        if self.ledger is not None:
            self.ledger.update(self.simulation, fields=fields)

    @property
    def account(self) -> Account | None:
        """What was booked last."""
        return None if self.ledger is None else self.ledger.account

    def _begin(
        self,
        jump: Callable[[], None] = lambda: None,
        *,
        carried: Pings | None = None,
        earlier: Pings | None = None,
        account: Account | None = None,
        before: Ledger | None = None,
        now: State | None = None,
    ) -> None:
        """Book and ping from where ``jump`` leads; whatever fails, nothing is left of before."""
        self.ledger: Ledger | None = None
        try:
            jump()
            self.ledger = Ledger(
                self.simulation, self._clock, account,
                other_mesh=not self.same_nodes, before=before,
                fields=None if now is None else now.fields,
            )  # fmt: skip
        finally:
            self.last_good.forget()
            if now is not None and self.account is not None and isfinite(self.account.stored):
                self.last_good.begin_with(now)
            self._died_away = DiedAway(self.simulation, self._notify)
            self.pings = Pings(
                self.simulation, self.ledger, earlier=earlier, carried=carried, notify=self._notify
            )
            self.past = Past(
                self.simulation, self.ledger, self.pings, self.budget, self._clock,
                since=self._since if self.simulation.steps else "its beginning",
            )  # fmt: skip
        self.past.keep()

    def set_budget(self, budget: int) -> None:
        """Keep so many bytes of the past from now on."""
        self.budget = budget
        self.past.set_budget(budget)

    def reset(self) -> None:
        """Begin anew from the initial fields."""
        self._begin(self.simulation.reset)
        self.pings.give_due()

    def go_back(self) -> float:
        """To the last good state, or to the start if there is none yet; the time of it.  Where the
        past is kept, to a moment before that state, which loses nothing."""
        if self._back_in_the_past():
            self.pings.give_due()
            return self.simulation.time
        self._begin(lambda: self.last_good.restore(self.simulation), earlier=self.pings)
        self.pings.give_due()
        return self.simulation.time

    def _back_in_the_past(self) -> bool:
        """To the last moment that is kept before the last good state, and that is good itself;
        whether there is one."""
        last = self.last_good.state
        step = self.simulation.steps if last is None else last.steps
        while (moment := self.past.before(step)) is not None:
            self.past.return_to(moment)
            self.past.branch()
            try:
                self.simulation.check()
            except UnstableError:
                step = moment.step - 1  # moments are not looked at when they are kept
            else:
                return True
        return False

    def steps_until_due(self) -> int:
        """Steps that may be taken before a ping or a look of the ledger is due."""
        steps = self.pings.steps_until_due()
        if self.ledger is not None:
            steps = min(steps, self.ledger.steps_until_look(self.simulation))
        return steps

    def advance(self, steps: int) -> tuple[Array, Array]:
        """Take steps and wait for them; their times (n,) and the fields at the probes (n, p)."""
        samples = self.simulation.advance(steps)
        self.simulation.stepper.synchronize()
        return samples

    def look_after(self, timeline: Timeline, *, keep: bool | None = None) -> None:
        """Keep a copy, book and ping, as far as that is due after these steps; ``keep`` says
        whether this moment of the past is to be kept, instead of from time to time."""
        with timeline.span("keep a copy"):
            self.last_good.offer(self.simulation)
        if self.ledger is not None:
            with timeline.span("ledger"):
                self.ledger.update_if_due(self.simulation)
            self._died_away.look(self.ledger.account)
        self.past.follow()
        with timeline.span("keep the past"):
            if keep is None:
                self.past.offer()
            elif keep:
                self.past.keep()
        self.pings.give_due()

    def return_to(self, moment: RunMoment) -> None:
        """Be where it was then."""
        last = self.last_good.state
        if last is not None and last.steps > moment.step:
            self.last_good.forget()  # another future may have no part in it
        self.past.return_to(moment)
        self.pings.give_due()

    @property
    def tuning(self) -> bool:
        """Whether faster kernels are being looked for."""
        return self._tuning is not None

    def follow_tuning(self, before: Run) -> None:
        """Go on with the search of another run, if that is for the same operator."""
        if self.same_system:
            self._tuning, before._tuning = before._tuning, None
        before.stop_tuning()

    def begin_tuning(self, settings: RunnerSettings, make: StepperMaker) -> None:
        """Look for faster kernels, if the settings ask for that and there are any to be tried."""
        self._tuning = begin_tuning(self.simulation, settings, make, self._clock)

    def tune(self, *, playing: bool, before_change: Callable[[], None]) -> bool:
        """A slice of the search; whether it has ended with a faster stepper, which goes on now."""
        if self._tuning is None:
            return False
        faster = self._tuning.turn(playing=playing)
        if self._tuning.done:
            self._tuning = None
        if faster is None:
            return False
        before_change()
        self.simulation.change_stepper(faster)
        self.past.restart("faster kernels took over")  # which round another way
        return True

    def stop_tuning(self, patience: float = 0.0) -> None:
        """Give the search up; ``patience`` as for :meth:`BackgroundTuning.close`."""
        tuning, self._tuning = self._tuning, None
        if tuning is not None:
            tuning.close(patience)

    def close(self) -> None:
        """Release the device."""
        try:
            self.stop_tuning()
        finally:
            self.simulation.close()


def _of_similar_size(run: Run, problem: Problem) -> bool:
    sizes = [p.discretization.x.size for p in (run.simulation.problem, problem)]
    return max(sizes) < _SIMILAR * min(sizes)


def _on_same_nodes(run: Run, problem: Problem) -> bool:
    return run.simulation.problem.discretization is problem.discretization
