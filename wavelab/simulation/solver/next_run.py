"""The run that a load makes, of the one before it or anew."""

from __future__ import annotations

from collections.abc import Callable

from wavelab.numerics.fields.carrying import Carrying
from wavelab.physics.problem import Problem
from wavelab.physics.revision import same_system
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.loading import RunnerSettings, carried_over, stepper_for
from wavelab.simulation.solver.run import ANEW, EDITED, Run
from wavelab.simulation.steppers.steppers import StepperMaker


def next_run(
    problem: Problem,
    generation: int,
    settings: RunnerSettings,
    make: StepperMaker,
    clock: Callable[[], float],
    notify: Callable[[str], None],
    carried: Run | None,
    *,
    carrying: Carrying | None = None,
    anew: bool = False,
) -> Run:
    """A run of ``problem``, with the field of ``carried`` if that is given.

    Parameters
    ----------
    clock, notify : as for :class:`Run`.
    carrying : from its mesh to that of ``problem``, where it is known.
    anew : make another stepper though that of ``carried`` could go on.

    Raises
    ------
    Exception : it cannot begin; nothing is left behind, ``carried`` goes on as it is.
    """
    if carried is not None and not anew:
        changed = _changed(carried, problem, generation, clock, notify)
        if changed is not None:
            return changed
    start, live, before = None, False, None
    if carried is not None:
        copy = carried.last_good.state
        start, live = carried_over(carried.simulation, problem, notify, copy, carrying)
        if live:
            carried.book()
            before = carried.simulation
    stepper = stepper_for(problem, settings, make, notify)
    try:
        simulation = Simulation(problem, stepper, start, before)
        return Run(
            simulation, generation, clock, notify, None if start is None else carried,
            live=live, budget=settings.past_bytes, since=ANEW if anew else EDITED,
        )  # fmt: skip
    except BaseException:
        stepper.close()
        raise


def _changed(
    run: Run,
    problem: Problem,
    generation: int,
    clock: Callable[[], float],
    notify: Callable[[str], None],
) -> Run | None:
    """With a problem on the same nodes, on the same stepper; None where that takes another one."""
    simulation, running = run.simulation, run.simulation.problem
    precisions = {of.scene.solver.precision for of in (running, problem)}
    if problem.discretization is not running.discretization or len(precisions) > 1:
        return None
    try:
        state = simulation.state()
    except Exception:  # of what cannot be read no stepper goes on
        return None
    same = same_system(problem, running)
    run.book(state.fields)
    stored = run.account.stored if run.account is not None and same else None
    with simulation.change(problem, state, stored) as now:
        if now is None:
            return None
        changed = Run(
            simulation, generation, clock, notify, run,
            budget=run.budget, now=now, same_system=same,
        )  # fmt: skip
    changed.follow_tuning(run)
    return changed
