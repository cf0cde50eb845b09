"""Reading back directly and through pinned memory."""

import numpy as np
import pytest

from wavelab.opencl.device.host_copy import HostCopy
from wavelab.opencl.device.memory import DeviceMemory


@pytest.fixture
def memory(device):
    made = DeviceMemory(device, np.float32)
    yield made
    made.close()


@pytest.mark.parametrize("pinned", [True, False, None])
def test_what_is_read_is_the_callers_own(memory, pinned):
    host = HostCopy(memory, 4 * 60, pinned)
    numbers = np.arange(60, dtype=np.float32)
    buffer = memory.reals(numbers)
    first = host.read(buffer, (20, 3), np.dtype(np.float32))
    memory.write(buffer, -numbers)
    second = host.read(buffer, (60,), np.dtype(np.float32))
    np.testing.assert_array_equal(first, numbers.reshape(20, 3))
    np.testing.assert_array_equal(second, -numbers)


def test_other_types_and_shorter_buffers_fit(memory):
    host = HostCopy(memory, 100, True)
    np.testing.assert_array_equal(
        host.read(memory.integers(np.arange(7)), (7,), np.dtype(np.int32)), np.arange(7)
    )


def test_pinned_memory_is_given_back(device):
    memory = DeviceMemory(device, np.float32)
    HostCopy(memory, 1 << 20, True)
    memory.close()
    memory.close()
    assert memory.n_bytes == 0
    with pytest.raises(RuntimeError, match="closed"):
        memory.pinned(8)


def test_what_was_begun_to_be_read_is_of_that_moment(memory):
    host = HostCopy(memory, 4 * 60, True)
    numbers = np.arange(60, dtype=np.float32)
    buffer = memory.reals(numbers)
    coming = host.begin(buffer, (20, 3), np.dtype(np.float32))
    host.finish()
    memory.write(buffer, -numbers)
    memory.queue.finish()
    assert not coming.here
    np.testing.assert_array_equal(coming.values(), numbers.reshape(20, 3))


@pytest.mark.parametrize("again", ["begin", "read"])
def test_what_something_else_takes_the_place_of_is_lost_and_never_mistaken(memory, again):
    host = HostCopy(memory, 4 * 60, True)
    numbers = np.arange(60, dtype=np.float32)
    how = (60,), np.dtype(np.float32)
    one, other = memory.reals(numbers), memory.reals(-numbers)
    for _ in range(200):  # by two queues, of which either may be the first
        first = host.begin(one, *how)
        second = getattr(host, again)(other, *how)
        assert first.values() is None
        found = second.values() if again == "begin" else second
        np.testing.assert_array_equal(found, -numbers)


def test_nothing_comes_once_it_is_closed(memory):
    host = HostCopy(memory, 4 * 60, True)
    coming = host.begin(memory.reals(np.zeros(60)), (60,), np.dtype(np.float32))
    host.close()
    memory.close()
    assert coming.values() is None


def test_where_the_memory_is_shared_it_is_read_at_once(memory):
    coming = HostCopy(memory, 4 * 60, False).begin(
        memory.reals(np.ones(60)), (60,), np.dtype(np.float32)
    )
    assert coming.here
    np.testing.assert_array_equal(coming.values(), 1)
