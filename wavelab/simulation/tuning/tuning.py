"""Tuning of the kernels behind a simulation that runs.

Three places share the work.  A child process of low priority compiles
(:mod:`wavelab.simulation.tuning.compiling`).  A thread of its own waits for it and opens what it
has made, in steppers that nobody else knows of yet.  Everything that times them happens in the
thread of the simulation, in short slices between its steps: the device then does nothing else, and
the picture does not stall.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from wavelab.errors import WavelabError
from wavelab.physics.stepper import Stepper
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.messages.loading import RunnerSettings, stepper_for, warm_up
from wavelab.simulation.steppers.dealing_out import names_several
from wavelab.simulation.steppers.steppers import StepperMaker

if TYPE_CHECKING:  # pyopencl may be missing
    from wavelab.opencl.elements.layout import KernelConfig
    from wavelab.opencl.stepper import OpenCLStepper
    from wavelab.opencl.tuning.tuner import Outcome, Tuner

log = logging.getLogger(__name__)

#: Wall time that tuning takes at most, from its beginning to the change of the stepper ...
MOST_SECONDS = 20.0
#: ... and after which no other config is tried, so that there is some left for the change.
_TRYING_SECONDS = 15.0
#: Wall time that a simulation has been running before its tuning begins: while somebody draws,
#: each lasts only until the next.
SETTLED_SECONDS = 2.0
#: While the simulation plays, this share of the time goes to tuning: slices forty times a second.
_SHARE = 0.2
#: How long the other thread may keep the interpreter from the rest meanwhile, which asks for it
#: many times in a frame: Python's usual 5 ms add up.
_SWITCH_SECONDS = 0.0005
_USUAL_SWITCH_SECONDS = sys.getswitchinterval()
_at_work = 0
_at_work_lock = threading.Lock()


class _Closes(Protocol):
    def close(self) -> None: ...


_Made = TypeVar("_Made", bound=_Closes | None)


class _LateError(Exception):
    """The tuning has taken as long as it may."""


class BackgroundTuning:
    """Runs a tuner a slice at a time; only the simulation's thread may call it.

    Parameters
    ----------
    tuner : not begun yet.
    make : makes the stepper that is to replace the simulation's, of the fastest config, once that
    is
        known; called in the other thread.
    clock : wall time in seconds.
    stop : makes ``tuner.build`` or ``make`` in the other thread end soon, and nothing else begin.
    settled : wall time to let go by first.

    Attributes
    ----------
    done : whether there is nothing left to do.
    outcome : what came of it; None until then, or if it failed.
    """

    def __init__(
        self,
        tuner: Tuner,
        make: Callable[[KernelConfig], Stepper],
        clock: Callable[[], float] = time.perf_counter,
        *,
        stop: Callable[[], None] = lambda: None,
        settled: float = 0.0,
    ) -> None:
        self.done = False
        self.outcome: Outcome | None = None
        self._tuner, self._make, self._clock, self._stop = tuner, make, clock, stop
        self._begins = clock() + settled
        self._due = self._begins
        self._ends: float | None = None
        self._replacement: Stepper | None = None
        self._pending: Future | None = None
        self._slices = self._all_slices()

    def turn(self, *, playing: bool) -> Stepper | None:
        """Take a slice, if one is ready and due; the faster stepper, once there is one.

        Whoever gets it must close it.  Never raises: what fails here must not stop the simulation.
        """
        began = self._clock()
        if self.done or began < (self._due if playing else self._begins):
            return None
        if self._ends is None:
            self._ends = began + MOST_SECONDS
        try:
            next(self._slices)
        except StopIteration:
            self.close()
        except Exception as error:  # drivers fail in every way there is
            defect = None if isinstance(error, WavelabError) else error
            log.warning("the kernels could not be tuned: %s", error, exc_info=defect)
            self.close()
        ended = self._clock()
        self._due = ended + (ended - began) * (1 / _SHARE - 1)
        replacement, self._replacement = self._replacement, None
        return replacement

    def close(self, patience: float = 0.0) -> None:
        """Give up, and release what was built.

        Parameters
        ----------
        patience : seconds to wait for a driver at work; what it makes is released when it ends.
        """
        self.done = True
        self._stop()
        self._slices.close()
        self._tuner.close()
        if self._pending is not None:
            wait([self._pending], patience)

    def _all_slices(self) -> Generator[None, None, None]:
        """Everything in order; the simulation goes on wherever this yields."""
        late = False
        try:
            while (challenger := (yield from self._elsewhere(self._tuner.build))) is not None:
                yield from self._in_time(self._tuner.duel(challenger))
                # Disks take their time, too.
                yield from self._elsewhere(self._tuner.remember)
        except _LateError:
            late, self._ends = True, math.inf
            self._tuner.time_is_up()
            self._stop()
        # What was ruled out, and what there was no time for.
        yield from self._elsewhere(self._tuner.remember)
        self.outcome = outcome = self._tuner.finish()
        log.info("tuned: %s", outcome)
        if outcome.config != outcome.first and not late:
            with suppress(_LateError):  # the next simulation has it from the start
                make = partial(self._make, outcome.config)
                self._replacement = yield from self._elsewhere(make)

    def _in_time(self, slices: Generator[None, None, None]) -> Generator[None, None, None]:
        """A duel, as far as the time allows."""
        with closing(slices):
            for _ in slices:
                yield
                self._check_time()

    def _elsewhere(self, task: Callable[[], _Made]) -> Generator[None, None, _Made]:
        """The result of a task that runs in a thread of its own."""
        self._pending = future = _started(task)
        try:
            while not future.done():
                yield
                self._check_time()
        except BaseException:
            future.add_done_callback(_close_result)
            raise
        return future.result()

    def _check_time(self) -> None:
        if self._ends is not None and self._clock() > self._ends:
            raise _LateError


def begin_tuning(
    simulation: Simulation, settings: RunnerSettings, make: StepperMaker, clock: Callable[[], float]
) -> BackgroundTuning | None:
    """Tuning for a simulation that starts; None if there is nothing to tune, or nobody wants it.

    Several devices that share a mesh take what was found for each of them alone.
    """
    alone = not names_several(settings.device)
    if not (settings.tune and alone and simulation.stepper.backend == "opencl"):
        return None
    from wavelab.opencl.tuning.tuner import tuner_for
    from wavelab.simulation.tuning.compiling import Compiler

    problem = simulation.problem
    compiler = Compiler(problem, cast("OpenCLStepper", simulation.stepper))
    tuner = tuner_for(simulation.stepper, compiler.compile, clock, _TRYING_SECONDS)
    if tuner is None:
        return None

    def replacement(config: KernelConfig) -> Stepper:
        compiler.warm_up(config)
        stepper = stepper_for(
            problem, settings, partial(make, configs=(config,)), lambda text: None
        )
        try:
            warm_up(stepper, problem)
        except BaseException:
            stepper.close()
            raise
        return stepper

    return BackgroundTuning(tuner, replacement, clock, stop=compiler.close, settled=SETTLED_SECONDS)


def _started(task: Callable[[], _Made]) -> Future[_Made]:
    """A daemon, so that a driver that hangs cannot keep the program from ending."""
    future: Future[_Made] = Future()

    def work() -> None:
        try:
            with _short_turns():
                made = task()
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(made)

    threading.Thread(target=work, name="kernel tuning", daemon=True).start()
    return future


@contextmanager
def _short_turns() -> Generator[None, None, None]:
    """The interpreter's turn is short as long as any thread is in here: one may outlive its tuning
    and meet those of the next."""
    _count_at_work(1)
    try:
        yield
    finally:
        _count_at_work(-1)


def _count_at_work(change: int) -> None:
    global _at_work
    with _at_work_lock:
        before, _at_work = _at_work, _at_work + change
        if before == 0:
            sys.setswitchinterval(_SWITCH_SECONDS)
        elif _at_work == 0:
            sys.setswitchinterval(_USUAL_SWITCH_SECONDS)


def _close_result(future: Future) -> None:
    if future.exception() is None and future.result() is not None:
        future.result().close()
