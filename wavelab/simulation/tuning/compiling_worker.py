"""The child process that compiles for a tuner: ``python -m
wavelab.simulation.tuning.compiling_worker``.

What it compiles the driver keeps on disk, where the parent finds it in no time.  It reads one
:class:`Task`, then one request after the other, and answers each with what went wrong, or with ""
if nothing did.  It ends with its standard input, and in any case after a while.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from wavelab.child import receive, send
from wavelab.numerics.time.runge_kutta import LowStorageScheme
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.program import nothing_kept
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.patch import patch
from wavelab.opencl.tuning.workshop import Work, Workshop
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.physics.problem import Problem
from wavelab.simulation.messages.loading import warm_up
from wavelab.simulation.steppers.steppers import stepper_of

#: Seconds after which the parent is gone or has no use for an answer any more.  Who comes last in
#: the queue for a processor may need minutes for what takes seconds.
_LIFE = 600
#: Elements to measure with what it takes to open kernels that are compiled already ...
_FEW = 64
#: ... and what part that is at most of what it takes to compile them: 0.08 with PoCL on a busy
#: machine, and 1 where the driver keeps nothing.
_MOST_FOR_OPENING = 0.5
NOTHING_KEPT = "the driver keeps no kernels from one process to the next"


@dataclass(frozen=True)
class Task:
    """What is going to be compiled for.

    Attributes
    ----------
    address : of the device, as for :func:`wavelab.opencl.device.device.choose_device`.
    """

    problem: Problem
    precision: str
    address: str


@dataclass(frozen=True)
class Compile:
    """Kernels of a config, on the elements that they are timed with.  The first that is asked for
    is one that the parent runs already."""

    config: KernelConfig


@dataclass(frozen=True)
class WarmUp:
    """All kernels that a simulation of the problem needs with a config."""

    config: KernelConfig


Request = Compile | WarmUp


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this
    if hasattr(signal, "alarm"):
        signal.alarm(_LIFE)
    answers = os.fdopen(os.dup(1), "wb")
    # Drivers print.
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer all requests."""
    try:
        task: Task = receive(requests)
        bench = _Bench(task)
        while True:
            send(answers, _trouble(bench, receive(requests)))
    except (EOFError, BrokenPipeError):
        pass


def _trouble(bench: _Bench, request: Request) -> str:
    try:
        bench.do(request)
    except Exception as error:  # drivers fail in every way there is
        return f"{type(error).__name__}: {error}"
    return ""


def processor_time(work: Callable[[], OpenCLStepper]) -> float:
    """Of making a stepper, seconds."""
    began = time.process_time()
    work().close()
    return time.process_time() - began


class _Bench:
    """Has everything that requests are about."""

    def __init__(self, task: Task) -> None:
        self._problem, self._precision, self._address = task.problem, task.precision, task.address
        self._device = choose_device(task.address, probe=None)
        self._workshop: Workshop | None = None

    def do(self, request: Request) -> None:
        """What is asked for.

        Raises
        ------
        Exception : it cannot be done.
        """
        match request:
            case Compile(config):
                if self._workshop is None:
                    self._check_caches(config)
                    self._workshop = self._workshop_for(self._problem.operator)
                self._workshop.made(config).close()
            case WarmUp(config):
                self._warm_up(config)

    def _workshop_for(self, operator: MaxwellTM) -> Workshop:
        scheme = self._problem.scheme
        assert isinstance(scheme, LowStorageScheme)
        return Workshop(Work(operator, self._problem.dt_max, self._device, self._precision, scheme))

    def _check_caches(self, config: KernelConfig) -> None:
        few = self._workshop_for(patch(self._problem.operator, _FEW))
        make = partial(few.made, config)
        with nothing_kept():
            make().close()  # the driver's own start takes long, too, and comes only once
        opening = processor_time(make)
        with nothing_kept():
            compiling = processor_time(make)
        if opening > _MOST_FOR_OPENING * compiling:
            raise RuntimeError(NOTHING_KEPT)

    def _warm_up(self, config: KernelConfig) -> None:
        problem = self._problem
        made = stepper_of(
            problem,
            precision=self._precision,
            backend="opencl",
            device=self._address,
            configs=(config,),
        )
        with closing(made) as stepper:
            warm_up(stepper, problem)


if __name__ == "__main__":
    # Under its own name, so that pickles name this module and not __main__.
    from wavelab.simulation.tuning.compiling_worker import main as run

    run()
