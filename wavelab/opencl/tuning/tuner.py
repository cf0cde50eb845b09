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
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
import pyopencl as cl

from wavelab.errors import WavelabError
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.memory import REALS
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.workshop import Contestant, Maker, Workshop
from wavelab.opencl.variants.tuned import (
    Case,
    Verdict,
    alone,
    case_of,
    shapes_to_try,
    store_verdict,
    stored_verdict,
)
from wavelab.opencl.variants.variants import DEFAULT_VARIANT
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.stepper import Stepper

log = logging.getLogger(__name__)

#: Wall time after which no other challenger is built.
MOST_SECONDS = 20.0
#: What a slice of a duel takes, if a step does not take longer: a frame of the window that waits
#: for one is none the later.
_SLICE_SECONDS = 0.003
#: A config that compiles for longer than this when the time is up is not tried again.
_PATIENCE = 8.0
#: Pairs of slices in a duel: as many as the time allows, but enough to tell skill from chance.
_DUEL_SECONDS = 0.5
_MOST_PAIRS, _FEWEST_PAIRS = 24, 6
#: A challenger this much slower after a slice gets no other one ...
_HOPELESS = 1.5
#: ... and one wins that is this much faster in its best slice and in the median of all pairs, and
#: faster in so many of them: less is chance, of which there is much where other programs run.
_MARGIN = 0.97
_PAIRS_WON = 0.75


class NoCompilerError(Exception):
    """Nothing can be built any more; what was found so far stands."""


@dataclass(frozen=True)
class Built:
    """A challenger ready for its duel."""

    config: KernelConfig
    stepper: Contestant

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
    operator, dt, scheme, device, precision, make : as of a :class:`Workshop`.
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
        operator: MaxwellTM,
        *,
        dt: float,
        scheme: LowStorageScheme | None = None,
        device: cl.Device,
        precision: str,
        known: Verdict | None = None,
        configs: Sequence[KernelConfig] | None = None,
        make: Maker | None = None,
        prepare: Callable[[KernelConfig], object] = lambda config: None,
        clock: Callable[[], float] = time.perf_counter,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        self.case = case_of(operator, device, np.dtype(REALS[precision]))
        if configs is None:
            configs = shapes_to_try(self.case, device, known)
        self._waiting = list(configs)
        self._first = self._waiting[0]
        self._challengers = tuple(self._waiting[1:])
        self._tried: list[KernelConfig] = []  # only ever appended to, by both threads
        self._at_work: tuple[KernelConfig, float] | None = None
        self._gain_before = 1.0 if known is None else known.gain
        self.n_configs = len(self._waiting)
        self._clock, self._most_seconds, self._prepare = clock, most_seconds, prepare
        self._open = partial(
            Workshop, operator, dt=dt, scheme=scheme, device=device, precision=precision, make=make
        )
        self._workshop: Workshop | None = None
        self._champion: Built | None = None
        self._began: float | None = None
        self._count, self._slice_seconds = 1, _SLICE_SECONDS
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
                self._workshop = self._workshop or self._open()
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
            self._count = self._steps_per_slice(challenger.stepper)
            return
        champion = self._champion
        times: list[list[float]] = [[], []]
        try:
            # First a short one, so that a hopeless challenger does not stall what else runs.
            for count in (max(1, self._count // 8), *(self._pairs() * [self._count])):
                for seconds, side in zip(times, (champion, challenger), strict=True):
                    seconds.append(self._seconds(side.stepper, count) / count)
                    yield
                if min(times[1]) > _HOPELESS * min(times[0]):
                    break
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
            self.case,
            config,
            self._first,
            self._gain,
            self._n_timed,
            self._clock() - self._began,
        )

    def close(self) -> None:
        """Release the device."""
        if self._champion is not None:
            self._champion.close()
            self._champion = None

    def _pairs(self) -> int:
        wished = _DUEL_SECONDS / (2 * self._slice_seconds)
        return round(min(max(wished, _FEWEST_PAIRS), _MOST_PAIRS))

    def _steps_per_slice(self, stepper: Contestant) -> int:
        count = 1
        while (seconds := self._seconds(stepper, count)) < _SLICE_SECONDS:
            wanted = math.ceil(1.1 * count * _SLICE_SECONDS / seconds)
            count = max(count + 1, min(16 * count, wanted))
        self._slice_seconds = seconds
        return count

    def _seconds(self, stepper: Contestant, n_steps: int) -> float:
        stepper.synchronize()
        began = self._clock()
        stepper.advance(n_steps)
        stepper.synchronize()
        return max(self._clock() - began, 1e-9)


def is_faster(champion: list[float], challenger: list[float]) -> bool:
    """Whether a challenger's seconds, in turns with the champion's, are less by more than chance
    would have it."""
    ratios = [own / other for own, other in zip(challenger, champion, strict=True)]
    won = sum(ratio < 1 for ratio in ratios)
    return (
        min(challenger) < _MARGIN * min(champion)
        and median(ratios) < _MARGIN
        and won >= _PAIRS_WON * len(ratios)
    )


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
    device, real = stepper.opencl_device, np.dtype(REALS[stepper.precision])
    case = case_of(stepper.operator, device, real)
    known = stored_verdict(case, device)
    if len(shapes_to_try(case, device, known)) < 2:
        return None
    return Tuner(
        stepper.operator,
        dt=stepper.dt,
        scheme=stepper.scheme,
        device=device,
        precision=stepper.precision,
        known=known,
        prepare=prepare,
        clock=clock,
        most_seconds=most_seconds,
    )


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
