"""A device, and measurements that are over in a moment: their figures mean nothing."""

import pytest

from wavelab.benchmark import timing
from wavelab.opencl.device import limits
from wavelab.opencl.device.device import choose_device


@pytest.fixture(scope="session")
def device():
    return choose_device(None, precision="double")


@pytest.fixture
def hurried(monkeypatch):
    """Time almost nothing, in buffers that are too small."""
    monkeypatch.setattr(timing, "_SECONDS", 1e-4)
    monkeypatch.setattr(timing, "BATCHES", 1)
    monkeypatch.setattr(limits, "_SECONDS", 1e-4)
    monkeypatch.setattr(limits, "_REPEATS", 1)
    monkeypatch.setattr(limits, "_CACHES", 0)
    monkeypatch.setattr(limits, "_SMALLEST", 1 << 20)
