"""One context a device for the whole process, with the programs compiled for it.

A stepper is made anew whenever a number of a scene changes; what takes long about that is the same
every time.
"""

from __future__ import annotations

import threading

import pyopencl as cl

from wavelab.opencl.device.forks import use_drivers
from wavelab.opencl.device.program import build

_contexts: dict[cl.Device, cl.Context] = {}
_lock = threading.Lock()


def context_of(device: cl.Device) -> cl.Context:
    """The context of a device.

    Raises
    ------
    WavelabError : this process is a fork of one that has used OpenCL.
    """
    use_drivers()
    with _lock:
        if device not in _contexts:
            _contexts[device] = cl.Context([device])
        return _contexts[device]


def in_use(device: cl.Device) -> bool:
    """Whether it has a context that has not failed yet."""
    return device in _contexts


def forget(device: cl.Device) -> None:
    """The device has failed: what is made on it from now on has nothing to do with that."""
    with _lock:
        _contexts.pop(device, None)
        build.cache_clear()
