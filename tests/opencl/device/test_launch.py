"""Kernels that are queued without events do what pyopencl's would do."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
import pytest

from wavelab.errors import DeviceError
from wavelab.opencl.device import launch as launching
from wavelab.opencl.device.launch import Launch
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.program import build

SOURCE = """
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void twice(global int *sum, const int more)
{ sum[get_global_id(0)] = 2 * sum[get_global_id(0)] + more; }
"""


@pytest.fixture(params=["plain", "pyopencl"])
def step(request, device, monkeypatch):
    """A launch over twelve items, its buffer and its memory."""
    if request.param == "pyopencl":
        monkeypatch.setattr(launching, "_plain_function", lambda name: None)
    memory = DeviceMemory(device, np.float32)
    numbers = memory.integers(np.zeros(12))
    kernel = cl.Kernel(build(memory.context, SOURCE, memory.device), "twice")
    kernel.set_args(numbers, np.int32(0))
    yield Launch(kernel, (12,), (4,)), numbers, memory
    memory.close()


def test_they_run_in_order_each_with_its_own_argument(step):
    launch, numbers, memory = step
    for more in (1, 2, 3):
        launch.set_last(np.int32(more))
        launch.enqueue(memory.queue)
    assert (memory.read(numbers, (12,), np.dtype(np.int32)) == 2 * (2 * 1 + 2) + 3).all()


def test_what_the_driver_refuses_is_an_error(step):
    launch, _, memory = step
    with pytest.raises(DeviceError, match="the driver failed"), memory.guarded():
        launch.set_last(np.float64(1))
    with pytest.raises(DeviceError, match="the driver failed"), memory.guarded():
        Launch(launch.kernel, (12,), (3,)).enqueue(memory.queue)


def test_the_library_of_pyopencl_is_reached():
    """Here at least: elsewhere it may be linked in a way that hides it."""
    for name in ("clEnqueueNDRangeKernel", "clSetKernelArg"):
        assert launching._plain_function(name) is not None
