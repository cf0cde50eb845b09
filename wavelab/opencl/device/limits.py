"""What a device can do at most: how fast it moves memory, and how fast it multiplies and adds.

Measured, since what data sheets promise is not what a program gets, and in the run whose figures
they are compared with, since other programs and the temperature have their say.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import pyopencl as cl

from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import REALS, DeviceMemory
from wavelab.opencl.device.program import build, render
from wavelab.opencl.device.properties import kind_of

#: A buffer is this many times larger than the last cache, within these bounds in bytes.
_CACHES = 4
_SMALLEST, _LARGEST = 128 << 20, 1 << 30
#: Each form is timed this often, each time for at least so long; the best counts.
_REPEATS = 8
_SECONDS = 0.02
_GROUP = {"CPU": 1, "GPU": 256, "accelerator": 256}


@dataclass(frozen=True)
class Limits:
    """Best rates that were measured.

    Attributes
    ----------
    copy_gbytes_per_s : 10^9 bytes read plus bytes written per second, in buffers larger than the
        caches.
    fma_gflops : 10^9 flops per second, a multiplication and an addition two of them.
    """

    copy_gbytes_per_s: float
    fma_gflops: float

    def best(self, other: Limits) -> Limits:
        """The better of two measurements: what disturbs one makes it smaller."""
        return Limits(
            max(self.copy_gbytes_per_s, other.copy_gbytes_per_s),
            max(self.fma_gflops, other.fma_gflops),
        )


def measure_limits(device: cl.Device, precision: str) -> Limits:
    """The best of several forms of each kernel, so that none is unfair to the device.

    Takes a second or two.

    Raises
    ------
    DeviceError : the driver fails.
    """
    with closing(DeviceMemory(device, REALS[precision])) as memory:
        return Limits(
            max(_memory_rate(memory, *form) for form in _memory_forms(memory)) / 1e9,
            max(_arithmetic_rate(memory, *form) for form in _arithmetic_forms(memory)) / 1e9,
        )


def _memory_forms(memory: DeviceMemory) -> list[tuple[int, int]]:
    """(width, vectors per item)."""
    if kind_of(memory.device) == "CPU":
        return [(_register(memory), 1024), (_register(memory), 8192)]
    return [(width, per_item) for width in (1, 16 // memory.real.itemsize) for per_item in (1, 4)]


def _arithmetic_forms(memory: DeviceMemory) -> list[tuple[int, int]]:
    """(width, chains)."""
    widths = (_register(memory),) if kind_of(memory.device) == "CPU" else (1, 2)
    return list(itertools.product(widths, (8, 12)))


def _register(memory: DeviceMemory) -> int:
    return 32 // memory.real.itemsize


def _memory_rate(memory: DeviceMemory, width: int, per_item: int) -> float:
    """Bytes per second, of a copy or of an update in place, whichever is faster."""
    device = memory.device
    copy, scale = _kernels(memory, "copy", "scale", width=width, per_item=per_item)
    wanted = min(max(_CACHES * device.global_mem_cache_size, _SMALLEST), _LARGEST)
    wanted = min(wanted, device.max_mem_alloc_size, device.global_mem_size // 4)
    local = _group(device)
    portion = local * per_item * width * memory.real.itemsize
    n_bytes = max(wanted // portion, 1) * portion
    # Values, not what happens to be there: arithmetic on denormal numbers is slow.
    buffers = [memory.reals(np.ones(n_bytes // memory.real.itemsize, memory.real)) for _ in "12"]
    items = n_bytes // (portion // local)
    copy.set_args(*buffers)
    scale.set_args(buffers[0], memory.real.type(1))
    seconds = min(_best_seconds(memory, kernel, items, local) for kernel in (copy, scale))
    memory.free(*buffers)
    return 2 * n_bytes / seconds


def _arithmetic_rate(memory: DeviceMemory, width: int, chains: int) -> float:
    """Flops per second."""
    device = memory.device
    (fma,) = _kernels(memory, "multiply_add", width=width, chains=chains)
    local = _group(device)
    # Enough groups to fill every unit several times over.
    items = device.max_compute_units * (16 if local == 1 else 64 * local)
    results = memory.empty(items * width * memory.real.itemsize)
    rounds = 100_000 if local == 1 else 4_000
    # a < 1, so that the numbers tend to b / (1 - a) and stay ordinary ones.
    fma.set_args(results, memory.real.type(0.5), memory.real.type(1), np.int32(rounds))
    seconds = _best_seconds(memory, fma, items, local)
    memory.free(results)
    return 2.0 * rounds * chains * width * items / seconds


def _kernels(
    memory: DeviceMemory, *names: str, width: int, per_item: int = 1, chains: int = 1
) -> list[cl.Kernel]:
    source = render(
        "limits",
        real=memory.real_name,
        width=width,
        per_item=per_item,
        together=_group(memory.device) > 1,
        chains=chains,
    )
    with memory.guarded():
        program = build(memory.context, source, memory.device)
        return [cl.Kernel(program, name) for name in names]


def _group(device: cl.Device) -> int:
    return min(_GROUP[kind_of(device)], device.max_work_group_size)


def _best_seconds(memory: DeviceMemory, kernel: cl.Kernel, items: int, local: int) -> float:
    """Seconds per launch, the best of several tries of several launches each."""
    launch = Launch(kernel, (items,), (local,))
    with memory.guarded():
        return best_seconds(lambda: launch.enqueue(memory.queue), memory.queue.finish)


def best_seconds(launch: Callable[[], object], finish: Callable[[], object]) -> float:
    """Seconds per ``launch``, the best of several tries of several launches each."""
    launch()
    finish()
    count, best = 1, math.inf
    for _ in range(_REPEATS):
        while True:
            start = time.perf_counter()
            for _ in range(count):
                launch()
            finish()
            seconds = time.perf_counter() - start
            if seconds >= _SECONDS:
                break
            count *= 2
        best = min(best, seconds / count)
    return best
