"""Finds the fastest kernel shape by timing whole steps on the device at hand.

A duel at a time: the champion, at first the shape that is taken without timing, meets one
challenger after the other.  The two step alternately, so that a machine that becomes busy slows
both.  A challenger that does not compile or computes something else does not get to a duel.

Building a challenger (:meth:`Tuner.build`) takes as long as the driver's compiler does, and may
happen in another thread than all else.  Duels come in slices of a few hundredths of a second, to be
taken in moments when the device does nothing else.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyopencl as cl

from wavelab.numerics.runge_kutta import LowStorageScheme
from wavelab.opencl.layout import KernelShape
from wavelab.opencl.memory import REALS
from wavelab.opencl.patch import patch
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuned import (
    Case,
    candidates_of,
    case_of,
    elements_in_cache,
    store_shape,
    stored_shape,
)
from wavelab.physics.fields import Fields
from wavelab.physics.maxwell_tm import MaxwellTM
from wavelab.physics.stepper import Stepper

log = logging.getLogger(__name__)

#: Wall time after which no other challenger is built.
MOST_SECONDS = 20.0
#: What a slice of a duel takes, if a step does not take longer, and slices of each side.
_SLICE_SECONDS = 0.02
_SLICES = 7
#: A challenger this much slower after a slice gets no other one ...
_HOPELESS = 1.5
#: ... and one wins that is this much faster in its best slice, and faster in so many of all pairs
#: of slices: less is chance, of which there is much where other programs run.
_MARGIN = 0.97
_PAIRS = 6
#: Largest difference of two right-hand sides, relative to the largest value.
_TOLERANCE = {"float32": 1e-4, "float64": 1e-11}


class Contestant(Protocol):
    """A stepper, as far as the tuner needs one."""

    def right_hand_side(self, fields: Fields) -> Fields: ...
    def set_fields(self, fields: Fields) -> None: ...
    def advance(self, n_steps: int) -> object: ...
    def synchronize(self) -> None: ...
    def close(self) -> None: ...


Maker = Callable[[MaxwellTM, KernelShape], Contestant]


@dataclass(frozen=True)
class Built:
    """A challenger ready for its duel."""

    shape: KernelShape
    stepper: Contestant

    def close(self) -> None:
        """Release the device."""
        self.stepper.close()


@dataclass(frozen=True)
class Outcome:
    """What came of the tuning.

    Attributes
    ----------
    shape : the fastest.
    gain : steps per second, relative to ``first``, the shape that is taken without timing.
    n_timed : shapes that were timed, ``first`` included.
    seconds : wall time it took.
    """

    case: Case
    shape: KernelShape
    first: KernelShape
    gain: float
    n_timed: int
    seconds: float


class Tuner:
    """Times shapes for operators like one.

    Parameters
    ----------
    operator : what will be stepped; its first elements take its place if it is much larger than
        the device's cache.
    dt, scheme : a stable step and its Runge-Kutta scheme, None for the one that suits the operator.
    device, precision : as of the stepper.
    shapes : to choose from, the default first; None takes what suits the device.
    make : makes a contestant.
    clock : wall time in seconds.
    most_seconds : wall time after which no other challenger is built.

    Attributes
    ----------
    n_shapes : how many there are to choose from.
    """

    def __init__(
        self,
        operator: MaxwellTM,
        *,
        dt: float,
        scheme: LowStorageScheme | None = None,
        device: cl.Device,
        precision: str,
        shapes: Sequence[KernelShape] | None = None,
        make: Maker | None = None,
        clock: Callable[[], float] = time.perf_counter,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        real = np.dtype(REALS[precision])
        self.case = case_of(operator, device, real)
        self._waiting = list(candidates_of(self.case, device) if shapes is None else shapes)
        self._first = self._waiting[0]
        self.n_shapes = len(self._waiting)
        self._operator, self._clock, self._most_seconds = operator, clock, most_seconds
        nodes = operator.discretization.nodes_per_element
        self._most_elements = 2 * elements_in_cache(device, nodes, real) + 1
        self._make = make or (
            lambda patch, shape: OpenCLStepper(
                patch, dt=dt, scheme=scheme, precision=precision, device=device, shape=shape
            )
        )
        self._champion: Built | None = None
        self._rates: Fields | None = None
        self._began: float | None = None
        self._count = 1
        self._gain, self._n_timed = 1.0, 0

    def build(self) -> Built | None:
        """The next contestant, checked; None if there is none left or no time.

        Raises
        ------
        WavelabError : the shape that is taken without timing does not work.
        """
        if self._began is None:
            self._began = self._clock()
            self._operator = patch(self._operator, self._most_elements)
            self._fields = _lively(self._operator)
        while self._waiting and self._clock() - self._began < self._most_seconds:
            shape = self._waiting.pop(0)
            try:
                return Built(shape, self._checked(shape))
            except Exception as error:  # drivers fail in every way there is
                if shape == self._first:
                    raise
                log.info("%s is out: %s", shape, error)
        return None

    def duel(self, challenger: Built) -> Iterator[None]:
        """Times a challenger against the champion; each ``next`` takes one slice.

        The loser is closed.
        """
        self._n_timed += 1
        if self._champion is None:
            self._champion = challenger
            self._count = self._steps_per_slice(challenger.stepper)
            return
        champion = self._champion
        best = {champion.shape: math.inf, challenger.shape: math.inf}
        pairs = 0
        try:
            # First a short one, so that a hopeless challenger does not stall what else runs.
            for count in (max(1, self._count // 8), *(_SLICES * [self._count])):
                pair = []
                for side in (champion, challenger):
                    pair.append(self._seconds(side.stepper, count) / count)
                    best[side.shape] = min(best[side.shape], pair[-1])
                    yield
                pairs += pair[1] < pair[0]
                if best[challenger.shape] > _HOPELESS * best[champion.shape]:
                    break
        except BaseException:  # abandoned, or the device fails
            challenger.close()
            raise
        if best[challenger.shape] < _MARGIN * best[champion.shape] and pairs >= _PAIRS:
            self._gain *= best[champion.shape] / best[challenger.shape]
            self._champion, challenger = challenger, champion
        challenger.close()

    def finish(self) -> Outcome:
        """Remember the champion for all runs to come, and release the device."""
        assert self._champion is not None
        assert self._began is not None
        shape = self._champion.shape
        self.close()
        store_shape(self.case, shape)
        return Outcome(
            self.case,
            shape,
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

    def _checked(self, shape: KernelShape) -> Contestant:
        stepper = self._make(self._operator, shape)
        try:
            rates = stepper.right_hand_side(self._fields)
            if self._rates is None:
                self._rates = rates
            elif not _difference(rates, self._rates) <= _TOLERANCE[self.case.real]:
                raise ArithmeticError("its right-hand side is another one")
            stepper.set_fields(self._fields)
            # Drivers compile the last bit when a kernel is first launched.
            self._seconds(stepper, 1)
        except BaseException:
            stepper.close()
            raise
        return stepper

    def _steps_per_slice(self, stepper: Contestant) -> int:
        count = 1
        while (seconds := self._seconds(stepper, count)) < _SLICE_SECONDS:
            wanted = math.ceil(1.1 * count * _SLICE_SECONDS / seconds)
            count = max(count + 1, min(16 * count, wanted))
        return count

    def _seconds(self, stepper: Contestant, n_steps: int) -> float:
        stepper.synchronize()
        began = self._clock()
        stepper.advance(n_steps)
        stepper.synchronize()
        return max(self._clock() - began, 1e-9)


def tuner_for(stepper: Stepper) -> Tuner | None:
    """A tuner for what a stepper runs; None if there is nothing to choose, or if it is known."""
    if not isinstance(stepper, OpenCLStepper) or stepper.design != "interleaved":
        return None
    if not isinstance(stepper.scheme, LowStorageScheme):
        return None  # the kernels of local time stepping have one shape
    device, real = stepper.opencl_device, np.dtype(REALS[stepper.precision])
    case = case_of(stepper.operator, device, real)
    if len(candidates_of(case, device)) < 2 or stored_shape(case, device) is not None:
        return None
    return Tuner(
        stepper.operator,
        dt=stepper.dt,
        scheme=stepper.scheme,
        device=device,
        precision=stepper.precision,
    )


def tune(tuner: Tuner, progress: Callable[[], object] = lambda: None) -> Outcome:
    """All duels, one after the other.

    Parameters
    ----------
    progress : called after each.

    Raises
    ------
    WavelabError : the shape that is taken without timing does not work.
    """
    try:
        while (challenger := tuner.build()) is not None:
            for _ in tuner.duel(challenger):
                pass
            progress()
        return tuner.finish()
    finally:
        tuner.close()


def _lively(operator: MaxwellTM) -> Fields:
    """Fields without zeros, which are cheaper to compute with on some devices."""
    rng = np.random.default_rng(0)
    hx, hy, ez = rng.uniform(-1, 1, (3, *operator.discretization.shape))
    return Fields(hx, hy, ez)


def _difference(one: Fields, other: Fields) -> float:
    """Largest difference over largest value; NaN if there is one."""
    ones, others = (np.stack([f.hx, f.hy, f.ez]) for f in (one, other))
    return float(np.abs(ones - others).max() / np.abs(others).max())
