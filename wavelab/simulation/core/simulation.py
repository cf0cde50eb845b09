"""One experiment that runs: a problem, the stepper that advances it and the guard that watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from wavelab.arrays import Array
from wavelab.numerics.time.pieces import ALWAYS
from wavelab.physics.carried_variables import fields_under
from wavelab.physics.continuation import continued
from wavelab.physics.monitors.running_transform import Sums
from wavelab.physics.monitors.samples import Sampling
from wavelab.physics.problem import Problem
from wavelab.physics.revision import same_system
from wavelab.physics.sources.bumps import bump
from wavelab.physics.stepper import Stepper
from wavelab.physics.time.step_clock import StepClock
from wavelab.simulation.core.cut_steps import CutSteps
from wavelab.simulation.core.nan_guard import Guard
from wavelab.simulation.core.observed import Observed
from wavelab.simulation.core.state import Moment, State
from wavelab.simulation.core.stored import energy_of
from wavelab.simulation.records.monitor_records import MonitorRecords

#: Steps between two looks at the energy; a look costs about a tenth of a step.
STEPS_PER_CHECK = 100


class Simulation(Observed):
    """Advances a problem; only the thread that made the stepper may call it.

    Parameters
    ----------
    problem : what to run.
    stepper : made for ``problem.operator``; closed by :meth:`close`.
    start : fields and clock to begin with; the problem's initial fields at time 0 by default.
    before : the simulation that this one takes the place of at that time: its sources go on from
        where they are, and so do the time series of its monitors.

    Attributes
    ----------
    problem : what runs; sources that were changed meanwhile are not in it as the scene says.
    said : the same as the scene says it.
    placed : the probes that are sampled.
    monitors : what the monitors of the problem record.
    map : the monitor of which views show what it has found, and the number of the frequency; the
        first of its kind at the first frequency where there is no monitor of that name.
    around_jump : called with what makes media and sources jump, which it has to call.
    """

    def __init__(
        self,
        problem: Problem,
        stepper: Stepper,
        start: State | None = None,
        before: Simulation | None = None,
    ) -> None:
        self.said = problem
        if before is not None:
            problem = continued(before.problem, before.said, problem, before.time)
        self.problem: Problem = problem
        self.stepper, self.probes, self.placed = stepper, problem.probes, problem.scene.probes
        self.monitors = MonitorRecords(problem.monitors)
        self.map = ("", 0)
        self.around_jump: Callable[[Callable[[], None]], None] = lambda jump: jump()
        self._sampling: tuple[Sampling, int] | None = None
        self._sampled: list[tuple[Array, Array]] = []  # old steppers
        self._take_on(stepper)
        start = start or self.initial_state()
        self._put(start)
        if before is not None:
            self.monitors.follow(before.monitors)
        self.monitors.begin(start.time, start.fields)
        self._guard = self._guard_from(start)

    def initial_state(self) -> State:
        return State(self.problem.initial, 0.0, 0)

    @property
    def time(self) -> float:
        return self.stepper.time

    @property
    def steps(self) -> int:
        return self.stepper.steps

    @property
    def dt(self) -> float:
        return self.stepper.dt

    def advance(self, n_steps: int) -> tuple[Array, Array]:
        """Take ``n_steps`` steps; times (n_steps,) and Ez at the probes (n_steps, n_probes).

        What the monitors record goes to :attr:`monitors`.

        Raises
        ------
        UnstableError : the field blew up; its energy is checked every ``STEPS_PER_CHECK`` steps.
        """
        first, left, chunks = self.steps + 1, n_steps, list[Array]()
        while left > 0:
            due = max(1, self._steps_at_check + STEPS_PER_CHECK - self.steps)
            taken = min(left, due)
            look = self.monitors.energy_every
            if look is not None:
                taken = min(taken, look - self.steps % look)
            chunks += self._steps.take(taken)
            left -= taken
            self._guard.look(self.stepper.first_not_finite(), self._clock)
            if taken == due:
                self.check()
            if look is not None and self.steps % look == 0:
                self.monitors.add_energy(self.steps, self.time, self.element_energy())
        times = self._clock.times(first, n_steps)
        if not chunks:
            return times, np.zeros((0, len(self.probes)))
        values = np.concatenate(chunks)
        self.monitors.append(times, values[:, len(self.probes) :])
        return times, values[:, : len(self.probes)]

    @contextmanager
    def change(
        self, problem: Problem, state: State, stored: float | None = None
    ) -> Iterator[State | None]:
        """Go on with another problem on the same nodes: other media and walls act on the fields,
        other sources drive them, other probes and monitors look at them.

        What transforms have summed up is kept where only what looks at the fields is another.
        Whatever fails in the block leaves all as it was before.

        Parameters
        ----------
        state : that of now.
        stored : the energy of its fields and of what media keep, if it is known.

        Yields
        ------
        The state with which it goes on; None, and all is as before, where that takes another
        stepper.

        Raises
        ------
        Exception : it cannot be; all is as before.
        """
        before, sums = dict(vars(self)), self.monitors.sums(self.stepper)
        try:
            yield self._changed(problem, state, stored, sums)
        except BaseException:
            vars(self).update(before)
            self._set_operator(self.problem, state)
            self._drive(self.stepper)
            if self._sampling is not None:
                self.stepper.set_sampling(*self._sampling)
            self._put(state)
            self.monitors.earlier = dict(enumerate(sums))
            raise

    def _changed(
        self, problem: Problem, state: State, stored: float | None, sums: Sequence[Sums]
    ) -> State | None:
        before, records_before = self.problem, self.monitors
        same = same_system(problem, before)
        running = continued(before, self.said, problem, self.time)
        if not same and not self._set_operator(problem, state):
            return None
        self.said, self.problem, self.monitors = problem, running, MonitorRecords(running.monitors)
        self.probes, self.placed = running.probes, running.scene.probes
        self._drive(self.stepper)
        fields = fields_under(state.fields, before, problem)
        if fields is not state.fields:
            state = replace(state, fields=fields)
            self.stepper.set_fields(fields)
        self.stepper.enter(ALWAYS)  # the next jump may be another, or none
        self._steps = self._cut_steps()
        same &= running.scene.sources == before.scene.sources
        self.monitors.follow(records_before, sums if same else ())
        self.monitors.begin(state.time, state.fields)
        self._guard = self._guard_from(state, stored)
        return state

    def _set_operator(self, problem: Problem, state: State) -> bool:
        """Have the stepper go on with that of a problem, if it can."""
        if problem.scheme != self.stepper.scheme:
            return False
        system = problem.operator, problem.auxiliary_equations, problem.dt_max
        if not self.stepper.set_operator(*system):
            return False
        self._begin_at(state)
        return True

    def _take_on(self, stepper: Stepper) -> None:
        """Give a stepper all that acts on the fields, and that looks at them."""
        stepper.set_auxiliary_equations(self.problem.auxiliary_equations)
        self._drive(stepper)

    def _drive(self, stepper: Stepper) -> None:
        stepper.set_source_terms(self.problem.source_terms)
        self._sample(stepper, self.probes)
        stepper.set_transforms(self.monitors.transforms)

    def check(self) -> float:
        """Energy of the fields now.

        Raises
        ------
        UnstableError : it is not finite or more than was put in, or a medium is out of its range.
        """
        self._steps_at_check = self.steps
        self.problem.operator.media.check(self.time)
        return self._guard.check(self.stepper.element_energy(), self.time)

    def ping(self, x: float, y: float, radius: float, amplitude: float) -> bool:
        """False if it touches no element."""
        bumped = bump(self.problem.operator, (x, y), (x, y), radius, amplitude)
        if not len(bumped[0]):
            return False
        given = self.problem.operator.of_ping(*bumped, radius)
        self.stepper.ping(*given)
        self._guard.added(*given)
        return True

    def state(self) -> State:
        """A copy of the fields, with the clock."""
        return State(self.stepper.fields(), self.time, self.steps)

    def restore(self, state: State) -> None:
        """Go on from an earlier state; monitors begin anew."""
        self._put(state)
        self.stepper.set_transforms(self.monitors.transforms)
        self.monitors.restart()
        self.monitors.begin(state.time, state.fields)
        self._guard.restart(energy_of(self.problem, self.stepper, state), state.time)

    def moment(self) -> Moment:
        """All that the next steps depend on, and how far the records are, between two steps."""
        guard, piece = self._guard.mark(), self._steps.mark()
        kept, mark = self.stepper.keep(), self.monitors.mark()
        return Moment(kept, piece, guard, self._steps_at_check, mark)

    def return_to(self, moment: Moment) -> None:
        """Go on from a moment of this problem on this stepper, bit for bit as then."""
        self.stepper.put_back(moment.kept)
        self._guard.go_to(moment.guard)
        self._steps_at_check = moment.checked
        self._steps.go_back(moment.piece)
        self.monitors.go_to(moment.records)
        self.read_sampled()  # what was sampled and not read is of other steps

    def _guard_from(self, state: State, stored: float | None = None) -> Guard:
        of, energy = self.problem, energy_of(self.problem, self.stepper, state, stored)
        return Guard(of.operator, of.source_terms, energy, state.time, dt=self.dt)

    def _put(self, state: State) -> None:
        self.stepper.enter(ALWAYS)
        self.stepper.set_fields(state.fields)
        self._begin_at(state)

    def _begin_at(self, state: State) -> None:
        self.stepper.set_clock(state.time, state.steps)
        self._clock = StepClock(self.dt, time=state.time, steps=state.steps)
        self._steps = self._cut_steps()
        self._steps_at_check = state.steps

    def _cut_steps(self) -> CutSteps:
        followed = self.problem.jumping.followed
        return CutSteps(self.stepper, self._clock, followed, lambda jump: self.around_jump(jump))

    def change_stepper(self, stepper: Stepper) -> None:
        """Go on with another stepper for the same operator, with the same fields; closes the old,
        or the new one if it fails."""
        state, old, earlier = self.state(), self.stepper, self.monitors.sums(self.stepper)
        try:
            self._take_on(stepper)
            if self._sampling is not None:
                stepper.set_sampling(*self._sampling)
                self._sampled.append(self.stepper.read_sampled())
            self.stepper = stepper
            self._put(state)
        except BaseException:
            self.stepper = old
            stepper.close()
            raise
        self.monitors.earlier = dict(enumerate(earlier))
        old.close()

    def reset(self) -> None:
        """Initial fields, time 0, and sources as the scene says."""
        if self.problem is not self.said:
            self.problem = self.said
            self.stepper.set_source_terms(self.said.source_terms)
        self.restore(self.initial_state())

    def close(self) -> None:
        """Release the device memory."""
        self.stepper.close()
