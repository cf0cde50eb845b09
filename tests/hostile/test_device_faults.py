"""A short form of scripts/hostile/device_faults.py."""

from __future__ import annotations

import pytest

pytest.importorskip("pyopencl")

import pyopencl as cl

from scripts.hostile import device_faults
from scripts.hostile.device_faults import FAULTS, Proxy, fail_everywhere
from scripts.hostile.tally import Tally
from wavelab.opencl.device.memory import DeviceMemory


def test_some_calls_fail_once_and_the_wave_goes_on():
    tally = Tally()
    places = fail_everywhere(60.0, 1, 3, tally, most=2)
    assert len(places) >= 20
    assert tally.total_failed == 0
    assert tally.tried.total() == 2 * len(FAULTS)


def test_the_proxy_counts_calls_of_the_room_alone_and_fails_the_one_that_is_meant(opencl_device):
    proxy, before = Proxy(), vars(cl)["enqueue_copy"]
    with proxy.around():
        memory = DeviceMemory(opencl_device, "f4")
        (made,) = [place for place in proxy.calls if place.endswith(" CommandQueue")]
        cl.CommandQueue(memory.context)
        assert proxy.calls[made] == 1
        proxy.fail(made, 2, "no memory")
        memory.close()
        DeviceMemory(opencl_device, "f4").close()
        with pytest.raises(Exception, match=r"a fault of the script|needs"):
            DeviceMemory(opencl_device, "f4")
        assert proxy.failed
        DeviceMemory(opencl_device, "f4").close()
    assert vars(cl)["enqueue_copy"] is before
    assert device_faults.launch._plain_function.__name__ != "function"


@pytest.fixture
def opencl_device():
    from wavelab.errors import DeviceError
    from wavelab.opencl.device.device import choose_device

    try:
        return choose_device()
    except DeviceError:
        pytest.skip("no OpenCL device")
