"""Copies of device buffers in the host's memory, by the faster way for the device."""

from __future__ import annotations

import threading

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from wavelab.opencl.device.memory import DeviceMemory
from wavelab.opencl.device.properties import shares_memory
from wavelab.physics.stepper import ComingView, ViewAtHand


class HostCopy:
    """Reads buffers of up to ``n_bytes``, again and again.

    A device with memory of its own copies into pinned memory, which it reaches while it computes;
    what the caller gets is a plain array copied out of that.  A device that shares the host's
    memory copies into the array at once: on PoCL the detour took 1.4 times as long for 0.2 MB and
    2.5 times as long for 6 MB.

    Parameters
    ----------
    pinned : which way; None takes what suits the device.
    """

    def __init__(self, memory: DeviceMemory, n_bytes: int, pinned: bool | None = None) -> None:
        self._memory, self._n_bytes = memory, n_bytes
        self._detour = not shares_memory(memory.device) if pinned is None else pinned
        self._pinned: NDArray[np.uint8] | None = None
        self._transfer: cl.Event | None = None
        self._latest: cl.Event | None = None  # whose values the pinned memory has, or will
        # Held by whoever looks at the pinned memory, which is given back when it is closed.
        self._in_use = threading.Lock()
        self._closed = False

    def read(self, buffer: cl.Buffer, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        """Contents of a buffer, once all that was queued is done."""
        if not self._detour:
            return self._memory.read(buffer, shape, dtype)
        with self._in_use:
            there, self._latest = self._place(shape, dtype), None
            self.finish()  # what is on its way there, by another queue, might come later than this
            self._memory.read_into(there, buffer)
            return there.copy()

    def begin(self, buffer: cl.Buffer, shape: tuple[int, ...], dtype: np.dtype) -> ComingView:
        """The same without waiting, where the device can go on meanwhile.

        The buffer must stay as it is until :meth:`finish`.  Values that have not been taken when
        something else is read are lost: there is one place for all.
        """
        if not self._detour:
            return ViewAtHand(self.read(buffer, shape, dtype))
        with self._in_use:
            there = self._place(shape, dtype)
            self._transfer = self._latest = self._memory.begin_read(there, buffer)
            return _Coming(self, self._latest, there)

    def finish(self) -> None:
        """Wait until the device has read what it was asked to read last."""
        if self._transfer is not None:
            with self._memory.guarded():
                self._transfer.wait()
            self._transfer = None

    def close(self) -> None:
        """Nothing is read any more; to be called before the memory is closed."""
        with self._in_use:
            self._closed = True

    def arrived(self, transfer: cl.Event, there: NDArray) -> NDArray | None:
        """A copy of what a transfer has brought; None after :meth:`close`, or if something else
        lies there now."""
        with self._in_use:
            if self._closed or transfer is not self._latest:
                return None
            with self._memory.guarded():
                transfer.wait()
            return there.copy()

    def _place(self, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        if self._pinned is None:
            self._pinned = self._memory.pinned(self._n_bytes)
        n_bytes = int(np.prod(shape)) * dtype.itemsize
        return self._pinned[:n_bytes].view(dtype).reshape(shape)


class _Coming:
    """Values that a transfer brings into pinned memory."""

    def __init__(self, host: HostCopy, transfer: cl.Event, there: NDArray) -> None:
        self._host, self._transfer, self._there = host, transfer, there

    @property
    def here(self) -> bool:
        return False  # to be copied by somebody who has the time

    def values(self) -> NDArray | None:
        return self._host.arrived(self._transfer, self._there)
