"""The kernels that measure the limits do the work that is counted."""

import numpy as np
import pyopencl as cl
import pytest

from wavelab.opencl.device import limits
from wavelab.opencl.device.memory import DeviceMemory


@pytest.fixture(params=["single", "double"])
def memory(request, device):
    memory = DeviceMemory(device, {"single": np.float32, "double": np.float64}[request.param])
    yield memory
    memory.close()


def launch(memory, kernel, items, local):
    cl.enqueue_nd_range_kernel(memory.queue, kernel, (items,), (local,))


@pytest.mark.parametrize("group", [1, 8])
@pytest.mark.parametrize(("width", "per_item"), [(1, 4), (4, 16)])
def test_every_number_is_moved_once(memory, monkeypatch, group, width, per_item):
    monkeypatch.setattr(limits, "_group", lambda device: group)
    items = 8 * group
    numbers = np.arange(items * per_item * width, dtype=memory.real)
    given, taken = memory.reals(numbers), memory.reals(0 * numbers)
    copy, scale = limits._kernels(memory, "copy", "scale", width=width, per_item=per_item)
    copy.set_args(given, taken)
    scale.set_args(taken, memory.real.type(3))
    launch(memory, copy, items, group)
    launch(memory, scale, items, group)
    np.testing.assert_array_equal(memory.read(taken, numbers.shape, memory.real), 3 * numbers)


@pytest.mark.parametrize(("width", "chains"), [(1, 8), (4, 3)])
def test_every_round_multiplies_and_adds_in_every_chain(memory, width, chains):
    items, rounds, a, b = 6, 5, 0.5, 3.0
    results = memory.empty(items * width * memory.real.itemsize)
    (kernel,) = limits._kernels(memory, "multiply_add", width=width, chains=chains)
    kernel.set_args(results, memory.real.type(a), memory.real.type(b), np.int32(rounds))
    launch(memory, kernel, items, 1)
    x = a * (np.arange(items)[:, None] + np.arange(chains))
    for _ in range(rounds):
        x = x * a + b
    expected = np.repeat(x.sum(axis=1)[:, None], width, axis=1)
    np.testing.assert_allclose(
        memory.read(results, (items, width), memory.real), expected, rtol=1e-6
    )


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("precision", ["single", "double"])
def test_both_limits_are_measured(device, precision):
    measured = limits.measure_limits(device, precision)
    assert 0 < measured.copy_gbytes_per_s < np.inf
    assert 0 < measured.fma_gflops < np.inf
