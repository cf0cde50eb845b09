"""Memory and devices of tests of several devices that share a mesh."""

from __future__ import annotations

import numpy as np
import pyopencl as cl
import pytest

from wavelab.opencl.device.memory import DeviceMemory


@pytest.fixture(autouse=True)
def empty_memory_holds_anything(monkeypatch):
    """What is not a number where nobody has written."""
    empty = DeviceMemory.empty

    def filled(self, n_bytes: int) -> cl.Buffer:
        buffer = empty(self, n_bytes)
        with self.guarded():
            cl.enqueue_fill_buffer(self.queue, buffer, np.uint8(0xFF), 0, buffer.size)
        return buffer

    monkeypatch.setattr(DeviceMemory, "empty", filled)


@pytest.fixture
def halves(device) -> list[cl.Device]:
    """What several cards are to a program: devices with queues and memory of their own."""
    try:
        halves = device.create_sub_devices([cl.device_partition_property.EQUALLY, 1])
    except cl.Error as error:
        pytest.skip(f"the device cannot be divided: {error}")
    if len(halves) < 2:
        pytest.skip("the processor has one core")
    return halves[:2]
