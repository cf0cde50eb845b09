"""What computes for a window: a runner here, or a run elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.solver.solver_thread import SolverEnd
from wavelab.simulation.steppers.steppers import make_stepper
from wavelab.simulation.watching.far import FarRun
from wavelab.timeline import Timeline


def solver_end(
    far: FarRun | None, settings: RunnerSettings, timeline: Timeline, woken: Callable[[], None]
) -> SolverEnd:
    """
    Parameters
    ----------
    far : the run elsewhere; None for one here.
    woken : called after each event.
    """
    if far is not None:
        far.wake(woken)
        return far
    make = partial(make_stepper, timeline=timeline)
    return Runner(settings, make=make, timeline=timeline, woken=woken)
