"""Compiling kernels to be tried in a child process of low priority.

A driver's compiler is not good company for a running wave: it takes seconds, holds locks that every
launch waits for, and PoCL's, which compiles when a kernel is first launched, the interpreter's as
well.  In a child it has all that to itself, and computes only while nobody else wants to.  What it
made it leaves on disk, in the driver's cache, where this process finds it in some hundredths of a
second.
"""

from __future__ import annotations

import subprocess
import threading
from contextlib import ExitStack, suppress

from wavelab.child import receive, send, spawn
from wavelab.errors import DeviceError
from wavelab.opencl.device.device import address_of
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.tuner import NoCompilerError
from wavelab.opencl.variants.tuned import alone
from wavelab.physics.problem import Problem
from wavelab.simulation.tuning.compiling_worker import NOTHING_KEPT, Compile, Request, Task, WarmUp

#: How long a child that was killed, or has died, is waited for.
_GONE_SECONDS = 1.0
_WORKER = "wavelab.simulation.tuning.compiling_worker"


class Compiler:
    """Has a child compile, which begins when it is first asked for something.

    All but :meth:`close` block, and belong into a thread other than the simulation's.

    Parameters
    ----------
    problem : what to compile for.
    stepper : runs it, on the same device in the same precision.
    """

    def __init__(self, problem: Problem, stepper: OpenCLStepper) -> None:
        self._problem, self._stepper = problem, stepper
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._ended = ""
        self._held = ExitStack()

    @property
    def pid(self) -> int | None:
        """Number of the child, if there is one."""
        process = self._process  # which close() in another thread takes away
        return None if process is None else process.pid

    def compile(self, config: KernelConfig) -> None:
        """Make what times a config, at first of one that runs here already.

        Raises
        ------
        DeviceError : the driver refuses it, or the child died of it.
        NoCompilerError : no child can compile here, now or any more.
        """
        self._ask(Compile(config))

    def warm_up(self, config: KernelConfig) -> None:
        """Make all that a simulation needs to go on with a config.

        Raises
        ------
        DeviceError, NoCompilerError : as :meth:`compile`.
        """
        self._ask(WarmUp(config))

    def close(self, reason: str = "nobody waits for it any more") -> None:
        """End the child, in whatever it is doing; nothing can be asked for from now on."""
        with self._lock:
            self._ended = self._ended or reason
            process, self._process = self._process, None
            self._held.close()
        if process is None:
            return
        process.kill()
        # In a driver that does not let go, or on a machine with much to do, it takes its time.
        burial = threading.Thread(target=_bury, args=(process,), name="compiler's end", daemon=True)
        burial.start()
        burial.join(_GONE_SECONDS)

    def _ask(self, request: Request) -> None:
        trouble = self._answer(request)
        if NOTHING_KEPT in trouble:
            raise NoCompilerError(NOTHING_KEPT)
        if trouble:
            raise DeviceError(trouble)

    def _answer(self, request: Request) -> str:
        try:
            process = self._child()
            assert process.stdin is not None
            assert process.stdout is not None
            send(process.stdin, request)
            return str(receive(process.stdout))
        except (OSError, EOFError, ValueError) as error:
            dead = self._process
            if self._ended or dead is None:
                raise NoCompilerError(
                    self._ended or f"nothing can be started or kept: {error}"
                ) from error
            with suppress(subprocess.TimeoutExpired):
                dead.wait(_GONE_SECONDS)
            self.close("the compiling process died")
            raise DeviceError(
                f"the compiling process ended with status {dead.returncode}"
            ) from error

    def _child(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise NoCompilerError(self._ended)
            if self._process is not None:
                return self._process
            if not self._held.enter_context(alone()):
                raise NoCompilerError("another window is tuning")
            process = self._process = spawn(_WORKER, subprocess.DEVNULL, last=True)
        assert process.stdin is not None
        stepper = self._stepper
        task = Task(self._problem, stepper.precision, address_of(stepper.opencl_device))
        send(process.stdin, task)
        return process


def _bury(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a child, and leave nothing of it."""
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # unsent bytes for a child that is gone
            if stream is not None:
                stream.close()
