"""Finds the fastest kernel config by timing whole steps on the device at hand.

A duel at a time: the champion, at first the config that is taken without timing, meets one
challenger after the other.  The two step alternately, so that a machine that becomes busy slows
both.  A challenger that does not compile or computes something else does not get to a duel.

Building a challenger (:meth:`Tuner.build`) takes as long as the driver's compiler does, and may
happen in another thread than all else.  Duels come in slices of a few thousandths of a second, to
be taken in moments when the device does nothing else.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from wavelab.errors import WavelabError
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.duel import Slices, is_faster
from wavelab.opencl.tuning.workshop import Work, Workshop
from wavelab.opencl.variants.tuned import (
    Case,
    Verdict,
    alone,
    configs_to_try,
    store_verdict,
    stored_verdict,
)
from wavelab.opencl.variants.variants import DEFAULT_VARIANT
from wavelab.physics.stepper import Stepper

log = logging.getLogger(__name__)

#: Wall time after which no other challenger is built.
MOST_SECONDS = 20.0
#: A config that compiles for longer than this when the time is up is not tried again.
_PATIENCE = 8.0


class NoCompilerError(Exception):
    """Nothing can be built any more; what was found so far stands."""


@dataclass(frozen=True)
class Built:
    """A challenger ready for its duel."""

    config: KernelConfig
    stepper: OpenCLStepper

    def close(self) -> None:
        """Release the device."""
        self.stepper.close()


@dataclass(frozen=True)
class Outcome:
    """What came of the tuning.

    Attributes
    ----------
    config : the fastest.
    gain : steps per second, relative to ``first``.
    first : what was taken before.
    n_timed : configs that were timed, ``first`` included.
    seconds : wall time it took.
    """

    case: Case
    config: KernelConfig
    first: KernelConfig
    gain: float
    n_timed: int
    seconds: float


class Tuner:
    """Times configs for operators like one.

    Parameters
    ----------
    work : what is timed.
    known : what was found before; only what it leaves untried is timed.
    configs : to choose from, the one to be beaten first; None takes what suits the device.
    prepare : called with each config before it is built, in the same thread; if it raises
        :class:`NoCompilerError` nothing else is built, and any other exception rules the config
        out.
    clock : wall time in seconds.
    most_seconds : wall time after which no other challenger is built.

    Attributes
    ----------
    n_configs : how many there are to choose from.

    Notes
    -----
    :meth:`build` and :meth:`remember` may run in another thread than the rest.  What both threads
    look at is looked at once, because it may change in between.
    """

    def __init__(
        self,
        work: Work,
        *,
        known: Verdict | None = None,
        configs: Sequence[KernelConfig] | None = None,
        prepare: Callable[[KernelConfig], object] = lambda config: None,
        clock: Callable[[], float] = time.perf_counter,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        self.case = work.case
        if configs is None:
            configs = configs_to_try(self.case, work.device, known)
        self._waiting = list(configs)
        self._first = self._waiting[0]
        self._challengers = tuple(self._waiting[1:])
        self._tried: list[KernelConfig] = []  # only ever appended to, by both threads
        self._at_work: tuple[KernelConfig, float] | None = None
        self._gain_before = 1.0 if known is None else known.gain
        self.n_configs = len(self._waiting)
        self._clock, self._most_seconds, self._prepare = clock, most_seconds, prepare
        self._work = work
        self._workshop: Workshop | None = None
        self._champion: Built | None = None
        self._began: float | None = None
        self._slices = Slices(clock)
        self._gain, self._n_timed = 1.0, 0

    def build(self) -> Built | None:
        """The next contestant, checked; None if there is none left or no time.

        Raises
        ------
        WavelabError : the config that is to be beaten does not work.
        """
        if self._began is None:
            self._began = self._clock()
        while self._waiting and self._clock() - self._began < self._most_seconds:
            config = self._waiting.pop(0)
            self._at_work = (config, self._clock())
            try:
                self._prepare(config)
                self._workshop = self._workshop or Workshop(self._work)
                return Built(config, self._workshop.made(config))
            except NoCompilerError as end:
                log.info("tuning ends: %s", end)
                return None
            except Exception as error:  # drivers fail in every way there is
                if config == self._first:
                    raise
                log.info("%s is out: %s", config, error)
                self._tried.append(config)
            finally:
                self._at_work = None
        return None

    def time_is_up(self) -> None:
        """Whatever is being built is given up: for good if that took long already, or else every
        start of the program would try it anew."""
        if (at_work := self._at_work) is None:
            return
        config, began = at_work
        if self._clock() - began > _PATIENCE:
            self._tried.append(config)

    def duel(self, challenger: Built) -> Generator[None, None, None]:
        """Times a challenger against the champion; each ``next`` takes one slice.

        The loser is closed.
        """
        if self._champion is None:
            self._champion = challenger
            self._n_timed += 1
            self._slices.measure(challenger.stepper)
            return
        champion = self._champion
        try:
            times = yield from self._slices.race(champion.stepper, challenger.stepper)
        except BaseException:  # abandoned, or the device fails
            challenger.close()
            raise
        self._n_timed += 1
        self._tried.append(challenger.config)
        if is_faster(*times):
            self._gain *= min(times[0]) / min(times[1])
            self._champion, challenger = challenger, champion
        challenger.close()

    def remember(self) -> None:
        """Keep the champion for all runs to come, and what is still untried."""
        if (champion := self._champion) is None:
            return
        gain = self._gain_before * self._gain
        untried = tuple(config for config in self._challengers if config not in self._tried)
        store_verdict(Verdict(self.case, champion.config, gain, untried))

    def finish(self) -> Outcome:
        """What came of it; releases the device."""
        assert self._began is not None
        config = self._first if self._champion is None else self._champion.config
        self.close()
        return Outcome(
            self.case, config, self._first, self._gain, self._n_timed, self._clock() - self._began
        )

    def close(self) -> None:
        """Release the device."""
        if self._champion is not None:
            self._champion.close()
            self._champion = None


def tuner_for(
    stepper: Stepper,
    prepare: Callable[[KernelConfig], object] = lambda config: None,
    clock: Callable[[], float] = time.perf_counter,
    most_seconds: float = MOST_SECONDS,
) -> Tuner | None:
    """A tuner for what a stepper runs; None if there is nothing to choose, or if it is known."""
    if not isinstance(stepper, OpenCLStepper) or stepper.variant != DEFAULT_VARIANT:
        return None
    if not isinstance(stepper.scheme, LowStorageScheme):
        return None  # the kernels of local time stepping have one config
    work = Work(
        stepper.operator, stepper.dt, stepper.opencl_device, stepper.precision, stepper.scheme
    )
    known = stored_verdict(work.case, work.device)
    if len(configs_to_try(work.case, work.device, known)) < 2:
        return None
    return Tuner(work, known=known, prepare=prepare, clock=clock, most_seconds=most_seconds)


def tune(tuner: Tuner, progress: Callable[[], object] = lambda: None) -> Outcome:
    """All duels, one after the other; remembers what came of them.

    Parameters
    ----------
    progress : called after each.

    Raises
    ------
    WavelabError : another process tunes now, or the config that is taken without timing does not
        work.
    """
    with ExitStack() as held:
        held.callback(tuner.close)
        with suppress(OSError):  # nothing can be kept here; what is timed is shown all the same
            if not held.enter_context(alone()):
                raise WavelabError(
                    "another window or program tunes kernels now, and they would time each other",
                    remedy="Try again when it has ended: a window takes 20 s at most.",
                )
        while (challenger := tuner.build()) is not None:
            for _ in tuner.duel(challenger):
                pass
            progress()
        tuner.remember()
        return tuner.finish()
