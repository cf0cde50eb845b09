"""One context a device for the whole process, with the programs compiled for it, and one for all
devices that copy to each other.

A stepper is made anew whenever a number of a scene changes; what takes long about that is the same
every time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from wavelab.opencl.device.forks import use_drivers
from wavelab.opencl.device.program import forget_programs

#: By the devices, each once.
_contexts: dict[tuple[cl.Device, ...], cl.Context] = {}
#: Of several devices, whether they share one.
_sharing: dict[tuple[cl.Device, ...], bool] = {}
_lock = threading.Lock()


def context_of(*devices: cl.Device) -> cl.Context:
    """The context of a device, or of several that :func:`share_a_context`.

    Raises
    ------
    WavelabError : this process is a fork of one that has used OpenCL.
    """
    use_drivers()
    key = tuple(dict.fromkeys(devices))
    with _lock:
        if key not in _contexts:
            _contexts[key] = cl.Context(list(key))
        return _contexts[key]


def share_a_context(devices: Sequence[cl.Device]) -> bool:
    """Whether what is in a buffer of one device can be copied to any other by the devices
    themselves; tried once."""
    key = tuple(dict.fromkeys(devices))
    if len(key) == 1:
        return True
    if len({device.platform for device in key}) > 1:
        return False
    with _lock:
        if key in _sharing:
            return _sharing[key]
    try:
        works = _copies(context_of(*key), key)
    except cl.Error:
        works = False
    with _lock:
        return _sharing.setdefault(key, works)


def have_memory_of_host(devices: Sequence[cl.Device]) -> bool:
    """Whether their buffers are in the memory of the host: a copy from one to the other is one
    copy there, and no way through it could be shorter."""
    return all(device.host_unified_memory for device in devices)


def _copies(context: cl.Context, devices: Sequence[cl.Device]) -> bool:
    """Whether numbers arrive that go once around all devices."""
    numbers, found = np.arange(1024, dtype=np.int32), np.zeros(1024, np.int32)
    queues = [cl.CommandQueue(context, device) for device in devices]
    flags = cl.mem_flags.READ_WRITE
    buffers = [cl.Buffer(context, flags, numbers.nbytes) for _ in [*devices, None]]
    done = cl.enqueue_copy(queues[0], buffers[0], numbers, is_blocking=False)
    for queue, of, to in zip(queues, buffers, buffers[1:], strict=False):
        done = cl.enqueue_copy(queue, to, of, byte_count=numbers.nbytes, wait_for=[done])
        queue.flush()
    cl.enqueue_copy(queues[0], found, buffers[-1], wait_for=[done])
    return bool(np.array_equal(found, numbers))


def in_use(device: cl.Device) -> bool:
    """Whether it has a context that has not failed yet."""
    return any(device in key for key in _contexts)


def forget(device: cl.Device) -> None:
    """The device has failed: what is made on it from now on has nothing to do with that."""
    with _lock:
        for key in [key for key in _contexts if device in key]:
            del _contexts[key]
        forget_programs()
