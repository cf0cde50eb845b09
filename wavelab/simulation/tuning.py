"""Tuning of the kernels behind a simulation that runs.

The compiler works in a thread of its own, on steppers that nobody else knows of yet.  Everything
that times them happens in the thread of the simulation, in short slices between its steps: the
device then does nothing else, and the picture does not stall.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Protocol, TypeVar

from wavelab.physics.problem import Problem
from wavelab.physics.stepper import QUANTITIES, Stepper
from wavelab.simulation.loading import RunnerSettings, StepperMaker, stepper_for
from wavelab.simulation.simulation import Simulation

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.tuner import Outcome, Tuner

log = logging.getLogger(__name__)

#: While the simulation plays, this share of the time goes to tuning: slices ten times a second.
_SHARE = 0.2


class _Closes(Protocol):
    def close(self) -> None: ...


_Made = TypeVar("_Made", bound=_Closes | None)


class BackgroundTuning:
    """Runs a tuner a slice at a time; only the simulation's thread may call it.

    Parameters
    ----------
    tuner : not begun yet.
    make : makes the stepper that is to replace the simulation's once the fastest shape is known;
        called in the other thread.
    clock : wall time in seconds.

    Attributes
    ----------
    done : whether there is nothing left to do.
    outcome : what came of it; None until then, or if it failed.
    """

    def __init__(
        self,
        tuner: Tuner,
        make: Callable[[], Stepper],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.done = False
        self.outcome: Outcome | None = None
        self._tuner, self._make, self._clock = tuner, make, clock
        self._due = clock()
        self._replacement: Stepper | None = None
        self._pending: Future | None = None
        self._slices = self._all_slices()

    def turn(self, *, playing: bool) -> Stepper | None:
        """Take a slice, if one is ready and due; the faster stepper, once there is one.

        Whoever gets it must close it.  Never raises: what fails here must not stop the simulation.
        """
        began = self._clock()
        if self.done or (playing and began < self._due):
            return None
        try:
            next(self._slices)
        except StopIteration:
            self.done = True
        except Exception as error:  # drivers fail in every way there is
            log.warning("the kernels could not be tuned", exc_info=error)
            self.close()
        ended = self._clock()
        self._due = ended + (ended - began) * (1 / _SHARE - 1)
        replacement, self._replacement = self._replacement, None
        return replacement

    def close(self, patience: float = 0.0) -> None:
        """Give up, and release what was built.

        Parameters
        ----------
        patience : seconds to wait for a compiler at work; what it makes is released when it ends.
        """
        self.done = True
        self._slices.close()
        self._tuner.close()
        if self._pending is not None:
            wait([self._pending], patience)

    def _all_slices(self) -> Generator[None, None, None]:
        """Everything in order; the simulation goes on wherever this yields."""
        while (challenger := (yield from self._elsewhere(self._tuner.build))) is not None:
            yield from self._tuner.duel(challenger)
        self.outcome = self._tuner.finish()
        if self.outcome.shape != self.outcome.first:
            self._replacement = yield from self._elsewhere(self._make)

    def _elsewhere(self, task: Callable[[], _Made]) -> Generator[None, None, _Made]:
        """The result of a task that runs in a thread of its own."""
        self._pending = future = _started(task)
        try:
            while not future.done():
                yield
        except GeneratorExit:
            future.add_done_callback(_close_result)
            raise
        return future.result()


def begin_tuning(
    simulation: Simulation,
    settings: RunnerSettings,
    make: StepperMaker,
    clock: Callable[[], float],
) -> BackgroundTuning | None:
    """Tuning for a simulation that starts; None if there is nothing to tune, or nobody wants it."""
    if not settings.tune or simulation.stepper.backend != "opencl":
        return None
    from wavelab.opencl.tuner import tuner_for

    problem = simulation.problem
    tuner = tuner_for(simulation.stepper)
    if tuner is None:
        return None

    def replacement() -> Stepper:
        stepper = stepper_for(problem, settings, make, lambda text: None)
        try:
            _warm_up(stepper, problem)
        except BaseException:
            stepper.close()
            raise
        return stepper

    return BackgroundTuning(tuner, replacement, clock)


def _warm_up(stepper: Stepper, problem: Problem) -> None:
    """Run everything once: drivers compile the last bit of a kernel when it is first launched."""
    stepper.set_local_equations(problem.local_equations)
    stepper.set_drives(problem.drives)
    stepper.set_probes(problem.probes)
    stepper.set_fields(problem.initial)
    stepper.advance(1)
    stepper.element_energy()
    for quantity in QUANTITIES:
        stepper.view(quantity)
    stepper.synchronize()


def _started(task: Callable[[], _Made]) -> Future[_Made]:
    """A daemon, so that a compiler that hangs cannot keep the program from ending."""
    future: Future[_Made] = Future()

    def work() -> None:
        try:
            future.set_result(task())
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=work, name="kernel tuning", daemon=True).start()
    return future


def _close_result(future: Future) -> None:
    if future.exception() is None and future.result() is not None:
        future.result().close()
