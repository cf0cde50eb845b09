"""Too large, refused and mistyped: an answer each, not a crash."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyopencl as cl
import pytest
from mako.exceptions import MakoException

from tests.opencl.conftest import mixed_operator
from wavelab.errors import DeviceError
from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.program import build, render
from wavelab.opencl.elements.state import upload
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.variants.configs import cpu_config


@pytest.fixture
def memory(device):
    memory = DeviceMemory(device, np.float32)
    yield memory
    memory.close()


def test_too_large_for_the_device_says_how_large(memory):
    limit = memory.device.max_mem_alloc_size
    with pytest.raises(DeviceError, match="MiB") as caught:
        memory.check_fits([8, limit + 1])
    assert f"{limit / 2**20:,.0f} MiB" in str(caught.value)
    with pytest.raises(DeviceError, match="larger elements"):
        memory.check_fits([limit] * (memory.device.global_mem_size // limit + 1))
    memory.check_fits([8, 8])


def test_driver_out_of_memory(memory, monkeypatch):
    def fail(*arguments, **more):
        raise cl.MemoryError("MEM_OBJECT_ALLOCATION_FAILURE")

    monkeypatch.setattr(cl, "Buffer", fail)
    with pytest.raises(DeviceError, match="needs 3 MiB"):
        memory.empty(3 * 2**20)


def test_more_unknowns_than_indices(memory):
    operator = mixed_operator(2, 1.0)
    huge = SimpleNamespace(
        n_elements=2**31 // 18,
        nodes_per_element=6,
        order=2,
        element=operator.discretization.element,
    )
    with pytest.raises(DeviceError, match="2147483647"):
        config, nowhere = cpu_config(np.dtype(np.float32)), SimpleNamespace(n_elements=0)
        upload(SimpleNamespace(discretization=huge), 1, config, memory, nowhere)


def test_failure_while_setting_up_leaves_nothing(device, monkeypatch):
    held = []
    original = DeviceMemory.close

    def close(self):
        original(self)
        held.append(self.n_bytes)

    def refuse(self, sizes):
        raise self._too_large(sum(sizes))

    monkeypatch.setattr(DeviceMemory, "close", close)
    monkeypatch.setattr(DeviceMemory, "check_fits", refuse)
    with pytest.raises(DeviceError, match="MiB"):
        OpenCLStepper(mixed_operator(2, 1.0), dt=1e-3, device=device)
    assert held == [0]


def test_a_compiler_that_refuses_is_quoted(memory):
    with pytest.raises(DeviceError, match="compiler refused") as caught:
        build(memory.context, "kernel void f() { no_such_thing = 1; }", memory.device)
    assert "no_such_thing" in str(caught.value)
    assert memory.name in str(caught.value)


def test_undefined_names_in_templates_are_errors():
    with pytest.raises((NameError, MakoException)):
        render("stepper", real="float")
