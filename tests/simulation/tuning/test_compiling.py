"""Compiling in a child: what it leaves behind, and every way in which it can be gone."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from io import BytesIO

import numpy as np
import pytest

from wavelab import paths
from wavelab.child import receive, send, spawn
from wavelab.errors import DeviceError
from wavelab.opencl.device.program import nothing_kept
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning.tuner import NoCompilerError
from wavelab.opencl.variants import tuned
from wavelab.simulation.tuning import compiling
from wavelab.simulation.tuning.compiling import Compiler
from wavelab.simulation.tuning.compiling_worker import processor_time

FIRST = KernelConfig(4, 4, rows=1, tile=4)
OTHER = KernelConfig(4, 4, rows=1, tile=2)


@pytest.fixture
def stepper(problem):
    made = OpenCLStepper(problem.operator, dt=problem.dt_max, precision="double", config=FIRST)
    made.advance(1)
    made.synchronize()
    yield made
    made.close()


@pytest.fixture
def compiler(problem, stepper):
    made = Compiler(problem, stepper)
    yield made
    made.close()


def child_of(compiler: Compiler) -> int:
    """The process number, once there is one."""
    while compiler.pid is None:
        time.sleep(0.001)
    return compiler.pid


def gone(pid: int) -> bool:
    """Waits for it: closing does not, for long."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.001)
    return False


def test_one_child_compiles_all_and_computes_only_while_nobody_else_wants_to(compiler, problem):
    compiler.compile(FIRST)
    pid = child_of(compiler)
    if hasattr(os, "getpriority"):
        assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    compiler.compile(OTHER)
    with pytest.raises(DeviceError):
        compiler.compile(KernelConfig(1 << 14, 1, rows=1, matrices="literal"))
    compiler.warm_up(OTHER)
    assert child_of(compiler) == pid

    # What it left on disk is not compiled again.
    def again() -> OpenCLStepper:
        made = OpenCLStepper(problem.operator, dt=1e-3, precision="double", config=OTHER)
        made.advance(1)
        made.synchronize()
        return made

    opening = processor_time(again)
    with nothing_kept():
        assert opening < 0.7 * processor_time(again)
    compiler.close()
    assert gone(pid)
    with pytest.raises(NoCompilerError, match="nobody waits"):
        compiler.compile(OTHER)


def test_a_child_that_is_killed_is_an_answer(compiler):
    killer = threading.Thread(target=lambda: os.kill(child_of(compiler), signal.SIGKILL))
    killer.start()
    with pytest.raises(DeviceError, match=f"status {-signal.SIGKILL}"):
        compiler.compile(FIRST)
    killer.join()
    with pytest.raises(NoCompilerError, match="died"):
        compiler.compile(FIRST)


def test_closing_ends_a_child_in_the_midst_of_it(compiler):
    troubles: list[Exception] = []

    def ask() -> None:
        try:
            compiler.compile(FIRST)
        except Exception as error:
            troubles.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    pid = child_of(compiler)
    compiler.close()
    asking.join(60)
    assert isinstance(troubles[0], NoCompilerError)
    assert gone(pid)


def test_a_child_that_takes_its_time_to_die_leaves_nothing_either(compiler, monkeypatch):
    """No process that nobody has waited for, and no open pipe."""
    begun: list[subprocess.Popen] = []

    def spawned(*words, **how):
        begun.append(spawn(*words, **how))
        return begun[-1]

    monkeypatch.setattr(compiling, "spawn", spawned)
    monkeypatch.setattr(compiling, "_GONE_SECONDS", 0.0)

    def ask() -> None:
        with pytest.raises(NoCompilerError):
            compiler.compile(FIRST)

    asking = threading.Thread(target=ask)
    asking.start()
    child_of(compiler)
    compiler.close()
    asking.join(60)
    (process,) = begun
    end = time.monotonic() + 60
    while not process.stdin.closed or not process.stdout.closed:
        assert time.monotonic() < end
        time.sleep(0.001)
    assert process.returncode == -signal.SIGKILL


def test_where_the_driver_keeps_nothing_nothing_is_compiled(compiler, stepper, monkeypatch):
    if "Portable" not in stepper.opencl_device.platform.name:
        pytest.skip("not every driver can be told so")
    monkeypatch.setenv("POCL_KERNEL_CACHE", "0")
    with pytest.raises(NoCompilerError, match="keeps no kernels"):
        compiler.compile(FIRST)


def test_no_child_where_another_window_tunes_or_nothing_can_be_kept(compiler, problem, stepper):
    pytest.importorskip("fcntl")
    with tuned.alone(), pytest.raises(NoCompilerError, match="another window"):
        compiler.compile(FIRST)
    assert compiler.pid is None
    other = Compiler(problem, stepper)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "cache_directory", lambda: paths.SCENES / "welcome.toml")
        with pytest.raises(NoCompilerError, match="kept"):
            other.compile(FIRST)
    other.close()


def test_large_arrays_travel_whole(problem):
    pipe = BytesIO()
    send(pipe, problem)
    send(pipe, "and more")
    pipe.seek(0)
    again = receive(pipe)
    assert np.array_equal(again.operator.epsilon, problem.operator.epsilon)
    assert np.array_equal(again.initial.ez, problem.initial.ez)
    assert again.scene == problem.scene
    assert receive(pipe) == "and more"
    with pytest.raises(EOFError):
        receive(pipe)
