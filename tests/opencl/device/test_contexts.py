"""What is made once for a device, and anew after it has failed."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
import pytest

from wavelab.errors import DeviceError
from wavelab.opencl.device.contexts import in_use
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.probe import probe_once
from wavelab.opencl.device.program import build

SOURCE = "kernel void nothing() { }"


@pytest.fixture
def device() -> cl.Device:
    return choose_device()


def test_a_source_is_compiled_once_for_all_that_run_on_a_device(device):
    first, second = (DeviceMemory(device, np.float32) for _ in range(2))
    programs = [build(of.context, SOURCE, device) for of in (first, second)]
    assert programs[0] is programs[1]
    first.close()
    assert second.read(second.reals(np.arange(3.0)), (3,), second.real).tolist() == [0, 1, 2]
    second.close()


def test_after_a_failure_the_next_begins_in_a_context_of_its_own(device):
    failed = DeviceMemory(device, np.float32)
    program = build(failed.context, SOURCE, device)
    with pytest.raises(DeviceError, match="lost"), failed.guarded():
        raise cl.RuntimeError("the device was lost")
    assert not in_use(device)
    anew = DeviceMemory(device, np.float32)
    assert anew.context != failed.context
    assert build(anew.context, SOURCE, device) is not program
    anew.close()
    failed.close()


def test_a_device_at_work_is_not_probed_again(device, monkeypatch):
    memory = DeviceMemory(device, np.float32)
    monkeypatch.setattr("wavelab.opencl.device.probe.run_probe", lambda device: "it was probed")
    assert probe_once(device) == ""
    with pytest.raises(DeviceError), memory.guarded():
        raise cl.RuntimeError("the device was lost")
    assert probe_once(device) == "it was probed"
    memory.close()
